"""What facts were: read, brought back, taken back by whole changes, and destroyed where a person asks for it.

Spec: fact-history.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from mnemo import clock, duplicates, index, safety, succession, versions
from mnemo.arguments import LEAST_WHOLE, MOST_WHOLE
from mnemo.derived.derive import Texts, warnings_of
from mnemo.errors import DuplicateContentError, FactNotFoundError, InvalidArgumentError, MemoryFileError
from mnemo.portable import COLUMNS, portable
from mnemo.storage.connections import expect_one
from mnemo.storage.database import Database
from mnemo.version_tables import FIGURES, KEPT, SHARED, TEXTS
from mnemo.versions import Change, State, Version, has_texts

UNDO, RESTORE = "undo", "restore"
STARTUP = "start-up"


@dataclass(frozen=True, slots=True)
class History:
    """The known changes of a fact, newest first, and whether the fact is there now."""

    exists: bool
    versions: list[Version]


@dataclass(slots=True)
class Undone:
    """One change that was taken back: which, the facts that are again as they were, and those that were left.

    A fact is left where it was changed again since, or where its text is another fact's by now.
    """

    change_id: int
    action: str
    source: str
    changed_at: str
    facts: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)


class HistoryStore:
    """The versions in one memory file.

    Every method may raise `MemoryFileError` (and `MemoryBusyError` where it writes).
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database

    def of(self, fact_id: int) -> History:
        """Return the history of a fact, also of one that was removed.

        Raises:
            FactNotFoundError: there is no such fact, and none is known to have been.
        """
        if not _is_storable(fact_id):
            raise FactNotFoundError(fact_id)
        with self._database.reading() as connection:
            found = versions.versions_of(connection, fact_id)
            exists = versions.present(connection, fact_id) is not None
        if not found and not exists:
            raise FactNotFoundError(fact_id)
        return History(exists, found)

    def looked_like_secrets(self, fact_ids: Sequence[int]) -> set[int]:
        """Return those of these facts whose texts looked like a secret before a change of them."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT fact_id, content, tags, summary FROM fact_versions "
                "WHERE kind = 'texts' AND fact_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(fact_ids)),),
            )
            return {fact_id for fact_id, *texts in rows if safety.names_secret(warnings_of(Texts.of(*texts)))}

    def restore(self, fact_id: int, version_id: int | None = None) -> None:
        """Bring a removed fact back as it was, or give a fact what it was before the change `version_id`.

        Raises:
            FactNotFoundError: there is no such fact, and none is known to have been.
            InvalidArgumentError: a fact that is there needs a version, or it has no such version.
            DuplicateContentError: another fact has the text by now.
        """
        with self._recording(Change(RESTORE)) as connection:
            found = versions.versions_of(connection, fact_id)
            now = versions.present(connection, fact_id)
            state = _wanted(fact_id, found, version_id, is_there=now is not None)
            _refuse_taken(connection, fact_id, state)
            if now is None:
                _insert(connection, fact_id, state)
            else:
                _change(connection, fact_id, {name: state[name] for name in (*TEXTS, *FIGURES)}, now)

    def undo(self, action: str | None = None) -> Undone | None:
        """Take the last change back and tell which it was, None if there is none; `action` chooses learn or import.

        Without `action` what learning does at start-up is passed over. What was taken back before is too, so that
        each call goes one change further.
        """
        change = Change(UNDO)
        with self._recording(change) as connection:
            last = _last_change(connection, action)
            if last is None:
                return None
            change.undoes = last.change_id
            for fact_id in _facts_of(connection, last.change_id):
                (last.facts if _take_back(connection, fact_id, last.change_id) else last.left).append(fact_id)
        return last

    def last_change(self, action: str | None = None) -> Undone | None:
        """Return the change that `undo` would take back, with its facts, and change nothing."""
        with self._database.reading() as connection:
            last = _last_change(connection, action)
            if last is not None:
                last.facts = _facts_of(connection, last.change_id)
        return last

    def purge(self, fact_ids: Sequence[int]) -> tuple[list[int], bool]:
        """Destroy facts with all that is known of them; return the ids that were known, and whether nothing is left.

        Versions, index, names, origins and the log entries that name a fact go with it, and the file is written anew.
        Another program that uses the file just now can keep pages in the write-ahead log, or the disk be too full for
        it: then the second value is False, and the same again, when nothing is left to destroy, writes the file anew.
        """
        with self._database.erasing() as connection:
            index.refresh(connection)
            wanted = filter(_is_storable, dict.fromkeys(fact_ids))
            known = [fact_id for fact_id in wanted if _purge_one(connection, fact_id)]
            index.refresh(connection)
            connection.execute("INSERT INTO facts_fts(facts_fts) VALUES ('optimize')")
            connection.execute("INSERT INTO index_terms(index_terms) VALUES ('optimize')")
        try:
            return known, self._database.rewrite()
        except MemoryFileError:  # the facts are gone all the same
            return known, False

    def prune(self) -> None:
        """Forget what is beyond the limits in size and age.

        Raises:
            MemoryBusyError: another program held the write lock for too long.
        """
        with self._database.writing(is_long=self._database.is_large) as connection:
            versions.prune(connection)

    @contextmanager
    def _recording(self, change: Change) -> Iterator[sqlite3.Connection]:
        with versions.recording(self._database, change) as connection:
            yield connection
            index.refresh(connection)


def _is_storable(fact_id: int) -> bool:
    return LEAST_WHOLE <= fact_id <= MOST_WHOLE


def _wanted(fact_id: int, found: Sequence[Version], version_id: int | None, *, is_there: bool) -> State:
    if not found and not is_there:
        raise FactNotFoundError(fact_id)
    if version_id is None and is_there:
        raise InvalidArgumentError(
            f"fact {fact_id} is there; give the version before which it was right (action=history lists them)"
        )
    for version in found:
        if version_id in (None, version.version_id):
            if version.before is not None:
                if not has_texts(version.before):
                    raise InvalidArgumentError(
                        f"the texts of fact {fact_id} before version {version.version_id} are not known: it went while "
                        "another program had dropped the triggers that keep them; "
                        "restore another version, or add it anew"
                    )
                return version.before
            if version_id is not None:
                raise InvalidArgumentError(f"version {version_id} made fact {fact_id}; there was nothing before it")
    raise InvalidArgumentError(f"fact {fact_id} has no version {version_id}; action=history lists those it has")


def _refuse_taken(connection: sqlite3.Connection, fact_id: int, state: State) -> None:
    other = duplicates.other_with_content(connection, state["content"], fact_id)
    if other is not None:
        raise DuplicateContentError(other)


def _insert(connection: sqlite3.Connection, fact_id: int, state: State) -> None:
    marks = ", ".join("?" for _ in KEPT)
    cursor = connection.execute(
        f"INSERT INTO facts(fact_id, {', '.join(KEPT)}) VALUES (?, {marks})",
        (fact_id, *(state[name] for name in KEPT)),
    )
    expect_one(cursor)
    _show_one(connection, fact_id, state["superseded_by"])


def _show_one(connection: sqlite3.Connection, older: int, newer: int | None) -> None:
    """Of facts that would hide each other, let the one show that is said now to have taken the other's place."""
    if newer is not None and succession.leads_to(connection, newer, older):
        succession.change(connection, newer, None, clock.timestamp(clock.now()))


