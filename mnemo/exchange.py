"""Export and import of facts: all of a memory as text, and texts of many programs into it."""

import csv
import gc
import io
import json
import os
import re
import tempfile
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, TextIO

from mnemo import importers, paths
from mnemo.derived.derive import Derived, Texts
from mnemo.derived.derivers import Derivers, processes_here
from mnemo.errors import InvalidArgumentError, MemoryFileError, UnknownNameError
from mnemo.facts import CATEGORIES
from mnemo.guard import WARN, Guard
from mnemo.importers.exported import MARK, TITLE
from mnemo.importers.records import Item, lines_of, row_name
from mnemo.memory import Memory
from mnemo.portable import PortableFact
from mnemo.storage.copying import SQLITE_MAGIC
from mnemo.succession import Said
from mnemo.transfer import BATCH, Merged, TransferStore

LONG_FILE = 2  # batches, from which on other processes are started
BATCH_CHARACTERS = 4_000_000
COLLECT_AFTER = 50_000  # objects
EXPORT_FORMATS = ("jsonl", "md", "csv")
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


# --- export ---


def export(memory: Memory, form: str = "jsonl") -> Iterator[str]:
    """Yield all facts as text of JSONL, Markdown or CSV, in an order that does not change by use, one after the other.

    What comes before the first fact, in Markdown and CSV, is yielded first. JSONL and CSV hold all that an import
    needs; they are the same in every memory that has these facts.

    Raises:
        InvalidArgumentError: there is no such format.
        MemoryFileError: the memory file cannot be used.
    """
    if form not in EXPORT_FORMATS:
        raise UnknownNameError("format", form, EXPORT_FORMATS)
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
    writer = csv.writer(buffer, lineterminator="\n")
    columns = [name for name in _ORDER if name not in ("uid", "entities")]
    heads = [[*columns, "entities", "uid"]]
    rows = ([*(getattr(fact, name) for name in columns), "; ".join(fact.entities), fact.uid] for fact in facts)
    for row in chain(heads, rows):
        writer.writerow(row)
        yield buffer.getvalue()
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


# --- import ---


@dataclass
class ImportReport:
    """What an import did: how many facts were read, and what became of them; errors and conflicts by line."""

    format: str
    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)

    def count(self, item: Item, merged: Merged) -> None:
        """Count what became of one fact."""
        if merged.outcome == "conflict" and merged.kept is not None:
            self.conflicts.append(
                {
                    "line": item.line,
                    "fact_id": merged.fact_id,
                    "won": "file" if merged.is_newer else "memory",
                    "kept": merged.kept.content,
                    "kept_updated_at": merged.kept.updated_at,
                }
            )
        else:
            setattr(self, merged.outcome, getattr(self, merged.outcome) + 1)

    def count_links(self, outcomes: Iterable[str]) -> None:
        """Count facts whose only change, after all, is that others took their place, by what was counted before."""
        silent = sum(outcome == "unchanged" for outcome in outcomes)
        self.unchanged -= silent
        self.updated += silent

    def as_dict(self) -> dict[str, Any]:
        """Return the report as an answer shows it."""
        return asdict(self)


