"""A settings file as it is to be, and how it is written: in one step, with a copy beside it, and nothing half done."""

import difflib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mnemo.clients.catalogue import Client, user_files
from mnemo.clients.entries import SERVER, Entry

BACKUP = ".mnemo-backup"  # is added to the file's name
MADE = ".made-by-mnemo"  # stands in each folder that was made for a user's file, and goes with that file
CHANGED_MEANWHILE = "it was changed by another program meanwhile; run this again"
ADD, UPDATE, REMOVE, NOTHING, FAIL = "add", "update", "remove", "nothing", "fail"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done with one file: `before` and `after` are its bytes, None where it is not there."""

    client: Client
    path: Path
    action: str
    before: bytes | None = None
    after: bytes | None = None
    problem: str = ""
    is_private: bool = True  # a file that is new is readable by its user alone
    has_come: bool = False  # whether what is ours comes with this plan: `before` is the file without mnemo
    takes_more: bool = False  # whether a removal takes something that its user wrote, of which a copy is to be kept
    is_copy_idle: bool = False  # whether the copy beside the file holds nothing more than the file, but mnemo's own
    former: Entry | None = None  # what stood there under mnemo's name
    entry: Entry | None = None  # what stands there afterwards

    @property
    def backup(self) -> Path:
        """Return where the file is kept as it was before mnemo came."""
        return self.path.with_name(self.path.name + BACKUP)

    @property
    def concerns_us(self) -> bool:
        """Tell whether the file mentions mnemo at all; one that cannot be read may still do."""
        return self.before is None or SERVER.encode() in self.before

    def diff(self) -> str:
        """Return the difference that the plan makes, as `diff -u` shows it."""
        before, after = [(one or b"").decode("utf-8", "replace").splitlines() for one in (self.before, self.after)]
        lines = difflib.unified_diff(before, after, str(self.path), str(self.path), lineterm="")
        return "".join(line + "\n" for line in lines)


def carry_out(plan: Plan) -> None:
    """Write what is planned; the file is replaced in one step, and kept beside itself before our first change.

    Raises:
        OSError: the file cannot be written, or was changed since it was planned; it is as it was.
    """
    if plan.action in (NOTHING, FAIL):
        return
    target = plan.path.resolve()  # a link, as keepers of dotfiles make one, stays a link
    if (target.read_bytes() if target.exists() else None) != plan.before:
        raise OSError(CHANGED_MEANWHILE)
    is_wanted = plan.has_come or not plan.backup.exists()
    if plan.before is not None and is_wanted and (plan.action != REMOVE or plan.takes_more):
        _replace(plan.backup, plan.before, like=target, is_private=True)
    if plan.after is None:
        target.unlink()
    else:
        _replace(target, plan.after, like=target if target.exists() else None, is_private=plan.is_private)
    if plan.action != REMOVE:
        return
    if plan.backup.exists() and (plan.is_copy_idle or plan.backup.read_bytes() == plan.after):
        plan.backup.unlink()
    _leave(target.parent, is_private=plan.is_private)


def _leave(folder: Path, *, is_private: bool) -> None:
    """Take away the folders that were made for a file, where they are empty, and our marks in those that are not.

    Left there, an empty folder would look like an assistant that is installed.
    """
    if not is_private:
        if folder.name.startswith(".") and not any(folder.iterdir()):
            folder.rmdir()
        return
    while (mark := folder / MADE).exists():
        is_empty = [file.name for file in folder.iterdir()] == [MADE]
        if not is_empty and any(folder in file.resolve().parents and _is_about_us(file) for file in user_files()):
            return
        mark.unlink()
        if is_empty:
            folder.rmdir()
        folder = folder.parent


def _is_about_us(file: Path) -> bool:
    try:
        return SERVER.encode() in file.read_bytes()
    except OSError:
        return False


def _replace(path: Path, content: bytes, *, like: Path | None, is_private: bool) -> None:
    missing = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    for folder in missing if is_private else ():  # a project's are shared with others, who need not see this
        (folder / MADE).touch()
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        mode = like.stat().st_mode & 0o777 if like else (0o600 if is_private else 0o644)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
