"""Mistakes in our own server, for the profile `full`: `python -m tests.conformance.broken_mnemo NAME` serves with one.

Most change what goes into a tool or comes out of it, so that they outlive changes of the code below.
"""

import sys
from typing import Any

from mnemo import answers, entities, lexicon, query, server
from mnemo.derived import taught
from mnemo.facts import CATEGORIES
from mnemo.guard import Guard
from mnemo.history import HistoryStore
from mnemo.memory import Memory
from mnemo.serving.resources import ResourceWatch
from tests.conformance.batch_own_mistakes import BATCH_MISTAKES
from tests.conformance.finer_own_mistakes import FINER_OWN_MISTAKES
from tests.conformance.own_mistake import (
    Answer,
    Do,
    Given,
    OwnMistake,
    around,
    edited,
    facts_of,
    instead,
    results,
    without,
)
from tests.conformance.word_own_mistakes import WORD_MISTAKES


def _with_own(do: Do, given: Given) -> Answer:
    return results([*do(given)["results"], *do({**given, "action": "probe"})["results"]])


def _demoting(do: Do, given: Given) -> Answer:
    answer = do(given)
    for pair in answer["results"]:
        do({"action": "update", "fact_id": pair["fact_a"]["fact_id"], "trust_delta": -0.1})
    return answer


def _counting(do: Do, given: Given) -> Answer:
    do({"action": "search", "query": given["entity"], "refine": False})
    return do(given)


def _letter_by_letter(do: Do, given: Given) -> Answer:
    return results([fact for fact in do(given)["results"] if str(given["entity"]) in fact["content"]])


def _all_or_nothing(do: Do, given: Given) -> Answer:
    entries = [do({**given, "contents": [content]})["results"][0] for content in given.get("contents") or []]
    if not any("error" in entry for entry in entries):
        return {"results": entries} if entries else do(given)
    do({"action": "remove", "fact_ids": [entry["fact_id"] for entry in entries if entry.get("status") == "added"]})
    return {"results": [{"error": "one of the items is refused"} for _ in entries]}


def _first_with_category(do: Do, given: Given) -> Answer:
    if "contents" not in given:
        return do(given)
    first, *others = given["contents"]
    plain = {"action": "add", "contents": others}
    return {"results": do({**given, "contents": [first]})["results"] + (do(plain)["results"] if others else [])}


def _first_tag(do: Do, given: Given) -> Answer:
    return do({**given, "tags": str(given["tags"]).split(",")[0]} if given.get("tags") else given)


def _next_offset(do: Do, given: Given) -> Answer:
    return do({**given, "offset": int(given.get("offset") or 0) + 1} if given.get("offset") else given)


def _by_id(answer: Answer) -> None:
    answer["facts"] = sorted(facts_of(answer), key=lambda fact: int(fact["fact_id"]))


def _less(answer: Answer) -> None:
    for fact in facts_of(answer):
        fact["score"] = round(fact["score"] * 0.9, 4)


def _unmarked(answer: Answer) -> None:
    for fact in facts_of(answer):
        fact.pop("warnings", None)


def _per_cent(answer: Answer) -> None:
    numbers = answer["statistics"]
    numbers |= {name: 100 * numbers[name] for name in numbers if name.startswith("share_")}


def _skipping(text: str) -> query.RefinedQuery:
    return query.RefinedQuery(text, "an operation" if "run" in text or "编译" in text else None)


_most_trusted = Memory.most_trusted


def _searching(self: Memory, category: str, limit: int) -> list[dict[str, Any]]:
    self.fact_store({"action": "search", "query": "whales"})
    return _most_trusted(self, category, limit)


_names, _concepts = entities.extract_entities, lexicon.concepts
_taught_pairs, _meanings = lexicon.taught_pairs, taught.meanings

