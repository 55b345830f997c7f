"""The shapes of the tools' answers: facts whole and brief, warnings, errors, and what fits an assistant's context.

Spec: fact-store, answer-size.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mnemo.errors import MnemoError
from mnemo.facts import Fact
from mnemo.learner import LONG_CONTENT
from mnemo.retriever import ScoredFact
from mnemo.versions import Version

if TYPE_CHECKING:
    from mnemo.contradictions import Contradiction

LONG_CONTENT_WARNING = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"
BRIEF_LENGTH = 200  # characters
DEFAULT_ANSWER = 24_000  # characters of an answer whose size nobody asked for; its frame comes on top
HOW = "brief=true, a limit, or get by fact_id"
SHORTER = f": brief=true cuts it to {BRIEF_LENGTH} characters"
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

    Spec: fact-summary (Write operation warns on long content without summary).
    """
    has_summary = bool(summary and summary.strip())
    return [LONG_CONTENT_WARNING] if len(content) > LONG_CONTENT and not has_summary else []


def fact(shown: Fact, *, brief: bool, marks: Sequence[str] = ()) -> dict[str, Any]:
    """Return a fact as an answer shows it: whole, or its id, category and 200 characters of its match text."""
    if not brief:
        return with_warnings(shown.as_dict(), marks)
    cut = _cut(shown.match_text)
    return with_warnings({"fact_id": shown.fact_id, "category": shown.category, "text": cut}, marks)


def _cut(text: str) -> str:
    return text if len(text) <= BRIEF_LENGTH else text[: BRIEF_LENGTH - 1] + "…"


def scored(shown: ScoredFact, *, brief: bool, explain: bool, marks: Sequence[str] = ()) -> dict[str, Any]:
    """Return a result of a search: a fact with its score and, if wanted, the factors of that."""
    answer = {**fact(shown.fact, brief=brief, marks=marks), "score": shown.score}
    if explain:
        answer["explain"] = shown.explanation()
    return answer


def similar(found: Sequence[tuple[Fact, float]], marks: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """Return facts that are nearly the same as one that was just stored, each with its first 200 characters."""
    return [
        with_warnings(
            {"fact_id": other.fact_id, "content": _cut(other.content), "similarity": likeness},
            marks.get(other.fact_id, ()),
        )
        for other, likeness in found
    ]


def contradiction(pair: "Contradiction", marks: Mapping[int, Sequence[str]]) -> dict[str, Any]:
    """Return a pair of facts that may contradict each other, with a proposal where one can replace the other."""
    fact_a, fact_b = (
        with_warnings({"fact_id": one.fact_id, "content": one.content}, marks.get(one.fact_id, ()))
        for one in (pair.fact_a, pair.fact_b)
    )
    answer = {
        "fact_a": fact_a,
        "fact_b": fact_b,
        "shared_entities": pair.shared_entities,
        "entity_overlap": pair.entity_overlap,
        "content_similarity": pair.content_similarity,
        "contradiction_score": pair.score,
    }
    if pair.is_same_statement:
        answer["proposal"] = _proposal(pair.fact_a.fact_id, pair.fact_b.fact_id)
    return answer


def _proposal(first: int, second: int) -> dict[str, Any]:
    """Return the call that lets the younger of two facts take the place of the other, for a person to decide on."""
    return {"action": "update", "fact_id": max(first, second), "supersedes": min(first, second)}


def version(shown: Version) -> dict[str, Any]:
    """Return one change of a fact: who did what when, and what the fact was before, as far as that was changed."""
    answer: dict[str, Any] = {
        "version": shown.version_id,
        "changed_at": shown.changed_at,
        "action": shown.action,
        "source": shown.source,
    }
    if shown.before is not None:
        answer["before"] = {name: _plain(shown.before[name]) for name in shown.changed}
    return answer


def _plain(value: Any) -> Any:
    """Return a stored value as JSON can hold it; another program may have stored anything."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return None if isinstance(value, float) and not math.isfinite(value) else value


def purge_warnings(fact_ids: Iterable[int]) -> list[str]:
    """Return the warning that removed facts looked like secrets and are still in the history."""
    named = " ".join(map(str, fact_ids))
    return [f"looked like a secret, and the history still has it: `mnemo purge {named}` destroys it"] if named else []


def replaced_warnings(fact_id: int) -> list[str]:
    """Return the warning that the history still has what looked like a secret and was replaced in a fact."""
    return [
        f"looked like a secret before, and the history still has that: `mnemo purge {fact_id}` destroys it with the "
        "fact, which can be added anew then"
    ]


def expiry_warnings(expires_at: str | None, now: str) -> list[str]:
    """Return the warning that a fact whose expiry was given is hidden already, if it is."""
    is_past = bool(expires_at) and str(expires_at) <= now
    return [f"expires_at {expires_at} (UTC) is past, so searches and lists do not show the fact"] if is_past else []


def hidden_warnings(fact_id: int, superseded_by: int | None, expired_at: str | None) -> list[str]:
    """Return, for each reason why a fact is hidden, the warning that tells what shows it again."""
    said = []
    if superseded_by is not None:
        said.append(
            f"fact {fact_id} is superseded by fact {superseded_by}, so searches and lists do not show it; "
            f"update with fact_id={fact_id} and supersedes={superseded_by} shows it again"
        )
    if expired_at is not None:
        said.append(
            f"fact {fact_id} expired at {expired_at} (UTC), so searches and lists do not show it; "
            f"update with fact_id={fact_id} and another expires_at shows it again"
        )
    return said


def twin_warnings(fact_ids: Iterable[int]) -> list[str]:
    """Return the warning that a changed fact says the same as these, if there are any."""
    named = ", ".join(map(str, fact_ids))
    return [f"says the same as fact {named}; remove the one that is not needed"] if named else []


def fitting(items: Sequence[Mapping[str, Any]], *, whole: bool) -> int:
    """Return how many items go into an answer: all where a size was asked for (`whole`), else as fit 24,000 characters.

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


def batch(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the answer to a batch: an entry for each item, in order; similar facts are named while there is room."""
    similar = [entry.pop("similar", None) for entry in entries]
    size = len(answer_text(entries))
    omitted = 0
    for entry, found in zip(entries, similar, strict=True):
        if found is None:
            continue
        size += len(answer_text({"similar": found}))
        if size > DEFAULT_ANSWER:
            size -= len(answer_text({"similar": found}))
            omitted += len(found)
        else:
            entry["similar"] = found
    answer: dict[str, Any] = {"results": list(entries)}
    if omitted:
        answer |= {"omitted": omitted, "note": f"{omitted} similar facts were left out to keep the answer short"}
    return answer


def notes(
    items: Sequence[Mapping[str, Any]], fitting: int, *, whole: bool, how: str = HOW, shorter: str = ""
) -> dict[str, Any]:
    """Return what an answer that begins with `fitting` of these items says of its size: nothing where all is well.

    It says how to get the items that were left out (`how`), and of a first item that alone is longer than an answer
    should be how to get it `shorter`, if that is possible.
    """
    said: list[str] = []
    omitted = len(items) - fitting
    if fitting and not whole and len(answer_text(items[0])) > DEFAULT_ANSWER:
        said.append(f"the first is longer than an answer should be, and whole{shorter}")
    if omitted:
        why = "are there" if whole else "were left out to keep the answer short"
        said.append(f"{omitted} more {why}: ask with {how}")
    answer: dict[str, Any] = {"omitted": omitted} if omitted else {}
    return answer | {"note": "; ".join(said)} if said else answer
