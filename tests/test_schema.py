"""The tables of a new file, and the migrations that lead to them from older ones."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mnemo import index, schema
from tests.conftest import ORIGINAL_FACTS, ORIGINAL_LAYOUT


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


def columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[str, int, str | None]]:
    found = connection.execute("SELECT name, type, [notnull], dflt_value FROM pragma_table_info(?)", (table,))
    return {name: (kind, not_null, default) for name, kind, not_null, default in found}


def notes(connection: sqlite3.Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT fact_id FROM index_notes ORDER BY 1")]


def forget_notes(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM index_notes")


def test_new_file_has_the_public_tables(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    assert columns(connection, "facts") == {
        "fact_id": ("INTEGER", 0, None),
        "content": ("TEXT", 1, None),
        "category": ("TEXT", 0, "'general'"),
        "tags": ("TEXT", 0, "''"),
        "summary": ("TEXT", 0, "NULL"),
        "trust_score": ("REAL", 0, "0.5"),
        "retrieval_count": ("INTEGER", 0, "0"),
        "helpful_count": ("INTEGER", 0, "0"),
        "last_retrieved_at": ("TEXT", 0, "NULL"),
        "created_at": ("TEXT", 0, None),
        "updated_at": ("TEXT", 0, None),
        "superseded_by": ("INTEGER", 0, "NULL"),
        "expires_at": ("TEXT", 0, "NULL"),
    }
    assert columns(connection, "retrieval_log") == {
        "id": ("INTEGER", 0, None),
        "query": ("TEXT", 1, None),
        "results": ("TEXT", 1, None),
        "timestamp": ("TEXT", 0, "datetime('now')"),
    }
    assert list(columns(connection, "entities")) == [
        "entity_id",
        "name",
        "entity_type",
        "aliases",
        "created_at",
    ]
    assert list(columns(connection, "fact_entities")) == ["fact_id", "entity_id"]
    assert list(columns(connection, "facts_fts"))[:3] == ["content", "tags", "summary"]


def test_new_file_is_marked_as_ours(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    assert connection.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)


def test_other_programs_can_log_a_search_with_query_and_results_alone(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    connection.execute("INSERT INTO retrieval_log(query, results) VALUES ('whales', '[]')")
    (age,) = connection.execute(
        "SELECT strftime('%s', 'now') - strftime('%s', timestamp) FROM retrieval_log"
    ).fetchone()
    assert 0 <= age <= 2


def test_every_step_of_the_way_gives_the_same_tables(connection: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as stepwise:
        for version, migration in enumerate(schema.MIGRATIONS):
            migration(stepwise)
            assert version < schema.SCHEMA_VERSION
        schema.migrate(connection, 0)
        shape = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        assert stepwise.execute(shape).fetchall() == connection.execute(shape).fetchall()


@pytest.mark.parametrize("version", range(1, schema.SCHEMA_VERSION + 1))
def test_migration_goes_on_from_each_version(connection: sqlite3.Connection, version: int) -> None:
    for migration in schema.MIGRATIONS[:version]:
        migration(connection)
    connection.execute("INSERT INTO facts(content, trust_score) VALUES ('Whales sleep at sea', 0.7)")
    schema.migrate(connection, version)
    assert connection.execute("SELECT content, trust_score, summary FROM facts").fetchall() == [
        ("Whales sleep at sea", 0.7, None)
    ]
    assert notes(connection) == [1]


def test_original_file_keeps_its_rows_and_gains_the_columns(connection: sqlite3.Connection) -> None:
    connection.executescript(ORIGINAL_LAYOUT)
    connection.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ORIGINAL_FACTS)
    schema.migrate(connection, 0)
    kept = connection.execute(
        "SELECT fact_id, content, category, tags, trust_score, retrieval_count, helpful_count, created_at, "
        "updated_at FROM facts ORDER BY fact_id"
    ).fetchall()
    assert kept == ORIGINAL_FACTS
    assert connection.execute("SELECT DISTINCT summary, last_retrieved_at FROM facts").fetchall() == [(None, None)]
    assert notes(connection) == [1, 2, 7]
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name").fetchall()
    assert {name for (name,) in triggers} >= {"facts_ai", "facts_ad", "facts_au"}


def test_facts_of_two_columns_gain_the_others(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE)")
    connection.execute("INSERT INTO facts(content) VALUES ('Whales sleep at sea')")
    schema.migrate(connection, 0)
    assert connection.execute(
        "SELECT content, category, tags, summary, trust_score, retrieval_count, created_at FROM facts"
    ).fetchall() == [("Whales sleep at sea", "general", "", None, 0.5, 0, None)]


def test_triggers_note_what_other_programs_write(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    connection.execute("INSERT INTO facts(content) VALUES ('one'), ('two'), ('three')")
    assert notes(connection) == [1, 2, 3]
    forget_notes(connection)
    connection.execute("UPDATE facts SET summary = 'second' WHERE fact_id = 2")
    connection.execute("UPDATE facts SET tags = 'b' WHERE fact_id = 2")
    assert notes(connection) == [2]
    forget_notes(connection)
    connection.execute("DELETE FROM facts WHERE fact_id = 1")
    assert notes(connection) == [1]
    forget_notes(connection)
    connection.execute("UPDATE facts SET fact_id = 9 WHERE fact_id = 3")
    assert notes(connection) == [3, 9]


def test_triggers_leave_counters_times_and_trust_alone(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    connection.execute("INSERT INTO facts(content) VALUES ('one')")
    forget_notes(connection)
    connection.execute(
        "UPDATE facts SET retrieval_count = 4, helpful_count = 1, trust_score = 0.9, last_retrieved_at = 'x'"
    )
    assert notes(connection) == []


def test_triggers_note_rows_written_by_insert_or_replace(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    connection.execute("INSERT INTO facts(fact_id, content) VALUES (1, 'one')")
    connection.execute("INSERT OR REPLACE INTO facts(fact_id, content) VALUES (1, 'other')")
    connection.execute("INSERT OR IGNORE INTO facts(content) VALUES ('other')")
    assert notes(connection) == [1]


def test_emptied_index_notes_every_fact(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, 0)
    connection.execute("INSERT INTO facts(content) VALUES ('one'), ('two')")
    index.refresh(connection)
    matching = "SELECT count(*) FROM facts_fts WHERE facts_fts MATCH 'two'"
    assert (notes(connection), connection.execute(matching).fetchone()) == ([], (1,))
    schema.empty_index(connection, "another")
    assert (notes(connection), connection.execute(matching).fetchone()) == ([1, 2], (0,))
    assert connection.execute("SELECT tokenizer FROM index_state").fetchone() == ("another",)
    index.refresh(connection)
    assert (notes(connection), connection.execute(matching).fetchone()) == ([], (1,))


def test_migrations_can_be_undone_as_one(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        schema.migrate(connection, 0)
        connection.execute("ROLLBACK")
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)
        assert connection.execute("PRAGMA application_id").fetchone() == (0,)
