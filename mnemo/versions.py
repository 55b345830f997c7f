"""The versions that changes leave behind: signed by who made the change, read back, and limited in size and age.

Spec: fact-history.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from mnemo import clock
from mnemo.facts import content_in, number_in
from mnemo.storage.connections import refused_by_trigger
from mnemo.storage.database import Database
from mnemo.version_tables import FIGURES, KEPT, ROW_BYTES, TEXTS

MOST_BYTES = 20_000_000  # of all versions together, but for the last ones of each fact
MOST_DAYS = 365
OTHER_PROGRAM = "another program"
FORGOTTEN = "forgotten"  # the action of a version that is only there to tell what the one before it left
IS_KNOWN = f"action IS NOT '{FORGOTTEN}'"
_LOOK_EVERY = 2_000  # versions, after which the size of all is added up
_LARGE = 64_000  # bytes of one change, after which it is too
_MUCH = (
    2_000_000  # bytes of further parts of one change: an import of many batches would add up the same again and again
)

State = dict[str, Any]  # what a fact was or is: its columns but the id, and but its texts where they are not known


@dataclass(slots=True)
class Change:
    """A change that versions are signed with: what was done, by whom, and which earlier change it takes back.

    Several transactions with the same object are parts of one change. `unmeasured` is how many bytes it wrote since
    the size of all versions was last looked at, `after` the newest version when its transaction began.
    """

    action: str
    source: str | None = None
    undoes: int | None = None
    change_id: int | None = None
    unmeasured: int = 0
    after: int = 0

    @property
    def number(self) -> int:
        """Return the id with which versions of the open transaction are signed."""
        return self.after + 1 if self.change_id is None else self.change_id


@dataclass(frozen=True, slots=True)
class Version:
    """One change of one fact: what the fact was before and after it, None where it was not there."""

    version_id: int
    fact_id: int
    change_id: int
    changed_at: str
    action: str
    source: str
    before: State | None
    after: State | None

    @property
    def changed(self) -> list[str]:
        """Return the columns that the change moved; all that are known where it made or removed the fact."""
        if self.before is None or self.after is None:
            return [name for name in KEPT if self.before is None or name in self.before]
        known = [name for name in (*TEXTS, *FIGURES) if name in self.before]
        return [name for name in known if self.before[name] != self.after.get(name)]


@contextmanager
def recording(database: Database, change: Change, *, is_long: bool = False) -> Iterator[sqlite3.Connection]:
    """Give a write transaction whose versions are signed at its end.

    Raises:
        MemoryBusyError: another program held the write lock for too long.
        MemoryFileError: the file cannot be written.
    """
    with database.writing(is_long=is_long) as connection:
        change.after = last_version(connection)
        change.source = change.source or database.source
        yield connection
        _sign(connection, change)


def last_version(connection: sqlite3.Connection) -> int:
    """Return the id of the newest version, 0 if there is none."""
    return int(connection.execute("SELECT coalesce(max(version_id), 0) FROM fact_versions").fetchone()[0])


def add_signed(connection: sqlite3.Connection, change: Change, fact_ids: Sequence[int]) -> None:
    """Keep that facts were added, as the triggers do, and sign it at once, within a transaction of `recording`."""
    connection.execute("DELETE FROM replaced_facts")
    connection.execute(
        "INSERT INTO fact_versions(fact_id, kind, size, changed_at, change_id, action, source, undoes) "
        "SELECT value, 'add', ?, ?, ?, ?, ?, ? FROM json_each(?) ORDER BY key",
        (ROW_BYTES, clock.timestamp(clock.now()), *_signature(change), json.dumps(fact_ids)),
    )


def _signature(change: Change) -> tuple[Any, ...]:
    return change.number, change.action, change.source, change.undoes


def _sign(connection: sqlite3.Connection, change: Change) -> None:
    before, is_first = change.after, change.change_id is None
    connection.execute(
        "UPDATE fact_versions SET change_id = ?, action = ?, source = ?, undoes = ?, changed_at = ? "
        "WHERE version_id > ? AND action IS NULL",
        (*_signature(change), clock.timestamp(clock.now()), before),
    )
    count, size = connection.execute(
        "SELECT count(*), total(size) FROM fact_versions WHERE version_id > ?", (before,)
    ).fetchone()
    if not count:
        return
    change.change_id = change.number
    change.unmeasured += int(size)
    is_due = is_first and before // _LOOK_EVERY != (before + count) // _LOOK_EVERY
    if is_due or change.unmeasured > (_LARGE if is_first else _MUCH):
        change.unmeasured = 0
        prune(connection)


def prune(connection: sqlite3.Connection, most_bytes: int = MOST_BYTES, most_days: int = MOST_DAYS) -> None:
    """Forget the oldest versions beyond the limits, but of no fact its newest one and its newest one with texts.

    What changed figures right after that newest one with texts is shown no more, but stays, so that it can be told
    what the texts' own change moved. Facts of which there is a single version, in a large memory nearly all, cost a
    look at an index.
    """
    several = "SELECT fact_id FROM fact_versions GROUP BY fact_id HAVING count(*) > 1"
    if connection.execute(f"SELECT EXISTS ({several})").fetchone()[0]:
        newer = "SELECT 1 FROM fact_versions AS new WHERE new.fact_id = old.fact_id AND new.version_id > old.version_id"
        with_texts = "kind IN ('texts', 'remove')"
        too_much = (
            "SELECT version_id FROM fact_versions AS old "
            f"WHERE fact_id IN ({several}) AND version_id <= ? AND EXISTS ({newer}) "
            f"AND NOT (old.{with_texts} AND NOT EXISTS ({newer} AND new.{with_texts}))"
        )
        follows = (
            f"old.kind = 'use' AND NOT EXISTS ({newer} AND new.{with_texts}) AND 'texts' IS "
            "(SELECT kind FROM fact_versions AS prior WHERE prior.fact_id = old.fact_id "
            "AND prior.version_id < old.version_id ORDER BY prior.version_id DESC LIMIT 1)"
        )
        last = (max(_last_too_many(connection, most_bytes), _last_too_old(connection, most_days)),)
        connection.execute(
            f"UPDATE fact_versions SET action = '{FORGOTTEN}', change_id = NULL, source = NULL, undoes = NULL "
            f"WHERE {IS_KNOWN} AND version_id IN ({too_much} AND {follows})",
            last,
        )
        connection.execute(f"DELETE FROM fact_versions WHERE version_id IN ({too_much} AND NOT ({follows}))", last)


def _last_too_many(connection: sqlite3.Connection, most_bytes: int) -> int:
    """Return the newest version that is too much beside those after it, 0 if none is."""
    held = 0.0
    for version_id, size in connection.execute("SELECT version_id, size FROM fact_versions ORDER BY version_id DESC"):
        held += number_in(size, 0)
        if held > most_bytes:
            return int(version_id)
    return 0


def _last_too_old(connection: sqlite3.Connection, most_days: int) -> int:
    """Return the newest version before the first that is young enough, 0 if there is none."""
    oldest = clock.timestamp(clock.now() - timedelta(days=most_days))
    return int(
        connection.execute(
            "SELECT coalesce("
            "(SELECT version_id FROM fact_versions WHERE changed_at >= ? ORDER BY version_id LIMIT 1) - 1, "
            "(SELECT max(version_id) FROM fact_versions), 0)",
            (oldest,),
        ).fetchone()[0]
    )


def has_texts(state: State) -> bool:
    """Tell whether it is known what the fact said."""
    return "content" in state


def present(connection: sqlite3.Connection, fact_id: int) -> State | None:
    """Return what a fact is now, None if it is not there."""
    row = connection.execute(
        f"SELECT {', '.join(KEPT)} FROM facts WHERE fact_id = ?",
        (fact_id,),
    ).fetchone()
    return None if row is None else dict(zip(KEPT, row, strict=True))


def remove_fact(connection: sqlite3.Connection, fact_id: int) -> bool:
    """Remove a fact and tell whether it was there.

    Raises:
        MemoryFileError: another program's trigger keeps it.
    """
    if connection.execute("DELETE FROM facts WHERE fact_id = ?", (fact_id,)).rowcount:
        return True
    if present(connection, fact_id) is not None:
        raise refused_by_trigger()
    return False


def action_of(kind: str) -> str:
    """Return what was done, for a change of this kind of which nothing else is known."""
    return kind if kind in ("add", "remove") else "update"


def versions_of(connection: sqlite3.Connection, fact_id: int) -> list[Version]:
    """Return the known changes of a fact, newest first."""
    rows = connection.execute(
        "SELECT version_id, coalesce(change_id, version_id), changed_at, kind, action, source, "
        f"{', '.join(KEPT)} FROM fact_versions WHERE fact_id = ? ORDER BY version_id DESC",
        (fact_id,),
    )
    state = present(connection, fact_id)
    found = []
    for version_id, change_id, changed_at, kind, action, source, *values in rows:
        before: State | None = None
        if kind != "add":
            before = dict(zip(KEPT, values, strict=True))
            if kind == "use":  # the texts are those that the next version, or the fact itself, has, if that is known
                texts = {name: state[name] for name in TEXTS if state and name in state}
                before = {name: value for name, value in before.items() if name not in TEXTS} | texts
        after, state = state, before
        if action == FORGOTTEN:
            continue
        found.append(
            Version(
                version_id,
                fact_id,
                change_id,
                content_in(changed_at),
                content_in(action) or action_of(kind),
                content_in(source) or OTHER_PROGRAM,
                before,
                None if kind == "remove" else after,
            )
        )
    return found
