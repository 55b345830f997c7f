"""Copies of a memory: backup, restore, and rehearsals on a copy that is thrown away."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mnemo import paths
from mnemo.errors import DamagedFileError, InvalidArgumentError, MemoryFileError
from mnemo.memory import Memory
from mnemo.storage.connections import explained
from mnemo.storage.inspection import copy_database, look, overwrite_database, problems_of, refuse_damaged_head
from mnemo.transfer import TransferStore

_KIND = "backup"


def backup(memory_path: Path, target: Path | None = None, keep: int | None = None) -> tuple[Path, list[Path]]:
    """Copy a memory file consistently, also while servers run; return the copy and the older ones that were removed.

    Without a target the copy stands beside the memory, with the time in its name, and `keep` leaves so many of those.
    With a target that exists, `keep` renames older ones to `target.1`, `target.2` ... and leaves so many in all.

    Raises:
        MemoryFileError: there is no memory file, or the copy cannot be written.
    """
    if not memory_path.exists():
        raise MemoryFileError(f"There is no memory file {memory_path} yet, so there is nothing to copy.")
    is_named = target is not None and not target.is_dir()
    folder = target if target is not None and target.is_dir() else memory_path.parent
    copy = target if target is not None and is_named else paths.unused_beside(memory_path, _KIND, folder)
    if paths.is_part_of(copy, memory_path):
        raise InvalidArgumentError("The copy must be another file than the memory itself")
    if is_named and keep is not None:
        fresh = paths.unused(copy.with_name(f"{copy.name}.new"))
        copy_database(memory_path, fresh)  # older copies stay as they are until this one is whole
        removed = _rotated(copy, keep)
        fresh.replace(copy)
        return copy, removed
    copy_database(memory_path, copy)
    removed = []
    if keep is not None:
        older = [one for one in backups(memory_path, folder) if one != copy]  # a clock may have been put back since
        removed = older[keep - 1 :]
        for old in removed:
            old.unlink()
    return copy, removed


def _rotated(copy: Path, keep: int) -> list[Path]:
    """Make room for a copy by renaming those that are there; return the one that was removed, if any."""
    older = [copy, *(copy.with_name(f"{copy.name}.{number}") for number in range(1, keep))]
    removed = [older[-1]] if older[-1].exists() else []
    for old in removed:
        old.unlink()
    for newer, old in zip(reversed(older[:-1]), reversed(older[1:]), strict=True):
        if newer.exists():
            newer.replace(old)
    return removed


def backups(memory_path: Path, folder: Path | None = None) -> list[Path]:
    """Return the copies of a memory that `backup` named, newest first; what people named is none of them."""
    name = re.compile(re.escape(memory_path.name) + rf"\.{_KIND}-(\d{{8}}-\d{{6}})(?:-(\d+))?")
    named = ((name.fullmatch(file.name), file) for file in (folder or memory_path.parent).iterdir())
    found = [(one[1], int(one[2] or 1), file) for one, file in named if one is not None]
    return [file for _, _, file in sorted(found, reverse=True)]


def restore(memory_path: Path, copy: Path) -> tuple[int, Path | None]:
    """Put a copy in the place of the memory; return its number of facts and where the present file now stands.

    The copy is checked first. Servers that are running go on with what was restored.

    Raises:
        MemoryFileError: the copy is damaged or no memory; nothing was changed then.
    """
    if not copy.is_file():
        raise MemoryFileError(f"{copy} is no file; `mnemo backup` makes copies.")
    memory_path = Path(os.path.realpath(memory_path))  # what a link leads to is restored
    memory_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".mnemo-restore-", dir=memory_path.parent) as folder:
        checked = Path(folder) / memory_path.name
        copy_database(copy, checked)
        total = _checked(checked, copy)
        aside = _set_aside(memory_path)
        _replace(memory_path, checked)
    return total, aside


def _checked(checked: Path, copy: Path) -> int:
    """Return how many facts a copy holds; opening it upgrades it where it is an old one."""
    problems = problems_of(checked)
    if problems:
        raise MemoryFileError(f"{copy} is damaged ({problems[0]}); nothing was changed.")
    if not look(checked).is_memory:
        raise MemoryFileError(f"{copy} is the database of another application; nothing was changed.")
    memory = Memory(checked)
    try:
        return TransferStore(memory.parts.database).count()
    except MemoryFileError as error:
        raise MemoryFileError(str(error).replace(str(checked), str(copy))) from error
    finally:
        memory.close()


def _set_aside(memory_path: Path) -> Path | None:
    """Copy the present file beside itself; one that is too damaged for that byte by byte, with its write-ahead log.

    Of a file that is gone the log may still be there: no other file may ever meet it.
    """
    aside = paths.unused_beside(memory_path, "before-restore")
    log, kept_log = paths.logs(memory_path)[0], paths.logs(aside)[0]
    if not memory_path.exists():
        if not log.exists() or not log.stat().st_size:
            return None
        log.replace(kept_log)
        return kept_log
    try:
        refuse_damaged_head(memory_path)
        copy_database(memory_path, aside)
    except DamagedFileError:
        for source, kept in ((memory_path, aside), (log, kept_log)):
            if source.exists():
                kept.touch(mode=0o600)
                shutil.copyfile(source, kept)
    return aside


def _replace(memory_path: Path, checked: Path) -> None:
    """Put a file's content in the place of the memory: within the file, so that servers which have it open go on."""
    if memory_path.exists():
        with suppress(DamagedFileError):  # which no server can be using
            overwrite_database(checked, memory_path)
            return
    for log in paths.logs(memory_path):
        log.unlink(missing_ok=True)
    checked.replace(memory_path)


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