class _Succession:
    """Which facts of a file others took the place of; known only when all of it is read."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}  # under which each fact is in the memory, by its name in the file
        self._said: dict[int, Said] = {}  # of each fact what was said last
        self._outcomes: dict[int, str] = {}  # what became of these facts

    def note(self, item: Item, merged: Merged) -> None:
        if item.fact is None:
            return
        self._ids[item.fact.uid or row_name(item.fact.fact_id or item.line)] = merged.fact_id
        newer, known = item.fact.superseded_by, self._said.get(merged.fact_id)
        if newer is None or not (newer or merged.was_superseded or known):
            return
        was_at = known.was_at if known is not None else merged.was_at
        said = Said(merged.fact_id, newer or None, item.fact.updated_at or "", was_at)
        if known is None or (said.at, said.newer is not None) >= (known.at, known.newer is not None):
            self._said[merged.fact_id] = said
        self._outcomes[merged.fact_id] = merged.outcome

    def write(self, store: TransferStore) -> list[str]:
        """Write the links and return what had become of each fact for which this is news."""
        if not self._said:
            return []
        named = (
            replace(said, newer=self._ids.get(said.newer, said.newer)) if isinstance(said.newer, str) else said
            for said in self._said.values()
        )
        return [self._outcomes[older] for older in store.link(named)]


def import_facts(
    memory: Memory,
    source: Path | bytes,
    form: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Merge the facts of a file (or of its bytes) into a memory, in batches, and report; what is wrong is left out.

    `progress` is called with the number of facts done since it was called last. The same file again changes nothing.

    Raises:
        InvalidArgumentError: the format is unknown or not that of the file.
        MemoryFileError: the file cannot be read, or the memory file cannot be used.
    """
    path = source if isinstance(source, Path) else None
    data = source if isinstance(source, bytes) else _bytes_of(source)
    chosen, items = importers.read(path, data, form)
    report = ImportReport(chosen)
    store, guard, succession = TransferStore(memory.parts.database), Guard(), _Succession()
    admitted = (_admitted(item, guard) for item in items)
    with _told(report), store.many(), _few_collections(), closing(_derived(store, _batches(admitted))) as batches:
        for batch, known in batches:
            good = [item for item in batch if item.fact is not None]
            report.errors += [{"line": item.line, "error": item.error} for item in batch if item.fact is None]
            for item, merged in zip(good, store.merge(_facts_of(batch), known), strict=True):
                report.count(item, merged)
                succession.note(item, merged)
            report.read += len(good)
            if progress is not None:
                progress(len(batch))
        report.count_links(succession.write(store))
    return report


@contextmanager
def _told(report: ImportReport) -> Iterator[None]:
    """Say of an import that fails when a part of it is done how much that is."""
    try:
        yield
    except MemoryFileError as error:
        if not report.read:
            raise
        raise MemoryFileError(
            f"The import stopped after {report.read} facts, which are kept; the same import again goes on from there. "
            f"The next part was not taken: {error}"
        ) from error


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage more rarely while many objects come that refer to nothing that refers to them."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield what is merged in one transaction: so many facts, or fewer long ones."""
    batch: list[Item] = []
    characters = 0
    for item in items:
        batch.append(item)
        characters += len(item.fact.content) if item.fact is not None else 0
        if len(batch) == BATCH or characters > BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _facts_of(batch: Sequence[Item]) -> list[PortableFact]:
    return [item.fact for item in batch if item.fact is not None]


def _derived(
    store: TransferStore, batches: Iterator[list[Item]]
) -> Generator[tuple[list[Item], Mapping[Texts, Derived]], None, None]:
    """Yield each batch with what was derived from its new facts; of a long file by other processes, beforehand."""
    first = list(islice(batches, LONG_FILE))
    processes = processes_here() if len(first) == LONG_FILE else 0
    waiting: deque[tuple[list[Item], list[Texts], Future[list[Derived]]]] = deque()
    with closing(Derivers(processes)) as derivers:
        for batch in chain(first, batches):
            texts = [fact.texts for fact in store.news(_facts_of(batch))]
            waiting.append((batch, texts, derivers.submit(texts)))
            if len(waiting) > processes:
                ready, asked, found = waiting.popleft()
                yield ready, dict(zip(asked, found.result(), strict=True))
        for ready, asked, found in waiting:
            yield ready, dict(zip(asked, found.result(), strict=True))


def _admitted(item: Item, guard: Guard) -> Item:
    """Return an item as the rule for secrets lets it in: as it is, redacted, or refused."""
    fact = item.fact
    if fact is None or guard.mode == WARN:
        return item
    try:
        texts, _ = guard.admit_texts({"content": fact.content, "summary": fact.summary, "tags": fact.tags})
    except InvalidArgumentError as error:
        return Item(item.line, error=str(error))
    return Item(item.line, fact=fact._replace(**texts))


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            head = file.read(len(SQLITE_MAGIC))
            return head if head == SQLITE_MAGIC else head + file.read()
    except OSError as error:
        raise MemoryFileError(f"{path} cannot be read: {error.strerror or error}.") from error
