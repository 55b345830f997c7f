"""The search log: what was searched for and what came of it, and the counters of the facts that were found.

Spec: retrieval-log.
"""

import json
import sqlite3
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from mnemo import clock
from mnemo.errors import MemoryFileError
from mnemo.storage.database import Database

LOG_CAPACITY = 5000  # entries


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """One search as it goes into the log: the query as it came, and the facts of the answer with their scores."""

    query: str
    results: tuple[tuple[int, float], ...]
    timestamp: str


class _LogSize(NamedTuple):
    """How many entries the log has while SQLite's count of other connections' commits stays at `version`."""

    version: int
    entries: int


class RetrievalLog:
    """The search log of one memory file, and the searches that wait to be written into it.

    Every method may raise `MemoryFileError` (and `MemoryBusyError` where it waits).
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database
        self._pending: deque[LoggedSearch] = deque(maxlen=LOG_CAPACITY)  # the log would keep no more
        self._pending_lock = threading.Lock()
        self._size: _LogSize | None = None  # as this object's last search left it

    def add(self, query: str, results: Sequence[tuple[int, float]]) -> None:
        """Log one search and count its results as retrieved: at once, or later if the file cannot be written now."""
        with self._pending_lock:
            self._pending.append(LoggedSearch(query, tuple(results), clock.timestamp(clock.now())))
        with suppress(MemoryFileError):  # the search has its answer; the entry waits
            self.flush()

    @property
    def has_pending(self) -> bool:
        """Tell whether searches wait to be logged."""
        return bool(self._pending)

    def flush(self, *, wait: bool = False) -> None:
        """Write the searches that wait; with `wait`, wait for another program's write to end (up to 5 seconds)."""
        with self._pending_lock:
            if not self._pending:
                return
            known, self._size = self._size, None
            if wait:
                with self._database.writing() as connection:
                    _write_log(connection, self._pending)
                    prune(connection)
            else:
                with self._database.writing_at_once(is_log=True) as connection_or_none:
                    if connection_or_none is None:
                        return
                    _write_log(connection_or_none, self._pending)
                    size = _cut(connection_or_none, known, len(self._pending))
                self._size = size
            self._pending.clear()


def _write_log(connection: sqlite3.Connection, searches: Sequence[LoggedSearch] | deque[LoggedSearch]) -> None:
    for search in searches:
        results = [{"id": fact_id, "score": score} for fact_id, score in search.results]
        connection.execute(
            "INSERT INTO retrieval_log(query, results, timestamp) VALUES (?, ?, ?)",
            (search.query, json.dumps(results, separators=(",", ":")), search.timestamp),
        )
        connection.execute(
            "UPDATE facts SET retrieval_count = coalesce(retrieval_count, 0) + 1, last_retrieved_at = ? "
            "WHERE fact_id IN (SELECT value FROM json_each(?))",
            (search.timestamp, json.dumps([fact_id for fact_id, _ in search.results])),
        )


def _cut(connection: sqlite3.Connection, known: _LogSize | None, added: int) -> _LogSize:
    """Cut the log like `prune`, counting it only where another connection has written since its size was known."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    if known is None or known.version != version:
        prune(connection)
        return _LogSize(version, connection.execute("SELECT count(*) FROM retrieval_log").fetchone()[0])
    excess = max(known.entries + added - LOG_CAPACITY, 0)
    if excess:
        connection.execute(
            "DELETE FROM retrieval_log WHERE id IN (SELECT id FROM retrieval_log ORDER BY id LIMIT ?)", (excess,)
        )
    return _LogSize(version, known.entries + added - excess)


def prune(connection: sqlite3.Connection) -> None:
    """Cut the log to its newest 5000 entries; the caller's write transaction holds it.

    Spec: retrieval-log (Retrieval log has a size cap).
    """
    # Two questions, each answered from one end of the table; in one, SQLite would read all of it.
    span = connection.execute(
        "SELECT (SELECT max(id) FROM retrieval_log) - (SELECT min(id) FROM retrieval_log) + 1"
    ).fetchone()[0]
    if span is not None and span > LOG_CAPACITY:
        connection.execute(
            "DELETE FROM retrieval_log WHERE id <= (SELECT id FROM retrieval_log ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (LOG_CAPACITY,),
        )
