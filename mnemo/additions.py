"""New facts that one transaction adds: thousands are written as one, with all that the triggers would keep of each.

Spec: fact-history, fact-summary.
"""

import json
import sqlite3
from collections.abc import Iterable
from itertools import chain
from typing import Any

from mnemo import index, schema, versions
from mnemo.versions import Change

FEW = 200  # facts, for which the triggers cost less than to take them off and put them on again
HIGHEST_ID = (1 << 63) - 1
_COLUMNS = (
    "fact_id, content, summary, category, tags, trust_score, retrieval_count, helpful_count, last_retrieved_at, "
    "created_at, updated_at, expires_at"
)
_ROW = f"({', '.join('?' for _ in _COLUMNS.split(','))})"
_AT_ONCE = 20  # rows of one statement, each of which costs a look at what the last id was
_INSERT = f"INSERT INTO facts({_COLUMNS}) VALUES {_ROW}"
# What fails takes the whole transaction back, so no statement needs to be able to take back its own part.
_INSERT_ROWS = f"INSERT OR FAIL INTO facts({_COLUMNS}) VALUES {', '.join([_ROW] * _AT_ONCE)}"
_LAST_ID = (
    "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'facts'), 0), "
    "coalesce((SELECT max(fact_id) FROM facts), 0))"
)


class Additions:
    """Facts on their way into the table: each has its id at once, and is there when `write` was called.

    Between the first fact and `write` nothing else may add any. The caller's write transaction holds all of it.
    """

    def __init__(self, connection: sqlite3.Connection, change: Change, wanted: Iterable[int | None]) -> None:
        """Add facts as part of a change; `wanted` are the ids that some of them may ask for."""
        self._connection = connection
        self._change = change
        self._rows: list[tuple[Any, ...]] = []
        ids = json.dumps([fact_id for fact_id in wanted if fact_id is not None])
        taken = connection.execute(
            "SELECT fact_id FROM facts WHERE fact_id IN (SELECT value FROM json_each(?))", (ids,)
        )
        self._taken = {row[0] for row in taken}
        self._last: int = connection.execute(_LAST_ID).fetchone()[0]

    def add(self, wanted: int | None, columns: tuple[Any, ...]) -> int:
        """Take a fact and return its id: the one that is wanted (one of those announced) if it is free, else the next.

        `columns` are its content, summary, category, tags, trust, both counts, the three times and its expiry.
        """
        fact_id = wanted
        if fact_id is None or fact_id in self._taken:
            fact_id = min(self._last + 1, HIGHEST_ID)
        self._taken.add(fact_id)
        self._last = max(self._last, fact_id)
        self._rows.append((fact_id, *columns))
        return fact_id

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
