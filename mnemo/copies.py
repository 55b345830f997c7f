"""Copies of a memory: backup, restore, and rehearsals on a copy that is thrown away."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mnemo import clock
from mnemo.connections import explained
from mnemo.errors import InvalidArgumentError, MemoryBusyError, MemoryFileError
from mnemo.inspection import copy_database, overwrite_database, problems_of
from mnemo.memory import Memory
from mnemo.transfer import TransferStore

_BACKUP_NAME = "{name}.backup-{stamp}"
_STAMP = "%Y%m%d-%H%M%S"


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
    copy = target if target is not None and is_named else _unused(folder / _backup_name(memory_path))
    if copy.exists() and copy.samefile(memory_path):
        raise InvalidArgumentError("The copy must be another file than the memory itself")
    if is_named and keep is not None:
        fresh = _unused(copy.with_name(f"{copy.name}.new"))
        copy_database(memory_path, fresh)  # older copies stay as they are until this one is whole
        removed = _rotated(copy, keep)
        fresh.replace(copy)
        return copy, removed
    copy_database(memory_path, copy)
    removed = []
    if keep is not None:
        removed = backups(memory_path, folder)[keep:]
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
    """Return the copies of a memory that `backup` named, newest first."""
    pattern = _BACKUP_NAME.format(name=memory_path.name, stamp="*")
    return sorted((folder or memory_path.parent).glob(pattern), reverse=True)


def _backup_name(memory_path: Path) -> str:
    return _BACKUP_NAME.format(name=memory_path.name, stamp=clock.now().strftime(_STAMP))


def _unused(path: Path) -> Path:
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate


def restore(memory_path: Path, copy: Path) -> tuple[int, Path | None]:
    """Put a copy in the place of the memory; return its number of facts and where the present file now stands.

    The copy is checked first. Servers that are running go on with what was restored.

    Raises:
        MemoryFileError: the copy is damaged or no memory; nothing was changed then.
    """
    if not copy.is_file():
        raise MemoryFileError(f"{copy} is no file; `mnemo backup` makes copies.")
    memory_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".mnemo-restore-", dir=memory_path.parent) as folder:
        checked = Path(folder) / memory_path.name
        copy_database(copy, checked)
        total = _checked(checked, copy)
        aside = None
        if memory_path.exists():
            aside = _set_aside(memory_path)
        _replace(memory_path, checked)
    return total, aside


def _checked(checked: Path, copy: Path) -> int:
    """Return how many facts a copy holds; opening it upgrades it where it is an old one."""
    problems = problems_of(checked)
    if problems:
        raise MemoryFileError(f"{copy} is damaged ({problems[0]}); nothing was changed.")
    memory = Memory(checked)
    try:
        return TransferStore(memory.parts.database).count()
    finally:
        memory.close()


def _set_aside(memory_path: Path) -> Path:
    """Copy the present file beside itself; one that is too damaged for that is copied byte by byte."""
    stamp = clock.now().strftime(_STAMP)
    aside = _unused(memory_path.with_name(f"{memory_path.name}.before-restore-{stamp}"))
    try:
        copy_database(memory_path, aside)
    except MemoryBusyError:
        raise
    except MemoryFileError:
        aside.touch(mode=0o600)
        shutil.copyfile(memory_path, aside)
    return aside


def _replace(memory_path: Path, checked: Path) -> None:
    """Put a file's content in the place of the memory: within the file, so that servers which have it open go on."""
    if memory_path.exists():
        try:
            overwrite_database(checked, memory_path)
        except MemoryBusyError:
            raise
        except MemoryFileError:  # the present file is damaged, so no server can be using it
            for ending in ("-wal", "-shm"):
                Path(f"{memory_path}{ending}").unlink(missing_ok=True)
        else:
            return
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
