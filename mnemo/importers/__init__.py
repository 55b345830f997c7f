"""Readers of what people's facts come in: each yields facts or errors, with the line where they stand.

`read` takes any of `FORMATS`, or finds out which it is. What of a file cannot be read is an error of its line.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from mnemo.errors import InvalidArgumentError, UnknownNameError
from mnemo.importers import documents, prose, records
from mnemo.importers.encodings import UNREADABLE, decoded, is_utf_16, without_unreadable
from mnemo.importers.records import Item
from mnemo.storage.copying import SQLITE_MAGIC

FORMATS = ("jsonl", "csv", "json", "server-memory", "sqlite", "mem0", "markdown", "chatgpt", "lines")
_READERS: dict[str, Callable[[str], Iterator[Item]]] = {
    "jsonl": records.read_jsonl,
    "csv": records.read_csv,
    "json": documents.read_json,
    "server-memory": documents.read_server_memory,
    "mem0": documents.read_mem0,
    "markdown": prose.read_markdown,
    "chatgpt": prose.read_chatgpt,
    "lines": prose.read_lines,
}


def read(path: Path | None, data: bytes, form: str | None = None) -> tuple[str, Iterator[Item]]:
    """Return the format of a file (of this path, if it has one, and content), and what stands in it.

    Raises:
        InvalidArgumentError: the format is unknown, or the file is not of it.
        MemoryFileError: a database cannot be read.
    """
    if form is not None and form not in FORMATS:
        raise UnknownNameError("format", form, FORMATS)
    if data.startswith(SQLITE_MAGIC) or form == "sqlite":
        if path is None or not path.is_file() or not data.startswith(SQLITE_MAGIC):
            raise InvalidArgumentError("A database is read from its file, and this is none; give the path of one")
        return "sqlite", documents.read_database(path)
    if b"\0" in data and not is_utf_16(data):
        raise InvalidArgumentError(
            "This is no text file and no memory; give a file of one of the formats that are listed"
        )
    text = decoded(data)
    chosen = form or detect(text, path.name if path is not None else "")
    found = _READERS[chosen](text)
    return chosen, without_unreadable(found) if UNREADABLE in text else found


def detect(text: str, name: str) -> str:
    """Return the format of a text, by its content first and the file's name second."""
    lines = (line.strip() for line in records.lines_of(text))
    first = next((line for line in lines if line and not records.CONFLICT_MARKER.fullmatch(line)), "")
    if first.startswith(("{", "[")):
        found = _detect_json(text, first)
        if found is not None:
            return found
    lowered = name.lower()
    columns = [records.column_name(column.strip().strip('"')) for column in first.split(records.delimiter_of(first))]
    if lowered.endswith(".csv") or ("content" in columns and len(columns) > 1):
        return "csv"
    if prose.is_markdown(text) or lowered.endswith((".md", ".mdc", ".markdown")):
        return "markdown"
    return "chatgpt" if prose.is_chatgpt(text) else "lines"


def _detect_json(text: str, first: str) -> str | None:
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        head = None
    if isinstance(head, dict) and head.get("type") in ("entity", "relation"):
        return "server-memory"
    if isinstance(head, dict) and ("content" in head or "memory" in head):
        return "jsonl" if "content" in head else "mem0"
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return "jsonl" if first.startswith("{") else None
    return documents.kind_of_json(whole) or ("jsonl" if first.startswith("{") else None)
