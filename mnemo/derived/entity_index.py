"""The links between facts and the names in them: kept in step with the facts like the index of terms.

Spec: entity-graph.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from mnemo import clock
from mnemo.derived.derive import Name
from mnemo.entities import entity_key
from mnemo.facts import DEFAULT_CATEGORY, DEFAULT_TRUST, content_in, match_text, text_in
from mnemo.version_tables import NOT_EXPIRED, NOT_SUPERSEDED


def relink(connection: sqlite3.Connection, linking: Sequence[int], found: Mapping[int, Sequence[Name]]) -> None:
    """Link facts to the names found in them, by id, unlink those that are gone, drop names without facts.

    Of the facts that may have links (`linking`: none, or all of `found` and more), one that is not in `found` is gone.
    A link that another program made stays as long as its fact. The caller's write transaction holds all of it.
    """
    linked, own = (_by_fact(connection, table, linking) for table in ("fact_entities", "own_links"))
    known = _Known(connection, {name.key for names in found.values() for name in names})
    links: list[tuple[int, int]] = []
    for fact_id in linking or found:
        before, ours = linked.get(fact_id, set()), own.get(fact_id, set())
        after = {known.entity_id(name) for name in found.get(fact_id, ())}
        links += [(fact_id, entity_id) for entity_id in after - before]
        gone = (ours if fact_id in found else ours | before) - after
        if gone:
            _link(connection, links)
            links = []
        for entity_id in gone:
            connection.execute("DELETE FROM fact_entities WHERE fact_id = ? AND entity_id = ?", (fact_id, entity_id))
            connection.execute("DELETE FROM own_links WHERE fact_id = ? AND entity_id = ?", (fact_id, entity_id))
            known.drop_unused(entity_id)
    _link(connection, links)


def _by_fact(connection: sqlite3.Connection, table: str, fact_ids: Sequence[int]) -> dict[int, set[int]]:
    linked: dict[int, set[int]] = {}
    if not fact_ids:
        return linked
    rows = connection.execute(
        f"SELECT fact_id, entity_id FROM {table} WHERE fact_id IN (SELECT value FROM json_each(?))",  # noqa: S608
        (json.dumps(fact_ids),),
    )
    for fact_id, entity_id in rows:
        linked.setdefault(fact_id, set()).add(entity_id)
    return linked


def _link(connection: sqlite3.Connection, links: Sequence[tuple[int, int]]) -> None:
    if links:
        connection.executemany("INSERT INTO fact_entities(fact_id, entity_id) VALUES (?, ?)", links)
        connection.executemany("INSERT OR IGNORE INTO own_links VALUES (?, ?)", links)


class _Known:
    """The names that the file knows of those wanted, read once and kept in step with what is written."""

    def __init__(self, connection: sqlite3.Connection, keys: Collection[str]) -> None:
        self._connection = connection
        self._created_at = clock.timestamp(clock.now())
        self._ids: dict[str, int] = {}  # by key
        self._spellings: dict[int, list[str]] = {}  # the name, then its aliases
        if not keys:
            return
        rows = connection.execute(
            "SELECT key, entity_id, name, aliases FROM entity_keys JOIN entities USING (entity_id) "
            "WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(keys)),),
        )
        for key, entity_id, name, aliases in rows:
            self._keep(key, entity_id, name, aliases)

    def _keep(self, key: str, entity_id: int, name: object, aliases: object) -> None:
        self._ids[key] = entity_id
        known = content_in(aliases).split(",")
        self._spellings[entity_id] = [content_in(name), *(part for part in known if part)]

    def entity_id(self, name: Name) -> int:
        """Return the id of a name, adding the name, or its new spelling as an alias, where they are not known."""
        if name.key not in self._ids:
            return self._add(name)
        entity_id = self._ids[name.key]
        spellings = self._spellings[entity_id]
        if name.name not in spellings and "," not in name.name:
            spellings.append(name.name)
            self._connection.execute(
                "UPDATE entities SET aliases = ? WHERE entity_id = ?", (",".join(spellings[1:]), entity_id)
            )
        return entity_id

    def _add(self, name: Name) -> int:
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO entities(name, entity_type, aliases, created_at) VALUES (?, ?, '', ?)",
            (name.name, name.kind, self._created_at),
        )
        entity_id, spelled, aliases = int(cursor.lastrowid or 0), name.name, ""
        if not cursor.rowcount:  # a table of the original program may hold every name just once
            entity_id, spelled, aliases = self._connection.execute(
                "SELECT entity_id, name, aliases FROM entities WHERE name = ?", (name.name,)
            ).fetchone()
        self._connection.execute(
            "INSERT OR REPLACE INTO entity_keys(key, entity_id) VALUES (?, ?)", (name.key, entity_id)
        )
        self._keep(name.key, entity_id, spelled, aliases)
        return entity_id

    def drop_unused(self, entity_id: int) -> None:
        """Forget a name that no fact is linked to any more."""
        linked = self._connection.execute("SELECT 1 FROM fact_entities WHERE entity_id = ? LIMIT 1", (entity_id,))
        if linked.fetchone() is None:
            self._connection.execute("DELETE FROM entity_keys WHERE entity_id = ?", (entity_id,))
            self._connection.execute("DELETE FROM entities WHERE entity_id = ?", (entity_id,))
            self._ids = {key: known for key, known in self._ids.items() if known != entity_id}


def facts_with(connection: sqlite3.Connection, name: str) -> set[int]:
    """Return the ids of facts that are linked to a name, however it is spelled."""
    rows = connection.execute(
        "SELECT fact_id FROM entity_keys JOIN fact_entities USING (entity_id) WHERE key = ?", (entity_key(name),)
    )
    return {row[0] for row in rows}


def neighbours(connection: sqlite3.Connection, fact_ids: Iterable[int], limit: int) -> list[int]:
    """Return facts that share a name with one of these, without these: those that share most names first."""
    given = json.dumps(list(fact_ids))
    rows = connection.execute(
        "WITH near AS (SELECT DISTINCT entity_id FROM fact_entities "
        "WHERE fact_id IN (SELECT value FROM json_each(?1))) "
        "SELECT other.fact_id FROM near JOIN fact_entities AS other USING (entity_id) "
        "JOIN facts ON facts.fact_id = other.fact_id "
        "WHERE other.fact_id NOT IN (SELECT value FROM json_each(?1)) "
        "GROUP BY other.fact_id ORDER BY count(DISTINCT entity_id) DESC, coalesce(facts.trust_score, ?3) DESC, "
        "other.fact_id LIMIT ?2",
        (given, limit, DEFAULT_TRUST),
    )
    return [row[0] for row in rows]


def names_of(connection: sqlite3.Connection) -> dict[int, dict[int, str]]:
    """Return the names of every fact: by fact id, the spelling by entity id."""
    linked: dict[int, dict[int, str]] = {}
    rows = connection.execute("SELECT fact_id, entity_id, name FROM fact_entities JOIN entities USING (entity_id)")
    for fact_id, entity_id, name in rows:
        linked.setdefault(fact_id, {})[entity_id] = content_in(name)
    return linked


def match_texts(connection: sqlite3.Connection, fact_ids: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield (id, match text) of those of these facts that are there."""
    rows = connection.execute(
        "SELECT fact_id, content, summary FROM facts WHERE fact_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(fact_ids)),),
    )
    for fact_id, content, summary in rows:
        yield fact_id, match_text(content_in(content), text_in(summary, ""))


def contents(connection: sqlite3.Connection, category: str | None) -> dict[int, str]:
    """Return the content of every fact (of a category) that is not hidden, by id."""
    rows = connection.execute(
        "SELECT fact_id, content FROM facts "  # noqa: S608
        "WHERE (:category IS NULL OR coalesce(category, :default_category) = :category) "
        f"AND {NOT_SUPERSEDED} AND {NOT_EXPIRED}",
        {
            "category": category,
            "default_category": DEFAULT_CATEGORY,
            "now": clock.timestamp(clock.now()),
        },
    )
    return {fact_id: content for fact_id, content in rows if isinstance(content, str)}
