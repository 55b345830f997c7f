"""Where the memory lives, by `MNEMO_DB` or below the home folder, and what lies beside it."""

import os
from pathlib import Path

from mnemo import clock

DATABASE_VARIABLE = "MNEMO_DB"


def database_path() -> Path:
    """Return the path of the memory file: `MNEMO_DB` if it is set, else `~/.mnemo/facts.db`.

    A relative `MNEMO_DB` counts from the current folder, and `~` in it stands for the user's folder.
    """
    configured = os.environ.get(DATABASE_VARIABLE, "").strip()
    if configured:
        return Path(configured).expanduser().absolute()
    return default_path()


def default_path() -> Path:
    """Return the path of the memory where nothing names another, `~/.mnemo/facts.db`."""
    return default_folder() / "facts.db"


def default_folder() -> Path:
    """Return the folder that is the memory's alone, `~/.mnemo`; any other may hold what is somebody else's."""
    return Path.home() / ".mnemo"


def logs(path: Path) -> list[Path]:
    """Return what SQLite keeps beside a file: its write-ahead log, the index of that, or the journal of one without."""
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")]


def unused_beside(path: Path, kind: str, folder: Path | None = None) -> Path:
    """Return a name that nothing has, beside a file or in another folder: the file's, with a kind and the time."""
    stamp = clock.now().strftime("%Y%m%d-%H%M%S")
    first = (path.parent if folder is None else folder) / f"{path.name}.{kind}-{stamp}"
    return unused(first)


def unused(path: Path) -> Path:
    """Return a path, with a number behind it where something is there already."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate


def is_part_of(path: Path, memory_path: Path) -> bool:
    """Tell whether a path leads to a memory's file or to what SQLite keeps beside it."""
    own = (memory_path, *logs(memory_path))
    return any(
        path.absolute() == one.absolute() or (path.exists() and one.exists() and path.samefile(one)) for one in own
    )
