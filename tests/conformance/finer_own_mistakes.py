"""Finer mistakes in our own server: each was made once, and no scenario of that time noticed it."""

import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.types import METHOD_NOT_FOUND

from mnemo import arguments, history, index, retriever, scoring, server, store, text
from mnemo.arguments import Given as Read
from mnemo.derived import taught
from mnemo.errors import InvalidArgumentError
from mnemo.facts import FactFilter
from mnemo.guard import VARIABLE, Guard
from mnemo.lexicon import Concept
from mnemo.memory import Memory
from mnemo.search.candidates import Candidate
from mnemo.search.readings import Readings
from mnemo.storage.database import Database
from mnemo.usage import UsageStore
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

ALL = list(range(1, 100))
HIDDEN_FROM_NAMES = "an expired fact is hidden from names, contradictions and resources"
LONG = "Think carefully about the memory before each step. "

_admit_texts, _most_trusted, _feedback = Guard.admit_texts, Memory.most_trusted, Memory.fact_feedback
_insert, _change, _teach = history._insert, history._change, taught.teach
_apply_rules, _unheeded = UsageStore.apply_rules, arguments.unheeded
_weighed = Readings.weighed
_weigh, _seek = scoring.Wanted.__init__, scoring.Sought.__init__


def _expired(do: Do) -> list[dict[str, Any]]:
    return [fact for fact in do({"action": "get", "fact_ids": ALL})["facts"] if fact.get("expires_at")]


def _category_after_limit(do: Do, given: Given) -> Answer:
    found = do({name: value for name, value in given.items() if name != "category"})["results"]
    return results([fact for fact in found if fact["category"] == given.get("category", fact["category"])])


def _with_expired(do: Do, given: Given) -> Answer:
    return results([*do(given)["results"], *_expired(do)])


def _as_if_nothing_expired(do: Do, given: Given) -> Answer:
    expired = _expired(do)
    for fact in expired:
        do({"action": "update", "fact_id": fact["fact_id"], "expires_at": ""})
    answer = do(given)
    for fact in expired:
        do({"action": "update", "fact_id": fact["fact_id"], "expires_at": fact["expires_at"]})
    return answer


def _superseded_after_limit(do: Do, given: Given) -> Answer:
    found = do({**given, "include_superseded": True})["results"]
    return results([fact for fact in found if "superseded_by" not in fact])


def _of_ten(do: Do, given: Given) -> Answer:
    return do({"limit": 10, **given})


def _proposing(answer: Answer) -> None:
    for pair in answer["results"]:
        ids = [pair[side]["fact_id"] for side in ("fact_a", "fact_b")]
        pair.setdefault("proposal", {"action": "update", "fact_id": max(ids), "supersedes": min(ids)})


def _remembered_until(*changing: str) -> Callable[[Do, Given], Answer]:
    answers: dict[str, Answer] = {}

    def answer(do: Do, given: Given) -> Answer:
        if given["action"] in changing:
            answers.clear()
        if given["action"] != "search":
            return do(given)
        return answers.setdefault(given["query"], do(given))

    return answer


def _first_state(_: Database) -> tuple[int, int]:
    return 0, 0


def _by_first_filter(
    readings: Readings, fact_ids: Collection[int], only: FactFilter
) -> Mapping[int, tuple[float, int | None] | None]:
    return _weighed(readings, fact_ids, readings._only or only)


def _figureless(answer: Answer) -> None:
    for pair in answer["results"]:
        for figure in ("entity_overlap", "content_similarity", "contradiction_score"):
            del pair[figure]


def _restored_without(*lost: str) -> Callable[[], None]:
    """Let a removed fact come back with the table's defaults in some columns."""
    counters = dict.fromkeys(lost, 0) if "count" in lost[0] else dict.fromkeys(lost)
    return instead(
        history, "_insert", lambda connection, fact_id, state: _insert(connection, fact_id, state | counters)
    )


def _version_without(lost: str) -> Callable[[], None]:
    """Let a version that is brought back leave one column as it is."""

    def change(connection: Any, fact_id: int, values: Mapping[str, Any], now: dict[str, Any]) -> None:
        _change(connection, fact_id, {name: value for name, value in values.items() if name != lost}, now)

    return instead(history, "_change", change)


def _unguarded(doing: str, *names: str) -> Callable[[], None]:
    """Let a function, `_new_fact` or `update`, not look for secrets in some of a fact's texts."""

    def admit_texts(self: Guard, texts: Mapping[str, str | None]) -> tuple[dict[str, Any], list[str]]:
        passed = names if sys._getframe(1).f_code.co_name == doing else ()
        admitted, warnings = _admit_texts(self, {name: text for name, text in texts.items() if name not in passed})
        return {**texts, **admitted}, warnings

    return instead(Guard, "admit_texts", admit_texts)


