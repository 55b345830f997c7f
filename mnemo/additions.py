"""New facts that one transaction adds: thousands are written as one, with all that the triggers would keep of each.

Spec: fact-history, fact-summary.
"""

import json
import sqlite3
from collections.abc import Iterable
from itertools import chain
from typing import Any

from mnemo import index, schema, versions
from mnemo.errors import MemoryFileError
from mnemo.storage.connections import expect_one
from mnemo.versions import Change

FEW = 200  # facts, for which the triggers cost less than to take them off and put them on again
HIGHEST_ID = (1 << 63) - 1
HIGHEST_KEPT_ID = 2**31  # a higher id that a fact asks for is not taken over: ids must stay exact in every client
_COLUMNS = (
    "fact_id, content, summary, category, tags, trust_score, retrieval_count, helpful_count, last_retrieved_at, "
    "created_at, updated_at, expires_at"
)
_ROW = f"({', '.join('?' for _ in _COLUMNS.split(','))})"
_AT_ONCE = 20  # rows of one statement, each of which costs a look at what the last id was
_INSERT = f"INSERT INTO facts({_COLUMNS}) VALUES {_ROW}"
# What fails takes the whole transaction back, so no statement needs to be able to take back its own part.
_INSERT_ROWS = f"INSERT OR FAIL INTO facts({_COLUMNS}) VALUES {', '.join([_ROW] * _AT_ONCE)}"
_TAKEN = (
    "SELECT id FROM "
    "(SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS uid FROM json_each(?)) AS wanted "
    "WHERE EXISTS (SELECT 1 FROM facts WHERE fact_id = id) OR iif("
    "EXISTS (SELECT 1 FROM fact_origins WHERE fact_id = id), "
    "NOT EXISTS (SELECT 1 FROM fact_origins AS own WHERE own.fact_id = id AND own.uid = wanted.uid), "
    "EXISTS (SELECT 1 FROM fact_versions WHERE fact_id = id))"
)
_LAST_ID = (
    "SELECT max(coalesce((SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'facts'), 0), "
    "coalesce((SELECT max(fact_id) FROM facts), 0))"
)


class Additions:
    """Facts on their way into the table: each has its id at once, and is there when `write` was called.

    Between the first fact and `write` nothing else may add any. The caller's write transaction holds all of it.
    Where another program has a trigger on the facts, each is written by itself at once, for that one may do anything.
    """

    def __init__(
        self, connection: sqlite3.Connection, change: Change, wanted: Iterable[tuple[int | None, str | None]]
    ) -> None:
        """Add facts as part of a change; `wanted` are the ids that some of them may ask for, each with the fact's uid.

        An id that a fact has or had is free for none but that same fact.
        """
        self._connection = connection
        self._change = change
        self._rows: list[tuple[Any, ...]] = []
        self._last: int = connection.execute(_LAST_ID).fetchone()[0]
        given = [(one, uid) for one, uid in wanted if one is not None and one <= self._last and _may_be_kept(one)]
        self._taken = {row[0] for row in connection.execute(_TAKEN, (json.dumps(given),))} if given else set[int]()
        self._has_others = schema.has_triggers_of_others(connection, "facts")

    def add(self, wanted: int | None, columns: tuple[Any, ...]) -> int:
        """Take a fact and return its id: the one that is wanted (one of those announced) if it is free, else the next.

        `columns` are its content, summary, category, tags, trust, both counts, the three times and its expiry.

        Raises:
            MemoryFileError: another program's trigger refuses the fact, or the highest possible id is taken.
        """
        fact_id = wanted if _may_be_kept(wanted) else None
        if self._has_others:
            return self._add_now(fact_id, columns)
        if fact_id is None or fact_id in self._taken:
            if self._last >= HIGHEST_ID:
                raise _no_id_left()
            fact_id = self._last + 1
        self._taken.add(fact_id)
        self._last = max(self._last, fact_id)
        self._rows.append((fact_id, *columns))
        return fact_id

    def _add_now(self, wanted: int | None, columns: tuple[Any, ...]) -> int:
        there = self._connection.execute("SELECT 1 FROM facts WHERE fact_id = ?", (wanted,)).fetchone()
        is_free = wanted not in self._taken and not there
        return new_id(self._connection, _INSERT, (wanted if is_free else None, *columns))

    def write(self) -> None:
        """Write the facts that were taken since this was called last.

        Raises:
            sqlite3.IntegrityError: one of them has a content that another fact has.
        """
        if len(self._rows) < FEW:
            self._connection.executemany(_INSERT, self._rows)
        else:
            self._write_at_once()
        self._rows.clear()

    def _write_at_once(self) -> None:
        rows, whole = self._rows, len(self._rows) // _AT_ONCE * _AT_ONCE
        with schema.without_insert_triggers(self._connection):
            self._connection.executemany(
                _INSERT_ROWS,
                (tuple(chain.from_iterable(rows[at : at + _AT_ONCE])) for at in range(0, whole, _AT_ONCE)),
            )
            self._connection.executemany(_INSERT, rows[whole:])
        fact_ids = [row[0] for row in rows]
        versions.add_signed(self._connection, self._change, fact_ids)
        index.note(self._connection, fact_ids)


def _may_be_kept(fact_id: int | None) -> bool:
    return fact_id is not None and 0 < fact_id <= HIGHEST_KEPT_ID


def new_id(connection: sqlite3.Connection, insert: str, values: tuple[Any, ...]) -> int:
    """Insert one fact and return its id.

    Raises:
        MemoryFileError: another program's trigger refuses the fact, or the highest possible id is taken.
        sqlite3.Error: the file does not take it.
    """
    try:
        cursor = connection.execute(insert, values)
    except sqlite3.OperationalError as error:
        if connection.execute(_LAST_ID).fetchone()[0] >= HIGHEST_ID:
            raise _no_id_left() from error
        raise
    expect_one(cursor)
    return int(cursor.lastrowid or 0)


def _no_id_left() -> MemoryFileError:
    """Return the error for a memory in which the highest possible id was given away."""
    return MemoryFileError(
        f"No id is left for another fact: one with the highest, {HIGHEST_ID}, is or was there; nothing was changed. "
        "Export the memory and import it into a new file, where facts get lower ids."
    )
