"""Which files and folders are taken, whose rights they have, and which are refused and left alone."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mnemo import schema
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.memory import Memory
from mnemo.storage.connections import explained
from mnemo.storage.database import Database
from tests.conftest import copies, insert, mode, rows


def refusal(path: Path) -> str:
    """Return why a file is refused; it must be byte for byte the same afterwards, without a copy."""
    before = path.read_bytes()
    with pytest.raises(MemoryFileError) as caught:
        Database(path, wait_seconds=0.2)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return str(caught.value)


def test_new_file_and_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "home" / "facts.db"
    before = os.umask(0)
    try:
        with closing(Database(path)) as opened:
            insert(opened, "Whales sleep at sea")
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


def test_empty_file_becomes_a_memory_without_a_copy(path: Path) -> None:
    path.touch()
    Database(path).close()
    assert rows(path, "SELECT count(*) FROM facts") == [(0,)]
    assert copies(path) == []


def test_path_with_signs_of_an_address_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=memory#b %41 记忆.db"
    Database(path).close()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


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
        f"{schema.SCHEMA_VERSION}). The file is left as it is. Upgrade mnemo to use it; if that is done, "
        "restart the assistant."
    )


def test_memory_that_a_newer_program_upgrades_meanwhile_is_left_as_that_made_it(path: Path) -> None:
    memory = Memory(path)
    memory.fact_store({"action": "add", "content": "Harbour crane opens at six"})
    memory.fact_store({"action": "search", "query": "crane"})
    newer = schema.SCHEMA_VERSION + 1
    with closing(sqlite3.connect(path, isolation_level=None)) as upgrading:
        upgrading.executescript(
            "BEGIN; DROP TRIGGER facts_ai; CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN SELECT 1; END; "
            f"ALTER TABLE index_state ADD COLUMN stems TEXT; PRAGMA user_version = {newer}; COMMIT"
        )
        made = upgrading.execute("SELECT name, sql FROM sqlite_master").fetchall()
    for call in (
        {"action": "search", "query": "crane"},
        {"action": "add", "content": "Ferry 9 leaves at seven"},
        {"action": "list"},
        {"action": "get", "fact_id": 1},
        {"action": "update", "fact_id": 1, "tags": "harbour"},
        {"action": "remove", "fact_id": 1},
        {"action": "history", "fact_id": 1},
        {"action": "probe", "entity": "crane"},
        {"action": "learn"},
        {"action": "audit"},
    ):
        with pytest.raises(MemoryFileError, match=rf"written by a newer mnemo \(schema {newer}, this one knows"):
            memory.fact_store(call)
    with pytest.raises(MemoryFileError, match="newer mnemo"):
        memory.fact_feedback({"action": "helpful", "fact_id": 1})
    memory.flush()
    memory.close()
    assert rows(path, "SELECT name, sql FROM sqlite_master") == made
    assert rows(path, "SELECT count(*), max(fact_id) FROM facts") == [(1, 1)]


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


@pytest.mark.parametrize("name", [":memory:", "file:facts.db?mode=memory", "file:notes/facts.db"])
def test_what_is_no_file_to_sqlite_is_refused_and_not_made(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMO_DB", name)
    with pytest.raises(MemoryFileError, match="is no plain path, and facts are kept in a file"):
        Memory().fact_store({"action": "list"})
    assert list(tmp_path.iterdir()) == []