def _rating_in_any_mode() -> None:
    def fact_feedback(self: Memory, given: Mapping[str, Any]) -> Answer:
        os.environ.pop(VARIABLE, None)
        return _feedback(self, given)

    Memory.fact_feedback = fact_feedback  # type: ignore[method-assign]


def _resource(wrong: Callable[[list[dict[str, Any]]], Sequence[dict[str, Any]]]) -> Callable[[], None]:
    """Change the facts of a resource."""
    return instead(Memory, "most_trusted", lambda self, category, limit: [*wrong(_most_trusted(self, category, limit))])


def _resource_with_expired(self: Memory, category: str, limit: int) -> list[dict[str, Any]]:
    return [*_most_trusted(self, category, limit), *_expired(self.fact_store)]


def _no_templates() -> None:
    async def refused(*_: Any) -> None:
        raise MCPError(METHOD_NOT_FOUND, "Method not found")

    server.MemoryServer.list_resource_templates = refused  # type: ignore[assignment]


def _item_unwarned(answer: Answer) -> None:
    for entry in facts_of(answer):
        entry.pop("warnings", None)


def _one_by_one(do: Do, given: Given) -> Answer:
    if "fact_ids" not in given:
        return do(given)
    gone = [(one, do({"action": "remove", "fact_id": one})["removed"]) for one in given["fact_ids"]]
    return {"removed": [one for one, was in gone if was], "missing": [one for one, was in gone if not was]}


def _still_taught(connection: Any, fact_ids: Sequence[int], found: Mapping[int, Any]) -> None:
    there = {row[0] for row in connection.execute("SELECT fact_id FROM facts")}
    _teach(connection, [one for one in fact_ids if one not in there], found)


def _resting_with_ageing_alone(self: UsageStore, *given: Any) -> Any:
    adjusted = _apply_rules(self, *given)
    with self._database.writing() as connection:
        connection.execute("DELETE FROM startup_learning WHERE rule <> 'aged'")
    return adjusted


def _in_utf16() -> None:
    def length(value: Any) -> int:
        return len(value.encode("utf-16-le")) // 2 if isinstance(value, str) else len(value)

    for module in (retriever, store):
        vars(module)["len"] = length


def _counting_all(do: Do, given: Given) -> Answer:
    return {**do(given), "count": do({**given, "limit": 100})["count"]}


def _unwarned_of(word: str, *beside: str) -> Callable[[], None]:
    """Let an update drop the warnings with a word, or only where it names these arguments as well."""

    def wrong(do: Do, given: Given) -> Answer:
        answer = do(given)
        if all(name in given for name in beside):
            answer["warnings"] = [one for one in answer.get("warnings", []) if word not in one]
        return answer

    return around("update", wrong)


def _numbers_alone(do: Do, given: Given) -> Answer:
    if isinstance(given.get("trust_delta"), str):
        raise InvalidArgumentError("trust_delta must be a number")
    return do(given)


def _get_alone(action: str, read: Read) -> list[str]:
    return _unheeded(action, read) if action == "get" else []


def _long_texts_tell_little() -> None:
    vars(scoring).update(BM25_K1=8.0, BM25_B=1.0)


def _characters_in_common() -> None:
    def begin(self: scoring.Wanted, concepts: Sequence[Concept], corpus: scoring.Corpus) -> None:
        _weigh(self, concepts, corpus)
        self._in_common = [True] * len(concepts)

    scoring.Wanted.__init__ = begin  # type: ignore[method-assign]


def _as_if_rounded(found: Sequence[Candidate], best: float, limit: int) -> list[Candidate]:
    return nlargest(limit, found, key=lambda one: one.score(best))


def _by_first_words() -> None:
    def begin(self: scoring.Sought, concepts: Iterable[tuple[int, Concept]]) -> None:
        _seek(self, concepts)
        self._phrases = [(terms[:1], place, weight) for terms, place, weight in self._phrases]

    scoring.Sought.__init__ = begin  # type: ignore[method-assign]


