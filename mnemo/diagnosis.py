"""The check of a memory and its surroundings: each finding with what to do about it."""

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemo import paths, schema
from mnemo.clients import entries
from mnemo.clients.catalogue import CLIENTS, PROJECT, Client
from mnemo.errors import MemoryBusyError, MnemoError
from mnemo.retrieval_log import LOG_CAPACITY
from mnemo.storage import inspection, recovery, rights
from mnemo.storage.inspection import FileState

OK, WARNING, ERROR = "ok", "warning", "error"
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 35, 0)  # UPDATE ... FROM, and what the index asks of FTS5
LITTLE_SPACE = 100 * 1024 * 1024  # bytes
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the check: what was looked at, how it is (ok, warning or error), a text and its values."""

    check: str
    status: str
    text: str
    values: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as an answer shows it."""
        return {"check": self.check, "status": self.status, "text": self.text.format(**self.values)}


def diagnose(path: Path, *, repair: bool = False, settings: Mapping[str, str] | None = None) -> list[Finding]:
    """Check a memory file and its surroundings; with `repair`, mend permissions and the index first.

    Settings are those that servers should run with, by variable: an assistant that passes none of them on is named.

    Without `repair` nothing is changed, and a file that is not there is not made.
    """
    findings = [_python(), _sqlite(), _fts5()]
    if not path.exists():
        findings.append(
            Finding("file", WARNING, "{path} is not there yet; the first fact that is added makes it.", {"path": path})
        )
    elif not path.is_file():
        findings.append(
            Finding("file", ERROR, "{path} is no file; set MNEMO_DB to the path of a file.", {"path": path})
        )
    else:
        findings += _of_file(path, repair=repair)
    return [*findings, _space(path), _other_programs(path), *_clients(path, settings or {})]


def _python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("python", ERROR, "Python {found} is too old; install 3.11 or newer.", {"found": found})
    return Finding("python", OK, "Python {found}", {"found": found})


def _sqlite() -> Finding:
    found = inspection.sqlite_version()
    if tuple(map(int, found.split("."))) < OLDEST_SQLITE:
        return Finding(
            "sqlite", ERROR, "SQLite {found} is too old; install a Python with 3.35 or newer.", {"found": found}
        )
    return Finding("sqlite", OK, "SQLite {found}", {"found": found})


def _fts5() -> Finding:
    if inspection.has_fts5():
        return Finding("fts5", OK, "full-text search (FTS5) is there")
    return Finding("fts5", ERROR, "This Python's SQLite has no full-text search (FTS5); install another Python.")


def _of_file(path: Path, *, repair: bool) -> Iterator[Finding]:
    yield Finding("file", OK, "{path}, {size} bytes", {"path": path, "size": path.stat().st_size})
    yield from _permissions(path, repair=repair)
    try:
        state = inspection.look(path)
    except MemoryBusyError as error:
        yield Finding("integrity", ERROR, "{error}", {"error": error})
        return
    except MnemoError as error:
        yield _recovered(path, str(error)) if repair else Finding("integrity", ERROR, "{error}", {"error": error})
        return
    yield _schema(state)
    if state.problems and repair:
        yield _recovered(path, state.problems[0])
        return
    if state.problems:
        yield Finding(
            "integrity",
            ERROR,
            "The file is damaged: {problem}. Restore a copy with `mnemo restore FILE`, or recover what is readable "
            "with `mnemo doctor --fix`; the present file is kept.",
            {"problem": state.problems[0]},
        )
        return
    yield Finding("integrity", OK, "the file is whole; facts in it: {facts}", {"facts": state.facts})
    yield _index(path, state, repair=repair)
    yield _log(state)


def _recovered(path: Path, problem: str) -> Finding:
    """Read what can be read into a new file beside the damaged one."""
    target = paths.unused_beside(path, "recovered")
    try:
        count, left = recovery.recover(path, target)
    except MnemoError as error:
        return Finding("integrity", ERROR, "{error}", {"error": error})
    said = (
        "The file is damaged: {problem}. {count} facts were read into {target}; `mnemo restore {target}` takes it over."
    )
    if left:
        said = (
            "The file is damaged: {problem}. {count} facts were read into {target}, {left} that are no facts any more "
            "were not; `mnemo restore {target}` takes it over."
        )
    return Finding("integrity", ERROR, said, {"problem": problem, "count": count, "left": left, "target": target})


