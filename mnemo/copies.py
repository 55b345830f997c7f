"""Copies of a memory: backup, restore, and rehearsals on a copy that is thrown away."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mnemo import paths
from mnemo.errors import DamagedFileError, InvalidArgumentError, MemoryFileError
from mnemo.memory import Memory
from mnemo.storage.connections import OTHER, damaged, explained
from mnemo.storage.copying import copy_database, exchange_database, is_database, move_database, remove_database
from mnemo.storage.inspection import look
from mnemo.transfer import TransferStore

_KIND = "backup"


def backup(memory_path: Path, target: Path | None = None, keep: int | None = None) -> tuple[Path, list[Path]]:
    """Copy a memory file consistently, also while servers run; return the copy and the older ones that were removed.

    Without a target the copy stands beside the memory, with the time in its name, and `keep` leaves so many of those.
    With a target that exists, `keep` renames older ones to `target.1`, `target.2` ... and leaves so many in all.
    What SQLite keeps beside a copy that was opened is renamed and removed with it.

    Raises:
        InvalidArgumentError: `keep` is less than 1, or the memory itself or a file that is no database would be written
            over, renamed or removed.
        MemoryFileError: there is no memory file, or the copy cannot be written.
    """
    if keep is not None and keep < 1:
        raise InvalidArgumentError(f"keep must be 1 or more, not {keep}")
    with explained(memory_path):
        is_there = memory_path.exists()
    if not is_there:
        raise MemoryFileError(f"There is no memory file {memory_path} yet, so there is nothing to copy.")
    with explained(target or memory_path, OTHER):
        is_named = target is not None and not target.is_dir()
        folder = target if target is not None and not is_named else memory_path.parent
        copy = target if target is not None and is_named else paths.unused_beside(memory_path, _KIND, folder)
        names = [copy, *(copy.with_name(f"{copy.name}.{number}") for number in range(1, keep or 1) if is_named)]
        _refuse_the_memory(names, memory_path)
        _refuse_other_files(names)
    if is_named and keep is not None:
        fresh = paths.unused(copy.with_name(f"{copy.name}.new"))
        copy_database(memory_path, fresh)  # older copies stay as they are until this one is whole
        with explained(copy, OTHER):
            removed = _rotated(names)
            move_database(fresh, copy)
        return copy, removed
    copy_database(memory_path, copy)
    removed = []
    if keep is not None:
        with explained(folder, OTHER):
            older = [one for one in backups(memory_path, folder) if one != copy]  # a clock may have been put back
            removed = older[keep - 1 :]
            for old in removed:
                remove_database(old)
    return copy, removed


def _refuse_the_memory(names: Sequence[Path], memory_path: Path) -> None:
    """Refuse names for copies of which one, or what SQLite keeps beside it, is a part of the memory."""
    for number, name in enumerate(names):
        if any(paths.is_part_of(file, memory_path) for file in (name, *paths.logs(name))):
            raise InvalidArgumentError(
                f"Older copies would be renamed to {name}, which is the memory itself; choose another name"
                if number
                else "The copy must be another file than the memory itself"
            )


def _refuse_other_files(names: Sequence[Path]) -> None:
    """Refuse names that other files have: only older copies may go."""
    for name in names:
        if name.is_file() and name.stat().st_size and not is_database(name):
            raise InvalidArgumentError(f"{name} is no copy of a memory and would be lost; choose another name")


def _rotated(names: Sequence[Path]) -> list[Path]:
    """Make room for a copy by renaming those that are there; return the one that was removed, if any."""
    removed = [names[-1]] if names[-1].exists() else []
    remove_database(names[-1])
    for newer, old in zip(reversed(names[:-1]), reversed(names[1:]), strict=True):
        if newer.exists():
            move_database(newer, old)
    return removed


def backups(memory_path: Path, folder: Path | None = None) -> list[Path]:
    """Return the copies of a memory that `backup` named, newest first; what people named is none of them."""
    name = re.compile(re.escape(memory_path.name) + rf"\.{_KIND}-(\d{{8}}-\d{{6}})(?:-(\d+))?")
    named = ((name.fullmatch(file.name), file) for file in (folder or memory_path.parent).iterdir())
    found = [(one[1], int(one[2] or 1), file) for one, file in named if one is not None]
    return [file for _, _, file in sorted(found, reverse=True)]


def restore(memory_path: Path, copy: Path) -> tuple[int, Path | None]:
    """Put a copy in the place of the memory; return its number of facts and where the present file now stands.

    The copy is checked first. Servers that are running go on with what was restored; what they acknowledged before is
    in the present file, what they do later in the memory.

    Raises:
        MemoryFileError: the copy is damaged or no memory, or the memory or its folder cannot be written; nothing was
            changed then.
        MemoryBusyError: the memory or the copy is kept locked for more than 5 seconds; nothing was changed.
    """
    with explained(copy, OTHER):
        is_file = copy.is_file()
    if not is_file:
        raise MemoryFileError(f"{copy} is no file; `mnemo backup` makes copies.")
    with explained(memory_path):
        memory_path = Path(os.path.realpath(memory_path))  # what a link leads to is restored
        memory_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".mnemo-restore-", dir=memory_path.parent) as folder:
            checked = Path(folder) / memory_path.name
            copy_database(copy, checked, OTHER)
            total = _checked(checked, copy)
            return total, _exchanged(checked, memory_path)


def _checked(checked: Path, copy: Path) -> int:
    """Return how many facts a copy holds; opening it upgrades it where it is an old one."""
    try:
        state = look(checked)
    except DamagedFileError as error:
        raise damaged(copy, OTHER) from error
    if state.problems:
        raise MemoryFileError(f"{copy} is damaged ({state.problems[0]}); nothing was changed.")
    if not state.is_memory:
        raise MemoryFileError(f"{copy} is the database of another application; nothing was changed.")
    memory = Memory(checked)
    try:
        return TransferStore(memory.parts.database).count()
    except MemoryFileError as error:
        raise MemoryFileError(str(error).replace(str(checked), str(copy))) from error
    finally:
        memory.close()


def _exchanged(checked: Path, memory_path: Path) -> Path | None:
    """Put a file's content in the place of the memory; return where what was there now stands, None for nothing.

    It is put within the present file, so that servers which have it open go on. One that is too damaged for that, so
    that no server can be using it, is copied byte by byte, with its logs, and replaced.
    """
    aside = paths.unused_beside(memory_path, "before-restore")
    if not memory_path.exists():
        kept = _log_aside(memory_path, aside)
        move_database(checked, memory_path)
        return kept
    try:
        exchange_database(checked, memory_path, aside)
    except DamagedFileError:
        for source, copy in zip((memory_path, *paths.logs(memory_path)), (aside, *paths.logs(aside)), strict=True):
            if source.exists():
                copy.touch(mode=0o600)
                shutil.copyfile(source, copy)
        move_database(checked, memory_path)
    return aside


def _log_aside(memory_path: Path, aside: Path) -> Path | None:
    """Keep the write-ahead log of a file that is gone: no other file may ever meet it."""
    log, kept = paths.logs(memory_path)[0], paths.logs(aside)[0]
    if not log.exists() or not log.stat().st_size:
        return None
    log.replace(kept)
    return kept


@contextmanager
def rehearsal(memory_path: Path) -> Iterator[Memory]:
    """Give a memory on a copy that is thrown away: to see what work would do.

    Raises:
        MemoryFileError: the memory file cannot be read.
    """
    folder = Path(tempfile.mkdtemp(prefix="mnemo-"))
    try:
        with explained(memory_path):
            is_there = memory_path.exists()
        if is_there:
            copy_database(memory_path, folder / "facts.db")
        memory = Memory(folder / "facts.db")
        try:
            yield memory
        finally:
            memory.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def trust_scores(memory: Memory) -> dict[int, float]:
    """Return the trust of every fact by its id.

    Raises:
        MemoryFileError: the memory file cannot be used.
    """
    return TransferStore(memory.parts.database).trust_scores()


def trust_changes(memory: Memory, before: Mapping[int, float]) -> list[dict[str, Any]]:
    """Return the facts whose trust is another than it was before, each with its old and its new trust.

    Raises:
        MemoryFileError: the memory file cannot be used.
    """
    now = trust_scores(memory)
    changed = [fact_id for fact_id, trust in now.items() if before.get(fact_id) != trust]
    facts, _ = memory.parts.store.get(changed)
    return [
        {
            "fact_id": fact.fact_id,
            "old_trust": before[fact.fact_id],
            "new_trust": fact.trust_score,
            "content": fact.content,
        }
        for fact in facts
        if fact.fact_id in before
    ]
