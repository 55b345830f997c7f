"""Old files of every kind: what they hold is there after the upgrade, found, and still theirs to write."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo import schema
from mnemo.memory import Memory
from tests.conftest import rows
from tests.faults.common import assert_whole, times

OPTIONAL = {
    "category": "TEXT DEFAULT 'general'",
    "tags": "TEXT DEFAULT ''",
    "summary": "TEXT DEFAULT NULL",
    "keywords": "TEXT DEFAULT ''",
    "trust_score": "REAL DEFAULT 0.5",
    "retrieval_count": "INTEGER DEFAULT 0",
    "helpful_count": "INTEGER DEFAULT 0",
    "last_retrieved_at": "TEXT DEFAULT NULL",
    "created_at": "TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
    "updated_at": "TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
    "mood": "BLOB",
}
TRIGGERS = """
CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content=facts, content_rowid=fact_id);
CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
    INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
    INSERT INTO facts_fts(facts_fts, rowid, content, tags) VALUES ('delete', old.fact_id, old.content, old.tags);
END;
"""
contents = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40)
values = st.one_of(st.none(), st.integers(-5, 99), st.floats(0, 1), st.text(max_size=8).map(lambda text: text or "x"))


@st.composite
def old_files(draw: st.DrawFn) -> tuple[list[str], list[list[Any]], bool]:
    """Give the columns of an old table, its rows, and whether it has the index and triggers of the original."""
    columns = draw(st.lists(st.sampled_from(sorted(OPTIONAL)), unique=True))
    texts = draw(st.lists(contents.filter(str.strip), unique=True, max_size=8))
    return (
        columns,
        [[text, *(draw(values) for _ in columns)] for text in texts],
        "tags" in columns and draw(st.booleans()),
    )


@settings(max_examples=times(20, 600), deadline=None, suppress_health_check=list(HealthCheck))
@given(old_files())
def test_any_old_file_keeps_its_rows(
    tmp_path_factory: pytest.TempPathFactory, old: tuple[list[str], list[list[Any]], bool]
) -> None:
    columns, facts, has_index = old
    path = tmp_path_factory.mktemp("old") / "facts.db"
    declared = "".join(f", {name} {OPTIONAL[name]}" for name in columns)
    marks = ", ".join("?" for _ in ["content", *columns])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE{declared})"
        )
        if has_index:
            connection.executescript(TRIGGERS)
        connection.executemany(f"INSERT INTO facts({', '.join(['content', *columns])}) VALUES ({marks})", facts)
        chosen = ", ".join(["fact_id", "content", *columns])
        before = connection.execute(f"SELECT {chosen} FROM facts ORDER BY fact_id").fetchall()
    with closing(Memory(path)) as memory:
        assert memory.fact_store({"action": "list", "limit": 1000})["total"] == len(facts)
        memory.fact_store({"action": "search", "query": facts[0][0] if facts else "nothing"})
        memory.fact_store({"action": "audit"})
        after = rows(path, f"SELECT {chosen} FROM facts ORDER BY fact_id")
        counted = {"retrieval_count", "last_retrieved_at"} & set(columns)
        if not counted:
            assert after == before
        assert [row[:2] for row in after] == [row[:2] for row in before]
        rows(path, "INSERT INTO facts(content) VALUES ('a later row of the old program')")
        assert memory.fact_store({"action": "search", "query": "later row of the old program"})["count"] >= 1
        memory.fact_store({"action": "remove", "fact_ids": [row[0] for row in after] or [99]})
        assert rows(path, "SELECT count(*) FROM facts") == [(1,)]
        for row in after:
            memory.fact_store({"action": "restore", "fact_id": row[0]})
        assert [row[:2] for row in rows(path, f"SELECT {chosen} FROM facts ORDER BY fact_id")][: len(after)] == [
            row[:2] for row in after
        ]


@pytest.mark.parametrize("version", range(1, schema.SCHEMA_VERSION))
def test_every_schema_that_there_was_is_upgraded(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for migration in schema.MIGRATIONS[:version]:
            migration(connection)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute(
            "INSERT INTO facts(content, tags) VALUES ('Olivia moors the boat', 'pier'), ('港口的灯塔', '')"
        )
    with closing(Memory(path)) as memory:
        assert memory.fact_store({"action": "search", "query": "boat"})["count"] == 1
        assert memory.fact_store({"action": "search", "query": "灯塔"})["count"] == 1
        memory.fact_store({"action": "update", "fact_id": 1, "content": "Olivia sold the boat"})
        memory.fact_store({"action": "update", "fact_id": 2, "tags": "harbour"})
        kept = memory.fact_store({"action": "history", "fact_id": 1})["count"]
    # From the schema that keeps versions on, the other program's INSERT is one too.
    assert kept == (2 if schema.MIGRATIONS.index(schema._keep_versions) < version else 1)
    assert_whole(path)
