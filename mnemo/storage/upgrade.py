"""What kind of file the memory file is, and its upgrade to the newest schema, before which it is copied.

Spec: fact-store.
"""

import os
import sqlite3
from pathlib import Path

from mnemo import paths, schema
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.storage.connections import LOCKED, UNTOUCHED, looking, primary_code, transaction


def refuse_strange_file(path: Path, wait_seconds: float) -> None:
    """Look at the file through a read-only connection, which leaves even its write-ahead log alone."""
    with looking(path, wait_seconds, is_used_next=True) as connection:
        schema_version(connection, path)


def schema_version(connection: sqlite3.Connection, path: Path) -> int:
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
                f"{schema.SCHEMA_VERSION}). {UNTOUCHED} Upgrade mnemo to use it; if that is done, "
                "restart the assistant."
            )
        return version
    if application or not (_is_empty(connection) or _is_fact_memory(connection)):
        raise MemoryFileError(
            f"{path} is the database of another application. {UNTOUCHED} Set MNEMO_DB to another path."
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


def upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the file to the newest schema in one transaction; one that we did not make is copied beside it first."""
    if schema_version(connection, path) == schema.SCHEMA_VERSION:
        return
    copy = None
    try:
        with transaction(connection, "IMMEDIATE"):
            version = schema_version(connection, path)  # another server may have been faster
            if version == schema.SCHEMA_VERSION:
                return
            if version == 0 and not _is_empty(connection):
                copy = paths.unused_beside(path, "before-mnemo")
                _copy(path, copy)
            schema.migrate(connection, version)
    except BaseException as error:
        if copy is not None:  # the file is as it was, and each further try would leave one more
            copy.unlink(missing_ok=True)
        if isinstance(error, sqlite3.OperationalError) and primary_code(error) in LOCKED:
            raise MemoryBusyError(
                f"The memory file {path} comes from another program or an earlier mnemo and has to be upgraded once "
                "before it can be used, searches too; another program keeps it locked just now, so nothing was "
                "changed. Let that program finish or end it, then try again: each call tries the upgrade anew."
            ) from error
        raise


def _copy(path: Path, copy: Path) -> None:
    """Copy the file as it stands to a new one, readable by its owner alone."""
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    source, target = sqlite3.connect(path), sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
