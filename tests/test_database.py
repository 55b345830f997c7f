"""Transactions on the memory file, alone and beside other threads and programs."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.storage import connections, database
from mnemo.storage.database import Database
from tests.conftest import insert, rows


def test_file_is_kept_in_write_ahead_mode_with_full_durability_for_facts(opened: Database) -> None:
    assert opened.has_wal
    with opened.writing() as writer, opened.reading() as reader:
        assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert reader.execute("PRAGMA synchronous").fetchone() == (1,)  # NORMAL


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


def raise_after(connection: sqlite3.Connection, statement: str) -> None:
    connection.execute(statement)
    raise ZeroDivisionError


def test_failed_write_leaves_nothing(opened: Database, path: Path) -> None:
    with pytest.raises(ZeroDivisionError), opened.writing() as connection:
        raise_after(connection, "INSERT INTO facts(content) VALUES ('half')")
    insert(opened, "whole")
    assert rows(path, "SELECT content FROM facts") == [("whole",)]


def test_transaction_that_the_block_has_ended_is_not_ended_twice(opened: Database) -> None:
    with pytest.raises(ZeroDivisionError), opened.writing() as connection:
        raise_after(connection, "ROLLBACK")
    insert(opened, "whole")


def test_reader_sees_one_state_while_facts_are_written(opened: Database) -> None:
    with opened.reading() as connection:
        assert connection.execute("SELECT count(*) FROM facts").fetchone() == (0,)
        insert(opened, "Whales sleep at sea")
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
            insert(opened, "too early")
        other.execute("ROLLBACK")
    insert(opened, "in time")
    assert rows(path, "SELECT content FROM facts") == [("in time",)]


def test_write_waits_for_a_lock_that_ends(path: Path) -> None:
    with (
        closing(Database(path, wait_seconds=5)) as opened,
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.1, lambda: other.execute("COMMIT"))
        timer.start()
        insert(opened, "after the other")
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
        insert(opened, "Whales sleep at sea")
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
    assert [opened.is_settled_since_asked() for _ in range(2)] == [False, True]
    with opened.writing_at_once(is_log=True) as connection:  # as a search does
        assert connection is not None
        connection.execute("INSERT INTO retrieval_log(query, results) VALUES ('crane', '[]')")
    assert opened.is_settled_since_asked()
    with closing(sqlite3.connect(opened.path)) as other, other:
        other.execute("INSERT INTO retrieval_log(query, results) VALUES ('crane', '[]')")
    assert [opened.is_settled_since_asked() for _ in range(2)] == [False, True]


def test_file_with_facts_to_index_is_not_settled_however_often_it_is_asked(opened: Database) -> None:
    rows(opened.path, "INSERT INTO facts(content) VALUES ('The tide gate opens at noon')")
    assert [opened.is_settled_since_asked() for _ in range(3)] == [False, False, False]
    rows(opened.path, "DROP TABLE index_notes")
    assert [opened.is_settled_since_asked() for _ in range(2)] == [False, False]


def test_file_that_another_thread_reads_is_not_called_settled(opened: Database) -> None:
    opened.is_settled_since_asked()
    assert opened.is_settled_since_asked()
    with opened.reading(), ThreadPoolExecutor() as others:
        assert not others.submit(opened.is_settled_since_asked).result(10)


def test_file_without_write_ahead_log_is_never_called_settled(opened: Database) -> None:
    opened.has_wal = False  # then it cannot be asked without a lock
    assert [opened.is_settled_since_asked() for _ in range(2)] == [False, False]


def test_a_log_that_cannot_be_taken_from_its_name_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with closing(Database(path)) as opened:
        insert(opened, "Whales sleep at sea")
        path.rename(path.with_name("moved.db"))
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", refused)
            with pytest.raises(MemoryFileError, match="cannot be used: Permission denied"):
                opened.finish_log()
        opened.finish_log()
    assert rows(path.with_name("moved.db"), "SELECT content FROM facts") == [("Whales sleep at sea",)]


@pytest.mark.parametrize("fails", ["PRAGMA wal_autocheckpoint = 0", "PRAGMA synchronous = NORMAL"])
def test_nothing_stays_open_of_a_file_that_cannot_be_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    connect, made = sqlite3.connect, []

    class Faulty(sqlite3.Connection):
        def execute(self, statement: str, parameters: Any = ()) -> sqlite3.Cursor:
            if statement == fails:
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(statement, parameters)

    def kept(*names: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*names, **options, factory=Faulty))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", kept)
    with pytest.raises(MemoryFileError):
        Database(path)
    for connection in made:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
