"""The two tools as plain functions: arguments in, a dict out that is ready for JSON.

Spec: fact-store.
"""

import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from mnemo import arguments, paths
from mnemo.arguments import Given
from mnemo.database import WRITE_WAIT_SECONDS, Database
from mnemo.errors import FactNotFoundError, InvalidArgumentError, MemoryFileError, MnemoError
from mnemo.facts import DEFAULT_CATEGORY, Fact, FactChange, FactFilter, NewFact, split_tags
from mnemo.graph import Graph
from mnemo.learner import LONG_CONTENT, REPORT_LIMIT, Learner
from mnemo.links import LinkStore
from mnemo.retriever import Retriever, ScoredFact
from mnemo.scoring import match_text
from mnemo.store import Added, FactStore
from mnemo.usage import UsageStore

LONG_CONTENT_WARNING = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"
DEFAULT_LIMIT = 10
SEARCH_MIN_TRUST = 0.3
BRIEF_LENGTH = 200  # characters
MAX_QUERY = 10_000  # characters that are searched
HALF_LIFE_VARIABLE = "MNEMO_HALF_LIFE_DAYS"


class Memory:
    """One memory, with its tools. The file is opened at the first call, so that a broken one is an answer, not a crash.

    Spec: fact-store.
    """

    def __init__(self, path: Path | None = None, wait_seconds: float = WRITE_WAIT_SECONDS) -> None:
        """Use the memory file at `path`, or the one that `paths.database_path` names.

        A write waits up to `wait_seconds` for another program's write to end.
        """
        self.path = paths.database_path() if path is None else path
        self._wait_seconds = wait_seconds
        self._opening = threading.Lock()
        self._parts: _Parts | None = None
        self._actions: dict[str, Callable[[Given], dict[str, Any]]] = {
            "add": self._add,
            "search": self._search,
            "get": self._get,
            "update": self._update,
            "remove": self._remove,
            "list": self._list,
            "probe": self._probe,
            "related": self._related,
            "reason": self._reason,
            "contradict": self._contradict,
            "learn": self._learn,
            "audit": self._audit,
        }

    def fact_store(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do one action of the tool `fact_store` and return its answer.

        Raises:
            InvalidArgumentError: the action is unknown, or an argument is missing or wrong.
            FactNotFoundError: the fact does not exist.
            MemoryFileError: the memory file cannot be used.
        """
        read = arguments.read(arguments.FACT_STORE, given)
        action = read.require("action")
        if action not in self._actions:
            choices = ", ".join(self._actions)
            raise InvalidArgumentError(f"Unknown action: {action[: arguments.SHOWN]}; use one of {choices}")
        return _with_warnings(self._actions[action](read), read.warnings)

    def fact_feedback(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Rate one fact as helpful (trust + 0.05) or unhelpful (trust - 0.10) and return what that did.

        Raises:
            InvalidArgumentError: an argument is missing or wrong.
            FactNotFoundError: the fact does not exist.
            MemoryFileError: the memory file cannot be used.
        """
        read = arguments.read(arguments.FACT_FEEDBACK, given)
        action = read.require("action")
        if action not in arguments.RATINGS:
            choices = " or ".join(arguments.RATINGS)
            raise InvalidArgumentError(f"Unknown action: {action[: arguments.SHOWN]}; use {choices}")
        rating = self.parts.store.rate(read.require("fact_id"), is_helpful=action == "helpful")
        answer = {
            "fact_id": rating.fact_id,
            "old_trust": rating.old_trust,
            "new_trust": rating.new_trust,
            "helpful_count": rating.helpful_count,
        }
        return _with_warnings(answer, read.warnings)

    def learn_at_startup(self) -> dict[str, int]:
        """Bring the index up to date and learn gently; return how many facts each rule moved.

        Raises:
            MemoryFileError: the memory file cannot be used.
        """
        self.parts.store.refresh()
        return self.parts.learner.learn_at_startup()

    def most_trusted(self, category: str, limit: int) -> list[dict[str, Any]]:
        """Return the most trusted facts of a category as its resource shows them.

        Raises:
            MemoryFileError: the memory file cannot be used.
        """
        facts, _ = self.parts.store.list(FactFilter(category=category), limit)
        shown = ("fact_id", "content", "trust_score")
        return [{name: getattr(fact, name) for name in shown} for fact in facts]

    def flush(self) -> None:
        """Write the log entries that wait for another program's write to end, if that is possible now."""
        if self._parts is not None:
            with suppress(MemoryFileError):  # they wait on; the next search or the end tries again
                self._parts.usage.flush()

    def close(self) -> None:
        """Write what waits, and close the file; harmless where nothing was opened.

        Raises:
            MemoryFileError: log entries could not be written; all else is closed.
        """
        with self._opening:
            parts, self._parts = self._parts, None
        if parts is not None:
            try:
                parts.usage.flush(wait=True)
            finally:
                parts.database.close()

    @property
    def parts(self) -> "_Parts":
        """Return the open memory.

        Raises:
            MemoryFileError: the memory file cannot be used; the next call tries again.
        """
        with self._opening:
            if self._parts is None:
                half_life_days = _half_life_days()  # a wrong setting stops a call before it does anything
                self._parts = _Parts(Database(self.path, self._wait_seconds), half_life_days)
            return self._parts

    # --- the actions of fact_store ---

    def _add(self, given: Given) -> dict[str, Any]:
        if given.get("contents") is not None:
            if given.get("content", "").strip():
                raise InvalidArgumentError("Give content or contents, not both; nothing was stored")
            return self._add_batch(given)
        fact = _new_fact(given, given.require("content"))
        added = self._store([fact])[0]
        return self._added(fact, added)

    def _add_batch(self, given: Given) -> dict[str, Any]:
        """Add each content by itself: one that is refused says so in its place, and the others are stored."""
        outcomes: list[dict[str, Any] | NewFact] = []
        for content in given.require("contents"):
            try:
                outcomes.append(_new_fact(given, content))
            except InvalidArgumentError as error:
                outcomes.append({"error": str(error)})
        facts = [outcome for outcome in outcomes if isinstance(outcome, NewFact)]
        added = iter(self._store(facts))
        return {
            "results": [
                self._added(outcome, next(added)) if isinstance(outcome, NewFact) else outcome for outcome in outcomes
            ]
        }

    def _store(self, facts: Sequence[NewFact]) -> list[Added]:
        parts = self.parts
        added = parts.store.add(facts)
        parts.usage.prune_log()
        return added

    def _added(self, fact: NewFact, added: Added) -> dict[str, Any]:
        if added.is_duplicate:
            return {"fact_id": added.fact_id, "status": "duplicate", "category": added.category}
        answer: dict[str, Any] = {"fact_id": added.fact_id, "status": "added", "category": added.category}
        similar = self.parts.retriever.similar(fact.content, excluding=added.fact_id)
        if similar:
            answer["similar"] = [
                {"fact_id": other.fact_id, "content": other.content, "similarity": likeness}
                for other, likeness in similar
            ]
        return _with_warnings(answer, _length_warnings(fact.content, fact.summary))

    def _search(self, given: Given) -> dict[str, Any]:
        asked: str = given.require("query")
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        wanted = _filter(given, SEARCH_MIN_TRUST)
        parts = self.parts
        found = parts.retriever.search(asked[:MAX_QUERY], wanted, limit, refine=given.get("refine", True))
        if found.skipped is not None:
            return {"results": [], "count": 0, "skipped": found.skipped}
        parts.usage.log_search(asked, [(scored.fact.fact_id, scored.score) for scored in found.facts])
        show = _brief if given.get("brief", False) else _whole
        results = [show(scored) for scored in found.facts]
        if given.get("explain", False):
            for result, scored in zip(results, found.facts, strict=True):
                result["explain"] = scored.explanation()
        warnings = []
        if len(asked) > MAX_QUERY:
            warnings.append(f"only the first {MAX_QUERY} characters of the query were searched")
        return _with_warnings({"results": results, "count": len(results)}, warnings)

    def _get(self, given: Given) -> dict[str, Any]:
        facts, missing = self.parts.store.get(_fact_ids(given))
        return {"facts": [fact.as_dict() for fact in facts], "count": len(facts), "missing": missing}

    def _update(self, given: Given) -> dict[str, Any]:
        fact_id = given.require("fact_id")
        content = given.get("content")
        change = FactChange(
            content=None if content is None else _checked_content(content),
            summary=given.get("summary"),
            tags=_tags(given),
            category=given.get("category"),
            trust_delta=given.get("trust_delta"),
        )
        if change == FactChange():
            raise InvalidArgumentError(
                "Nothing to update: name at least one of content, summary, tags, category, trust_delta"
            )
        parts = self.parts
        fact = parts.store.update(fact_id, change)
        parts.usage.prune_log()
        is_concerned = change.content is not None or change.summary is not None
        warnings = _length_warnings(fact.content, fact.summary) if is_concerned else []
        return _with_warnings({"fact_id": fact_id, "updated": True}, warnings)

    def _remove(self, given: Given) -> dict[str, Any]:
        if given.get("fact_ids") is None:
            fact_id = given.require("fact_id")
            removed, _ = self.parts.store.remove([fact_id])
            return {"fact_id": fact_id, "removed": bool(removed)}
        removed, missing = self.parts.store.remove(_fact_ids(given))
        return {"removed": removed, "missing": missing}

    def _list(self, given: Given) -> dict[str, Any]:
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        facts, total = self.parts.store.list(_filter(given, 0.0), limit, given.get("offset", 0))
        return {"facts": [fact.as_dict() for fact in facts], "count": len(facts), "total": total}

    def _probe(self, given: Given) -> dict[str, Any]:
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        return _results(self.parts.graph.probe(given.require("entity"), limit), given)

    def _related(self, given: Given) -> dict[str, Any]:
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        return _results(self.parts.graph.related(given.require("entity"), limit), given)

    def _reason(self, given: Given) -> dict[str, Any]:
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        entities = [entity for entity in given.require("entities") if entity.strip()]
        if not entities:
            raise InvalidArgumentError("entities is empty; give the names that the facts should have in common")
        return _results(self.parts.graph.reason(entities, limit), given)

    def _contradict(self, given: Given) -> dict[str, Any]:
        pairs = self.parts.graph.contradict(given.get("category"), arguments.read_limit(given, DEFAULT_LIMIT))
        results = [
            {
                "fact_a": {"fact_id": pair.fact_a.fact_id, "content": pair.fact_a.content},
                "fact_b": {"fact_id": pair.fact_b.fact_id, "content": pair.fact_b.content},
                "shared_entities": pair.shared_entities,
                "entity_overlap": pair.entity_overlap,
                "content_similarity": pair.content_similarity,
                "contradiction_score": pair.score,
            }
            for pair in pairs
        ]
        return {"results": results, "count": len(results)}

    def _learn(self, given: Given) -> dict[str, Any]:
        return self.parts.learner.learn(arguments.read_limit(given, REPORT_LIMIT))

    def _audit(self, given: Given) -> dict[str, Any]:
        return self.parts.learner.audit(arguments.read_limit(given, REPORT_LIMIT))


class _Parts:
    """What works on one open memory file."""

    def __init__(self, database: Database, half_life_days: float) -> None:
        self.database = database
        self._half_life_days = half_life_days
        self.store = FactStore(database)
        self.usage = UsageStore(database)
        self.links = LinkStore(database)

    @cached_property
    def retriever(self) -> Retriever:
        return Retriever(self.store, self._half_life_days)

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.store, self.links)

    @cached_property
    def learner(self) -> Learner:
        return Learner(self.usage)


