"""Facts on their way from one memory to another: read out with what identifies them, and merged without loss.

A fact that was exported or imported once has a `uid`, by which two memories know it as the same fact whatever became
of its text and of its id. What a merge overwrites or does not take is kept in the file.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from mnemo import clock, duplicates, index, succession
from mnemo.additions import Additions
from mnemo.derived.derive import Derived, Texts
from mnemo.errors import MemoryFileError
from mnemo.facts import DEFAULT_TRUST, duplicate_key, fingerprint, number_in
from mnemo.portable import COLUMNS, PortableFact, columns, joined, portable
from mnemo.storage.connections import expect_one
from mnemo.storage.database import Database
from mnemo.succession import Said
from mnemo.versions import Change, recording

BATCH = 2000  # facts of one transaction: others wait for a fraction of a second
NOT_TAKEN = "not_taken"
_UID_BYTES = 8
_NEWER = "(SELECT uid FROM facts AS newer JOIN fact_origins USING (fact_id) WHERE newer.fact_id = facts.superseded_by)"
_KNOWN_UIDS = "SELECT uid FROM fact_origins WHERE uid IN (SELECT value FROM json_each(?))"
_KNOWN_CONTENTS = "SELECT content FROM facts WHERE content IN (SELECT value FROM json_each(?))"


class Merged(NamedTuple):
    """What became of one fact: `outcome` is added, updated, unchanged or not_taken (the version that is here stays).

    `kept` is a version that lost and that other memories were not known to have; it stays in the file. `was_at` is
    when the fact had been changed last here, None if it was not here; `was_superseded` tells whether another had taken
    its place.
    """

    outcome: str
    fact_id: int
    kept: PortableFact | None = None
    was_at: str | None = None
    was_superseded: bool = False


class TransferStore:
    """What export and import need of one memory file.

    Every method may raise `MemoryFileError` (and `MemoryBusyError` where it writes).
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database
        self._change = Change("import", "import")  # all that this object merges
        self._written = 0  # facts

    def count(self) -> int:
        """Return how many facts there are."""
        with self._database.reading() as connection:
            total: int = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
        return total

    def trust_scores(self) -> dict[int, float]:
        """Return the trust of every fact by its id."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT fact_id, coalesce(trust_score, ?) FROM facts ORDER BY fact_id", (DEFAULT_TRUST,)
            )
            return dict(rows)

    def named_facts(self) -> Iterator[PortableFact]:
        """Yield what `facts` does, each with the uid under which other memories will know it."""
        while True:
            self._name_facts()
            with self._database.reading() as connection:
                if not _unnamed(connection):  # else one was added since, and what it hides would look as if it showed
                    yield from self.facts()
                    return

    def _name_facts(self) -> None:
        with self._database.writing() as connection:
            index.refresh(connection)
            connection.executemany(
                "INSERT INTO fact_origins(fact_id, uid, first_id) VALUES (?, ?, ?)",
                ((fact_id, secrets.token_hex(_UID_BYTES), fact_id) for fact_id in _unnamed(connection)),
            )

    def facts(self) -> Iterator[PortableFact]:
        """Yield every fact, oldest first, in an order that all memories with these facts share."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {COLUMNS}, uid, first_id, {_NEWER}, "
                "(SELECT json_group_array(name) FROM "
                "(SELECT CAST(name AS TEXT) AS name FROM fact_entities JOIN entities USING (entity_id) "
                "WHERE fact_entities.fact_id = facts.fact_id ORDER BY name)) "
                "FROM facts LEFT JOIN fact_origins USING (fact_id) "
                "ORDER BY datetime(created_at), coalesce(first_id, facts.fact_id), uid"
            )
            for row in rows:
                first_id, newer, names = row[13:]
                known = {
                    "fact_id": int(number_in(first_id, 0)) or row[0],
                    "superseded_by": newer,
                    "entities": tuple(json.loads(names)),
                }
                yield portable(row)._replace(**known)

    def note_synced(self, versions: Sequence[tuple[str | None, str]]) -> None:
        """Remember that other memories may have these versions, each a uid and a digest, from now on."""
        with self._database.writing() as connection:
            connection.executemany("UPDATE fact_origins SET synced = ?2 WHERE uid = ?1 AND synced IS NOT ?2", versions)

    def kept_versions(self) -> list[dict[str, Any]]:
        """Return the versions that merges overwrote or did not take, newest first, with the id of their fact."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT version, kept_at, fact_id FROM kept_versions LEFT JOIN fact_origins USING (uid) "
                "ORDER BY kept_at DESC, kept_versions.rowid DESC"
            ).fetchall()
        return [{**json.loads(version), "kept_at": kept_at, "kept_of": fact_id} for version, kept_at, fact_id in rows]

    def news(self, facts: Sequence[PortableFact]) -> list[PortableFact]:
        """Return those of these facts that a merge will probably add: unknown by uid, or without one by content."""
        with self._database.rereading() as connection:  # which has at hand what the last batch wrote
            uids, contents = (
                {row[0] for row in connection.execute(query, (json.dumps(values, ensure_ascii=False),))}
                if values
                else set()
                for query, values in (
                    (_KNOWN_UIDS, [fact.uid for fact in facts if fact.uid is not None]),
                    (_KNOWN_CONTENTS, [fact.content for fact in facts if fact.uid is None]),
                )
            )
        return [fact for fact in facts if (fact.content not in contents if fact.uid is None else fact.uid not in uids)]

    @contextmanager
    def many(self) -> Iterator[None]:
        """Expect many merges, one after the other."""
        with self._database.bulk():
            yield
            if self._written >= index.MANY:
                with suppress(MemoryFileError), self._database.writing(is_long=True) as connection:
                    index.merge_parts(connection)  # else the next writes do so, part by part

    def merge(self, facts: Sequence[PortableFact], known: Mapping[Texts, Derived] | None = None) -> list[Merged]:
        """Merge facts in one transaction and return, in order, what became of each.

        A fact is known by its uid, else by its content (whatever case, width and spacing). The newer `updated_at`
        wins; counters take the higher value. Merging the same facts again changes nothing. `known` is what was derived
        from facts' texts before, so that others have to wait less.
        """
        found = [(known or {}).get(fact.texts) for fact in facts]
        marks = [
            fingerprint(fact.content) if one is None else one.fingerprint
            for fact, one in zip(facts, found, strict=True)
        ]
        with recording(self._database, self._change) as connection:
            index.refresh(connection)
            merge = _Merge(connection, self._change, facts, marks)
            outcomes = [merge.one(fact, mark) for fact, mark in zip(facts, marks, strict=True)]
            merge.write()
            with index.rare_merges(connection, len(merge.written)):
                index.refresh(connection, known, merge.written)
        self._written += len(merge.written)
        return outcomes

    def link(self, said: Iterable[Said]) -> set[int]:
        """Take over which facts others took the place of, and of which none did; return the ids of what changed.

        Who changed a fact last is right about it. The same again changes nothing.
        """
        in_order = sorted(said, key=lambda one: one.newer is not None)  # what hides no more first: it may hide next
        with recording(self._database, self._change) as connection:
            return {one.older for one in in_order if succession.settle(connection, one)}


def _unnamed(connection: sqlite3.Connection) -> list[int]:
    rows = connection.execute("SELECT fact_id FROM facts WHERE fact_id NOT IN (SELECT fact_id FROM fact_origins)")
    return [row[0] for row in rows]


class _Present(NamedTuple):
    """A fact as it is here, and the digest of the version that other memories may have."""

    fact_id: int
    fact: PortableFact
    synced: str | None
    is_superseded: bool


class _Merge:
    """The merge of one batch, within a transaction."""

    def __init__(
        self, connection: sqlite3.Connection, change: Change, facts: Sequence[PortableFact], fingerprints: Sequence[int]
    ) -> None:
        self._connection = connection
        self._now = clock.timestamp(clock.now())
        rows = connection.execute(_KNOWN_UIDS, (json.dumps([fact.uid for fact in facts if fact.uid is not None]),))
        self._uids = {row[0] for row in rows}  # with the next, so that a new fact costs no question of its own
        self._fingerprints = duplicates.known_fingerprints(connection, fingerprints)
        self._unindexed = duplicates.beyond(connection, [fact.content for fact in facts])
        self._fresh: dict[int, int] = {}  # facts of this batch, which the index does not know yet, by fingerprint
        self.written: dict[int, Texts] = {}  # what this batch wrote, by id
        self._additions = Additions(connection, change, ((fact.fact_id, fact.uid) for fact in facts))
        self._origins: list[tuple[int, str, int, str]] = []  # of facts of this batch, not written yet

    def one(self, incoming: PortableFact, mark: int) -> Merged:
        present = self._find(incoming, mark)
        if present is None:
            return Merged("added", self._insert(incoming, mark))
        merged = self._into(present, incoming)
        return merged._replace(was_at=present.fact.updated_at or "", was_superseded=present.is_superseded)

    def _into(self, present: _Present, incoming: PortableFact) -> Merged:
        fact_id, fact, synced = present.fact_id, present.fact, present.synced
        unknown = [*incoming.unknown, *(["expires_at"] if incoming.expires_at is None else [])]
        if unknown:  # a source that says nothing of it takes nothing away
            incoming = incoming._replace(**{name: getattr(fact, name) for name in unknown})
        uid = self._name(fact_id, fact, incoming)
        if incoming.updated_at is None:  # a source without times knows texts only, and this text is there
            return Merged("unchanged", fact_id)
        fact = fact._replace(uid=uid)
        if fact.digest == incoming.digest:
            is_changed = self._write(fact_id, fact, joined(fact, incoming, texts=fact))
            self._note_synced(fact_id, incoming.digest)
            return Merged("updated" if is_changed else "unchanged", fact_id)
        wins = (incoming.updated_at, incoming.digest) > (fact.updated_at or "", fact.digest)
        if wins and duplicates.other_with_content(self._connection, incoming.content, fact_id) is not None:
            wins = False  # another fact has this text already, and texts are unique
        winner, loser = (incoming, fact) if wins else (fact, incoming)
        self._write(fact_id, fact, joined(fact, incoming, texts=winner))
        is_known = loser.digest == synced
        newly_kept = (wins or not is_known) and self._keep(uid, loser)
        if wins:
            self._note_synced(fact_id, incoming.digest)
        return Merged("updated" if wins else NOT_TAKEN, fact_id, kept=loser if newly_kept and not is_known else None)

    def _find(self, incoming: PortableFact, mark: int) -> _Present | None:
        fact_id = self._known(incoming, mark)
        if fact_id is None:
            return None
        row = self._connection.execute(
            f"SELECT {COLUMNS}, uid, first_id, synced, superseded_by FROM facts "
            "LEFT JOIN fact_origins USING (fact_id) WHERE facts.fact_id = ?",
            (fact_id,),
        ).fetchone()
        return _Present(fact_id, portable(row), row[14], row[15] is not None)

    def _known(self, incoming: PortableFact, mark: int) -> int | None:
        is_known = incoming.uid in self._uids or incoming.content in self._unindexed
        if not is_known and mark not in self._fingerprints and mark not in self._fresh:
            return None
        self.write()
        if incoming.uid is not None:
            row = self._connection.execute(
                "SELECT fact_id FROM fact_origins JOIN facts USING (fact_id) WHERE uid = ?", (incoming.uid,)
            ).fetchone()
            if row is not None:
                return int(row[0])
        row = self._connection.execute("SELECT fact_id FROM facts WHERE content = ?", (incoming.content,)).fetchone()
        if row is not None:
            return int(row[0])
        if self._is_alike(self._fresh.get(mark), incoming.content):
            return self._fresh[mark]
        return next(iter(duplicates.same_fingerprint(self._connection, incoming.content)), None)

    def _is_alike(self, fact_id: int | None, content: str) -> bool:
        row = self._connection.execute("SELECT content FROM facts WHERE fact_id = ?", (fact_id,)).fetchone()
        return row is not None and duplicate_key(str(row[0])) == duplicate_key(content)

    def _insert(self, fact: PortableFact, mark: int) -> int:
        fact_id = self._additions.add(fact.fact_id, columns(fact, DEFAULT_TRUST, self._now))
        self._fresh[mark] = fact_id
        self.written[fact_id] = fact.texts
        if fact.uid is not None:
            self._uids.add(fact.uid)
            self._origins.append((fact_id, fact.uid, fact.fact_id or fact_id, fact.digest))
        return fact_id

    def write(self) -> None:
        """Write the facts that were added, and by what names other memories know them."""
        self._additions.write()
        self._connection.executemany(
            "INSERT OR REPLACE INTO fact_origins(fact_id, uid, first_id, synced) VALUES (?, ?, ?, ?)", self._origins
        )
        self._origins.clear()

    def _name(self, fact_id: int, fact: PortableFact, incoming: PortableFact) -> str:
        """Return the fact's uid; where both memories have named it, both take the lower name."""
        if incoming.uid is not None and (fact.uid is None or incoming.uid < fact.uid):
            self._rename_kept(fact.uid, incoming.uid)
            self._connection.execute(
                "INSERT OR REPLACE INTO fact_origins(fact_id, uid, first_id, synced) "
                "VALUES (?, ?, ?, (SELECT synced FROM fact_origins WHERE fact_id = ?))",
                (fact_id, incoming.uid, incoming.fact_id or fact_id, fact_id),
            )
            self._uids.add(incoming.uid)
            return incoming.uid
        if fact.uid is not None:
            return fact.uid
        uid = secrets.token_hex(_UID_BYTES)
        self._connection.execute(
            "INSERT OR REPLACE INTO fact_origins(fact_id, uid, first_id) VALUES (?, ?, ?)", (fact_id, uid, fact_id)
        )
        return uid

    def _rename_kept(self, old: str | None, uid: str) -> None:
        """Let versions that were kept belong to the fact under its new name, by which it is purged."""
        self._connection.execute(
            "UPDATE OR REPLACE kept_versions SET uid = ?1, version = json_set(version, '$.uid', ?1) WHERE uid = ?2",
            (uid, old),
        )

    def _write(self, fact_id: int, before: PortableFact, after: PortableFact) -> bool:
        if columns(before) == columns(after):
            return False
        cursor = self._connection.execute(
            "UPDATE facts SET content = ?, summary = ?, category = ?, tags = ?, trust_score = ?, retrieval_count = ?, "
            "helpful_count = ?, last_retrieved_at = ?, created_at = ?, updated_at = ?, expires_at = ? "
            "WHERE fact_id = ?",
            (*columns(after), fact_id),
        )
        expect_one(cursor)
        self._fresh[fingerprint(after.content)] = fact_id
        self.written[fact_id] = after.texts
        return True

    def _keep(self, uid: str, version: PortableFact) -> bool:
        unkept = ("entities", "fact_id", "superseded_by", "unknown")  # a merge overwrites none of these
        kept = {name: value for name, value in version._asdict().items() if name not in unkept}
        kept["expires_at"] = version.expires_at or None
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO kept_versions(uid, digest, version, kept_at) VALUES (?, ?, ?, ?)",
            (uid, version.digest, json.dumps({**kept, "uid": uid}, ensure_ascii=False), self._now),
        )
        return cursor.rowcount > 0

    def _note_synced(self, fact_id: int, digest: str) -> None:
        self._connection.execute(
            "UPDATE fact_origins SET synced = ?1 WHERE fact_id = ?2 AND synced IS NOT ?1", (digest, fact_id)
        )
