"""Files of earlier schemas and of the original program: nothing is lost, and what we did not make is copied first."""

import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from freezegun import freeze_time

from mnemo import schema
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.memory import Memory
from mnemo.storage import database, upgrade
from mnemo.storage.database import Database
from tests.conftest import ORIGINAL_FACTS, copies, mode, rows

ORIGINAL_COLUMNS = (
    "fact_id, content, category, tags, trust_score, retrieval_count, helpful_count, created_at, updated_at"
)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_links_of_another_program_stay_and_ours_follow_the_text(original_file: Path) -> None:
    rows(original_file, "INSERT INTO entities(entity_id, name) VALUES (2, 'Orphan'), (3, 'Nordby')")
    rows(original_file, "INSERT INTO fact_entities VALUES (1, 2), (2, 2), (2, 3), (99, 2)")
    theirs = {(7, 1), (1, 2), (2, 2), (2, 3), (99, 2)}
    with closing(Memory(original_file)) as memory:
        memory.fact_store({"action": "search", "query": "主题"})
        assert set(rows(original_file, "SELECT fact_id, entity_id FROM fact_entities")) >= theirs
        assert memory.fact_store({"action": "probe", "entity": "Orphan"})["count"] == 2
        memory.fact_store({"action": "update", "fact_id": 1, "content": "Uses CamelCase"})
        assert memory.fact_store({"action": "probe", "entity": "CamelCase"})["count"] == 1
        rows(original_file, "INSERT INTO entities(entity_id, name) VALUES (77, 'Late')")
        rows(original_file, "INSERT INTO fact_entities VALUES (1, 77)")
        memory.fact_store({"action": "update", "fact_id": 1, "content": "uses something else"})
        assert rows(original_file, "SELECT entity_id FROM fact_entities WHERE fact_id = 1 ORDER BY 1") == [(2,), (77,)]
        assert rows(original_file, "SELECT count(*) FROM entities WHERE name = 'CamelCase'") == [(0,)]
        memory.fact_store({"action": "remove", "fact_id": 1})
        assert rows(original_file, "SELECT count(*) FROM fact_entities WHERE fact_id = 1") == [(0,)]
        assert rows(original_file, "SELECT count(*) FROM own_links WHERE fact_id = 1") == [(0,)]


def test_links_that_an_earlier_schema_made_are_ours(path: Path) -> None:
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "Uses CamelCase"})
    rows(path, "DROP TABLE own_links")
    rows(path, "PRAGMA user_version = 9")
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "update", "fact_id": 1, "content": "uses something else"})
    assert rows(path, "SELECT count(*) FROM fact_entities") == [(0,)]


def test_schema_10_gets_the_index_that_writes_less_and_no_other(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "The pier closes"})
    shape = "SELECT name, sql FROM sqlite_master ORDER BY name"
    newest = rows(path, shape)
    rows(path, "DROP INDEX fact_versions_change")
    rows(path, "CREATE INDEX fact_versions_change ON fact_versions(change_id)")
    rows(path, "PRAGMA user_version = 10")
    assert rows(path, shape) != newest
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "The harbour opens"})
        assert memory.fact_store({"action": "history", "fact_id": 2})["count"] == 1
    assert rows(path, shape) == newest
    assert not caplog.records


def test_upgrade_of_a_file_without_its_versions_makes_them_anew(path: Path) -> None:
    Memory(path).close()
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "The pier closes"})
    rows(path, "DROP TABLE fact_versions")
    rows(path, "PRAGMA user_version = 10")
    with closing(Memory(path)) as memory:
        assert memory.fact_store({"action": "search", "query": "pier"})["count"] == 1
        memory.fact_store({"action": "remove", "fact_id": 1})
        memory.fact_store({"action": "restore", "fact_id": 1})
    assert rows(path, "SELECT count(*) FROM facts") == [(1,)]


def test_original_file_keeps_every_value_and_is_copied_once(original_file: Path) -> None:
    original = dump(original_file)
    with freeze_time("2026-05-08 14:30:00"):
        Database(original_file).close()
    assert rows(original_file, f"SELECT {ORIGINAL_COLUMNS} FROM facts ORDER BY fact_id") == ORIGINAL_FACTS
    assert rows(original_file, "SELECT DISTINCT summary, last_retrieved_at FROM facts") == [(None, None)]
    assert rows(original_file, "SELECT entity_id, name, entity_type FROM entities") == [(1, "Kasper", "person")]
    (copy,) = copies(original_file)
    assert copy.name == "facts.db.before-mnemo-20260508-143000"
    assert dump(copy) == original
    assert mode(copy) == 0o600
    Database(original_file).close()
    assert copies(original_file) == [copy]