def _change(connection: sqlite3.Connection, fact_id: int, values: State, now: State) -> None:
    moved = {name for name in SHARED if values.get(name, now[name]) != now[name]}
    if moved:
        if moved != {"superseded_by"}:  # which makes no other version of a fact
            _part_from_shared(connection, fact_id)
        values = {**values, "updated_at": clock.timestamp(clock.now())}
    assignments = ", ".join(f"{name} = ?" for name in values)
    expect_one(connection.execute(f"UPDATE facts SET {assignments} WHERE fact_id = ?", (*values.values(), fact_id)))
    _show_one(connection, fact_id, values.get("superseded_by"))


def _part_from_shared(connection: sqlite3.Connection, fact_id: int) -> None:
    """Where other memories have a fact as it is now: let an import of that version, once it is taken back, say so."""
    row = connection.execute(
        f"SELECT {COLUMNS}, uid, synced FROM facts JOIN fact_origins USING (fact_id) WHERE facts.fact_id = ?",
        (fact_id,),
    ).fetchone()
    if row is not None and row[13] == portable(row).digest:
        connection.execute("UPDATE fact_origins SET synced = NULL WHERE fact_id = ?", (fact_id,))


def _last_change(connection: sqlite3.Connection, action: str | None) -> Undone | None:
    passed = "source IS NOT ?" if action is None else "action = ?"
    row = connection.execute(
        "SELECT coalesce(change_id, version_id), kind, action, source, changed_at FROM fact_versions "
        f"WHERE {versions.IS_KNOWN} AND action IS NOT ? AND {passed} AND coalesce(change_id, version_id) NOT IN "
        "(SELECT undoes FROM fact_versions WHERE undoes IS NOT NULL) ORDER BY version_id DESC LIMIT 1",
        (UNDO, STARTUP if action is None else action),
    ).fetchone()
    if row is None:
        return None
    change_id, kind, done, source, changed_at = row
    return Undone(change_id, done or versions.action_of(kind), source or versions.OTHER_PROGRAM, changed_at)


