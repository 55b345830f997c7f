"""Read what can still be read of a damaged memory file into a new one; the damaged file is only read.

Spec: fact-store (the file); `mnemo doctor --fix` uses it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from mnemo import index
from mnemo.connections import explained
from mnemo.database import Database
from mnemo.errors import MemoryFileError

LARGEST_ROWID = (1 << 63) - 1
MOST_GAPS = 2_000  # stretches of ids that cannot be read, after which the rest is given up
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


def recover(path: Path, target: Path) -> int:
    """Make a new memory of the facts in a damaged one that can still be read, and return how many those are.

    Raises:
        MemoryFileError: not one fact can be read, or the target exists or cannot be written; it is not made then.
    """
    if target.exists():
        raise MemoryFileError(f"{target} exists already; nothing was recovered.")
    count = 0
    try:
        # Row by row: the file may name one fact twice, or give a value that its table would not take.
        with closing(Database(target)) as database, database.writing() as connection:
            for row in _facts(path):
                with suppress(sqlite3.Error):
                    count += _insert(connection, row)
            index.refresh(connection)
    finally:
        if not count:
            for ending in ("", "-wal", "-shm"):
                Path(f"{target}{ending}").unlink(missing_ok=True)
    if not count:
        raise MemoryFileError(f"Nothing of {path} can be read; restore a copy with `mnemo restore FILE`.")
    return count


def _insert(connection: sqlite3.Connection, row: dict[str, Any]) -> int:
    if not isinstance(row.get("content"), str) or not row["content"].strip():
        return 0
    names = list(row)
    cursor = connection.execute(
        f"INSERT OR IGNORE INTO facts({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})",  # noqa: S608
        [row[name] for name in names],
    )
    return cursor.rowcount


def _facts(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the readable rows of the table of facts, each as a dict of the columns that it has."""
    with explained(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.text_factory = _text
        try:
            present = [row[1] for row in connection.execute("PRAGMA table_info(facts)")]
        except sqlite3.Error:
            return
        columns = [name for name in _WANTED if name in present]
        if {"fact_id", "content"} <= set(columns):
            for row in _rows(connection, ", ".join(columns)):
                yield dict(zip(columns, row, strict=True))


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _rows(connection: sqlite3.Connection, columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield rows in the order of their ids, and pass over stretches of ids that cannot be read."""
    low, gaps, step = -LARGEST_ROWID, 0, 1
    while gaps < MOST_GAPS:
        try:
            cursor = connection.execute(
                f"SELECT rowid, {columns} FROM facts NOT INDEXED WHERE rowid >= ? ORDER BY rowid",  # noqa: S608
                (low,),
            )
            for row in cursor:
                if row[0] < low:
                    return  # the order of the ids is broken, and so would be the end of this
                low, step = row[0] + 1, 1
                yield row[1:]
            return
        except (sqlite3.Error, OverflowError):
            gaps += 1
            low = max(low, 0) + step
            step = min(step * 2, 1 << 20)


def name_beside(path: Path, stamp: str) -> Path:
    """Return a name for the recovered memory beside the damaged one."""
    target, number = path.with_name(f"{path.name}.recovered-{stamp}"), 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.recovered-{stamp}-{number}")
    return target