FINER_OWN_MISTAKES = [
    OwnMistake(
        "neighbours are chosen after the limit",
        "neighbours are chosen before the limit cuts",
        around("related", _category_after_limit),
    ),
    OwnMistake("a probe ignores times", "times choose in questions about names", without("probe", "after", "before")),
    OwnMistake(
        "neighbours ignore times", "times choose in questions about names", without("related", "after", "before")
    ),
    OwnMistake("reason ignores times", "times choose in questions about names", without("reason", "after", "before")),
    OwnMistake("related facts of any size", "related and reason are cut too", around("related", _of_ten)),
    OwnMistake("facts in common of any size", "related and reason are cut too", around("reason", _of_ten)),
    OwnMistake("a probe is never brief", "brief shortens questions about names", without("probe", "brief")),
    OwnMistake("neighbours are never brief", "brief shortens questions about names", without("related", "brief")),
    OwnMistake("reason is never brief", "brief shortens questions about names", without("reason", "brief")),
    OwnMistake(
        "get alone says what has no effect",
        "every action names what it has no use for",
        instead(arguments, "unheeded", _get_alone),
    ),
    OwnMistake(
        "instructions that cost a page",
        "instructions and tools cost a session little",
        instead(server, "INSTRUCTIONS", server.INSTRUCTIONS + LONG * 120),
    ),
    OwnMistake("a batch does not warn", "a long item of a batch is warned of", edited("add", _item_unwarned)),
    OwnMistake(
        "an id is removed as often as named", "an id that is removed twice is named once", around("remove", _one_by_one)
    ),
    OwnMistake(
        "a pair outlives what its fact says",
        "a pair is forgotten when its fact says it no more",
        instead(taught, "teach", _still_taught),
    ),
    OwnMistake(
        "an update to a past expiry does not warn", "an expiry in the past is warned of", _unwarned_of("expires_at")
    ),
    OwnMistake(
        "an added fact that is hidden does not warn",
        "an expiry in the past is warned of",
        edited("add", lambda answer: answer.pop("warnings", None)),
    ),
    OwnMistake("tags are added unseen", "a secret in the tags warns", _unguarded("_new_fact", "tags")),
    OwnMistake("tags are updated unseen", "a secret in the tags warns", _unguarded("update", "tags")),
    OwnMistake("secret tags are added", "a secret in the tags is refused", _unguarded("_new_fact", "tags")),
    OwnMistake("secret tags are given later", "a secret in the tags is refused", _unguarded("update", "tags")),
    OwnMistake(
        "an updated summary is not redacted",
        "an update of summary and tags is redacted",
        _unguarded("update", "summary"),
    ),
    OwnMistake(
        "updated tags are not redacted", "an update of summary and tags is redacted", _unguarded("update", "tags")
    ),
    OwnMistake(
        "an update does not warn of instructions", "an update to an instruction warns", _unwarned_of("instruction")
    ),
    OwnMistake(
        "an update does not warn of hidden text", "an update to an instruction warns", _unwarned_of("invisible")
    ),
    OwnMistake(
        "similar facts do not warn",
        "a similar fact shows the warning",
        edited("add", lambda answer: [one.pop("warnings", None) for one in answer.get("similar", [])]),
    ),
    OwnMistake(
        "resources do not warn",
        "a resource shows the warning",
        _resource(lambda facts: [{**fact, "warnings": []} if "warnings" in fact else fact for fact in facts]),
    ),
    OwnMistake("a rating works in any mode", "an unknown mode is refused by name", _rating_in_any_mode),
    OwnMistake(
        "every pair has a proposal", "dissimilar facts of the same name are reported", edited("contradict", _proposing)
    ),
    OwnMistake(
        "pairs without figures", "dissimilar facts of the same name are reported", edited("contradict", _figureless)
    ),
    OwnMistake(
        "the count is that of all versions",
        "the count is that of the versions in the answer",
        around("history", _counting_all),
    ),
    OwnMistake(
        "restored without counters",
        "a removed fact comes back with its counters and times",
        _restored_without("retrieval_count", "helpful_count"),
    ),
    OwnMistake(
        "restored without times",
        "a removed fact comes back with its counters and times",
        _restored_without("last_retrieved_at", "created_at", "updated_at"),
    ),
    *(
        OwnMistake(
            f"a version does not bring back {name}",
            "a version brings back category, summary and ratings",
            _version_without(name),
        )
        for name in ("category", "summary", "helpful_count")
    ),
    OwnMistake(
        "neighbours may be superseded",
        "a superseded fact is hidden from related and reason",
        around("related", lambda do, given: do({**given, "include_superseded": True})),
    ),
    OwnMistake(
        "superseded facts have names in common",
        "a superseded fact is hidden from related and reason",
        around("reason", lambda do, given: do({**given, "include_superseded": True})),
    ),
    OwnMistake(
        "neighbours are never superseded",
        "a superseded fact is hidden from related and reason",
        without("related", "include_superseded"),
    ),
    OwnMistake(
        "superseded facts take places",
        "a superseded fact takes no place in a probe",
        around("probe", _superseded_after_limit),
    ),
    OwnMistake("a probe finds expired facts", HIDDEN_FROM_NAMES, around("probe", _with_expired)),
    OwnMistake("neighbours may be expired", HIDDEN_FROM_NAMES, around("related", _with_expired)),
    OwnMistake("expired facts have names in common", HIDDEN_FROM_NAMES, around("reason", _with_expired)),
    OwnMistake("expired facts contradict", HIDDEN_FROM_NAMES, around("contradict", _as_if_nothing_expired)),
    OwnMistake(
        "a resource shows expired facts", HIDDEN_FROM_NAMES, instead(Memory, "most_trusted", _resource_with_expired)
    ),
    OwnMistake(
        "any change ends the expiry",
        "another change leaves the expiry",
        around("update", lambda do, given: do({"expires_at": "", **given})),
    ),
    OwnMistake("templates of resources are unknown", "who asks for templates of resources gets a list", _no_templates),
    OwnMistake(
        "a resource cuts its facts",
        "a resource shows long facts whole and facts of little trust",
        _resource(lambda facts: [{**fact, "content": fact["content"][:40]} for fact in facts]),
    ),
    OwnMistake(
        "a resource hides little trust",
        "a resource shows long facts whole and facts of little trust",
        _resource(lambda facts: [fact for fact in facts if fact["trust_score"] >= 0.3]),
    ),
    OwnMistake(
        "a resource shows the default trust",
        "a resource shows long facts whole and facts of little trust",
        _resource(lambda facts: [{**fact, "trust_score": 0.5} for fact in facts]),
    ),
    OwnMistake(
        "a file without a size",
        "the size of the file is told",
        edited("audit", lambda answer: answer["statistics"].update(file_bytes=0)),
    ),
    OwnMistake(
        "a start rests with ageing alone",
        "a second start on the same day demotes and promotes nothing again",
        instead(UsageStore, "apply_rules", _resting_with_ageing_alone),
    ),
    OwnMistake("emoji count twice in the penalty", "emoji count as one in the penalty and the reports", _in_utf16),
    OwnMistake(
        "other changes hide a duplicate",
        "an update to a duplicate names the other fact beside other changes",
        _unwarned_of("same as fact", "tags"),
    ),
    OwnMistake(
        "a trust_delta in quotes is refused", "a trust_delta in quotes is accepted", around("update", _numbers_alone)
    ),
    OwnMistake(
        "question words are searched for",
        "a fact that asks the same comes after the one that tells",
        instead(text, "_ASKING", re.compile("(?!)")),
    ),
    OwnMistake(
        "question words alone are not searched",
        "a question word alone finds the facts that hold it",
        around("search", lambda do, given: results([]) if given["query"] == "谁" else do(given)),
    ),
    OwnMistake(
        "single characters do not count",
        "the characters of a word count where they stand apart",
        instead(scoring.Wanted, "untold", lambda self, cut: scoring.Sought(())),
    ),
    OwnMistake(
        "common words tell as much as others",
        "a word that every fact holds tells next to nothing",
        instead(scoring.Corpus, "rarity", lambda self, term: 1.0),
    ),
    OwnMistake(
        "long texts tell little",
        "two words in a long text count more in fts than one in a short text",
        _long_texts_tell_little,
    ),
    OwnMistake(
        "the limit cuts before scores are rounded",
        "scores that differ beyond the fourth place are equal, whatever the limit",
        instead(retriever, "_may_be_shown", _as_if_rounded),
    ),
    OwnMistake(
        "few facts are asked for their age",
        "of hundreds of facts a new one comes before better ones that are old",
        instead(retriever, "LEAST_AGEING_CANDIDATES", 0),
    ),
    OwnMistake("single characters are terms of jaccard", "single characters count in fts alone", _characters_in_common),
    OwnMistake(
        "a search waits for the lock",
        "a fact written right before the lock is scored like any other",
        instead(Database, "writing_at_once", Database.writing),
    ),
    OwnMistake(
        "what is not indexed is searched as it was",
        "old words of a fact find nothing while the file is locked",
        instead(index, "noted", lambda connection: []),
    ),
    OwnMistake(
        "a phrase is found by its first word",
        "a translation of two words counts the same in a fact written right before the lock",
        _by_first_words,
    ),
    OwnMistake(
        "trust that another program gives is not seen",
        "a repeated search sees the trust that another program gave",
        around("*", _remembered_until("add", "update", "remove")),
    ),
    OwnMistake(
        "trust that is moved is not seen",
        "a repeated search sees the trust that the client moved",
        around("*", _remembered_until("add", "remove")),
    ),
    OwnMistake(
        "what hides is not seen",
        "a repeated search sees what another program hid, and shows it again",
        instead(Database, "_state", _first_state),
    ),
    OwnMistake(
        "an expiry is not seen",
        "a repeated search sees an expiry that another program sets and takes away",
        instead(Database, "_state", _first_state),
    ),
    OwnMistake(
        "the first filter is kept for the words that it was asked with",
        "the same words under another filter find what that lets pass",
        instead(Readings, "weighed", _by_first_filter),
    ),
    OwnMistake(
        "how common words are is not counted again",
        "a repeated search sees how common a word has become",
        instead(Database, "_state", _first_state),
    ),
]
