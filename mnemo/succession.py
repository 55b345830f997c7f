"""Which fact took the place of which, where two memories may each have said so.

A fact is changed when another takes its place, and when that is taken back: so who changed it last is right about it.
"""

import sqlite3
from dataclasses import dataclass
from typing import Any

from mnemo.storage.connections import expect_one

_FACT = (
    "SELECT facts.fact_id, superseded_by, coalesce(datetime(updated_at), ''), coalesce(uid, '') "
    "FROM facts LEFT JOIN fact_origins USING (fact_id) WHERE "
)
_BY_ID, _BY_UID = _FACT + "facts.fact_id = ?", _FACT + "uid = ?"


@dataclass(frozen=True, slots=True)
class Said:
    """What another memory says: `newer` (an id or a uid; None: no fact) took the place of `older`.

    `at` is when the fact was changed last there, `was_at` when it had been changed last here, None if it was not here.
    """

    older: int
    newer: int | str | None
    at: str
    was_at: str | None


def settle(connection: sqlite3.Connection, said: Said) -> bool:
    """Take over what another memory says if that was said later, and tell whether it changed anything.

    At the same time any successor counts more than none, and of two the one that was changed later. Facts that would
    hide each other are told apart in the same way.
    """
    given = _row(connection, _BY_ID, said.older)
    if given is None:
        return False
    if said.newer is None:
        if given[1] is None or said.at <= (said.was_at or ""):
            return False
        change(connection, said.older, None)
        return True
    taker = _row(connection, _BY_ID if isinstance(said.newer, int) else _BY_UID, said.newer)
    if taker is None or taker[0] in (said.older, given[1]) or said.at < (said.was_at or ""):
        return False
    present = _row(connection, _BY_ID, given[1])
    if said.at == said.was_at and present is not None and taker[2:] < present[2:]:
        return False
    if leads_to(connection, taker[0], said.older):
        if taker[2:] < given[2:]:
            return False
        change(connection, taker[0], None)
    change(connection, said.older, taker[0])
    return True


def change(connection: sqlite3.Connection, older: int, newer: int | None, at: str | None = None) -> None:
    """Let a fact take the place of another, or none; `at` is when this is said, None leaves the fact's time.

    Raises:
        MemoryFileError: another program's trigger keeps the fact as it is.
    """
    cursor = connection.execute(
        "UPDATE facts SET superseded_by = ?, updated_at = coalesce(?, updated_at) WHERE fact_id = ?", (newer, at, older)
    )
    expect_one(cursor)


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
