"""Copies of a memory file: made whole, put in the place of another, and never met by what lay beside that."""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mnemo import paths
from mnemo.errors import MemoryBusyError
from mnemo.storage.connections import MEMORY, OTHER, Role, damaged, explained, looking, primary_code
from mnemo.storage.database import WRITE_WAIT_SECONDS

SQLITE_MAGIC = b"SQLite format 3\0"
_HEAD = 100  # bytes
_LATEST_FORMAT = 4  # of the schema


def copy_database(source: Path, target: Path, role: Role = MEMORY) -> None:
    """Copy a database consistently, also while others write to it; the target is whole or not there at all.

    The copy is readable by its owner alone. An existing target is replaced, with what SQLite kept beside it. What is
    said of the source is said of a file in its role.

    Raises:
        MemoryFileError: the source is damaged, or the copy cannot be written.
        MemoryBusyError: the source is kept locked for more than 5 seconds.
    """
    with explained(source, role), looking(source, WRITE_WAIT_SECONDS) as reader:
        _write_copy(reader, source, target)


def _write_copy(reader: sqlite3.Connection, source: Path, target: Path) -> None:
    with explained(target, OTHER):
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent)
        os.close(descriptor)
    partial = Path(name)
    try:
        with closing(sqlite3.connect(partial)) as writer:
            with _blaming(target):
                reader.backup(writer, progress=_Patience(source))
            writer.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        with explained(target, OTHER):
            move_database(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def is_database(path: Path) -> bool:
    """Tell whether a file begins as a database does.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


def move_database(source: Path, target: Path) -> None:
    """Give a database another name, with what SQLite keeps beside it; what has the name is removed in the same way.

    A log that stays where it was would be taken for the one of whatever file comes to its name, and damage that.

    Raises:
        OSError: the folder does not allow it.
    """
    for log in paths.logs(target):  # before the file comes to which they do not belong
        log.unlink(missing_ok=True)
    source.replace(target)
    for log, new in zip(paths.logs(source), paths.logs(target), strict=True):
        if log.exists():
            log.replace(new)


def remove_database(path: Path) -> None:
    """Remove a database and what SQLite keeps beside it, where they are there.

    Raises:
        OSError: the folder does not allow it.
    """
    for file in (path, *paths.logs(path)):
        file.unlink(missing_ok=True)


@contextmanager
def _blaming(target: Path) -> Iterator[None]:
    """Explain by the target of a copy what only that can be the cause of."""
    try:
        yield
    except sqlite3.Error as error:
        if primary_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            with explained(target, OTHER):
                raise
        raise


def exchange_database(source: Path, target: Path, aside: Path) -> None:
    """Put a database's content into an existing file, in place, so that programs which have it open see it.

    What the target held is copied aside first, while nobody else can write to it: what was acknowledged until then is
    in the copy, and what is later is kept in the target. The source holds more than one page, as each memory does, and
    gets pages of the target's size, which cannot be changed there.

    Raises:
        DamagedFileError: the target is damaged; it is as it was, and there is no copy.
        MemoryFileError: the target is read-only, or a disk is full; it is as it was, and there is no copy.
        MemoryBusyError: the target is kept locked for more than 5 seconds.
    """
    refuse_damaged_head(target)
    with explained(target), looking(target, WRITE_WAIT_SECONDS) as reader:
        page_size: int = reader.execute("PRAGMA page_size").fetchone()[0]
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()  # which is where a damaged head shows
    with explained(source, OTHER), closing(sqlite3.connect(source)) as writer:
        writer.execute("PRAGMA journal_mode = DELETE")
        if writer.execute("PRAGMA page_size").fetchone()[0] != page_size:
            writer.execute(f"PRAGMA page_size = {page_size}")
            writer.execute("VACUUM")
    try:
        with (
            explained(target),
            closing(sqlite3.connect(source)) as reader,
            closing(sqlite3.connect(target, timeout=WRITE_WAIT_SECONDS, isolation_level=None)) as writer,
        ):
            patience = _Patience(target, lambda: copy_database(target, aside))
            if writer.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                # Nobody can read such a file while it is overwritten: it is locked before, and copied by who locks it.
                for statement in ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "COMMIT"):
                    writer.execute(statement)
                _write_copy(writer, target, aside)
                patience = _Patience(target)
            writer.execute("PRAGMA busy_timeout = 0")
            reader.backup(writer, pages=1, progress=patience)
    except BaseException:
        remove_database(aside)
        raise


def refuse_damaged_head(path: Path) -> None:
    """Look at the few bytes of a file's head whose damage SQLite explains as something else.

    Raises:
        DamagedFileError: they are not those of any database.
        MemoryFileError: the file cannot be read.
    """
    with explained(path), path.open("rb") as file:
        head = file.read(_HEAD)
    if len(head) < _HEAD:
        return
    is_whole = head.startswith(SQLITE_MAGIC) and {head[18], head[19]} <= {1, 2} and head[47] <= _LATEST_FORMAT
    if not is_whole:
        raise damaged(path)


class _Patience:
    """Ends a copy that has not come on for 5 seconds: the copying itself would wait for ever.

    What is to be done once the first page is copied, and the target of the copy so locked for writing, it calls then.
    """

    def __init__(self, path: Path, when_locked: Callable[[], None] | None = None) -> None:
        self._path = path
        self._when_locked = when_locked
        self._left = -1
        self._since = time.monotonic()

    def __call__(self, status: int, left: int, total: int) -> None:
        if self._when_locked is not None and status == sqlite3.SQLITE_OK:
            when_locked, self._when_locked = self._when_locked, None
            when_locked()
        if left != self._left:
            self._left, self._since = left, time.monotonic()
        elif time.monotonic() - self._since > WRITE_WAIT_SECONDS:
            raise MemoryBusyError(
                f"Another program keeps {self._path} locked; nothing was changed. Try again in a moment."
            )