def _permissions(path: Path, *, repair: bool) -> Iterator[Finding]:
    if os.name != "posix":
        return
    for checked, wanted in (
        (path.parent, 0o700),
        (path, 0o600),
        *((extra, 0o600) for extra in paths.logs(path) if extra.exists()),
    ):
        if checked == path.parent and not rights.is_the_memorys_alone(checked):
            continue
        mode = stat.S_IMODE(checked.stat().st_mode)
        values = {"path": checked, "mode": f"{mode:04o}", "wanted": f"{wanted:04o}"}
        if not mode & _OTHERS:
            yield Finding("permissions", OK, "{path} is yours alone ({mode})", values)
        elif repair and _is_closed(checked, wanted):
            yield Finding("permissions", OK, "{path} was open to others ({mode}); it is yours alone now", values)
        elif repair:
            said = "{path} is open to others ({mode}), and is not yours to close; ask its owner."
            yield Finding("permissions", WARNING, said, values)
        else:
            yield Finding(
                "permissions",
                WARNING,
                "{path} is open to others ({mode}); `mnemo doctor --fix` makes it {wanted}.",
                values,
            )


def _is_closed(path: Path, mode: int) -> bool:
    """Close a file or folder to others; False where it is another user's."""
    try:
        path.chmod(mode)
    except PermissionError:
        return False
    return True


def _schema(state: FileState) -> Finding:
    values: dict[str, Any] = {"version": state.schema_version, "known": schema.SCHEMA_VERSION}
    if not state.is_ours and (state.application_id or not state.is_memory):
        return Finding(
            "schema", ERROR, "The file is the database of another application; set MNEMO_DB to another path."
        )
    if not state.is_ours:
        return Finding(
            "schema", WARNING, "Another program made the file; mnemo copies it before it upgrades it at first use."
        )
    if state.schema_version > schema.SCHEMA_VERSION:
        return Finding(
            "schema",
            ERROR,
            "A newer mnemo wrote the file (schema {version}, this one knows {known}); upgrade mnemo.",
            values,
        )
    if state.schema_version < schema.SCHEMA_VERSION:
        return Finding(
            "schema", WARNING, "The file is of an older mnemo (schema {version}); it is upgraded at first use.", values
        )
    values["journal"] = state.journal_mode
    if state.journal_mode != "wal":
        return Finding(
            "schema",
            OK,
            "schema {version}, journal {journal}: without a write-ahead log (a copy, or a network folder) searches "
            "wait for writes",
            values,
        )
    return Finding("schema", OK, "schema {version}, journal {journal}", values)


def _index(path: Path, state: FileState, *, repair: bool) -> Finding:
    if not state.is_ours:
        return Finding("index", WARNING, "The index is not made yet; it is at first use.")
    problem = next(iter(state.index_problems), "")
    if not problem and state.has_foreign_index:
        problem = "another version made it"
    if problem and repair:
        try:
            inspection.rebuild_index(path)
        except MnemoError as error:
            return Finding("index", ERROR, "The index could not be built anew: {error}", {"error": error})
        return Finding("index", OK, "the index was built anew ({problem})", {"problem": problem})
    if state.index_problems:
        return Finding(
            "index",
            ERROR,
            "The index is not right ({problem}); `mnemo doctor --fix` builds it anew.",
            {"problem": problem},
        )
    if problem or state.waiting:
        return Finding(
            "index",
            WARNING,
            "Facts that wait to be indexed: {count}; the next search does it.",
            {"count": state.waiting or state.facts},
        )
    return Finding("index", OK, "the index has every fact")


def _log(state: FileState) -> Finding:
    values = {"count": state.log_entries, "capacity": LOG_CAPACITY}
    if state.log_entries > LOG_CAPACITY:
        return Finding(
            "log", WARNING, "The search log has {count} entries, more than {capacity}; the next search cuts it.", values
        )
    return Finding("log", OK, "{count} searches in the log (at most {capacity})", values)


