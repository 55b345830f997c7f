"""The actions of the tool `fact_store`, each from read arguments to an answer.

Spec: fact-store, batches, fact-history, entity-graph, self-learning, answer-size.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mnemo import answers, arguments, clock, safety
from mnemo.arguments import Given, Refused
from mnemo.errors import InvalidArgumentError
from mnemo.facts import (
    DEFAULT_CATEGORY,
    MAX_CONTENT,
    SEARCH_MIN_TRUST,
    Fact,
    FactChange,
    FactFilter,
    NewFact,
    split_tags,
)
from mnemo.guard import Guard
from mnemo.learner import REPORT_LIMIT, Learner
from mnemo.retrieval_log import RetrievalLog
from mnemo.retriever import Retriever
from mnemo.store import Added, FactStore

if TYPE_CHECKING:
    from mnemo.graph import Graph
    from mnemo.history import HistoryStore

DEFAULT_LIMIT = 10
MAX_QUERY = 10_000  # characters that are searched
MAX_NAMES = 1_000  # characters of the names that one call asks about; each text near them is read for all of these
_OF_ONE = ("supersedes", "summary")  # what an add says of a single fact: a summary would hide the texts of all others
_ERRORS_SHOWN = 3  # of a batch in which nothing can be read


class Actions:
    """The actions over one open memory."""

    def __init__(
        self,
        store: FactStore,
        log: RetrievalLog,
        retriever: Retriever,
        graph: Callable[[], "Graph"],
        learner: Learner,
        guard: Guard,
        history: Callable[[], "HistoryStore"],
    ) -> None:
        """Work with these parts of one memory; two are asked for when they are needed, so that starts are quick."""
        self._store = store
        self._log = log
        self._retriever = retriever
        self._graph = graph
        self._learner = learner
        self._guard = guard
        self._history = history
        self.by_name: Mapping[str, Callable[[Given], dict[str, Any]]] = {
            name: getattr(self, name) for name in arguments.ACTIONS
        }

    def add(self, given: Given) -> dict[str, Any]:
        """Store one fact, or each of several by itself: one that is refused says so in its place."""
        if given.get("contents") is None:
            fact, warnings = self._new_fact(given, given.require("content"))
            return self._added(fact, self._store.add([fact])[0], warnings)
        if given.asks("content"):
            raise InvalidArgumentError("Give content or contents, not both; nothing was stored")
        for name in _OF_ONE:
            if given.asks(name):
                raise InvalidArgumentError(f"{name} goes with content, not with contents; nothing was stored")
        outcomes: list[dict[str, Any] | tuple[NewFact, Sequence[str]]] = []
        for content in given.require("contents"):
            try:
                if isinstance(content, Refused):
                    raise InvalidArgumentError(content.message)
                outcomes.append(self._new_fact(given, content))
            except InvalidArgumentError as error:
                outcomes.append(answers.error_answer(error))
        added = iter(self._store.add([outcome[0] for outcome in outcomes if isinstance(outcome, tuple)]))
        return answers.batch(
            [
                outcome if isinstance(outcome, dict) else self._added(outcome[0], next(added), outcome[1])
                for outcome in outcomes
            ]
        )

    def search(self, given: Given) -> dict[str, Any]:
        """Search, and log what was answered."""
        asked: str = given.require("query")
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        wanted = _filter(given, SEARCH_MIN_TRUST)
        offset, refine = arguments.read_offset(given), given.get("refine", True)
        with self._store.snapshot():
            found = self._retriever.search(asked[:MAX_QUERY], wanted, limit, offset=offset, refine=refine)
            marks = self._store.marks(scored.fact.fact_id for scored in found.facts)
        if found.skipped is not None:
            return {"results": [], "count": 0, "skipped": found.skipped}
        brief, explain = given.get("brief", False), given.get("explain", False)
        results = [
            answers.scored(scored, brief=brief, explain=explain, marks=marks.get(scored.fact.fact_id, ()))
            for scored in found.facts
        ]
        is_whole = given.has("limit")
        fitting = answers.fitting(results, whole=is_whole)
        self._log.add(
            self._guard.admit_query(asked), [(scored.fact.fact_id, scored.score) for scored in found.facts[:fitting]]
        )
        said = answers.notes(results, fitting, whole=is_whole, shorter=answers.SHORTER)
        answer = {"results": results[:fitting], "count": fitting, **said}
        if results:
            answer["reminder"] = answers.REMINDER
        is_cut = len(asked) > MAX_QUERY
        return answers.with_warnings(answer, [f"only the first {MAX_QUERY} characters were searched"] if is_cut else [])

    def get(self, given: Given) -> dict[str, Any]:
        """Return facts by id, whole; that counts as no retrieval."""
        fact_ids, refused = _fact_ids(given)
        facts, missing = self._store.get(fact_ids)
        return {"facts": self._shown(facts, given), "count": len(facts), "missing": missing, **refused}

    def update(self, given: Given) -> dict[str, Any]:
        """Change what is named and keep the rest."""
        fact_id = given.require("fact_id")
        change = FactChange(
            content=given.get("content"),
            summary=given.get("summary"),
            tags=_tags(given),
            category=given.get("category"),
            trust_delta=given.get("trust_delta"),
            supersedes=given.get("supersedes") or None,
            expires_at=arguments.read_expiry(given),
        )
        if change == FactChange():
            raise InvalidArgumentError(
                "Nothing to update: name at least one of content, summary, tags, category, trust_delta, supersedes, "
                "expires_at"
            )
        if change.content is not None:
            _check_content(change.content)
        texts, warnings = self._guard.admit_texts(
            {"content": change.content, "summary": change.summary, "tags": change.tags}
        )
        before = self._store.marks([fact_id]).get(fact_id, ())
        fact = self._store.update(fact_id, replace(change, **texts))
        warnings = answers.length_warnings(fact.content, fact.summary) + warnings
        if change.content is not None:
            warnings += answers.twin_warnings(self._store.twins(fact))
        warnings += answers.expiry_warnings(change.expires_at, clock.timestamp(clock.now()))
        if safety.names_secret(before) and not safety.names_secret(self._store.marks([fact_id]).get(fact_id, ())):
            warnings += answers.replaced_warnings(fact_id)
        return answers.with_warnings({"fact_id": fact_id, "updated": True}, list(dict.fromkeys(warnings)))

    def remove(self, given: Given) -> dict[str, Any]:
        """Remove facts; an id that is not there is told from one that was removed."""
        fact_ids, refused = _fact_ids(given)
        marks = self._store.marks(fact_ids)
        removed, missing = self._store.remove(fact_ids)
        before = self._history().looked_like_secrets(removed)
        warnings = answers.purge_warnings(
            fact_id for fact_id in removed if fact_id in before or safety.names_secret(marks.get(fact_id, ()))
        )
        if given.get("fact_ids") is None:
            return answers.with_warnings({"fact_id": fact_ids[0], "removed": bool(removed)}, warnings)
        return answers.with_warnings({"removed": removed, "missing": missing, **refused}, warnings)

    def history(self, given: Given) -> dict[str, Any]:
        """Return what a fact was before each change, newest first, also of a fact that was removed."""
        fact_id = given.require("fact_id")
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        history = self._history().of(fact_id)
        shown = [answers.version(version) for version in history.versions]
        is_whole = given.has("limit")
        fitting = answers.fitting(shown[:limit], whole=is_whole)
        return {
            "fact_id": fact_id,
            "exists": history.exists,
            "versions": shown[:fitting],
            "count": fitting,
            **answers.notes(shown, fitting, whole=is_whole, how="a higher limit"),
        }

    def restore(self, given: Given) -> dict[str, Any]:
        """Bring a removed fact back, or give a fact what it was before a version."""
        fact_id = given.require("fact_id")
        self._history().restore(fact_id, given.get("version") or None)
        return {"fact_id": fact_id, "restored": True}

    def list(self, given: Given) -> dict[str, Any]:
        """Return a page of facts, most trusted first."""
        limit = arguments.read_limit(given, DEFAULT_LIMIT)
        facts, total = self._store.list(_filter(given, 0.0), limit, arguments.read_offset(given))
        return {**self._page("facts", facts, given), "total": total}

    def probe(self, given: Given) -> dict[str, Any]:
        """Return all about one entity."""
        return self._page("results", self._graph().probe(_entity(given.require("entity")), *_window(given)), given)

    def related(self, given: Given) -> dict[str, Any]:
        """Return facts near one entity, without its own."""
        return self._page("results", self._graph().related(_entity(given.require("entity")), *_window(given)), given)

    def reason(self, given: Given) -> dict[str, Any]:
        """Return the facts that several entities have in common."""
        entities = [entity for entity in given.require("entities") if entity.strip()]
        if not entities:
            raise InvalidArgumentError("entities is empty; give the names that the facts should have in common")
        _check_names("entities", entities)
        return self._page("results", self._graph().reason(entities, *_window(given)), given)

    def contradict(self, given: Given) -> dict[str, Any]:
        """Report pairs of facts that may contradict each other."""
        pairs = self._graph().contradict(given.get("category"), arguments.read_limit(given, DEFAULT_LIMIT))
        marks = self._store.marks(fact.fact_id for pair in pairs for fact in (pair.fact_a, pair.fact_b))
        results = [answers.contradiction(pair, marks) for pair in pairs]
        is_whole = given.has("limit")
        fitting = answers.fitting(results, whole=is_whole)
        return {
            "results": results[:fitting],
            "count": fitting,
            **answers.notes(results, fitting, whole=is_whole, how="a higher limit"),
        }

    def learn(self, given: Given) -> dict[str, Any]:
        """Learn from use, by the rules to the letter."""
        return self._learner.learn(arguments.read_limit(given, REPORT_LIMIT))

    def audit(self, given: Given) -> dict[str, Any]:
        """Report on the quality of the facts and change nothing."""
        return self._learner.audit(arguments.read_limit(given, REPORT_LIMIT))

    def _new_fact(self, given: Given, content: str) -> tuple[NewFact, Sequence[str]]:
        _check_content(content)
        admitted, warnings = self._guard.admit_texts(
            {"content": content, "summary": given.get("summary"), "tags": _tags(given)}
        )
        fact = NewFact(
            admitted["content"],
            given.get("category", DEFAULT_CATEGORY),
            admitted["tags"] or "",
            admitted["summary"],
            given.get("supersedes") or None,
            arguments.read_expiry(given),
        )
        return fact, [*warnings, *answers.expiry_warnings(fact.expires_at, clock.timestamp(clock.now()))]

    def _added(self, fact: NewFact, added: Added, warnings: Sequence[str]) -> dict[str, Any]:
        if added.is_duplicate:
            duplicate = {"fact_id": added.fact_id, "status": "duplicate", "category": added.category}
            hidden = answers.hidden_warnings(added.fact_id, added.superseded_by, added.expired_at)
            return answers.with_warnings(duplicate, hidden)
        answer: dict[str, Any] = {"fact_id": added.fact_id, "status": "added", "category": added.category}
        similar = self._retriever.similar(fact.content, excluding=added.fact_id)
        if similar:
            answer["similar"] = answers.similar(similar, self._store.marks(other.fact_id for other, _ in similar))
        return answers.with_warnings(answer, [*answers.length_warnings(fact.content, fact.summary), *warnings])

    def _shown(self, facts: Sequence[Fact], given: Given) -> Sequence[dict[str, Any]]:
        marks = self._store.marks(fact.fact_id for fact in facts)
        brief = given.get("brief", False)
        return [answers.fact(fact, brief=brief, marks=marks.get(fact.fact_id, ())) for fact in facts]

    def _page(self, key: str, facts: Sequence[Fact], given: Given) -> dict[str, Any]:
        shown = self._shown(facts, given)
        is_whole = given.has("limit")
        fitting = answers.fitting(shown, whole=is_whole)
        said = answers.notes(shown, fitting, whole=is_whole, shorter=answers.SHORTER)
        return {key: shown[:fitting], "count": fitting, **said}


def _check_content(content: str) -> None:
    if not content.strip():
        raise InvalidArgumentError("content is empty; give the fact as a text")
    if len(content) > MAX_CONTENT:
        raise InvalidArgumentError(
            f"content has {len(content)} characters, at most {MAX_CONTENT} are stored; split it into several facts"
        )


def _entity(entity: str) -> str:
    _check_names("entity", [entity])
    return entity


def _check_names(argument: str, names: Sequence[str]) -> None:
    length = sum(map(len, names))
    if length > MAX_NAMES:
        raise InvalidArgumentError(
            f"{argument} has {length} characters, at most {MAX_NAMES} are looked for; give names alone"
        )


def _tags(given: Given) -> str | None:
    tags = given.get("tags")
    return None if tags is None else ",".join(split_tags(tags))


def _fact_ids(given: Given) -> tuple[Sequence[int], dict[str, list[str]]]:
    """Return the ids of a call, and what its answer says of items that are no ids: nothing if there are none."""
    if given.get("fact_ids") is None:
        return [given.require("fact_id")], {}
    if given.asks("fact_id"):
        raise InvalidArgumentError("Give fact_id or fact_ids, not both; nothing was done")
    fact_ids = [item for item in given.get("fact_ids") if not isinstance(item, Refused)]
    errors = [item.message for item in given.get("fact_ids") if isinstance(item, Refused)]
    if not fact_ids:
        raise InvalidArgumentError("; ".join(errors[:_ERRORS_SHOWN]))
    return fact_ids, {"errors": errors} if errors else {}


def _filter(given: Given, min_trust: float) -> FactFilter:
    return FactFilter(
        category=given.get("category"),
        tags=tuple(split_tags(given.get("tags"))),
        after=arguments.read_time(given, "after"),
        before=arguments.read_time(given, "before"),
        min_trust=given.get("min_trust", min_trust),
        include_superseded=given.get("include_superseded", False),
    )


def _window(given: Given) -> tuple[int, FactFilter, int]:
    """Return how many facts about names are wanted, which, and how many come before them."""
    return arguments.read_limit(given, DEFAULT_LIMIT), _filter(given, 0.0), arguments.read_offset(given)