def test_original_file_is_searchable_at_once_in_both_languages(original_file: Path) -> None:
    memory = Memory(original_file)
    found = {
        query: [result["fact_id"] for result in memory.fact_store({"action": "search", "query": query})["results"]]
        for query in ("深色", "主题偏好", "Nordby", "ferries")
    }
    memory.close()
    assert found == {"深色": [1], "主题偏好": [1], "Nordby": [2], "ferries": [2]}


def test_file_of_the_second_version_keeps_summaries_times_and_log(original_file: Path) -> None:
    """Version 0.2.0 by its own design notes: two columns more, the summary in the index, and the log."""
    log = (3, "深色", '[{"id": 1, "score": 0.61}]', "2026-03-01 09:30:00")
    with closing(sqlite3.connect(original_file)) as old, old:
        old.executescript(
            """
            ALTER TABLE facts ADD COLUMN summary TEXT DEFAULT NULL;
            ALTER TABLE facts ADD COLUMN last_retrieved_at TEXT DEFAULT NULL;
            CREATE TABLE retrieval_log (
                id INTEGER PRIMARY KEY AUTOINCREMENT, query TEXT NOT NULL, results TEXT NOT NULL,
                timestamp TEXT DEFAULT (datetime('now'))
            );
            DROP TRIGGER facts_ai; DROP TRIGGER facts_ad; DROP TRIGGER facts_au; DROP TABLE facts_fts;
            CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, summary, content=facts, content_rowid=fact_id);
            CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
                INSERT INTO facts_fts(rowid, content, tags, summary)
                VALUES (new.fact_id, new.content, new.tags, new.summary);
            END;
            UPDATE facts SET summary = 'Fähre nach Nordby', last_retrieved_at = '2026-03-01 09:30:00' WHERE fact_id = 2;
            """
        )
        old.execute("INSERT INTO retrieval_log VALUES (?, ?, ?, ?)", log)
    memory = Memory(original_file)
    found = {
        query: [result["fact_id"] for result in memory.fact_store({"action": "search", "query": query})["results"]]
        for query in ("fähre", "ferry", "深色")
    }
    memory.close()
    assert found == {"fähre": [2], "ferry": [], "深色": [1]}  # a summary stands for the content
    assert rows(original_file, "SELECT * FROM retrieval_log WHERE id = 3") == [log]
    assert len(rows(original_file, "SELECT id FROM retrieval_log")) == 4
    unsearched = "SELECT content, category, tags, trust_score, created_at, updated_at FROM facts ORDER BY fact_id"
    assert rows(original_file, unsearched) == [(*fact[1:5], *fact[7:]) for fact in ORIGINAL_FACTS]
    (copy,) = copies(original_file)
    assert rows(copy, "SELECT summary, last_retrieved_at FROM facts WHERE fact_id = 2") == [
        ("Fähre nach Nordby", "2026-03-01 09:30:00")
    ]


def test_second_opening_changes_nothing(original_file: Path) -> None:
    Database(original_file).close()
    once = dump(original_file)
    Database(original_file).close()
    assert dump(original_file) == once


def test_copy_does_not_take_the_name_of_another(original_file: Path) -> None:
    with freeze_time("2026-05-08 14:30:00"):
        for taken in ("", "-2"):
            (original_file.parent / f"facts.db.before-mnemo-20260508-143000{taken}").write_text("mine")
        Database(original_file).close()
    texts = [copy.read_bytes()[:6] for copy in copies(original_file)]
    assert texts == [b"mine", b"mine", b"SQLite"]


def test_copy_holds_what_is_still_in_the_write_ahead_log(original_file: Path) -> None:
    with closing(sqlite3.connect(original_file)) as other, other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("INSERT INTO facts(content) VALUES ('written a moment ago')")
        other.commit()
        Database(original_file).close()
        (copy,) = copies(original_file)
        assert rows(copy, "SELECT content FROM facts WHERE fact_id = 8") == [("written a moment ago",)]


def test_original_program_can_go_on_writing(original_file: Path) -> None:
    memory = Memory(original_file)
    memory.fact_store({"action": "list"})
    with closing(sqlite3.connect(original_file)) as other, other:
        other.execute("INSERT INTO facts(content, category, tags) VALUES ('Cranes are yellow', 'general', '')")
        other.execute("UPDATE facts SET content = 'The ferry leaves at nine' WHERE fact_id = 2")
        other.execute("DELETE FROM facts WHERE fact_id = 7")
    found = {
        query: [result["fact_id"] for result in memory.fact_store({"action": "search", "query": query})["results"]]
        for query in ("cranes", "nine", "Nordby", "Kasper")
    }
    memory.close()
    assert found == {"cranes": [8], "nine": [2], "Nordby": [], "Kasper": []}


