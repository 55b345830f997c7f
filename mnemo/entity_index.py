"""The links between facts and the names in them: kept in step with the facts like the index of terms.

Spec: entity-graph.
"""

import json
import sqlite3
from collections.abc import Iterable

from mnemo import clock
from mnemo.entities import Entity, entity_key, extract_entities
from mnemo.scoring import match_text
from mnemo.version_tables import NOT_EXPIRED, NOT_SUPERSEDED

_LINKS = "SELECT entity_id FROM fact_entities WHERE fact_id = ?"
_OWN_LINKS = "SELECT entity_id FROM own_links WHERE fact_id = ?"


def relink(connection: sqlite3.Connection, fact_ids: Iterable[int]) -> None:
    """Link each fact to the names in its content and summary, unlink those that are gone, drop names without facts.

    A link that another program made stays as long as its fact. The caller's write transaction holds all of it.
    """
    created_at = clock.timestamp(clock.now())
    for fact_id in fact_ids:
        row = connection.execute("SELECT content, summary FROM facts WHERE fact_id = ?", (fact_id,)).fetchone()
        texts = [part for part in row or () if isinstance(part, str)]
        before, own = (
            {linked[0] for linked in connection.execute(statement, (fact_id,))} for statement in (_LINKS, _OWN_LINKS)
        )
        after = {_entity_id(connection, entity, created_at) for entity in extract_entities("\n".join(texts))}
        for entity_id in after - before:
            connection.execute("INSERT INTO fact_entities(fact_id, entity_id) VALUES (?, ?)", (fact_id, entity_id))
            connection.execute("INSERT OR IGNORE INTO own_links VALUES (?, ?)", (fact_id, entity_id))
        for entity_id in (own if row else own | before) - after:
            connection.execute("DELETE FROM fact_entities WHERE fact_id = ? AND entity_id = ?", (fact_id, entity_id))
            connection.execute("DELETE FROM own_links WHERE fact_id = ? AND entity_id = ?", (fact_id, entity_id))
            _drop_unused(connection, entity_id)


def _entity_id(connection: sqlite3.Connection, entity: Entity, created_at: str) -> int:
    """Return the id of a name, adding the name, or its new spelling as an alias, where they are not known."""
    key = entity_key(entity.name)
    row = connection.execute(
        "SELECT entity_id, name, aliases FROM entity_keys JOIN entities USING (entity_id) WHERE key = ?", (key,)
    ).fetchone()
    if row is None:
        cursor = connection.execute(
            "INSERT OR IGNORE INTO entities(name, entity_type, aliases, created_at) VALUES (?, ?, '', ?)",
            (entity.name, entity.kind, created_at),
        )
        entity_id = cursor.lastrowid
        if not cursor.rowcount:  # a table of the original program may hold every name just once
            entity_id = connection.execute("SELECT entity_id FROM entities WHERE name = ?", (entity.name,)).fetchone()[
                0
            ]
        connection.execute("INSERT OR REPLACE INTO entity_keys(key, entity_id) VALUES (?, ?)", (key, entity_id))
        return int(entity_id or 0)
    entity_id, name, aliases = row
    spellings = [name, *(part for part in (aliases or "").split(",") if part)]
    if entity.name not in spellings and "," not in entity.name:
        connection.execute(
            "UPDATE entities SET aliases = ? WHERE entity_id = ?", (",".join([*spellings[1:], entity.name]), entity_id)
        )
    return int(entity_id)


def _drop_unused(connection: sqlite3.Connection, entity_id: int) -> None:
    if connection.execute("SELECT 1 FROM fact_entities WHERE entity_id = ? LIMIT 1", (entity_id,)).fetchone() is None:
        connection.execute("DELETE FROM entity_keys WHERE entity_id = ?", (entity_id,))
        connection.execute("DELETE FROM entities WHERE entity_id = ?", (entity_id,))


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
        "SELECT other.fact_id FROM fact_entities AS own JOIN fact_entities AS other USING (entity_id) "
        "JOIN facts ON facts.fact_id = other.fact_id "
        "WHERE own.fact_id IN (SELECT value FROM json_each(?1)) "
        "AND other.fact_id NOT IN (SELECT value FROM json_each(?1)) "
        "GROUP BY other.fact_id ORDER BY count(DISTINCT entity_id) DESC, coalesce(facts.trust_score, 0.5) DESC, "
        "other.fact_id LIMIT ?2",
        (given, limit),
    )
    return [row[0] for row in rows]


def names_of(connection: sqlite3.Connection) -> dict[int, dict[int, str]]:
    """Return the names of every fact: by fact id, the spelling by entity id."""
    linked: dict[int, dict[int, str]] = {}
    rows = connection.execute("SELECT fact_id, entity_id, name FROM fact_entities JOIN entities USING (entity_id)")
    for fact_id, entity_id, name in rows:
        linked.setdefault(fact_id, {})[entity_id] = name
    return linked


def holders(connection: sqlite3.Connection, terms: Iterable[str], limit: int) -> list[tuple[int, str]]:
    """Return (id, match text) of up to `limit` facts whose searchable text holds all of these terms, newest first."""
    wanted = " AND ".join('"' + term.replace('"', '""') + '"' for term in dict.fromkeys(terms))
    if not wanted:
        return []
    rows = connection.execute(
        "SELECT fact_id, facts.content, facts.summary FROM facts_fts JOIN facts ON fact_id = facts_fts.rowid "
        "WHERE facts_fts MATCH ? ORDER BY facts_fts.rowid DESC LIMIT ?",
        (wanted, limit),
    )
    return [(fact_id, match_text(content, summary)) for fact_id, content, summary in rows]


def contents(connection: sqlite3.Connection, category: str | None) -> dict[int, str]:
    """Return the content of every fact (of a category) that is not hidden, by id."""
    rows = connection.execute(
        "SELECT fact_id, content FROM facts WHERE (:category IS NULL OR coalesce(category, 'general') = :category) "  # noqa: S608
        f"AND {NOT_SUPERSEDED} AND {NOT_EXPIRED}",
        {"category": category, "now": clock.timestamp(clock.now())},
    )
    return {fact_id: content for fact_id, content in rows if isinstance(content, str)}
