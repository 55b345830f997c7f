"""Which fact took the place of which, where two memories may each have said so.

No time is kept of that, so the times of the facts decide: a fact that takes another's place is changed when it does.
"""

import sqlite3
from typing import Any

_FACT = (
    "SELECT facts.fact_id, superseded_by, coalesce(updated_at, ''), coalesce(uid, '') "
    "FROM facts LEFT JOIN fact_origins USING (fact_id) WHERE "
)
_BY_ID, _BY_UID = _FACT + "facts.fact_id = ?", _FACT + "uid = ?"


def link(connection: sqlite3.Connection, older: int, newer: int | str) -> bool:
    """Let one fact take the place of another (an id or a uid), and tell whether that changed anything.

    A link to a fact that was changed later stays, and so does one by which the two would hide each other.
    """
    taker = _row(connection, _BY_ID if isinstance(newer, int) else _BY_UID, newer)
    given = _row(connection, _BY_ID, older)
    if taker is None or given is None or taker[0] in (older, given[1]):
        return False
    present = _row(connection, _BY_ID, given[1])
    if present is not None and taker[2:] < present[2:]:
        return False
    if leads_to(connection, taker[0], older):
        if taker[2:] < given[2:]:
            return False
        connection.execute("UPDATE facts SET superseded_by = NULL WHERE fact_id = ?", (taker[0],))
    connection.execute("UPDATE facts SET superseded_by = ? WHERE fact_id = ?", (taker[0], older))
    return True


def leads_to(connection: sqlite3.Connection, start: int, end: int) -> bool:
    """Tell whether a fact gave its place to another, in one step or in several."""
    following = connection.execute(
        "WITH RECURSIVE following(fact_id) AS (SELECT ? UNION SELECT superseded_by FROM facts JOIN following "
        "USING (fact_id)) SELECT 1 FROM following WHERE fact_id = ?",
        (start, end),
    )
    return following.fetchone() is not None


def _row(connection: sqlite3.Connection, query: str, value: object) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(query, (value,)).fetchone()
    return row
