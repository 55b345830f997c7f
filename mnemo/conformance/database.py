"""The public file from outside: build it, query it, and move all its times into the past."""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from mnemo.conformance.driver import STORED_TIME_SHAPE, DriverError, Statement, as_moment, as_text

LOCK_SECONDS = 10.0
_LIKE_A_TIME = "____-__-__ __:__:__"


def build_file(path: Path, statements: Sequence[Statement]) -> None:
    """Make the file as another program would have, before any server has seen it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement, parameters in statements:
            connection.execute(statement, tuple(parameters))


def query_file(path: Path, statement: str, parameters: Sequence[Any] = ()) -> list[list[Any]]:
    """Run one statement on the file and return its rows; wait up to 10 seconds while another program writes.

    Raises:
        DriverError: the file does not exist, or SQLite refuses the statement.
    """
    try:
        with closing(_open(path)) as connection, connection:
            return [list(row) for row in connection.execute(statement, tuple(parameters))]
    except sqlite3.Error as error:
        raise DriverError(f"the file {path} answers {statement!r} with: {error}") from error


def lock_file(path: Path, seconds: float) -> Callable[[], None]:
    """Keep all others from writing to the file, as a program in a long transaction does; return what ends that.

    It ends by itself after `seconds`, so that a server which waits for the lock is told from one that says so.
    """
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(seconds, connection.close)
    timer.daemon = True
    timer.start()

    def release() -> None:
        timer.cancel()
        connection.close()

    return release


def shift_times(path: Path, past: timedelta) -> None:
    """Move every stored time of every table back, which is to the server as if that much time had passed."""
    with closing(_open(path)) as connection, connection:
        connection.create_function("moved_back", 1, lambda text: _moved_back(text, past), deterministic=True)
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        virtual = [name for name, sql in tables if (sql or "").upper().startswith("CREATE VIRTUAL")]
        for table, _ in tables:
            # A full-text table and the tables that belong to it hold words, no times.
            if table.startswith("sqlite_") or any(table == name or table.startswith(f"{name}_") for name in virtual):
                continue
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")]
            for column in map(_quoted, columns):
                connection.execute(
                    f"UPDATE {_quoted(table)} SET {column} = moved_back({column}) "  # noqa: S608 - quoted names
                    f"WHERE typeof({column}) = 'text' AND {column} LIKE '{_LIKE_A_TIME}'"
                )


def _open(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise DriverError(f"the memory file {path} does not exist; the server has not made it")
    return sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_SECONDS)


def _moved_back(text: str, past: timedelta) -> str:
    return as_text(as_moment(text) - past) if STORED_TIME_SHAPE.fullmatch(text) else text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