def _space(path: Path) -> Finding:
    folder = next((parent for parent in path.parents if parent.exists()), Path(path.anchor or "."))
    free = shutil.disk_usage(folder).free
    values = {"free": free // (1024 * 1024)}
    if free < LITTLE_SPACE:
        return Finding("disk", WARNING, "Only {free} MB are free on the disk; make some room.", values)
    return Finding("disk", OK, "{free} MB free on the disk", values)


def _other_programs(path: Path) -> Finding:
    holders = open_by(path)
    if holders is None:
        return Finding("processes", OK, "which programs have the file open cannot be told on this system")
    if not holders:
        return Finding("processes", OK, "no other program has the file open")
    return Finding("processes", OK, "other programs have the file open: {holders}", {"holders": ", ".join(holders)})


def open_by(path: Path, processes: Path = Path("/proc")) -> list[str] | None:
    """Return the other processes of this user that have a file open, as "name (id)"; None where it cannot be told."""
    if not (processes / "self").exists():
        return None
    wanted = os.path.realpath(path)
    holders = []
    for process in sorted(processes.glob("[0-9]*"), key=lambda folder: int(folder.name)):
        if int(process.name) != os.getpid() and _has_open(process, wanted):
            name = _read(lambda process=process: (process / "comm").read_text().strip())  # type: ignore[misc]
            holders.append(f"{name or '?'} ({process.name})")
    return holders


def _has_open(process: Path, wanted: str) -> bool:
    links = _read(lambda: list((process / "fd").iterdir())) or []
    return any(_read(lambda link=link: str(link.readlink())) == wanted for link in links)  # type: ignore[misc]


def _read(reading: Callable[[], Any]) -> Any:
    """Return what is read, None if it is another user's or has just gone."""
    try:
        return reading()
    except OSError:
        return None


def _clients(path: Path, settings: Mapping[str, str]) -> Iterator[Finding]:
    """Look into the settings of all assistants, the user's and those of the folder's project; nothing is started."""
    found, has_problem = [], False
    for client, file, place in _settings_files():
        init = f"mnemo init {client.key}{' --project' if place else ''}"
        values: dict[str, Any] = {"client": client.name, "file": file, "init": init}
        try:
            entry = entries.configured_entry(client, file)
        except OSError as error:
            values["error"] = error.strerror or error
            said = "{file} of {client} cannot be read: {error}."
        except ValueError as error:
            values["error"] = error
            said = "{file} of {client} is not right: {error}. Mend it, then run `{init}`."
        else:
            if entry is None:
                continue
            values.update(command=entry.words[0], database=entry.database, setting=entry.switch)
            if shutil.which(entry.words[0]) is None:
                values["init"] += _naming(entry.database, entry)
                said = "{client} starts {command}, which is not there; run `{init}` again."
            elif entry.switch:
                said = "{client} has mnemo switched off ({setting} in {file}); switch it on there to use it."
            elif entry.database is not None and os.path.realpath(entry.database) != os.path.realpath(path):
                values["init"] += _naming(path, entry, is_chosen=True)
                said = "{client} uses another memory, {database}; run `{init}` again if it should be this one."
            elif entry.is_ours and (lacking := _lacking(entry, settings)):
                values["init"] += _naming(path, entry, is_chosen=True)
                values["settings"] = lacking
                said = "{client} runs its server without {settings}, which is set here; run `{init}` if it should too."
            else:
                found.append(f"{client.name}{place}")
                continue
        has_problem = True
        yield Finding("clients", WARNING, said, values)
    if found:
        yield Finding("clients", OK, "configured in {clients}", {"clients": ", ".join(found)})
    elif not has_problem:
        yield Finding("clients", WARNING, "No assistant is set up to use mnemo; `mnemo init` connects yours.")


def _naming(database: Path | None, entry: entries.Entry, *, is_chosen: bool = False) -> str:
    """Return the option by which init names a memory, empty where it would take or keep that one without."""
    if database is None or (not is_chosen and entry.is_told_by_variable):
        return ""
    return f" --db {shlex.quote(str(database))}" if database != paths.default_path() or entry.has_variable else ""


def _lacking(entry: entries.Entry, settings: Mapping[str, str]) -> str:
    """Return the settings that an entry does not pass on to its server."""
    lacking = {name: value for name, value in settings.items() if str(entry.environment.get(name, "")) != value}
    return ", ".join(f"{name}={value}" for name, value in lacking.items())


def _settings_files() -> Iterator[tuple[Client, Path, str]]:
    """Yield each file that may name mnemo to an assistant, with what tells it from the user's own."""
    here = _read(Path.cwd)  # which may have been removed
    for client in CLIENTS:
        yield client, client.user_file(), ""
        file = client.file(PROJECT, here) if here is not None else None
        if file is not None and file != client.user_file():
            yield client, file, f" ({file})"
