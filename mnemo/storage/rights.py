"""Who may read the memory file: its owner alone, whatever the umask was or another program left."""

import os
from contextlib import suppress
from pathlib import Path

from mnemo import paths
from mnemo.errors import MemoryFileError


def create_private(path: Path) -> None:
    """Create the folder (0700) and the file (0600) where they are missing.

    Raises:
        MemoryFileError: something that is no file stands there, or the path is what SQLite calls no file.
    """
    if path.name == ":memory:" or any(part.startswith("file:") for part in path.parts):
        raise MemoryFileError(
            f"{path} is no plain path, and facts are kept in a file; set MNEMO_DB to the path of one."
        )
    if path.is_dir():
        raise MemoryFileError(f"{path} is a folder; set MNEMO_DB to the path of a file.")
    if path.exists() and not path.is_file():  # a device or a pipe: reading it could wait for ever
        raise MemoryFileError(f"{path} is no regular file; set MNEMO_DB to the path of a file.")
    if not path.parent.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def take_from_others(path: Path) -> None:
    """Keep the file and what lies beside it to its owner (0600, `~/.mnemo` 0700), once it is known to be a memory."""
    if os.name != "posix" or not os.access(path, os.W_OK):
        return
    was_open = path.stat().st_mode & 0o077
    for file in (path, *paths.logs(path)):
        with suppress(FileNotFoundError):  # these two come and go with the programs that use the file
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)
    folder = path.parent
    if is_the_memorys_alone(folder) and folder.stat().st_mode & 0o077:
        with suppress(PermissionError):  # a folder of somebody else's is theirs to close
            folder.chmod(0o700)
    if was_open:
        warn("%s could be read by others; it is yours alone now", path)


def is_the_memorys_alone(folder: Path) -> bool:
    """Tell whether a folder is the one that mnemo makes for itself; any other may be meant for others too."""
    return folder == paths.default_folder() and not folder.is_symlink()


def warn(message: str, path: Path) -> None:
    """Log a warning about the memory file, which the message names by %s."""
    import logging  # wanted so rarely that no start should pay for it

    logging.getLogger("mnemo").warning(message, path)
