"""Why a certain fact is, or is not, among the results of a search; looking counts as no retrieval."""

from collections.abc import Mapping
from typing import Any

from mnemo import arguments, lexicon, query, scoring, text
from mnemo.errors import FactNotFoundError
from mnemo.facts import Fact, FactFilter, has_tag, split_tags
from mnemo.actions import DEFAULT_LIMIT, SEARCH_MIN_TRUST
from mnemo.memory import Memory
from mnemo.retriever import ScoredFact

SHOWN_WINNERS = 3


def why(memory: Memory, asked: Mapping[str, Any], fact_id: int) -> dict[str, Any]:
    """Return `{"fact_id", "found", "rank", "score", "reasons"}`; a reason has a name, a text, and the text's values.

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
    fact = facts[0]
    if given.get("refine", True):
        refined = query.refine(searched)
        if refined.skipped is not None:
            return _answer(
                fact_id,
                None,
                None,
                [
                    _reason(
                        "skipped",
                        "The query is only an operation, so nothing is searched; --all searches it all the same.",
                    )
                ],
            )
        searched = refined.text
    wanted = FactFilter(
        given.get("category"),
        tuple(split_tags(given.get("tags"))),
        arguments.read_time(given, "after"),
        arguments.read_time(given, "before"),
        given.get("min_trust", SEARCH_MIN_TRUST),
    )
    reasons = _filtered_out(fact, wanted) + _not_matching(fact, searched)
    scored = memory.parts.retriever.search(searched, wanted, arguments.MAX_LIMIT, refine=False).facts
    rank, score = next(((i, s.score) for i, s in enumerate(scored, 1) if s.fact.fact_id == fact_id), (None, None))
    if not reasons and (rank is None or rank > limit):
        reasons.append(_outranked(fact, scored[:limit], rank, score))
    elif rank is not None and rank <= limit:
        reasons.append(
            _reason(
                "found",
                "Fact {fact_id} is result {rank}, with the score {score}.",
                fact_id=fact_id,
                rank=rank,
                score=score,
            )
        )
    reasons += _too_long(fact)
    return _answer(fact_id, rank, score, reasons, found=rank is not None and rank <= limit)


def _answer(
    fact_id: int, rank: int | None, score: float | None, reasons: list[dict[str, Any]], *, found: bool = False
) -> dict[str, Any]:
    return {"fact_id": fact_id, "found": found, "rank": rank, "score": score, "reasons": reasons}


def _reason(name: str, said: str, **values: Any) -> dict[str, Any]:
    return {"reason": name, "text": said, **values}


def _filtered_out(fact: Fact, wanted: FactFilter) -> list[dict[str, Any]]:
    reasons = []
    if fact.trust_score < wanted.min_trust - 1e-9:
        reasons.append(
            _reason(
                "below_min_trust",
                "Its trust {trust} is below {min_trust}; --min-trust 0 searches it too.",
                trust=round(fact.trust_score, 4),
                min_trust=wanted.min_trust,
            )
        )
    if wanted.category is not None and fact.category != wanted.category:
        reasons.append(
            _reason(
                "other_category",
                "Its category is {category}, not {wanted}.",
                category=fact.category,
                wanted=wanted.category,
            )
        )
    for tag in wanted.tags:
        if not has_tag(fact.tags, tag):
            reasons.append(_reason("without_tag", "It does not have the tag {tag}.", tag=tag))
    dated = fact.updated_at or fact.created_at or ""
    if (wanted.after is not None and dated < wanted.after) or (wanted.before is not None and dated >= wanted.before):
        reasons.append(
            _reason(
                "other_time",
                "It was last changed at {changed}, outside of the time asked for.",
                changed=dated,
            )
        )
    return reasons


def _not_matching(fact: Fact, searched: str) -> list[dict[str, Any]]:
    concepts = lexicon.concepts(searched)
    if not concepts:
        return [_reason("no_words", "The query has no word to search for.")]
    sought = {term for concept in concepts for term, _ in concept.alternatives}
    if not sought.isdisjoint(text.terms(fact.match_text) + text.terms(fact.tags)):
        return []
    words = ", ".join(concept.term for concept in concepts)
    if fact.match_text is not fact.content and not sought.isdisjoint(text.terms(fact.content)):
        return [
            _reason(
                "only_in_content",
                "Only its content has the words ({words}); a fact with a summary is found by its summary and tags alone.",
                words=words,
            )
        ]
    return [_reason("not_a_candidate", "It has none of the query's words: {words}.", words=words)]


def _outranked(fact: Fact, winners: list[ScoredFact], rank: int | None, score: float | None) -> dict[str, Any]:
    best = ", ".join(f"{winner.fact.fact_id} ({winner.score})" for winner in winners[:SHOWN_WINNERS])
    last = winners[-1].score if winners else None
    if rank is None:
        return _reason(
            "outranked",
            "It matches less well than {limit} others, such as {winners}; the last of them scores {last}.",
            limit=len(winners),
            winners=best,
            last=last,
        )
    return _reason(
        "outranked",
        "It is in place {rank} with the score {score}; ahead of it are facts such as {winners}, the last result scores {last}.",
        rank=rank,
        score=score,
        winners=best,
        last=last,
    )


def _too_long(fact: Fact) -> list[dict[str, Any]]:
    penalty = scoring.length_penalty(len(fact.match_text))
    if penalty == 1.0:
        return []
    return [
        _reason(
            "long_text",
            "Its text has {length} characters, so its score is multiplied by {penalty}; a short summary would lift it.",
            length=len(fact.match_text),
            penalty=round(penalty, 3),
        )
    ]