def test_interrupted_migration_leaves_the_old_file(original_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: sqlite3.Connection) -> None:
        raise RuntimeError("the power went")

    original = original_file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS[:3], fail))
        for _ in range(2):
            with pytest.raises(RuntimeError):
                Database(original_file)
    assert original_file.read_bytes() == original
    assert copies(original_file) == []
    Database(original_file).close()
    assert rows(original_file, f"SELECT {ORIGINAL_COLUMNS} FROM facts ORDER BY fact_id") == ORIGINAL_FACTS
    assert len(copies(original_file)) == 1


def test_upgrade_that_failed_before_any_copy_leaves_a_new_file_empty(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "_FTS_TABLE", "CREATE TABEL facts_fts")
        with pytest.raises(MemoryFileError) as caught:
            Database(path)
    assert str(caught.value) == (
        f"The memory file {path} does not take this: its tables are not a memory's (SQLITE_ERROR). "
        "The file is left as it is."
    )
    assert path.read_bytes() == b""


def test_many_threads_open_the_same_original_file(original_file: Path) -> None:
    barrier = threading.Barrier(6)

    def open_and_close(_: int) -> int:
        barrier.wait()
        with closing(Database(original_file)) as opened, opened.reading() as connection:
            count: int = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
            return count

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(open_and_close, range(6))) == [3] * 6
    assert len(copies(original_file)) == 1


@pytest.mark.parametrize("is_new", [True, False])
def test_processes_open_the_same_file_at_the_same_moment(
    tmp_path: Path, is_new: bool, request: pytest.FixtureRequest
) -> None:
    path: Path = tmp_path / "new.db" if is_new else request.getfixturevalue("original_file")
    if not is_new:
        path.chmod(0o600)  # else the first one says on stderr that it took others' rights
    script = (
        "import sys, pathlib\n"
        "from mnemo.memory import Memory\n"
        "print(flush=True)\n"
        "sys.stdin.readline()\n"
        "memory = Memory(pathlib.Path(sys.argv[1]))\n"
        "memory.fact_store({'action': 'add', 'content': 'Process ' + sys.argv[2] + ' was here'})\n"
        "memory.close()\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path), str(n)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for n in range(4)
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()  # it is ready
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
    ends = [child.communicate(timeout=30)[1] for child in children]
    assert ends == [b""] * 4
    assert rows(path, "SELECT count(*) FROM facts WHERE content LIKE 'Process % was here'") == [(4,)]
    assert len(copies(path)) == (0 if is_new else 1)


def test_locked_file_cannot_be_upgraded_and_says_so(original_file: Path) -> None:
    with closing(sqlite3.connect(original_file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(MemoryBusyError, match="Try again in a moment"):
            Database(original_file, wait_seconds=0.1)
        other.execute("ROLLBACK")
    Database(original_file).close()


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN"])
def test_search_in_a_file_that_waits_for_its_upgrade_says_so_and_works_when_the_lock_is_gone(
    original_file: Path, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "UPGRADE_WAIT_SECONDS", 0.1)
    search = {"action": "search", "query": "主题"}
    with closing(Memory(original_file)) as memory, closing(sqlite3.connect(original_file)) as other:
        other.isolation_level = None
        other.execute(lock)
        other.execute("SELECT * FROM facts").fetchone()
        before = time.monotonic()
        with pytest.raises(MemoryBusyError, match=r"has to be upgraded once .* locked just now, .* try again"):
            memory.fact_store(search)
        assert time.monotonic() - before < 2  # far below the 5 seconds of a write
        assert copies(original_file) == []
        other.execute("COMMIT")
        assert memory.fact_store(search)["count"] == 1
        with memory.parts.database.writing() as writer:
            assert writer.execute("PRAGMA busy_timeout").fetchone() == (5000,)


def test_upgrade_by_a_faster_server_is_seen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = upgrade.schema_version
    seen: list[int] = []

    def version(connection: sqlite3.Connection, where: Path) -> int:
        seen.append(real(connection, where))
        if len(seen) == 2:  # the look before the transaction; now the other is faster
            monkeypatch.setattr(upgrade, "schema_version", real)
            Database(where).close()
            store_beside = rows(where, "INSERT INTO facts(content) VALUES ('by the faster one') RETURNING content")
            assert store_beside == [("by the faster one",)]
        return seen[-1]

    monkeypatch.setattr(upgrade, "schema_version", version)
    Database(path).close()
    assert seen == [0, 0]
    assert rows(path, "SELECT content FROM facts") == [("by the faster one",)]
