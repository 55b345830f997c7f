"""The state of a memory file as it stands, read without changing anything; and its index, built anew."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from mnemo import index, schema, text
from mnemo.storage.connections import explained, looking
from mnemo.storage.database import WRITE_WAIT_SECONDS, Database

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


def _problems(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(f"PRAGMA integrity_check({_SHOWN_PROBLEMS})").fetchall()
    return [row[0] for row in rows if row[0] != "ok"]


def look(path: Path) -> FileState:
    """Return the state of a memory file, which is only read.

    Raises:
        DamagedFileError: the file is damaged beyond reading.
        MemoryFileError: the file cannot be read.
        MemoryBusyError: the file is kept locked for more than 5 seconds.
    """
    with explained(path), looking(path, WRITE_WAIT_SECONDS) as connection:
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
            or connection.execute("SELECT tokenizer FROM index_state").fetchone() != (text.TOKENIZER_VERSION,),
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
