"""The shapes of the tools' answers: facts whole and brief, warnings, errors, and what fits an assistant's context.

Spec: fact-store, answer-size.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.contradictions import Contradiction
from mnemo.errors import MnemoError
from mnemo.facts import Fact
from mnemo.learner import LONG_CONTENT
from mnemo.retriever import ScoredFact
from mnemo.scoring import match_text

LONG_CONTENT_WARNING = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"
BRIEF_LENGTH = 200  # characters
DEFAULT_ANSWER = 24_000  # characters of an answer whose size nobody asked for; its frame comes on top
REMINDER = "rate what helped: fact_feedback"


def answer_text(answer: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return an answer as the tools give it: compact JSON, Chinese as it is."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def error_answer(error: MnemoError) -> dict[str, str]:
    """Return the answer for an error."""
    return {"error": str(error)}


def with_warnings(answer: dict[str, Any], warnings: Sequence[str]) -> dict[str, Any]:
    """Return the answer with these warnings after those that it has; without any, as it is."""
    if warnings:
        answer["warnings"] = [*answer.get("warnings", []), *warnings]
    return answer


def length_warnings(content: str, summary: str | None) -> list[str]:
    """Return the warning for a content of more than 500 characters without a summary.

    Spec: fact-summary (write operation warns on long content without summary).
    """
    has_summary = match_text(content, summary) is not content
    return [LONG_CONTENT_WARNING] if len(content) > LONG_CONTENT and not has_summary else []


def fact(shown: Fact, *, brief: bool, marks: Sequence[str] = ()) -> dict[str, Any]:
    """Return a fact as an answer shows it: whole, or its id, category and the first 200 characters of its match text."""
    if not brief:
        return with_warnings(shown.as_dict(), marks)
    text = shown.match_text
    cut = text if len(text) <= BRIEF_LENGTH else text[: BRIEF_LENGTH - 1] + "…"
    return with_warnings({"fact_id": shown.fact_id, "category": shown.category, "text": cut}, marks)


def scored(shown: ScoredFact, *, brief: bool, explain: bool, marks: Sequence[str] = ()) -> dict[str, Any]:
    """Return a result of a search: a fact with its score and, if wanted, the factors of that."""
    answer = {**fact(shown.fact, brief=brief, marks=marks), "score": shown.score}
    if explain:
        answer["explain"] = shown.explanation()
    return answer


def contradiction(pair: Contradiction) -> dict[str, Any]:
    """Return a pair of facts that may contradict each other."""
    return {
        "fact_a": {"fact_id": pair.fact_a.fact_id, "content": pair.fact_a.content},
        "fact_b": {"fact_id": pair.fact_b.fact_id, "content": pair.fact_b.content},
        "shared_entities": pair.shared_entities,
        "entity_overlap": pair.entity_overlap,
        "content_similarity": pair.content_similarity,
        "contradiction_score": pair.score,
    }


def fitting(items: Sequence[Mapping[str, Any]], *, whole: bool) -> int:
    """Return how many items go into an answer: all where a size was asked for (`whole`), else what fits 24,000 characters.

    The first item always goes in, so that no fact is out of reach.
    """
    if whole:
        return len(items)
    size = 0
    for position, item in enumerate(items):
        size += len(answer_text(item)) + 1
        if size > DEFAULT_ANSWER and position:
            return position
    return len(items)


def left_out(count: int) -> dict[str, Any]:
    """Return what an answer says of items that were left out of it: nothing if there are none."""
    if not count:
        return {}
    return {
        "omitted": count,
        "note": f"{count} more were left out to keep the answer short: ask with brief=true, a limit, or get by fact_id",
    }
