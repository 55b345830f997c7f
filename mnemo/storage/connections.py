"""Connections to the memory file: their settings, their transactions, and errors that say what to do."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path

from mnemo import paths
from mnemo.errors import DamagedFileError, MemoryBusyError, MemoryFileError
from mnemo.facts import has_tags

WRITE_PAUSE_MILLISECONDS = 5
READ_WAIT_SECONDS = 5.0
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
UNTOUCHED = "The file is left as it is."
_WAL_ATTEMPTS = 50
_WAL_PAUSE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Role:
    """What a file is to who asks for something: how it is named, and what helps where it cannot be used."""

    title: str  # before the path
    place: str
    if_damaged: str


MEMORY = Role(
    "the memory file ",
    "the path (MNEMO_DB)",
    "Restore a copy, or move the file away to start with an empty memory.",
)
OTHER = Role("", "the path", "Give another file.")  # a copy, or what is imported


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """Run the block in a transaction of this kind, `DEFERRED` or `IMMEDIATE`."""
    with undone_on_error(connection):
        connection.execute(f"BEGIN {kind}")
        yield
        connection.execute("COMMIT")


@contextmanager
def write_transaction(
    connection: sqlite3.Connection, wait_milliseconds: int, held: AbstractContextManager[object]
) -> Iterator[None]:
    """Run the block in a transaction that writes, waiting for others at an even pace.

    SQLite's own pauses grow, so that the last to come would be the first. `held` is entered before each attempt and
    left after it, or, where the transaction begins, after its end.
    """
    with ExitStack() as after_end, undone_on_error(connection):
        for left in range(wait_milliseconds // WRITE_PAUSE_MILLISECONDS, -1, -1):
            after_end.enter_context(held)
            try:
                begin_at_once(connection, wait_milliseconds)
                break
            except sqlite3.OperationalError as error:
                if not left or primary_code(error) not in LOCKED:
                    raise
            after_end.close()  # nobody waits for us while we wait for others
            time.sleep(WRITE_PAUSE_MILLISECONDS / 1000)
        yield
        connection.execute("COMMIT")


def begin_at_once(connection: sqlite3.Connection, wait_milliseconds: int) -> None:
    """Begin to write, or fail at once where another connection writes; all else waits as long as it did."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {wait_milliseconds}")


@contextmanager
def undone_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Leave no transaction of the block open, and nothing of it done, where the block raises or is interrupted."""
    is_of_others = connection.in_transaction
    try:
        yield
    except BaseException:
        if connection.in_transaction and not is_of_others:
            connection.execute("ROLLBACK")
        raise


def expect_one(cursor: sqlite3.Cursor) -> None:
    """Make sure that a statement wrote the one fact that it was to write.

    Raises:
        MemoryFileError: another program's trigger kept it from that, without an error.
    """
    if cursor.rowcount != 1:
        raise refused_by_trigger()


def refused_by_trigger() -> MemoryFileError:
    """Return the error for a fact that another program's trigger keeps as it is."""
    return MemoryFileError(
        "A trigger of another program on the table of facts keeps a fact from being added, changed or removed; "
        "nothing was changed. Ask that program, or drop its trigger."
    )


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code: the low byte of the extended one, 0 if there is none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


@contextmanager
def explained(path: Path, role: Role = MEMORY) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into errors that say what to do about a file in its role.

    Raises:
        MemoryBusyError: another program holds a lock.
        DamagedFileError: it is damaged, or no database.
        MemoryFileError: anything else that the file or its folder does not allow.
    """
    within, file = f"{role.title}{path}", f"{role.title.capitalize()}{path}"
    try:
        yield
    except sqlite3.Error as error:
        code = primary_code(error)
        if code in LOCKED:
            raise MemoryBusyError(
                f"Another program keeps {within} locked; nothing was changed. Try again in a moment."
            ) from error
        if code in DAMAGED:
            raise damaged(path, role) from error
        raise MemoryFileError(_file_problem(code, path, role, error)) from error
    except OSError as error:
        raise MemoryFileError(
            f"{file} cannot be used: {error.strerror or error}. Check {role.place}, its folder and their permissions."
        ) from error


def damaged(path: Path, role: Role = MEMORY) -> DamagedFileError:
    """Return the error that says of a file in its role that it is damaged, and what to do."""
    file = f"{role.title.capitalize()}{path}"
    return DamagedFileError(f"{file} is damaged or no SQLite database. {UNTOUCHED} {role.if_damaged}")


def _file_problem(code: int, path: Path, role: Role, error: sqlite3.Error) -> str:
    within, file = f"{role.title}{path}", f"{role.title.capitalize()}{path}"
    if code == sqlite3.SQLITE_READONLY:
        return f"{file} is read-only; make the file and its folder writable."
    if code == sqlite3.SQLITE_FULL:
        return f"The disk that holds {within} is full; nothing was changed. Free some and try again."
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return f"{file} cannot be opened; check {role.place}, its folder and their permissions."
    if code == sqlite3.SQLITE_IOERR:
        return f"The disk that holds {within} reports an error; check the disk, then try again."
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return f"{file} does not take this: its tables are not a memory's ({name}). {UNTOUCHED}"


# A text of the file; what another program encoded badly shows as U+FFFD instead of failing the answer.
any_text: Callable[[bytes], str] = methodcaller("decode", "utf-8", "replace")


def read_only(path: Path, wait_seconds: float = READ_WAIT_SECONDS) -> sqlite3.Connection:
    """Open a file to look at it: nothing of it is changed, not even its write-ahead log.

    Where that is not there yet, SQLite makes an empty one, and leaves it.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=wait_seconds)
    connection.text_factory = any_text
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


@contextmanager
def looking(
    path: Path, wait_seconds: float = READ_WAIT_SECONDS, *, is_used_next: bool = False
) -> Iterator[sqlite3.Connection]:
    """Give a connection that only reads; afterwards nothing lies beside the file that was not there before.

    That is so unless another program has come to use the file, or it is not ours to write. With `is_used_next`, what is
    left is tidied up only where the block raises.
    """
    log = paths.logs(path)[0]
    had_log, stays = log.exists(), False
    try:
        with closing(read_only(path, wait_seconds)) as connection:
            yield connection
        stays = is_used_next
    finally:
        if not (had_log or stays):
            with suppress(sqlite3.Error, OSError):  # what is left is empty, and harms nobody
                _take_away_empty(log, path)


def _take_away_empty(log: Path, path: Path) -> None:
    """Let SQLite remove an empty write-ahead log: who may write does on closing, unless others have the file open."""
    if log.exists() and not log.stat().st_size and os.access(path, os.W_OK):
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()


def connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """Open the file for use by any thread, one at a time, with the settings and functions that our SQL needs."""
    connection = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None, check_same_thread=False)
    connection.text_factory = any_text
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "secure_delete = FAST"):
        connection.execute(f"PRAGMA {setting}")
    connection.create_function("has_tags", 2, _has_tags, deterministic=True)
    return connection


def _has_tags(tags: bytes | None, wanted: str) -> bool:
    return has_tags(any_text(tags or b""), wanted)


def enter_wal(connection: sqlite3.Connection) -> bool:
    """Switch the file to write-ahead logging; False where its file system or another program does not let us."""
    for _ in range(_WAL_ATTEMPTS):
        try:
            return bool(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:
            if primary_code(error) not in LOCKED:
                raise
            time.sleep(_WAL_PAUSE_SECONDS)  # the busy handler is not asked for a change of the journal mode
    return False