def _facts_of(connection: sqlite3.Connection, change_id: int) -> list[int]:
    rows = connection.execute(
        "SELECT DISTINCT fact_id FROM fact_versions "
        f"WHERE {versions.IS_KNOWN} AND (change_id = ?1 OR (change_id IS NULL AND version_id = ?1)) ORDER BY fact_id",
        (change_id,),
    )
    return [row[0] for row in rows]


def _take_back(connection: sqlite3.Connection, fact_id: int, change_id: int) -> bool:
    """Give a fact what a change took from it; False where it was changed again since, or another has its text."""
    own = [version for version in versions.versions_of(connection, fact_id) if version.change_id == change_id]
    before, after = own[-1].before, own[0].after
    if not all(state is None or has_texts(state) for state in (before, after)):
        return False
    now = versions.present(connection, fact_id)
    if before is None:  # one that came and went within the change is gone anyway
        return after is None or now is None or _unmade(connection, fact_id, after, now)
    if after is None:
        return now is None and _brought_back(connection, fact_id, before)
    return now is not None and _changed_back(connection, fact_id, before, after, now)


def _unmade(connection: sqlite3.Connection, fact_id: int, made: State, now: State) -> bool:
    if any(now[name] != made[name] for name in TEXTS):
        return False
    return versions.remove_fact(connection, fact_id)


def _brought_back(connection: sqlite3.Connection, fact_id: int, before: State) -> bool:
    if duplicates.other_with_content(connection, before["content"], fact_id) is not None:
        return False
    _insert(connection, fact_id, before)
    return True


def _changed_back(connection: sqlite3.Connection, fact_id: int, before: State, after: State, now: State) -> bool:
    moved = [name for name in (*TEXTS, *FIGURES) if before[name] != after[name]]
    if any(now[name] != after[name] for name in moved):
        return False
    if duplicates.other_with_content(connection, {**now, **before}["content"], fact_id) is not None:
        return False
    if moved:
        _change(connection, fact_id, {name: before[name] for name in moved}, now)
    return True


def _purge_one(connection: sqlite3.Connection, fact_id: int) -> bool:
    gone = int(versions.remove_fact(connection, fact_id))
    gone += connection.execute("DELETE FROM fact_versions WHERE fact_id = ?", (fact_id,)).rowcount
    connection.execute(
        "DELETE FROM kept_versions WHERE uid IN (SELECT uid FROM fact_origins WHERE fact_id = ?)", (fact_id,)
    )
    for table in ("fact_origins", "startup_learning", "replaced_facts", "fact_marks", "taught_words"):
        connection.execute(f"DELETE FROM {table} WHERE fact_id = ?", (fact_id,))
    connection.execute(
        "DELETE FROM retrieval_log WHERE json_valid(results) AND EXISTS "
        "(SELECT 1 FROM json_each(results) WHERE json_valid(json_each.value) "
        "AND json_extract(json_each.value, '$.id') = ?)",
        (fact_id,),
    )
    return gone > 0
