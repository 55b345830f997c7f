"""All facts of a memory as text of a format, and texts into a file, whole or not at all."""

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import Any, TextIO

from mnemo import paths
from mnemo.errors import InvalidArgumentError, MemoryFileError, UnknownNameError
from mnemo.facts import CATEGORIES
from mnemo.importers.exported import MARK, TITLE
from mnemo.importers.records import lines_of
from mnemo.memory import Memory
from mnemo.portable import PortableFact
from mnemo.transfer import TransferStore

FORMATS = ("jsonl", "md", "csv")
HEADED = ("md", "csv")  # of these, what is yielded first is no fact
_ORDER = [
    "uid",
    "fact_id",
    "content",
    "summary",
    "category",
    "tags",
    "trust_score",
    "retrieval_count",
    "helpful_count",
    "last_retrieved_at",
    "created_at",
    "updated_at",
    "expires_at",
    "superseded_by",
    "entities",
]


def export(memory: Memory, form: str = "jsonl") -> Iterator[str]:
    """Yield all facts as text of JSONL, Markdown or CSV, in an order that does not change by use, one after the other.

    What comes before the first fact, in Markdown and CSV, is yielded first. JSONL and CSV hold all that an import
    needs; they are the same in every memory that has these facts.

    Raises:
        InvalidArgumentError: there is no such format.
        MemoryFileError: the memory file cannot be used.
    """
    if form not in FORMATS:
        raise UnknownNameError("format", form, FORMATS)
    store = TransferStore(memory.parts.database)
    if form == "md":
        yield from _markdown(store)
    else:
        versions: list[tuple[str | None, str]] = []
        facts = _noted(store, versions)
        yield from _csv(facts) if form == "csv" else map(_json_line, facts)
        store.note_synced(versions)


def export_records(memory: Memory, *, kept: bool = False) -> list[dict[str, Any]]:
    """Return all facts, or the versions that imports did not take, as the objects that stand in the lines of JSONL.

    Raises:
        MemoryFileError: the memory file cannot be used.
    """
    return [json.loads(line) for line in (export_kept(memory) if kept else export(memory))]


def export_kept(memory: Memory) -> Iterator[str]:
    """Yield the versions of facts that imports overwrote or did not take, as lines of JSONL, newest first.

    Raises:
        MemoryFileError: the memory file cannot be used.
    """
    for version in TransferStore(memory.parts.database).kept_versions():
        yield json.dumps(version, ensure_ascii=False) + "\n"


def _noted(store: TransferStore, versions: list[tuple[str | None, str]]) -> Iterator[PortableFact]:
    """Yield every fact, and note which version of it that was."""
    for fact in store.named_facts():
        versions.append((fact.uid, fact.digest))
        yield fact


def _json_line(fact: PortableFact) -> str:
    values = fact._asdict() | {"expires_at": fact.expires_at or None, "superseded_by": fact.superseded_by or None}
    return json.dumps({name: values[name] for name in _ORDER}, ensure_ascii=False) + "\n"


def _csv(facts: Iterator[PortableFact]) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")  # so that a field with either of them is quoted
    columns = [name for name in _ORDER if name not in ("uid", "entities")]
    heads = [[*columns, "entities", "uid"]]
    rows = ([*(getattr(fact, name) for name in columns), "; ".join(fact.entities), fact.uid] for fact in facts)
    for row in chain(heads, rows):
        writer.writerow(row)
        yield buffer.getvalue().removesuffix("\r\n") + "\n"
        buffer.seek(0)
        buffer.truncate()


_LOOKS_SUMMARISED = re.compile(r"\n  - summary:[^\n]*\Z")  # what a content may end in as well
_CODE_AT_END = re.compile(r"(?<=\S)  +(?=`[^\n]+`\Z)")  # where tags would stand


def _markdown(store: TransferStore) -> Iterator[str]:
    rank = {category: number for number, category in enumerate(CATEGORIES)}
    facts = sorted(store.facts(), key=lambda fact: (rank.get(fact.category, len(rank)), fact.category))
    yield f"{TITLE}\n\n{MARK}\n"
    for category, group in groupby(facts, key=lambda fact: fact.category):
        heading = f"\n## {' '.join(category.split())}\n\n"
        for fact in group:
            yield heading + _bullet(fact)
            heading = ""


def _bullet(fact: PortableFact) -> str:
    said = "- " + "\n  ".join(lines_of(fact.content)).rstrip()
    tags = f"  `{fact.tags}`" if fact.tags else ""
    summary = ""
    if fact.summary or _LOOKS_SUMMARISED.search(said):
        summary = f"  - summary: {' '.join((fact.summary or '').split())}".rstrip() + "\n"
    return f"{said if tags else _CODE_AT_END.sub(' ', said)}{tags}\n{summary}"


def write_file(path: Path, texts: Iterator[str], memory_path: Path | None = None) -> int:
    """Write texts to a file that only its owner can read, whole or not at all; return how many there were.

    What a link leads to is written, and a pipe or a device is written to.

    Raises:
        InvalidArgumentError: the file is the memory's own.
        MemoryFileError: the file cannot be written.
    """
    if memory_path is not None and paths.is_part_of(path, memory_path):
        raise InvalidArgumentError("The export must be another file than the memory itself")
    try:
        target = Path(os.path.realpath(path))  # also where links lead in a circle
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                return _write(stream, texts)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise MemoryFileError(f"{path} cannot be written: {error.strerror}; check its folder.") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            count = _write(file, texts)
        Path(name).replace(target)
    except OSError as error:
        raise MemoryFileError(f"{path} cannot be written: {error.strerror}; check the disk.") from error
    finally:
        Path(name).unlink(missing_ok=True)
    return count


def _write(file: TextIO, texts: Iterator[str]) -> int:
    count = 0
    for text in texts:
        file.write(text)
        count += 1
    return count
