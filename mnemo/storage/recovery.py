"""Read what can still be read of a damaged memory file into a new one; the damaged file is only read.

Spec: fact-store (The file is a public contract); `mnemo doctor --fix` uses it.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from mnemo import index
from mnemo.errors import MemoryFileError
from mnemo.storage.connections import explained, looking
from mnemo.storage.copying import remove_database
from mnemo.storage.database import Database

LARGEST_ROWID = (1 << 63) - 1
ONE_BY_ONE = 4_000  # ids behind the last readable one; a page holds some ten facts
MOST_GAPS = 2_000  # stretches of ids that cannot be read, after which the rest is given up
_SELECT = "SELECT rowid, {} FROM facts NOT INDEXED WHERE rowid >= ?"
_WANTED = (
    "fact_id",
    "content",
    "category",
    "tags",
    "summary",
    "trust_score",
    "retrieval_count",
    "helpful_count",
    "last_retrieved_at",
    "created_at",
    "updated_at",
    "superseded_by",
    "expires_at",
)


class Recovered(NamedTuple):
    """How many facts are in the new file, and how many that could be read are not: of a shape that no memory takes."""

    facts: int
    left: int


def recover(path: Path, target: Path) -> Recovered:
    """Make a new memory of the facts in a damaged one that can still be read, and return how many those are.

    Raises:
        MemoryFileError: not one fact can be read, or the target exists or cannot be written; it is not made then.
    """
    if target.exists():
        raise MemoryFileError(f"{target} exists already; nothing was recovered.")
    count = left = 0
    try:
        # Row by row: the file may name one fact twice, or give a value that its table would not take.
        with closing(Database(target)) as database, database.writing() as connection:
            for row in _facts(path):
                if _insert(connection, row):
                    count += 1
                elif not _is_there(connection, row):
                    left += 1
            index.refresh(connection)
        if not count:
            raise MemoryFileError(f"Nothing of {path} can be read; restore a copy with `mnemo restore FILE`.")
    except BaseException:
        remove_database(target)
        raise
    return Recovered(count, left)


def _insert(connection: sqlite3.Connection, row: dict[str, Any]) -> bool:
    """Insert a fact as it was read; False where the damage made of it what no memory takes.

    Raises:
        sqlite3.Error: the new file cannot be written.
    """
    if not isinstance(row.get("content"), str) or not row["content"].strip():
        return False
    names = list(row)
    try:
        cursor = connection.execute(
            f"INSERT OR IGNORE INTO facts({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})",  # noqa: S608
            [row[name] for name in names],
        )
    except (sqlite3.IntegrityError, sqlite3.DataError):
        return False
    return cursor.rowcount > 0


def _is_there(connection: sqlite3.Connection, row: dict[str, Any]) -> bool:
    found = connection.execute("SELECT 1 FROM facts WHERE content = ?", (row.get("content"),))
    return found.fetchone() is not None


def _facts(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the readable rows of the table of facts, each as a dict of the columns that it has."""
    with explained(path), looking(path) as connection:
        try:
            present = [row[1] for row in connection.execute("PRAGMA table_info(facts)")]
        except sqlite3.Error:
            return
        columns = [name for name in _WANTED if name in present]
        if {"fact_id", "content"} <= set(columns):
            for row in _rows(connection, ", ".join(columns)):
                yield dict(zip(columns, row, strict=True))


def _rows(connection: sqlite3.Connection, columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield rows in the order of their ids, and pass over stretches of ids that cannot be read."""
    low: int | None = -LARGEST_ROWID
    for _ in range(MOST_GAPS):
        if low is None:
            return
        try:
            for row in connection.execute(f"{_SELECT.format(columns)} ORDER BY rowid", (low,)):
                if row[0] < low:
                    return  # the order of the ids is broken, and so would be the end of this
                low = row[0] + 1
                yield row[1:]
            return
        except OverflowError:
            return
        except sqlite3.Error:
            # The module gives no row before it has looked for the next, so the last one may be readable by itself.
            with suppress(sqlite3.Error):
                for row in _first(connection, columns, low):
                    low = row[0] + 1
                    yield row[1:]
            low = _next_readable(connection, columns, max(low, 0))


def _first(connection: sqlite3.Connection, columns: str, fact_id: int) -> list[tuple[Any, ...]]:
    """Return the first row from an id on, if there is one."""
    return connection.execute(f"{_SELECT.format(columns)} ORDER BY rowid LIMIT 1", (fact_id,)).fetchall()


def _next_readable(connection: sqlite3.Connection, columns: str, unreadable: int) -> int | None:
    """Return the first id behind one from which rows can be read again, None if there is none.

    The ids of some hundred pages are tried one by one; behind these, where far more is damaged, the end of it is looked
    for in ever larger steps and then halved in on.
    """

    def is_readable(fact_id: int) -> bool:
        try:
            _first(connection, columns, fact_id)
        except sqlite3.Error:
            return False
        return True

    for fact_id in range(unreadable + 1, min(unreadable + ONE_BY_ONE, LARGEST_ROWID)):
        if is_readable(fact_id):
            return fact_id
    unreadable += ONE_BY_ONE - 1
    step = 1
    while unreadable + step < LARGEST_ROWID:
        if is_readable(unreadable + step):
            return bisect_left(range(unreadable + step), True, lo=unreadable + 1, key=is_readable)
        unreadable, step = unreadable + step, step * 2
    return None
