"""The file itself: which files are taken, which refused and left alone, and what other programs may do."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from mnemo import connections, database, schema, upgrade
from mnemo.connections import explained
from mnemo.database import Database
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.memory import Memory
from tests.conftest import ORIGINAL_FACTS, rows

ORIGINAL_COLUMNS = (
    "fact_id, content, category, tags, trust_score, retrieval_count, helpful_count, created_at, updated_at"
)


@pytest.fixture
def opened(path: Path) -> Iterator[Database]:
    opened = Database(path, wait_seconds=0.2)
    yield opened
    opened.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.before-mnemo-*"))


def refusal(path: Path) -> str:
    """Return why a file is refused; it must be byte for byte the same afterwards, without a copy."""
    before = path.read_bytes()
    with pytest.raises(MemoryFileError) as caught:
        Database(path, wait_seconds=0.2)
    assert path.read_bytes() == before
    # a reader of a file in write-ahead mode leaves these two, empty, as any reader does
    assert {file.name for file in path.parent.iterdir()} <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    return str(caught.value)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def store(opened: Database, content: str) -> None:
    with opened.writing() as connection:
        connection.execute("INSERT INTO facts(content) VALUES (?)", (content,))


# --- a new file ---


def test_new_file_and_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "home" / "facts.db"
    before = os.umask(0)
    try:
        with closing(Database(path)) as opened:
            store(opened, "Whales sleep at sea")
            files = sorted(path.parent.iterdir())
            assert [file.name for file in files] == ["facts.db", "facts.db-shm", "facts.db-wal"]
            assert [mode(file) for file in files] == [0o600] * 3
    finally:
        os.umask(before)
    assert mode(path.parent) == 0o700


def test_rights_of_an_existing_folder_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Database(tmp_path / "facts.db").close()
    assert mode(tmp_path) == 0o755


def test_default_folder_is_closed_to_others(home: Path) -> None:
    folder = home / ".mnemo"
    folder.mkdir()
    for open_mode in (0o755, 0o750, 0o701):
        folder.chmod(open_mode)
        Database(folder / "facts.db").close()
        assert mode(folder) == 0o700
    home.chmod(0o755)
    Database(home / "facts.db").close()
    assert mode(home) == 0o755


def test_folder_of_that_name_elsewhere_stays(tmp_path: Path) -> None:
    folder = tmp_path / ".mnemo"
    folder.mkdir()
    folder.chmod(0o755)
    Database(folder / "facts.db").close()
    assert mode(folder) == 0o755


def test_folder_that_the_default_one_points_to_stays(home: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (home / ".mnemo").symlink_to(tmp_path)
    Database(home / ".mnemo" / "facts.db").close()
    assert mode(tmp_path) == 0o755


def test_default_folder_of_a_foreign_file_stays(home: Path) -> None:
    folder = home / ".mnemo"
    folder.mkdir()
    folder.chmod(0o755)
    rows(folder / "facts.db", "CREATE TABLE songs (title)")
    with pytest.raises(MemoryFileError, match="another application"):
        Database(folder / "facts.db")
    assert mode(folder) == 0o755


def test_rights_of_others_are_taken_from_a_memory(path: Path) -> None:
    Database(path).close()
    path.chmod(0o644)
    Database(path).close()
    assert mode(path) == 0o600


def test_file_is_kept_in_write_ahead_mode_with_full_durability_for_facts(opened: Database) -> None:
    assert opened.has_wal
    with opened.writing() as writer, opened.reading() as reader:
        assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert reader.execute("PRAGMA synchronous").fetchone() == (1,)  # NORMAL


def test_empty_file_becomes_a_memory_without_a_copy(path: Path) -> None:
    path.touch()
    Database(path).close()
    assert rows(path, "SELECT count(*) FROM facts") == [(0,)]
    assert copies(path) == []


def test_path_with_signs_of_an_address_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=memory#b %41 记忆.db"
    Database(path).close()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


# --- a file of the original program ---


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


def test_schema_10_gets_what_writes_less_and_no_new_index(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "The pier closes"})
    shape = "SELECT name, sql FROM sqlite_master WHERE name IN ('fact_versions_change', 'facts_history_ai') ORDER BY 1"
    newest = rows(path, shape)
    trigger = next(str(sql) for name, sql in newest if name == "facts_history_ai")
    rows(path, "DROP INDEX fact_versions_change")
    rows(path, "CREATE INDEX fact_versions_change ON fact_versions(change_id)")
    rows(path, "DROP TRIGGER facts_history_ai")
    rows(path, trigger.replace(" WHERE fact_id IS NOT NULL", ""))
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


def test_interrupted_begin_leaves_no_transaction_open(opened: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(connection: sqlite3.Connection, _: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        for module in (connections, database):
            patched.setattr(module, "begin_at_once", interrupted)
        for begun in (opened.writing, opened.writing_at_once):
            with pytest.raises(KeyboardInterrupt), begun():
                raise AssertionError("the block must not run")
    with opened.writing_at_once() as reader:
        assert reader is not None
    with opened.writing() as writer:
        writer.execute("INSERT INTO facts(content) VALUES ('The pier closes')")
    with opened.reading() as reader:
        assert reader.execute("SELECT content FROM facts").fetchall() == [("The pier closes",)]


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


# --- files that are refused and left alone ---


def test_text_file_is_refused(path: Path) -> None:
    path.write_text("my diary\n" * 500)
    assert refusal(path) == (
        f"The memory file {path} is damaged or no SQLite database. The file is left as it is. "
        "Restore a copy, or move the file away to start with an empty memory."
    )


def test_damaged_memory_is_refused(path: Path) -> None:
    memory = Memory(path)
    memory.fact_store({"action": "add", "contents": [f"Harbour {n} opens at six" for n in range(60)]})
    memory.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * 4000 + whole[4100:])
    assert "is damaged or no SQLite database" in refusal(path)


def test_memory_of_a_newer_program_is_refused(path: Path) -> None:
    Database(path).close()
    newer = schema.SCHEMA_VERSION + 1
    rows(path, f"PRAGMA user_version = {newer}")
    assert refusal(path) == (
        f"The memory file {path} was written by a newer mnemo (schema {newer}, this one knows "
        f"{schema.SCHEMA_VERSION}). The file is left as it is. Upgrade mnemo to use it."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT)",
        "CREATE TABLE facts (id INTEGER PRIMARY KEY, title TEXT)",
        "CREATE VIEW facts AS SELECT 1 AS fact_id, 'x' AS content",
    ],
)
def test_database_of_another_application_is_refused_with_its_rights(path: Path, statement: str) -> None:
    rows(path, statement)
    path.chmod(0o664)
    assert refusal(path) == (
        f"{path} is the database of another application. The file is left as it is. Set MNEMO_DB to another path."
    )
    assert mode(path) == 0o664


def test_marked_file_of_another_application_is_refused_even_if_it_is_empty(path: Path) -> None:
    rows(path, "PRAGMA application_id = 252006673")
    assert "is the database of another application" in refusal(path)


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MemoryFileError) as caught:
        Database(tmp_path)
    assert str(caught.value) == f"{tmp_path} is a folder; set MNEMO_DB to the path of a file."


def test_pipe_is_refused_without_waiting_for_it(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(MemoryFileError) as caught:
        Database(path)
    assert str(caught.value) == f"{path} is no regular file; set MNEMO_DB to the path of a file."


def test_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("a file where the folder should be")
    path = tmp_path / "note" / "facts.db"
    with pytest.raises(MemoryFileError) as caught:
        Database(path)
    assert str(caught.value).startswith(f"The memory file {path} cannot be used: ")
    assert str(caught.value).endswith("Check the path (MNEMO_DB), its folder and their permissions.")


class ReadOnlyConnection(sqlite3.Connection):
    """A connection as it is to a file that may only be read, which holds for root as well."""

    def execute(self, statement: str, parameters: Any = ()) -> sqlite3.Cursor:
        if not getattr(self, "is_read_only", False):
            self.is_read_only = True
            super().execute("PRAGMA query_only = ON")
        return super().execute(statement, parameters)


def test_read_only_file_is_explained(original_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *names, **options: connect(*names, **options, factory=ReadOnlyConnection)
    )
    monkeypatch.setattr(os, "access", lambda *_: False)
    before = original_file.read_bytes()
    with pytest.raises(MemoryFileError) as caught:
        Database(original_file)
    assert str(caught.value) == (
        f"The memory file {original_file} is read-only; make the file and its folder writable."
    )
    assert original_file.read_bytes() == before
    assert mode(original_file) != 0o600
    assert copies(original_file) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind root")
def test_file_in_a_read_only_folder_is_explained(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(MemoryFileError, match="permissions"):
            Database(tmp_path / "facts.db")
    finally:
        tmp_path.chmod(0o700)


# --- errors of SQLite in words ---


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_NOTADB, "is damaged or no SQLite database"),
        (sqlite3.SQLITE_CORRUPT, "is damaged or no SQLite database"),
        (sqlite3.SQLITE_CORRUPT | 1 << 8, "is damaged or no SQLite database"),  # an extended code
        (sqlite3.SQLITE_READONLY, "is read-only; make the file and its folder writable"),
        (sqlite3.SQLITE_FULL, "is full; nothing was changed. Free some and try again"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be opened; check the path (MNEMO_DB)"),
        (sqlite3.SQLITE_PERM, "cannot be opened; check the path (MNEMO_DB)"),
        (sqlite3.SQLITE_IOERR, "reports an error; check the disk, then try again"),
        (sqlite3.SQLITE_CONSTRAINT, "does not take this: its tables are not a memory's (OperationalError)"),
    ],
)
def test_errors_say_what_to_do_and_repeat_no_words_of_sqlite(path: Path, code: int, words: str) -> None:
    error = sqlite3.OperationalError("no such table: nonsense")
    error.sqlite_errorcode = code
    with pytest.raises(MemoryFileError) as caught, explained(path):
        raise error
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert "nonsense" not in str(caught.value)
    assert not isinstance(caught.value, MemoryBusyError)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_BUSY | 2 << 8])
def test_locks_are_told_apart(path: Path, code: int) -> None:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = code
    with pytest.raises(MemoryBusyError) as caught, explained(path):
        raise error
    assert str(caught.value) == (
        f"Another program keeps the memory file {path} locked; nothing was changed. Try again in a moment."
    )


# --- transactions, and other programs that write ---


def raise_after(connection: sqlite3.Connection, statement: str) -> None:
    connection.execute(statement)
    raise ZeroDivisionError


def test_failed_write_leaves_nothing(opened: Database, path: Path) -> None:
    with pytest.raises(ZeroDivisionError), opened.writing() as connection:
        raise_after(connection, "INSERT INTO facts(content) VALUES ('half')")
    store(opened, "whole")
    assert rows(path, "SELECT content FROM facts") == [("whole",)]


def test_transaction_that_the_block_has_ended_is_not_ended_twice(opened: Database) -> None:
    with pytest.raises(ZeroDivisionError), opened.writing() as connection:
        raise_after(connection, "ROLLBACK")
    store(opened, "whole")


def test_reader_sees_one_state_while_facts_are_written(opened: Database) -> None:
    with opened.reading() as connection:
        assert connection.execute("SELECT count(*) FROM facts").fetchone() == (0,)
        store(opened, "Whales sleep at sea")
        assert connection.execute("SELECT count(*) FROM facts").fetchone() == (0,)
    with opened.reading() as connection:
        assert connection.execute("SELECT count(*) FROM facts").fetchone() == (1,)


def test_a_block_within_a_block_reads_the_same_state(opened: Database) -> None:
    with opened.reading() as outer:
        assert opened.is_reading
        before = outer.execute("SELECT count(*) FROM facts").fetchone()
        with opened.writing() as writer:
            writer.execute("INSERT INTO facts(content) VALUES ('whales sleep')")
        with opened.reading() as inner:
            assert inner.execute("SELECT count(*) FROM facts").fetchone() == before
        assert opened.is_reading
    assert not opened.is_reading
    with opened.reading() as later:
        assert later.execute("SELECT count(*) FROM facts").fetchone() == (1,)


def test_only_the_thread_that_reads_is_within_the_block(opened: Database) -> None:
    with opened.reading(), ThreadPoolExecutor(1) as other:
        assert other.submit(lambda: opened.is_reading).result() is False


def test_write_beside_a_lock_fails_after_the_wait_and_changes_nothing(opened: Database, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(MemoryBusyError):
            store(opened, "too early")
        other.execute("ROLLBACK")
    store(opened, "in time")
    assert rows(path, "SELECT content FROM facts") == [("in time",)]


def test_write_waits_for_a_lock_that_ends(path: Path) -> None:
    with (
        closing(Database(path, wait_seconds=5)) as opened,
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.1, lambda: other.execute("COMMIT"))
        timer.start()
        store(opened, "after the other")
        timer.join()
    assert rows(path, "SELECT content FROM facts") == [("after the other",)]


def test_writing_at_once_gives_nothing_beside_a_lock(opened: Database, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with opened.writing_at_once() as connection:
            assert connection is None
        other.execute("ROLLBACK")
    with opened.writing_at_once() as connection:
        assert connection is not None
        connection.execute("INSERT INTO facts(content) VALUES ('at once')")
        assert connection.execute("PRAGMA busy_timeout").fetchone() == (200,)
    assert rows(path, "SELECT content FROM facts") == [("at once",)]


def test_writing_at_once_never_waits(path: Path) -> None:
    with (
        closing(Database(path, wait_seconds=30)) as opened,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        for _ in range(100):
            with opened.writing_at_once() as connection:
                assert connection is None
        assert time.monotonic() - began < 5
        other.execute("ROLLBACK")


def test_writing_at_once_waits_for_a_transaction_of_our_own_until_it_is_kept(opened: Database, path: Path) -> None:
    opened_transaction, found = threading.Event(), []

    def write() -> None:
        with opened.writing() as connection:
            connection.execute("INSERT INTO facts(content) VALUES ('tea')")
            opened_transaction.set()
            time.sleep(0.2)

    thread = threading.Thread(target=write)
    thread.start()
    opened_transaction.wait()
    with opened.writing_at_once() as connection:
        assert connection is not None
        found += connection.execute("SELECT content FROM facts").fetchall()
    thread.join()
    assert found == [("tea",)]


def test_writing_at_once_does_not_wait_with_a_writer_that_waits_for_another_program(path: Path) -> None:
    with closing(Database(path, wait_seconds=2)) as ours, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        def write() -> None:
            with ours.writing() as connection:
                connection.execute("INSERT INTO facts(content) VALUES ('tea')")

        thread = threading.Thread(target=write)
        thread.start()
        time.sleep(0.1)
        began = time.monotonic()
        with ours.writing_at_once() as connection:
            assert connection is None
        assert time.monotonic() - began < database.OWN_WRITE_SECONDS / 2
        other.execute("ROLLBACK")
        thread.join()


def test_writing_at_once_does_not_wait_for_a_long_transaction_of_our_own(
    opened: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "OWN_WRITE_SECONDS", 10)
    begun, may_end = threading.Event(), threading.Event()

    def write() -> None:
        with opened.writing(is_long=True):
            begun.set()
            may_end.wait(10)

    with ThreadPoolExecutor() as others:
        others.submit(write)
        assert begun.wait(10)
        began = time.monotonic()
        with opened.writing_at_once() as connection:
            assert connection is None
        assert time.monotonic() - began < database.OWN_WRITE_SECONDS / 2
        may_end.set()


def test_writing_at_once_explains_other_errors(opened: Database) -> None:
    with opened.reading(), pytest.raises(MemoryFileError), opened.writing_at_once():
        raise AssertionError("a transaction within a transaction")  # pragma: no cover


def test_file_that_cannot_leave_its_journal_still_serves(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Database(path).close()
    rows(path, "PRAGMA journal_mode = DELETE")
    monkeypatch.setattr(connections, "_WAL_ATTEMPTS", 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM facts").fetchone()
        opened = Database(path, wait_seconds=0.2)
        assert not opened.has_wal
        with opened.reading() as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: a journal needs it
        other.execute("COMMIT")
        store(opened, "Whales sleep at sea")
        opened.close()
    assert rows(path, "SELECT content FROM facts") == [("Whales sleep at sea",)]


class FaultyDisk(sqlite3.Connection):
    """A connection to a disk that fails when the journal is changed."""

    def execute(self, statement: str, parameters: Any = ()) -> sqlite3.Cursor:
        if statement == "PRAGMA journal_mode = WAL":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return super().execute(statement, parameters)


def test_disk_that_fails_is_explained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *names, **options: connect(*names, **options, factory=FaultyDisk))
    with pytest.raises(MemoryFileError, match="reports an error; check the disk, then try again"):
        Database(path)


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


def test_use_after_the_end_is_an_error_in_words(path: Path) -> None:
    opened = Database(path)
    opened.close()
    with pytest.raises(MemoryFileError), opened.reading():
        raise AssertionError("closed")  # pragma: no cover


def test_bulk_work_has_settings_of_its_own(path: Path) -> None:
    def settings(opened: Database) -> list[int]:
        with opened.writing() as connection:
            return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("cache_size", "wal_autocheckpoint")]

    with closing(Database(path)) as opened:
        usual = settings(opened)
        with opened.bulk():
            assert settings(opened) == [database.BULK_CACHE, database.BULK_LOG]
        assert settings(opened) == usual
        with pytest.raises(RuntimeError), opened.bulk():
            raise RuntimeError
        assert settings(opened) == usual


def test_file_is_settled_while_no_other_connection_writes(opened: Database) -> None:
    assert [opened.is_settled() for _ in range(2)] == [False, True]
    with opened.writing_at_once(is_log=True) as connection:  # as a search does
        assert connection is not None
        connection.execute("INSERT INTO retrieval_log(query, results) VALUES ('crane', '[]')")
    assert opened.is_settled()
    with closing(sqlite3.connect(opened.path)) as other, other:
        other.execute("INSERT INTO retrieval_log(query, results) VALUES ('crane', '[]')")
    assert [opened.is_settled() for _ in range(2)] == [False, True]


def test_file_with_facts_to_index_is_not_settled_however_often_it_is_asked(opened: Database) -> None:
    rows(opened.path, "INSERT INTO facts(content) VALUES ('The tide gate opens at noon')")
    assert [opened.is_settled() for _ in range(3)] == [False, False, False]
    rows(opened.path, "DROP TABLE index_notes")
    assert [opened.is_settled() for _ in range(2)] == [False, False]


def test_file_that_another_thread_reads_is_not_called_settled(opened: Database) -> None:
    opened.is_settled()
    assert opened.is_settled()
    with opened.reading(), ThreadPoolExecutor() as others:
        assert not others.submit(opened.is_settled).result(10)


def test_file_without_write_ahead_log_is_never_called_settled(opened: Database) -> None:
    opened.has_wal = False  # then it cannot be asked without a lock
    assert [opened.is_settled() for _ in range(2)] == [False, False]
