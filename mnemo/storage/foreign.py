"""The rows of a memory file that stays another's: read once, as they are, and never written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnemo.errors import MemoryFileError
from mnemo.storage.connections import OTHER, explained, looking

_ROWS = 500  # fetched at a time


def read_database_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the facts of another memory's file, each as a dict of the columns that it has; the file is only read.

    Raises:
        MemoryFileError: the file cannot be read, or has no table of facts.
    """
    with explained(path, OTHER), looking(path) as connection:
        columns = {row[0] for row in connection.execute("SELECT name FROM pragma_table_info('facts')")}
        if "content" not in columns:
            raise MemoryFileError(f"{path} has no table of facts; it is the database of another kind of program.")
        cursor = connection.execute("SELECT * FROM facts ORDER BY rowid")
        names = [column[0] for column in cursor.description]
        while rows := cursor.fetchmany(_ROWS):
            for row in rows:
                yield dict(zip(names, row, strict=True))
