"""One memory with its two tools as plain functions: arguments in, a dict out that is ready for JSON.

Spec: fact-store.
"""

import os
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemo import arguments, paths
from mnemo.actions import Actions
from mnemo.answers import with_warnings
from mnemo.errors import InvalidArgumentError, MemoryFileError, UnknownNameError
from mnemo.facts import FactFilter
from mnemo.guard import VARIABLE as SECRETS_VARIABLE
from mnemo.guard import Guard
from mnemo.learner import Learner
from mnemo.retrieval_log import RetrievalLog
from mnemo.retriever import Retriever
from mnemo.storage import rights
from mnemo.storage.database import WRITE_WAIT_SECONDS, Database
from mnemo.store import FactStore
from mnemo.usage import UsageStore

if TYPE_CHECKING:
    from mnemo.graph import Graph
    from mnemo.history import HistoryStore

HALF_LIFE_VARIABLE = "MNEMO_HALF_LIFE_DAYS"
SETTINGS = (HALF_LIFE_VARIABLE, SECRETS_VARIABLE)  # of a server, besides the place of its file
MOST_LEFT = 2  # files that were moved and stay open: calls may still be at work on them


class Memory:
    """One memory, with its tools. The file is opened at the first call, so that a broken one is an answer, not a crash.

    Spec: fact-store.
    """

    def __init__(
        self, path: Path | None = None, wait_seconds: float = WRITE_WAIT_SECONDS, source: str = "tool"
    ) -> None:
        """Use the memory file at `path`, or the one that `paths.database_path` names.

        A write waits up to `wait_seconds` for another program's write to end. The history names `source` as the
        one who wrote.
        """
        self.path = paths.database_path() if path is None else path
        self._wait_seconds = wait_seconds
        self._source = source
        self._opening = threading.Lock()
        self._parts: _Parts | None = None
        self._left: list[_Parts] = []  # open on files that are not at the path any more

    def fact_store(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do one action of the tool `fact_store` and return its answer.

        Raises:
            InvalidArgumentError: the action is unknown, or an argument is missing or wrong.
            FactNotFoundError: the fact does not exist.
            MemoryFileError: the memory file cannot be used.
        """
        read = arguments.read(arguments.FACT_STORE, given)
        action = read.require("action")
        if action not in arguments.ACTIONS:
            raise UnknownNameError("action", action, arguments.ACTIONS)
        warnings = [*read.warnings, *arguments.unheeded(action, read)]
        return with_warnings(self.parts.actions.by_name[action](read), warnings)

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
            raise UnknownNameError("action", action, arguments.RATINGS)
        rating = self.parts.store.rate(read.require("fact_id"), is_helpful=action == "helpful")
        answer = {
            "fact_id": rating.fact_id,
            "old_trust": rating.old_trust,
            "new_trust": rating.new_trust,
            "helpful_count": rating.helpful_count,
        }
        return with_warnings(answer, read.warnings)

    def learn_at_startup(self) -> dict[str, int]:
        """Bring the index up to date and learn gently; return how many facts each rule moved.

        Raises:
            MemoryFileError: the memory file cannot be used.
        """
        try:
            self.parts.store.refresh()
            self.parts.history.prune()
            return self.parts.learner.learn_at_startup()
        finally:
            self.flush()  # searches that did not wait for a long pass

    def most_trusted(self, category: str, limit: int) -> list[dict[str, Any]]:
        """Return the most trusted facts of a category as its resource shows them.

        Raises:
            MemoryFileError: the memory file cannot be used.
        """
        store = self.parts.store
        facts, _ = store.list(FactFilter(category=category), limit)
        marks = store.marks(fact.fact_id for fact in facts)
        shown = ("fact_id", "content", "trust_score")
        return [
            with_warnings({name: getattr(fact, name) for name in shown}, marks.get(fact.fact_id, ())) for fact in facts
        ]

    def is_settled_since_asked(self) -> bool:
        """Tell, without waiting, that the file is open, all is indexed, and others wrote nothing since last asked."""
        parts = self._parts  # which another thread may leave meanwhile
        return parts is not None and parts.database.is_settled_since_asked()

    def flush(self) -> None:
        """Write the log entries that wait for another program's write to end, if that is possible now."""
        for one in tuple(self._left):
            with suppress(MemoryFileError):
                one.log.flush()
        parts = self._parts
        if parts is not None:
            with suppress(MemoryFileError):  # they wait on; the next search or the end tries again
                parts.log.flush()
                parts.database.shorten_log()

    def close(self) -> None:
        """Write what waits, and close the file; harmless where nothing was opened.

        Raises:
            MemoryFileError: log entries could not be written; all else is closed.
        """
        with self._opening:
            parts, self._parts = self._parts, None
            left, self._left = self._left, []
        with ExitStack() as closing:  # in which an error keeps nothing from being closed
            if parts is not None:
                closing.callback(parts.database.close)
                closing.callback(parts.log.flush, wait=True)
            for one in left:
                closing.callback(_close_moved, one)
                closing.callback(one.log.flush, wait=True)

    @property
    def parts(self) -> "_Parts":
        """Return the open memory: that of the file which is at the path now.

        Raises:
            MemoryFileError: the memory file cannot be used; the next call tries again.
        """
        with self._opening:
            if self._parts is not None and self._parts.database.was_moved():
                self._leave(self._parts)
                self._parts = None
            if self._parts is None:
                # A wrong setting stops a call before it does anything.
                half_life_days, guard = _half_life_days(), Guard()
                database = Database(self.path, self._wait_seconds)
                database.source = self._source
                self._parts = _Parts(database, half_life_days, guard)
            return self._parts

    def _leave(self, parts: "_Parts") -> None:
        """Turn from a file that was removed, moved or replaced; calls that are at work on it may end there."""
        with suppress(MemoryFileError):
            parts.log.flush()
            parts.database.finish_log()
        self._left.append(parts)
        while len(self._left) > MOST_LEFT:
            oldest = self._left.pop(0)
            with suppress(MemoryFileError):
                oldest.log.flush()
            if oldest.log.has_pending:
                rights.warn("searches of %s, which was moved and stayed locked, could not be logged", self.path)
            _close_moved(oldest)


def _close_moved(parts: "_Parts") -> None:
    with suppress(MemoryFileError):
        parts.database.finish_log()
    parts.database.close()


class _Parts:
    """What works on one open memory file."""

    def __init__(self, database: Database, half_life_days: float, guard: Guard) -> None:
        self.database = database
        self.store = FactStore(database)
        self.log = RetrievalLog(database)
        self.learner = Learner(UsageStore(database))
        self.retriever = Retriever(self.store, half_life_days)
        self.actions = Actions(
            self.store,
            self.log,
            self.retriever,
            lambda: self.graph,
            self.learner,
            guard,
            lambda: self.history,
        )

    @cached_property
    def graph(self) -> "Graph":
        """The entity graph; a start that does not ask for it does not pay for its modules."""
        from mnemo.graph import Graph
        from mnemo.links import LinkStore

        return Graph(self.store, LinkStore(self.database))

    @cached_property
    def history(self) -> "HistoryStore":
        """What facts were before; imported when it is asked for, like the graph."""
        from mnemo.history import HistoryStore

        return HistoryStore(self.database)


def _half_life_days() -> float:
    configured = os.environ.get(HALF_LIFE_VARIABLE, "").strip()
    try:
        days = float(configured or 0)
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise InvalidArgumentError(f"{HALF_LIFE_VARIABLE} must be a number of days, 0 for no decay, not {configured!r}")
    return days


def chosen_settings() -> dict[str, str]:
    """Return the settings besides the file's place that the environment sets, by variable."""
    values = {name: os.environ.get(name, "").strip() for name in SETTINGS}
    return {name: value for name, value in values.items() if value}


def check_settings() -> None:
    """Check the settings that the environment sets.

    Raises:
        InvalidArgumentError: one of them is wrong, and would stop each call.
    """
    _half_life_days()
    Guard()