def answer_text(answer: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return an answer as the tools give it: compact JSON, Chinese as it is."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def error_answer(error: MnemoError) -> dict[str, str]:
    """Return the answer for an error."""
    return {"error": str(error)}


def _half_life_days() -> float:
    configured = os.environ.get(HALF_LIFE_VARIABLE, "").strip()
    try:
        days = float(configured or 0)
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise InvalidArgumentError(f"{HALF_LIFE_VARIABLE} must be a number of days, 0 for no decay, not {configured!r}")
    return days


def _with_warnings(answer: dict[str, Any], warnings: Sequence[str]) -> dict[str, Any]:
    if warnings:
        answer["warnings"] = [*answer.get("warnings", []), *warnings]
    return answer


def _length_warnings(content: str, summary: str | None) -> list[str]:
    has_summary = match_text(content, summary) is not content
    return [LONG_CONTENT_WARNING] if len(content) > LONG_CONTENT and not has_summary else []


def _new_fact(given: Given, content: str) -> NewFact:
    return NewFact(
        _checked_content(content), given.get("category", DEFAULT_CATEGORY), _tags(given) or "", given.get("summary")
    )


def _checked_content(content: str) -> str:
    if not content.strip():
        raise InvalidArgumentError("content is empty; give the fact as a text")
    if len(content) > arguments.MAX_CONTENT:
        raise InvalidArgumentError(
            f"content has {len(content)} characters, at most {arguments.MAX_CONTENT} are stored; split it into several facts"
        )
    return content


def _tags(given: Given) -> str | None:
    tags = given.get("tags")
    return None if tags is None else ",".join(split_tags(tags))


def _fact_ids(given: Given) -> list[int]:
    if given.get("fact_ids") is None:
        return [given.require("fact_id")]
    fact_ids: list[int] = given.get("fact_ids")
    return fact_ids


def _filter(given: Given, min_trust: float) -> FactFilter:
    return FactFilter(
        category=given.get("category"),
        tags=tuple(split_tags(given.get("tags"))),
        after=arguments.read_time(given, "after"),
        before=arguments.read_time(given, "before"),
        min_trust=given.get("min_trust", min_trust),
    )


def _whole(scored: ScoredFact) -> dict[str, Any]:
    return {**scored.fact.as_dict(), "score": scored.score}


def _results(facts: Sequence[Fact], given: Given) -> dict[str, Any]:
    if given.get("brief", False):
        results = [{"fact_id": fact.fact_id, **_brief_text(fact)} for fact in facts]
    else:
        results = [fact.as_dict() for fact in facts]
    return {"results": results, "count": len(results)}


def _brief(scored: ScoredFact) -> dict[str, Any]:
    return {"fact_id": scored.fact.fact_id, "score": scored.score, **_brief_text(scored.fact)}


def _brief_text(fact: Fact) -> dict[str, str]:
    text = fact.match_text
    shown = text if len(text) <= BRIEF_LENGTH else text[: BRIEF_LENGTH - 1] + "…"
    return {"category": fact.category, "text": shown}


__all__ = ["FactNotFoundError", "Memory", "MnemoError", "answer_text", "error_answer"]
