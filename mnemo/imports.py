"""Facts of a file into a memory: merged in batches, with a report of what became of each."""

import gc
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from mnemo import importers
from mnemo.derived.derive import Derived, Texts
from mnemo.derived.derivers import Derivers, processes_here
from mnemo.errors import InvalidArgumentError, MemoryFileError
from mnemo.guard import WARN, Guard
from mnemo.importers.records import Item, row_name
from mnemo.memory import Memory
from mnemo.portable import PortableFact
from mnemo.storage.copying import SQLITE_MAGIC
from mnemo.succession import Said
from mnemo.transfer import BATCH, NOT_TAKEN, Merged, TransferStore

LONG_FILE = 2  # batches, from which on other processes are started
BATCH_CHARACTERS = 4_000_000
COLLECT_AFTER = 50_000  # objects


@dataclass
class ImportReport:
    """What an import did: how many facts were read, and what became of them; errors and conflicts by line.

    `read` is the sum of the four numbers below it. `not_taken` counts facts of which the memory keeps a version of its
    own; those among them that other memories were not known to have are conflicts too. `passed_over` holds the lines
    where paragraphs and tables of a Markdown file begin, which are no facts.
    """

    format: str
    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    not_taken: int = 0
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    passed_over: list[int] = field(default_factory=list)

    def count(self, item: Item, merged: Merged) -> None:
        """Count what became of one fact, and report what was kept of it."""
        setattr(self, merged.outcome, getattr(self, merged.outcome) + 1)
        if merged.kept is not None:
            self.conflicts.append(
                {
                    "line": item.line,
                    "fact_id": merged.fact_id,
                    "won": "memory" if merged.outcome == NOT_TAKEN else "file",
                    "kept": merged.kept.content,
                    "kept_updated_at": merged.kept.updated_at,
                }
            )

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
            report.errors += [{"line": item.line, "error": item.error} for item in batch if item.error is not None]
            report.passed_over += [item.line for item in batch if item.is_passed_over]
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