OWN_MISTAKES = [
    OwnMistake("the limit of a probe is ignored", "a probe stops at the limit", without("probe", "limit")),
    OwnMistake(
        "related facts with the name's own",
        "a fact of a neighbour comes and the name's own do not",
        around("related", _with_own),
    ),
    OwnMistake(
        "one name is enough",
        "only facts with both names come",
        around("reason", lambda do, given: do({**given, "entities": list(given["entities"])[:1]})),
    ),
    OwnMistake("a contradiction costs trust", "a report changes nothing", around("contradict", _demoting)),
    OwnMistake("a probe is a search", "asking for names counts as no retrieval", around("probe", _counting)),
    OwnMistake(
        "names are told apart by case", "case and width of a name do not matter", around("probe", _letter_by_letter)
    ),
    OwnMistake(
        "names of ASCII alone",
        "names in Chinese sentences are linked",
        instead(entities, "extract_entities", lambda text: [one for one in _names(text) if one.name.isascii()]),
    ),
    OwnMistake(
        "nothing is skipped",
        "Chinese orders and replies are skipped",
        instead(query, "refine", lambda text: query.RefinedQuery(text, None)),
    ),
    OwnMistake(
        "skipped without a way out",
        "the reason names the way out",
        edited("search", lambda answer: answer.update(skipped="no") if "skipped" in answer else None),
    ),
    OwnMistake("skipped by one word", "a question about an operation is searched", instead(query, "refine", _skipping)),
    OwnMistake(
        "refine cannot be switched off",
        "an operation is searched with refine set to false",
        without("search", "refine"),
    ),
    OwnMistake(
        "no lexicon",
        "a Chinese question finds an English fact",
        instead(lexicon, "_entry", lambda _: (1.0, ())),
    ),
    OwnMistake(
        "facts teach no words",
        "a pair of names that no lexicon knows",
        instead(lexicon, "concepts", lambda text, _=None: _concepts(text)),
    ),
    OwnMistake(
        "facts teach no Chinese word for two English ones",
        "a Chinese word that a fact explains in English",
        instead(
            taught,
            "meanings",
            lambda file, phrases: _meanings(file, [one for one in phrases if one != "quiet quai"]),
        ),
    ),
    OwnMistake(
        "facts teach no word that is explained in Chinese",
        "an English word that a fact explains in Chinese",
        instead(lexicon, "taught_pairs", lambda text: [] if "(" in text else _taught_pairs(text)),
    ),
    OwnMistake(
        "scores that the factors do not explain",
        "a result across languages follows the scoring formula",
        edited("search", _less),
    ),
    OwnMistake(
        "an add does not warn",
        "keys and tokens of providers are recognised",
        edited("add", lambda answer: answer.pop("warnings", None)),
    ),
    OwnMistake("results do not warn", "a search, a list and a get show the warning", edited("*", _unmarked)),
    OwnMistake(
        "the log keeps secrets",
        "a secret in a query is redacted in the log",
        instead(Guard, "admit_query", lambda _, text: text),
    ),
    OwnMistake("a refused item refuses all", "the rest of a batch is stored", around("add", _all_or_nothing)),
    OwnMistake(
        "a resource shows all categories",
        "a category shows its own facts, the most trusted first",
        instead(
            Memory,
            "most_trusted",
            lambda self, category, limit: [one for name in CATEGORIES for one in _most_trusted(self, name, limit)],
        ),
    ),
    OwnMistake(
        "a resource shows all facts",
        "ten facts are the most",
        instead(Memory, "most_trusted", lambda self, category, _: _most_trusted(self, category, 1000)),
    ),
    OwnMistake(
        "a resource searches", "reading a resource counts as no retrieval", instead(Memory, "most_trusted", _searching)
    ),
    OwnMistake(
        "no change is told", "an add is told to its subscriber alone", instead(ResourceWatch, "changed", lambda _: [])
    ),
    OwnMistake("facts by id", "facts are read in the order asked for", edited("get", _by_id)),
    OwnMistake(
        "the category of the first", "category and tags hold for every item", around("add", _first_with_category)
    ),
    OwnMistake(
        "answers backwards",
        "the answers stand in the order of the items",
        edited("add", lambda answer: answer["results"].reverse() if "results" in answer else None),
    ),
    OwnMistake(
        "missing ids are kept quiet",
        "a removal names removed and missing",
        edited("remove", lambda answer: answer.update(missing=[]) if "missing" in answer else None),
    ),
    OwnMistake(
        "no versions", "an update leaves the earlier text", edited("history", lambda answer: answer.update(versions=[]))
    ),
    OwnMistake(
        "restored in words alone", "a removed fact is whole again", instead(HistoryStore, "restore", lambda *_: None)
    ),
    OwnMistake(
        "the past is found",
        "a superseded fact is found no more",
        around("search", lambda do, given: do({**given, "include_superseded": True})),
    ),
    OwnMistake(
        "answers of any size",
        "a search of long facts is cut and says so",
        instead(answers, "fitting", lambda items, whole: len(items)),
    ),
    OwnMistake("one tag is enough", "all given tags are wanted", around("*", _first_tag)),
    OwnMistake("an offset counts from 1", "pages join without a gap", around("list", _next_offset)),
    OwnMistake("shares per cent", "shares of facts retrieved and rated", edited("audit", _per_cent)),
    OwnMistake(
        "no reminder", "results come with a reminder", edited("search", lambda answer: answer.pop("reminder", None))
    ),
    *FINER_OWN_MISTAKES,
    *WORD_MISTAKES,
    *BATCH_MISTAKES,
]


if __name__ == "__main__":
    next(mistake for mistake in OWN_MISTAKES if mistake.name == sys.argv[1]).make()
    server.serve()
