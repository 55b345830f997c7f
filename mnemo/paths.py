"""Where the memory lives: the one place that reads `HOME` and `MNEMO_DB`."""

import os
from pathlib import Path

DATABASE_VARIABLE = "MNEMO_DB"


def database_path() -> Path:
    """Return the path of the memory file: `MNEMO_DB` if it is set, else `~/.mnemo/facts.db`.

    A relative `MNEMO_DB` counts from the current folder, and `~` in it stands for the user's folder.
    """
    configured = os.environ.get(DATABASE_VARIABLE, "").strip()
    if configured:
        return Path(configured).expanduser().absolute()
    return default_folder() / "facts.db"


def default_folder() -> Path:
    """Return the folder that is the memory's alone, `~/.mnemo`; any other may hold what is somebody else's."""
    return Path.home() / ".mnemo"
