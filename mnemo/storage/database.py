"""The memory file, open: its two connections, who may read and write when, and what they repair."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from pathlib import Path

from mnemo import paths, schema
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.storage import rights
from mnemo.storage.connections import (
    LOCKED,
    WRITE_PAUSE_MILLISECONDS,
    begin_at_once,
    connect,
    enter_wal,
    explained,
    primary_code,
    transaction,
    undone_on_error,
    write_transaction,
)
from mnemo.storage.upgrade import refuse_strange_file, schema_version, upgrade

WRITE_WAIT_SECONDS = 5.0
UPGRADE_WAIT_SECONDS = 2.0  # for the lock that an upgrade needs: the next call tries again, so no answer waits longer
REPAIR_ATTEMPTS = 5
OWN_WRITE_SECONDS = 1.0  # our own transactions are short; a search may wait for one, never for another program's
BULK_CACHE = -65_536  # KiB; SQLite counts pages in positive numbers
BULK_LOG = 8_000  # pages
LONGEST_LOG = 9 << 20  # bytes of the write-ahead log that searches may leave before it is shortened
LARGE_FILE = 8 << 20  # bytes, some 10,000 facts: a pass over all of a smaller one is as short as any other write
LOG_PAGES = 2_000  # after which a write moves the log into the file: some 70 facts, less than that many bytes


_UNKNOWN = (0, 0)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at a path from any other, None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:  # of a folder that is not readable just now: the file may well be there
        return _UNKNOWN
    return found.st_dev, found.st_ino


class Database:
    """The memory file with its two connections, safe to use from several threads.

    The writer keeps facts (`synchronous=FULL`: what is acknowledged survives a power cut). The reader searches, and
    writes what can be made again or may lag behind: the index, the log and the counters (`synchronous=NORMAL`).
    """

    def __init__(self, path: Path, wait_seconds: float = WRITE_WAIT_SECONDS) -> None:
        """Open the file, creating or upgrading it where needed.

        A write waits up to `wait_seconds` for another program's write to end.

        Raises:
            MemoryFileError: the file is damaged, unreadable, of another program, or newer than this program.
            MemoryBusyError: another program kept the file locked for longer.
        """
        self.path = path
        self.source = ""  # who writes, as the history names it
        self._wait_milliseconds = int(wait_seconds * 1000)
        self._write_lock = threading.RLock()
        self._read_lock = threading.RLock()
        self._own_transaction = threading.RLock()
        self._own_transactions = 0  # that began
        self._waited_in_vain = -1  # as many had begun when the last of them was waited for without an end
        self._reading_thread: int | None = None
        self._written = 0  # times that the reader may have changed what searches are answered from
        self._settled_at = (-1, 0)
        self._was_indexed = False  # then
        self._rereading_thread: int | None = None
        self._whole_at = -1  # SQLite's count of schema changes when all was last seen as we make it
        self._has_others = False  # triggers on what a search writes, then
        with explained(path):
            rights.create_private(path)
            refuse_strange_file(path, min(wait_seconds, UPGRADE_WAIT_SECONDS))
            rights.take_from_others(path)
            with ExitStack() as opened:  # nothing stays open of a file that cannot be used
                self._writer = opened.enter_context(closing(connect(path, wait_seconds)))
                self._writer.execute(f"PRAGMA busy_timeout = {int(min(wait_seconds, UPGRADE_WAIT_SECONDS) * 1000)}")
                upgrade(self._writer, path)
                self._writer.execute(f"PRAGMA busy_timeout = {self._wait_milliseconds}")
                self.has_wal = enter_wal(self._writer)
                self._writer.execute("PRAGMA synchronous = FULL")
                self._writer.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
                self._reader = opened.enter_context(closing(connect(path, wait_seconds)))
                self._reader.execute(f"PRAGMA synchronous = {'NORMAL' if self.has_wal else 'FULL'}")
                self._reader.execute("PRAGMA wal_autocheckpoint = 0")  # it would let a search wait for the disk
                opened.pop_all()
            self._file = _identity(path)
            self._logs = {log: _identity(log) for log in paths.logs(path)}

    def was_moved(self) -> bool:
        """Tell whether the path does not lead to the open file any more: it was removed, moved or replaced."""
        return _identity(self.path) not in (self._file, _UNKNOWN)

    @property
    def is_large(self) -> bool:
        """Tell whether a pass over all of the file takes long enough that no search should wait for it."""
        try:
            return self.path.stat().st_size > LARGE_FILE
        except OSError:  # it was moved, or its folder is not readable just now
            return True

    def finish_log(self) -> None:
        """Move all of the write-ahead log into a file that was moved, which the log did not go with.

        The log is taken from its name, under which the file that is at the path now would meet it. Who has it open goes
        on with it; what a reader keeps from the file is moved by a later call.

        Raises:
            MemoryFileError: the file cannot be written, or the log cannot be removed.
        """
        with explained(self.path):
            try:
                with self._write_lock:
                    self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                for log, own in self._logs.items():
                    if own not in (None, _UNKNOWN) and _identity(log) == own:
                        log.unlink(missing_ok=True)

    @contextmanager
    def writing(self, *, is_long: bool = False) -> Iterator[sqlite3.Connection]:
        """Give the writer within one transaction: all of it is kept, or nothing if the block raises.

        What `writing_at_once` would write does not wait for one that may be long, as if another program wrote.

        Raises:
            MemoryBusyError: another program held the write lock for longer than `wait_seconds` (5 seconds).
            MemoryFileError: the file cannot be written.
        """
        held = nullcontext() if is_long else self._own_transaction
        with self._write_lock, explained(self.path), write_transaction(self._writer, self._wait_milliseconds, held):
            self._own_transactions += 1
            self._repair(self._writer)
            yield self._writer

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the reader within one transaction, so that all its queries see the same state.

        Within another such block of the same thread it is the transaction of that one.

        Raises:
            MemoryFileError: the file cannot be read.
            MemoryBusyError: another program dropped what the block needs, and keeps it from being made anew.
        """
        if self._rereading_thread == threading.get_ident():
            yield self._writer
            return
        with self._read_lock, explained(self.path), self._repair_awaited():
            if self.is_reading:
                yield self._reader
                return
            if not self._is_whole(self._reader):
                self._repair_at_once()
            with transaction(self._reader, "DEFERRED"):
                try:
                    self._reading_thread = threading.get_ident()
                    yield self._reader
                finally:
                    self._reading_thread = None

    def is_settled_since_asked(self) -> bool:
        """Tell, without waiting, that all is indexed and no other connection wrote since this was last asked."""
        if not (self.has_wal and self._read_lock.acquire(blocking=False)):
            return False
        try:
            before, self._settled_at = self._settled_at, self._state()
            if before != self._settled_at or not self._was_indexed:
                is_noted = self._reader.execute("SELECT EXISTS (SELECT 1 FROM index_notes)").fetchone()[0]
                self._was_indexed = not is_noted
        except sqlite3.Error:  # whoever reads the file next explains it
            return False
        finally:
            self._read_lock.release()
        return self._was_indexed and before[0] == self._settled_at[0]

    def state(self, connection: sqlite3.Connection) -> object:
        """Return what is another after each change of what searches are answered from; None if it cannot be told.

        The connection is that of the caller's block of `reading`.
        """
        return self._state() if connection is self._reader else None

    def _state(self) -> tuple[int, int]:
        others: int = self._reader.execute("PRAGMA data_version").fetchone()[0]  # commits, as SQLite counts them
        return others, self._written

    @contextmanager
    def rereading(self) -> Iterator[sqlite3.Connection]:
        """Give what `reading` gives, but of the writer: right after a write it has at hand what the reader would fetch.

        Within the block, `reading` of the same thread is this transaction.
        It waits for our own writes in other threads.

        Raises:
            MemoryFileError: the file cannot be read.
        """
        with self._write_lock, explained(self.path), transaction(self._writer, "DEFERRED"):
            try:
                self._rereading_thread = threading.get_ident()
                yield self._writer
            finally:
                self._rereading_thread = None

    @property
    def is_reading(self) -> bool:
        """Tell whether the thread that asks is within a block of `reading` or `rereading`."""
        return threading.get_ident() in (self._reading_thread, self._rereading_thread)

    @contextmanager
    def writing_at_once(self, *, is_log: bool = False) -> Iterator[sqlite3.Connection | None]:
        """Give the reader within a write transaction, or None where another program writes: that is never waited for.

        A transaction of our own is waited for up to a second, unless it is known to be long. With `is_log`, nothing is
        written that a search is answered from.

        Raises:
            MemoryFileError: the file cannot be written.
        """
        latest = time.monotonic() + OWN_WRITE_SECONDS
        with self._no_own_transaction(latest):
            pass  # the wait for one that goes on now is nobody else's
        with self._read_lock, explained(self.path), undone_on_error(self._reader):
            try:
                with self._no_own_transaction(latest):
                    begin_at_once(self._reader, self._wait_milliseconds)
            except sqlite3.OperationalError as error:
                if primary_code(error) not in LOCKED:
                    raise
                yield None
                return
            self._repair(self._reader)
            if self._has_others or not is_log:
                self._written += 1
            yield self._reader
            self._reader.execute("COMMIT")

    @contextmanager
    def _no_own_transaction(self, latest: float) -> Iterator[None]:
        """Let no transaction of our own begin within the block; one that goes on is waited for until that moment.

        One that was waited for in vain is not waited for again: a search may ask several times.
        """
        seen = self._own_transactions
        patience = 0.0 if seen == self._waited_in_vain else max(0.0, latest - time.monotonic())
        is_held = self._own_transaction.acquire(timeout=patience)
        if not is_held:
            self._waited_in_vain = seen
        try:
            yield
        finally:
            if is_held:
                self._own_transaction.release()

    def _is_whole(self, connection: sqlite3.Connection) -> bool:
        """Tell whether the tables are as we make them; a look at them is taken where SQLite counts a change of any.

        Raises:
            MemoryFileError: a newer mnemo has upgraded the file, or another application took it over.
        """
        changes: int = connection.execute("PRAGMA schema_version").fetchone()[0]
        if changes == self._whole_at:
            return True
        schema_version(connection, self.path)
        if schema.is_whole(connection):
            self._has_others = schema.has_triggers_of_others(connection, "facts", "retrieval_log")
            self._whole_at = changes  # last, for another thread may ask meanwhile
            return True
        return False

    @contextmanager
    def _repair_awaited(self) -> Iterator[None]:
        """Tell of what another program dropped where the block needs it before it could be made anew."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_ERROR or self._is_whole(self._reader):
                raise
            raise MemoryBusyError(
                f"Another program dropped or replaced tables of the memory file {self.path} and keeps it locked; they "
                "are made anew as soon as it lets go. Try again in a moment."
            ) from error

    def _repair_at_once(self) -> None:
        """Repair, unless another program writes on: a moment's write, or one of our own that is long, may be there."""
        for left in range(REPAIR_ATTEMPTS, 0, -1):
            with self.writing_at_once() as repaired:
                if repaired is not None:
                    return
            if left > 1:
                time.sleep(WRITE_PAUSE_MILLISECONDS / 1000)

    def _repair(self, connection: sqlite3.Connection) -> None:
        """Make triggers and index again, within a write transaction, where another program dropped or replaced them."""
        if not self._is_whole(connection):
            self._written += 1
            schema.repair(connection)
            rights.warn("another program had changed triggers or index of %s; they are made anew", self.path)

    @contextmanager
    def erasing(self) -> Iterator[sqlite3.Connection]:
        """Give a write transaction that overwrites what it deletes with zeros.

        Raises:
            MemoryBusyError: another program held the write lock for too long.
            MemoryFileError: the file cannot be written.
        """
        with self._write_lock, explained(self.path):
            try:
                self._writer.execute("PRAGMA secure_delete = ON")
                with self.writing() as connection:
                    yield connection
            finally:
                self._writer.execute("PRAGMA secure_delete = FAST")

    @contextmanager
    def bulk(self) -> Iterator[None]:
        """Let many large write transactions follow one another quickly: with more memory and a longer log.

        Raises:
            MemoryFileError: the file cannot be used.
        """
        settings = {"cache_size": BULK_CACHE, "wal_autocheckpoint": BULK_LOG}
        with self._write_lock, explained(self.path):
            before = {name: self._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in settings}
        try:
            self._set(settings)
            yield
        finally:
            self._set(before)
        with suppress(MemoryFileError):  # all is kept by now; a later write moves the log
            self.shorten_log()

    def _set(self, settings: Mapping[str, int]) -> None:
        with self._write_lock, explained(self.path):
            for name, value in settings.items():
                self._writer.execute(f"PRAGMA {name} = {value}")

    def rewrite(self) -> bool:
        """Write the file anew, without free pages; False where the write-ahead log could not be emptied.

        Raises:
            MemoryBusyError: another program held the write lock for too long.
            MemoryFileError: the file cannot be written.
        """
        with self._write_lock, self._read_lock, explained(self.path):
            self._writer.execute("VACUUM")
            is_busy: int = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            return not is_busy

    def shorten_log(self) -> None:
        """Move what searches left in a long write-ahead log into the file; no search waits for it.

        Raises:
            MemoryFileError: the file cannot be written.
        """
        with suppress(FileNotFoundError):
            if paths.logs(self.path)[0].stat().st_size <= LONGEST_LOG:
                return
            with self._write_lock, explained(self.path):
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close both connections; the last one to close a file empties its write-ahead log."""
        with self._write_lock, self._read_lock:
            self._reader.close()
            self._writer.close()
