"""Open the memory file: what kind of file it is, its connections, their settings, locks and errors."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from operator import methodcaller
from pathlib import Path

from mnemo import clock, rights, schema
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.facts import has_tag

WRITE_WAIT_SECONDS = 5.0
WRITE_PAUSE_MILLISECONDS = 5
UPGRADE_WAIT_SECONDS = 2.0  # for the lock that an upgrade needs: the next call tries again, so no answer waits longer
OWN_WRITE_SECONDS = 1.0  # our own transactions are short; a search may wait for one, never for another program's
BULK_CACHE = -65_536  # KiB; SQLite counts pages in positive numbers
BULK_LOG = 8_000  # pages
LONGEST_LOG = 4 << 20  # bytes of the write-ahead log that searches may leave before it is shortened
_WAL_ATTEMPTS = 50
_WAL_PAUSE_SECONDS = 0.02
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNTOUCHED = "The file is left as it is."


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
        self._reading_thread: int | None = None
        self._settled_at = -1  # SQLite's count of other connections' commits
        self._rereading_thread: int | None = None
        self._whole_at = -1  # SQLite's count of schema changes when all was last seen as we make it
        with explained(path):
            rights.create_private(path)
            _refuse_strange_file(path, min(wait_seconds, UPGRADE_WAIT_SECONDS))
            rights.take_from_others(path)
            self._writer = _connect(path, wait_seconds)
            try:
                self._writer.execute(f"PRAGMA busy_timeout = {int(min(wait_seconds, UPGRADE_WAIT_SECONDS) * 1000)}")
                _upgrade(self._writer, path)
                self._writer.execute(f"PRAGMA busy_timeout = {self._wait_milliseconds}")
                self.has_wal = _enter_wal(self._writer)
                self._writer.execute("PRAGMA synchronous = FULL")
                self._reader = _connect(path, wait_seconds)
                self._reader.execute(f"PRAGMA synchronous = {'NORMAL' if self.has_wal else 'FULL'}")
                self._reader.execute("PRAGMA wal_autocheckpoint = 0")  # it would let a search wait for the disk
            except BaseException:
                self._writer.close()
                raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the writer within one transaction: all of it is kept, or nothing if the block raises.

        Raises:
            MemoryBusyError: another program held the write lock for longer than `wait_seconds` (5 seconds).
            MemoryFileError: the file cannot be written.
        """
        with (
            self._write_lock,
            explained(self.path),
            ExitStack() as after_commit,
            _write_transaction(self._writer, self._wait_milliseconds),
        ):
            after_commit.enter_context(self._own_transaction)
            self._repair(self._writer)
            yield self._writer

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the reader within one transaction, so that all its queries see the same state.

        Within another such block of the same thread it is the transaction of that one.

        Raises:
            MemoryFileError: the file cannot be read.
        """
        if self._rereading_thread == threading.get_ident():
            yield self._writer
            return
        with self._read_lock, explained(self.path):
            if self.is_reading:
                yield self._reader
                return
            if not self._is_whole(self._reader):
                with self.writing_at_once():  # which repairs, unless another program writes just now
                    pass
            with _transaction(self._reader, "DEFERRED"):
                self._reading_thread = threading.get_ident()
                try:
                    yield self._reader
                finally:
                    self._reading_thread = None

    def is_settled(self) -> bool:
        """Tell, without waiting, that no other connection has written since this was last asked.

        Raises:
            MemoryFileError: the file cannot be read.
        """
        if not (self.has_wal and self._read_lock.acquire(blocking=False)):
            return False
        try:
            with explained(self.path):
                before, self._settled_at = self._settled_at, self._reader.execute("PRAGMA data_version").fetchone()[0]
        finally:
            self._read_lock.release()
        return bool(before == self._settled_at)

    @contextmanager
    def rereading(self) -> Iterator[sqlite3.Connection]:
        """Give what `reading` gives, but of the writer: right after a write it has at hand what the reader would fetch.

        Within the block, `reading` of the same thread is this transaction. It waits for our own writes in other threads.

        Raises:
            MemoryFileError: the file cannot be read.
        """
        with self._write_lock, explained(self.path), _transaction(self._writer, "DEFERRED"):
            self._rereading_thread = threading.get_ident()
            try:
                yield self._writer
            finally:
                self._rereading_thread = None

    @property
    def is_reading(self) -> bool:
        """Tell whether the thread that asks is within a block of `reading` or `rereading`."""
        return threading.get_ident() in (self._reading_thread, self._rereading_thread)

    @contextmanager
    def writing_at_once(self) -> Iterator[sqlite3.Connection | None]:
        """Give the reader within a write transaction, or None where another program writes: that is never waited for.

        A transaction of our own, such as learning at start-up, is waited for up to a second.

        Raises:
            MemoryFileError: the file cannot be written.
        """
        if self._own_transaction.acquire(timeout=OWN_WRITE_SECONDS):
            self._own_transaction.release()
        with self._read_lock, explained(self.path):
            self._reader.execute("PRAGMA busy_timeout = 0")
            try:
                self._reader.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if _primary_code(error) not in _LOCKED:
                    raise
                yield None
                return
            finally:
                self._reader.execute(f"PRAGMA busy_timeout = {self._wait_milliseconds}")
            with _ending(self._reader):
                self._repair(self._reader)
                yield self._reader

    def _is_whole(self, connection: sqlite3.Connection) -> bool:
        changes: int = connection.execute("PRAGMA schema_version").fetchone()[0]
        if changes != self._whole_at and schema.is_whole(connection):
            self._whole_at = changes
        return changes == self._whole_at

    def _repair(self, connection: sqlite3.Connection) -> None:
        """Make triggers and index again, within a write transaction, where another program dropped or replaced them."""
        if not self._is_whole(connection):
            schema.repair(connection)
            rights.warn("another program had changed triggers or index of %s; they are made anew", self.path)

    @contextmanager
    def erasing(self) -> Iterator[sqlite3.Connection]:
        """Give a write transaction that overwrites what it deletes with zeros.

        Raises:
            MemoryBusyError: another program held the write lock for too long.
            MemoryFileError: the file cannot be written.
        """
        with self._write_lock:
            self._writer.execute("PRAGMA secure_delete = ON")
            try:
                with self.writing() as connection:
                    yield connection
            finally:
                self._writer.execute("PRAGMA secure_delete = OFF")

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
        log = self.path.with_name(self.path.name + "-wal")
        if log.exists() and log.stat().st_size > LONGEST_LOG:
            with self._write_lock, explained(self.path):
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close both connections; the last one to close a file empties its write-ahead log."""
        with self._write_lock, self._read_lock:
            self._reader.close()
            self._writer.close()


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    with _ending(connection):
        yield


