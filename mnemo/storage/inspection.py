"""Copies of a memory file, and its state as it stands, read without changing anything unless repair is asked for."""

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mnemo import index, schema, text
from mnemo.errors import DamagedFileError, MemoryBusyError, MemoryFileError
from mnemo.storage.connections import UNTOUCHED, explained, primary_code, read_only
from mnemo.storage.database import WRITE_WAIT_SECONDS, Database

SQLITE_MAGIC = b"SQLite format 3\0"
_HEAD = 100  # bytes
_LATEST_FORMAT = 4  # of the schema
_SHOWN_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class FileState:
    """What stands in a memory file; `problems` are SQLite's own findings, empty where it is whole."""

    application_id: int
    schema_version: int
    journal_mode: str
    facts: int
    log_entries: int
    waiting: int  # facts that are not indexed yet
    has_foreign_index: bool  # made by another version of the tokenizer, or by another program
    problems: tuple[str, ...]
    index_problems: tuple[str, ...]
    is_memory: bool  # it has a table of facts, or nothing at all

    @property
    def is_ours(self) -> bool:
        """Tell whether mnemo made or upgraded the file."""
        return self.application_id == schema.APPLICATION_ID


def has_fts5() -> bool:
    """Tell whether this Python's SQLite has the full-text search that mnemo needs."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(word)")
        except sqlite3.OperationalError:
            return False
    return True


def sqlite_version() -> str:
    """Return the version of SQLite."""
    return sqlite3.sqlite_version


def copy_database(source: Path, target: Path) -> None:
    """Copy a database consistently, also while others write to it; the target is whole or not there at all.

    The copy is readable by its owner alone. An existing target is replaced.

    Raises:
        MemoryFileError: the source is damaged, or the copy cannot be written.
        MemoryBusyError: the source is kept locked for more than 5 seconds.
    """
    with explained(target):
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent)
        os.close(descriptor)
    partial = Path(name)
    try:
        with explained(source), closing(_read_only(source)) as reader, closing(sqlite3.connect(partial)) as writer:
            with _blaming(target):
                reader.backup(writer, progress=_Patience(source))
            writer.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        with explained(target):
            partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def _blaming(target: Path) -> Iterator[None]:
    """Explain by the target of a copy what only that can be the cause of."""
    try:
        yield
    except sqlite3.Error as error:
        if primary_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            with explained(target):
                raise
        raise


def overwrite_database(source: Path, target: Path) -> None:
    """Put a database's content into an existing file, in place, so that programs which have it open see it.

    The source gets pages of the target's size, which cannot be changed there.

    Raises:
        DamagedFileError: the target is damaged; it is as it was.
        MemoryFileError: the target is read-only, or its disk is full; it is as it was.
        MemoryBusyError: the target is kept locked for more than 5 seconds.
    """
    refuse_damaged_head(target)
    with explained(target), closing(_read_only(target)) as reader:
        page_size: int = reader.execute("PRAGMA page_size").fetchone()[0]
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()  # which is where a damaged head shows
    with explained(source), closing(sqlite3.connect(source)) as writer:
        writer.execute("PRAGMA journal_mode = DELETE")
        if writer.execute("PRAGMA page_size").fetchone()[0] != page_size:
            writer.execute(f"PRAGMA page_size = {page_size}")
            writer.execute("VACUUM")
    with (
        explained(target),
        closing(_read_only(source)) as reader,
        closing(sqlite3.connect(target, timeout=0)) as writer,
    ):
        reader.backup(writer, progress=_Patience(target))


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
    is_database = head.startswith(SQLITE_MAGIC) and {head[18], head[19]} <= {1, 2} and head[47] <= _LATEST_FORMAT
    if not is_database:
        raise DamagedFileError(f"The memory file {path} is damaged or no SQLite database. {UNTOUCHED}")


class _Patience:
    """Ends a copy that has not come on for 5 seconds: the copying itself would wait for ever."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = -1
        self._since = time.monotonic()

    def __call__(self, status: int, left: int, total: int) -> None:
        if left != self._left:
            self._left, self._since = left, time.monotonic()
        elif time.monotonic() - self._since > WRITE_WAIT_SECONDS:
            raise MemoryBusyError(
                f"Another program keeps {self._path} locked; nothing was changed. Try again in a moment."
            )


def _read_only(path: Path) -> sqlite3.Connection:
    return read_only(path, WRITE_WAIT_SECONDS)


def problems_of(path: Path) -> list[str]:
    """Return what SQLite finds wrong with a file, at most 5 findings; none where it is whole.

    Raises:
        MemoryBusyError: the file is locked.
    """
    try:
        with explained(path), closing(_read_only(path)) as connection:
            return _problems(connection)
    except MemoryBusyError:
        raise
    except MemoryFileError as error:
        return [str(error)]


def _problems(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(f"PRAGMA integrity_check({_SHOWN_PROBLEMS})").fetchall()
    return [row[0] for row in rows if row[0] != "ok"]


def look(path: Path) -> FileState:
    """Return the state of a memory file, which is only read.

    Raises:
        MemoryFileError: the file cannot be read, or is damaged beyond reading.
    """
    with explained(path), closing(_read_only(path)) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        application, version, mode = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version", "journal_mode")
        )
        is_indexed = "index_state" in tables
        return FileState(
            application,
            version,
            mode,
            _count(connection, "facts", tables),
            _count(connection, "retrieval_log", tables),
            _count(connection, "index_notes", tables),
            not is_indexed
            or connection.execute("SELECT tokenizer FROM index_state").fetchone()[0] != text.TOKENIZER_VERSION,
            tuple(_problems(connection)),
            tuple(_index_problems(connection) if is_indexed else ()),
            "facts" in tables or not tables,
        )


def _count(connection: sqlite3.Connection, table: str, tables: set[str]) -> int:
    if table not in tables:
        return 0
    count: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return count


def _index_problems(connection: sqlite3.Connection) -> list[str]:
    """Compare the index with the table, but for the facts that are noted as not indexed yet."""
    missing, extra, unsearchable = connection.execute(
        "SELECT (SELECT count(*) FROM facts WHERE fact_id NOT IN (SELECT fact_id FROM index_documents) "
        "AND fact_id NOT IN (SELECT fact_id FROM index_notes)), "
        "(SELECT count(*) FROM index_documents WHERE fact_id NOT IN (SELECT fact_id FROM facts) "
        "AND fact_id NOT IN (SELECT fact_id FROM index_notes)), "
        "(SELECT count(*) FROM index_documents WHERE fact_id NOT IN (SELECT rowid FROM facts_fts))"
    ).fetchone()
    found = []
    if missing or unsearchable:
        found.append(f"{missing + unsearchable} facts are not in the index")
    if extra:
        found.append(f"{extra} entries of the index have no fact")
    return found


def rebuild_index(path: Path) -> None:
    """Build the index of a memory file anew from its facts.

    Raises:
        MemoryFileError: the file cannot be written.
    """
    with closing(Database(path)) as database, database.writing() as connection:
        schema.empty_index(connection, text.TOKENIZER_VERSION)
        index.refresh(connection)
