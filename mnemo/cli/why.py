"""Why a certain fact is, or is not, among the results of a search; looking counts as no retrieval."""

from collections.abc import Mapping
from typing import Any

from mnemo import arguments, lexicon, query, scoring, text
from mnemo.actions import DEFAULT_LIMIT
from mnemo.errors import FactNotFoundError
from mnemo.facts import SEARCH_MIN_TRUST, Fact, FactFilter, split_tags
from mnemo.memory import Memory
from mnemo.retriever import ScoredFact

SHOWN_WINNERS = 3

# A text for each reason, with places for its values; the catalogue has their translations.
REASONS = {
    "found": "Fact {fact_id} is result {rank}, with the score {score}.",
    "skipped": "The query is only an operation, so nothing is searched; --all searches it all the same.",
    "below_min_trust": "Its trust {trust} is below {min_trust}; --min-trust 0 searches it too.",
    "other_category": "Its category is {category}, not {wanted}.",
    "without_tag": "It does not have the tag {tag}.",
    "other_time": "It was last changed at {changed} (UTC), outside of the time asked for.",
    "superseded": "Fact {newer} took its place, so it is hidden; `mnemo list --superseded` shows it.",
    "expired": "It expired at {expired} (UTC), so it is hidden; `mnemo update {fact_id} --expires ''` shows it again.",
    "no_words": "The query has no word to search for.",
    "only_in_content": "Only its content has the words ({words}); "
    "a fact with a summary is found by its summary and tags alone.",
    "not_a_candidate": "It has none of the query's words: {words}.",
    "outranked": "It is in place {rank} with the score {score}; "
    "better are facts such as {winners}, and the last result scores {last}.",
    "far_outranked": "It matches less well than {count} others, such as {winners}.",
    "long_text": "Its text has {length} characters, so its score is multiplied by {penalty}; "
    "a short summary would lift it.",
}


def why(memory: Memory, asked: Mapping[str, Any], fact_id: int) -> dict[str, Any]:
    """Return `{"fact_id", "found", "rank", "score", "reasons"}`; each reason has its name, its values and a text.

    Raises:
        FactNotFoundError: there is no such fact.
        InvalidArgumentError: an argument of the search is wrong.
    """
    given = arguments.read(arguments.FACT_STORE, asked)
    searched: str = given.require("query")
    limit = arguments.read_limit(given, DEFAULT_LIMIT)
    facts, _ = memory.parts.store.get([fact_id])
    if not facts:
        raise FactNotFoundError(fact_id)
    if given.get("refine", True):
        refined = query.refine(searched)
        if refined.skipped is not None:
            return _answer(fact_id, None, [_reason("skipped")], limit)
        searched = refined.text
    wanted = FactFilter(
        given.get("category"),
        tuple(split_tags(given.get("tags"))),
        arguments.read_time(given, "after"),
        arguments.read_time(given, "before"),
        given.get("min_trust", SEARCH_MIN_TRUST),
    )
    scored = memory.parts.retriever.search(searched, wanted, arguments.MAX_LIMIT, refine=False).facts
    place = _place(scored, fact_id)
    hidden = _hidden(memory, facts[0])
    reasons = [] if place else [*hidden, *_filtered_out(memory, facts[0], wanted)]
    if not (place or hidden):
        reasons += _unmatched(memory, facts[0], searched)
    if place and place[0] <= limit:
        reasons.append(_reason("found", fact_id=fact_id, rank=place[0], score=place[1]))
    elif not reasons:
        reasons.append(_outranked(scored, place, limit))
    return _answer(fact_id, place, [*reasons, *_too_long(facts[0])], limit)


def _answer(fact_id: int, place: tuple[int, float] | None, reasons: list[dict[str, Any]], limit: int) -> dict[str, Any]:
    rank, score = place or (None, None)
    return {
        "fact_id": fact_id,
        "found": rank is not None and rank <= limit,
        "rank": rank,
        "score": score,
        "reasons": reasons,
    }


def _reason(name: str, **values: Any) -> dict[str, Any]:
    return {"reason": name, **values, "text": REASONS[name].format(**values)}


def _place(scored: list[ScoredFact], fact_id: int) -> tuple[int, float] | None:
    return next(((rank, one.score) for rank, one in enumerate(scored, 1) if one.fact.fact_id == fact_id), None)


def _hidden(memory: Memory, fact: Fact) -> list[dict[str, Any]]:
    reasons = []
    if fact.superseded_by is not None and memory.parts.store.get([fact.superseded_by])[0]:
        reasons.append(_reason("superseded", newer=fact.superseded_by))
    if not _passes(memory, fact):
        reasons.append(_reason("expired", expired=fact.expires_at, fact_id=fact.fact_id))
    return reasons


def _passes(memory: Memory, fact: Fact, **condition: Any) -> bool:
    """Tell whether a fact passes one condition of a filter, asked for as a search asks; an expired one passes none."""
    return bool(memory.parts.store.get([fact.fact_id], FactFilter(include_superseded=True, **condition))[0])


def _filtered_out(memory: Memory, fact: Fact, wanted: FactFilter) -> list[dict[str, Any]]:
    if not _passes(memory, fact):
        return []
    reasons = []
    if not _passes(memory, fact, min_trust=wanted.min_trust):
        reasons.append(_reason("below_min_trust", trust=round(fact.trust_score, 4), min_trust=wanted.min_trust))
    if not _passes(memory, fact, category=wanted.category):
        reasons.append(_reason("other_category", category=fact.category, wanted=wanted.category))
    reasons += [_reason("without_tag", tag=tag) for tag in wanted.tags if not _passes(memory, fact, tags=(tag,))]
    if not _passes(memory, fact, after=wanted.after, before=wanted.before):
        reasons.append(_reason("other_time", changed=fact.updated_at or fact.created_at))
    return reasons


def _unmatched(memory: Memory, fact: Fact, searched: str) -> list[dict[str, Any]]:
    """Say why the fact would not even be found without any filter, if that is so."""
    concepts = lexicon.concepts(searched, memory.parts.store.meanings(searched))
    if not concepts:
        return [_reason("no_words")]
    unfiltered = memory.parts.retriever.search(searched, FactFilter(), arguments.MAX_LIMIT, refine=False).facts
    if len(unfiltered) >= arguments.MAX_LIMIT or _place(unfiltered, fact.fact_id):
        return []
    sought = {term for concept in concepts for one, _ in concept.alternatives for term in one.split(" ")}
    if fact.match_text != fact.content and not sought.isdisjoint(text.terms(fact.content)):
        return [_reason("only_in_content", words=searched)]
    return [_reason("not_a_candidate", words=searched)]


def _outranked(scored: list[ScoredFact], place: tuple[int, float] | None, limit: int) -> dict[str, Any]:
    winners = ", ".join(f"{winner.fact.fact_id} ({winner.score})" for winner in scored[:SHOWN_WINNERS])
    if place is None:
        return _reason("far_outranked", count=len(scored), winners=winners)
    last = scored[min(limit, len(scored)) - 1].score
    return _reason("outranked", rank=place[0], score=place[1], winners=winners, last=last)


def _too_long(fact: Fact) -> list[dict[str, Any]]:
    penalty = scoring.length_penalty(len(fact.match_text))
    if penalty == 1.0:
        return []
    return [_reason("long_text", length=len(fact.match_text), penalty=round(penalty, 3))]