@contextmanager
def _write_transaction(connection: sqlite3.Connection, wait_milliseconds: int) -> Iterator[None]:
    """Begin to write, waiting at an even pace: SQLite's pauses grow, so that the last to come would be the first."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        for left in range(wait_milliseconds // WRITE_PAUSE_MILLISECONDS, -1, -1):
            try:
                connection.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as error:
                if not left or _primary_code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
            time.sleep(WRITE_PAUSE_MILLISECONDS / 1000)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {wait_milliseconds}")
    with _ending(connection):
        yield


@contextmanager
def _ending(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code: the low byte of the extended one, 0 if there is none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into errors that say what to do.

    Raises:
        MemoryBusyError: another program holds a lock.
        MemoryFileError: anything else that the file or its folder does not allow.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = _primary_code(error)
        if code in _LOCKED:
            raise MemoryBusyError(
                f"Another program keeps the memory file {path} locked; nothing was changed. Try again in a moment."
            ) from error
        raise MemoryFileError(_file_problem(code, path, error)) from error
    except OSError as error:
        raise MemoryFileError(
            f"The memory file {path} cannot be used: {error.strerror or error}. "
            "Check the path (MNEMO_DB), its folder and their permissions."
        ) from error


def _file_problem(code: int, path: Path, error: sqlite3.Error) -> str:
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return (
            f"The memory file {path} is damaged or no SQLite database. {_UNTOUCHED} "
            "Restore a copy, or move the file away to start with an empty memory."
        )
    if code == sqlite3.SQLITE_READONLY:
        return f"The memory file {path} is read-only; make the file and its folder writable."
    if code == sqlite3.SQLITE_FULL:
        return f"The disk that holds the memory file {path} is full; nothing was changed. Free some and try again."
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return f"The memory file {path} cannot be opened; check the path (MNEMO_DB), its folder and their permissions."
    if code == sqlite3.SQLITE_IOERR:
        return f"The disk that holds the memory file {path} reports an error; check the disk, then try again."
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return f"The memory file {path} does not take this: its tables are not a memory's ({name}). {_UNTOUCHED}"


# A text of the file; what another program encoded badly shows as U+FFFD instead of failing the answer.
any_text: Callable[[bytes], str] = methodcaller("decode", "utf-8", "replace")


def _connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None, check_same_thread=False)
    connection.text_factory = any_text
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "secure_delete = FAST"):
        connection.execute(f"PRAGMA {setting}")
    connection.create_function("has_tag", 2, _has_tag, deterministic=True)
    return connection


def _has_tag(tags: bytes | None, wanted: str) -> bool:
    return has_tag(any_text(tags or b""), wanted)


def _enter_wal(connection: sqlite3.Connection) -> bool:
    """Switch the file to write-ahead logging; False where its file system or another program does not let us."""
    for _ in range(_WAL_ATTEMPTS):
        try:
            return bool(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:
            if _primary_code(error) not in _LOCKED:
                raise
            time.sleep(_WAL_PAUSE_SECONDS)  # the busy handler is not asked for a change of the journal mode
    return False


def _refuse_strange_file(path: Path, wait_seconds: float) -> None:
    """Look at the file through a read-only connection, which leaves even its write-ahead log alone."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=wait_seconds)
    connection.text_factory = any_text
    try:
        _schema_version(connection, path)
    finally:
        connection.close()


def _schema_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the file's schema: 0 for an empty file or one of the original program.

    Raises:
        MemoryFileError: the file is newer than this program, or belongs to another application.
    """
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if application == schema.APPLICATION_ID:
        if version > schema.SCHEMA_VERSION:
            raise MemoryFileError(
                f"The memory file {path} was written by a newer mnemo (schema {version}, this one knows "
                f"{schema.SCHEMA_VERSION}). {_UNTOUCHED} Upgrade mnemo to use it."
            )
        return version
    if application or not (_is_empty(connection) or _is_fact_memory(connection)):
        raise MemoryFileError(
            f"{path} is the database of another application. {_UNTOUCHED} Set MNEMO_DB to another path."
        )
    return 0


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _is_fact_memory(connection: sqlite3.Connection) -> bool:
    row = connection.execute(
        "SELECT count(*) FROM sqlite_master, pragma_table_info('facts') AS c "
        "WHERE sqlite_master.type = 'table' AND sqlite_master.name = 'facts' AND c.name IN ('fact_id', 'content')"
    ).fetchone()
    return bool(row[0] == 2)


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the file to the newest schema in one transaction; one that we did not make is copied beside it first."""
    if _schema_version(connection, path) == schema.SCHEMA_VERSION:
        return
    copy = None
    try:
        with _transaction(connection, "IMMEDIATE"):
            version = _schema_version(connection, path)  # another server may have been faster
            if version == schema.SCHEMA_VERSION:
                return
            if version == 0 and not _is_empty(connection):
                copy = _name_beside(path)
                _copy(path, copy)
            schema.migrate(connection, version)
    except BaseException as error:
        if copy is not None:  # the file is as it was, and each further try would leave one more
            copy.unlink(missing_ok=True)
        if isinstance(error, sqlite3.OperationalError) and _primary_code(error) in _LOCKED:
            raise MemoryBusyError(
                f"The memory file {path} comes from another program or an earlier mnemo and has to be upgraded once "
                "before it can be used, searches too; another program keeps it locked just now, so nothing was "
                "changed. Let that program finish or end it, then try again: each call tries the upgrade anew."
            ) from error
        raise


def _name_beside(path: Path) -> Path:
    stamp = clock.now().strftime("%Y%m%d-%H%M%S")
    copy = path.with_name(f"{path.name}.before-mnemo-{stamp}")
    number = 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.name}.before-mnemo-{stamp}-{number}")
    return copy


def _copy(path: Path, copy: Path) -> None:
    """Copy the file as it stands to a new one, readable by its owner alone."""
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    source, target = sqlite3.connect(path), sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
