"""What is to change in a client's files, worked out first and then written: backup, new text, nothing half done."""

import contextlib
import difflib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemo import paths
from mnemo.clients import catalogue, commands, jsonc, toml, words
from mnemo.clients.catalogue import JSON, TOML, USER, Client

SERVER = "mnemo"
BACKUP = ".mnemo-backup"  # is added to the file's name
MADE = ".made-by-mnemo"  # stands in a folder that was made for a user's file, and goes with that file
HOOK_SECONDS = 10
NO_TEXT = "it is not text in UTF-8"
CHANGED_MEANWHILE = "it was changed by another program meanwhile; run this again"
TOUCHES_OTHERS = "mnemo cannot change its entry there without changing others; please edit the file by hand"
# Not on resume: what was recalled then is still in the conversation.
HOOKS: Mapping[str, Mapping[str, Any]] = {
    "SessionStart": {"matcher": "startup|clear|compact"},
    "UserPromptSubmit": {},
}
ADD, UPDATE, REMOVE, NOTHING, FAIL = "add", "update", "remove", "nothing", "fail"
_BOM = b"\xef\xbb\xbf"


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


@dataclass(frozen=True, slots=True)
class Entry:
    """What a client starts: the program, and the memory that it is told to use, None where that cannot be told."""

    command: str
    database: Path | None


def install(client: Client, scope: str, project: Path, command: Sequence[str]) -> Plan | None:
    """Plan to tell a client of the server; None if it has no file for this scope.

    An entry that is there keeps what else it holds (its environment, for example).
    """
    path = client.file(scope, project)
    if path is None:
        return None
    place = (client.servers, SERVER)
    wanted = {"command": command[0], "args": list(command[1:])}

    def change(text: str) -> str:
        if client.form == TOML:
            return toml.put(text, place, wanted)
        if _has(jsonc.parse(text).value, place):
            for key, value in wanted.items():
                text = jsonc.put(text, (*place, key), value)
            return text
        return jsonc.put(text, place, {**client.extras, **wanted})

    def wanted_values(values: Any) -> Any:
        entry = _at(values, place)
        extras = {} if client.form == TOML else client.extras
        return _changed(values, place, {**(entry if isinstance(entry, Mapping) else extras), **wanted})

    return _plan(client, path, client.form, scope, change, wanted_values, lambda values: _has(values, place))


def uninstall(client: Client, scope: str, project: Path) -> Plan | None:
    """Plan to take the server out of a client's file; None if it has no file for this scope."""
    path = client.file(scope, project)
    if path is None:
        return None
    place = (client.servers, SERVER)

    def change(text: str) -> str:
        if client.form == TOML:
            return toml.remove(text, place)
        without = jsonc.remove(text, place)
        return text if without == text else _prune(without, (client.servers,), _old_values(path))

    return _plan(
        client,
        path,
        client.form,
        scope,
        change,
        lambda values: _changed(values, place, None),
        lambda values: _has(values, place),
        is_removal=True,
    )


def install_hooks(client: Client, scope: str, project: Path, database: Path | None) -> Plan:
    """Plan to let Claude Code recall facts at the start of a session and at each prompt.

    Of hooks that are there, only the program and the memory change: what else their user wrote into them stays.
    """

    def change(text: str) -> str:
        for event, matcher in HOOKS.items():
            ours = list(_our_hooks(jsonc.parse(text).value, event))
            if not ours:
                hook = {"type": "command", "command": commands.hook(database), "timeout": HOOK_SECONDS}
                text = jsonc.append(text, ("hooks", event), {**matcher, "hooks": [hook]})
            for group, number in ours:
                place = ("hooks", event, group, "hooks", number, "command")
                text = jsonc.put(text, place, commands.hook(database, jsonc.at(text, place)))
        return text

    path = catalogue.hooks_file(scope, project)
    return _plan(client, path, JSON, scope, change, _without_our_hooks, _has_our_hooks)


def has_hooks(scope: str, project: Path) -> bool:
    """Tell whether our hooks are in Claude Code's settings; not in those that cannot be read."""
    try:
        values = jsonc.parse(_text(catalogue.hooks_file(scope, project).read_bytes())).value
    except (OSError, ValueError):
        return False
    return any(_our_hooks(values, event) for event in HOOKS)


def uninstall_hooks(client: Client, scope: str, project: Path) -> Plan:
    """Plan to take our hooks out of Claude Code's settings."""
    path = catalogue.hooks_file(scope, project)

    def change(text: str) -> str:
        old, given = _old_values(path), text
        for event in HOOKS:
            while ours := list(_our_hooks(jsonc.parse(text).value, event)):
                group, number = ours[0]
                hooks = jsonc.parse(text).value["hooks"][event][group]["hooks"]
                alone = len(hooks) == 1
                text = jsonc.remove(text, ("hooks", event, group, *(() if alone else ("hooks", number))))
                text = _prune(text, ("hooks", event), old)
        return text if text == given else _prune(text, ("hooks",), old)

    return _plan(client, path, JSON, scope, change, _without_our_hooks, _has_our_hooks, is_removal=True)


def _our_hooks(values: Any, event: str) -> Sequence[tuple[int, int]]:
    """Return the places of our hooks for an event: which group, and which hook in it."""
    events = values.get("hooks") if isinstance(values, dict) else None
    return [
        (group, number)
        for group, one in enumerate(_list_in(events, event))
        for number, hook in enumerate(_list_in(one, "hooks"))
        if _is_ours(hook)
    ]


def _has_our_hooks(values: Any) -> bool:
    return any(_our_hooks(values, event) for event in HOOKS)


def _without_our_hooks(values: Any) -> Any:
    """Return the values without our hooks, and without what holds nothing but those."""
    for event in HOOKS:
        kept = []
        for group in _list_in(_at(values, ("hooks",)), event):
            hooks = _list_in(group, "hooks")
            others = [hook for hook in hooks if not _is_ours(hook)]
            if len(others) == len(hooks):
                kept.append(group)
            elif others:
                kept.append({**group, "hooks": others})
        if isinstance(_at(values, ("hooks",)), dict) and isinstance(_at(values, ("hooks", event)), list | None):
            values = _changed(values, ("hooks", event), kept)
    return values


def _is_ours(hook: Any) -> bool:
    return isinstance(hook, dict) and words.is_our_hook(hook.get("command"))


def _list_in(values: Any, key: str) -> list[Any]:
    found = values.get(key) if isinstance(values, Mapping) else None
    return found if isinstance(found, list) else []


def _at(values: Any, place: Sequence[str]) -> Any:
    """Return what stands at a place; None where there is nothing."""
    for key in place:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def _has(values: Any, place: Sequence[str]) -> bool:
    return isinstance(_at(values, place), dict)


def _changed(values: Any, place: Sequence[str], entry: Any) -> Any:
    """Return the values with this entry at a place, or without one; what is empty then on the way is left out."""
    key, *rest = place
    given = values if isinstance(values, dict) else {}
    inner = _changed(given.get(key), rest, entry) if rest else entry
    return {name: one for name, one in {**given, key: inner}.items() if name != key or inner}


def configured_entry(client: Client, file: Path) -> Entry | None:
    """Return what a settings file of a client starts as mnemo, None where nothing is named there.

    Raises:
        OSError: the file cannot be read.
        ValueError: it names mnemo, but is not of its format.
    """
    try:
        content = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if SERVER.encode() not in content:
        return None
    try:
        entry = _values(_text(content), client.form)
    except UnicodeDecodeError as error:
        raise ValueError(NO_TEXT) from error
    ours = _at(entry, (client.servers, SERVER))
    command = _at(ours, ("command",))
    if not isinstance(command, str):
        return None
    return Entry(
        command,
        words.database_of([command, *map(str, _list_in(ours, "args"))], _at(ours, ("env", paths.DATABASE_VARIABLE))),
    )


def _prune(text: str, place: Sequence[str], old: Any) -> str:
    """Return the text without a container that has become empty and was not there before mnemo came."""
    values, before = jsonc.parse(text).value, old
    for key in place:
        if not isinstance(values, dict) or key not in values:
            return text
        values = values[key]
        before = before.get(key) if isinstance(before, dict) else None
    return jsonc.remove(text, place) if not values and before is None else text


def _old_values(path: Path) -> Any:
    backup = path.with_name(path.name + BACKUP)
    try:
        return jsonc.parse(_text(backup.read_bytes())).value
    except (OSError, ValueError):
        return None


def _text(content: bytes) -> str:
    return content.removeprefix(_BOM).decode("utf-8")


def _values(text: str, form: str) -> Any:
    return toml.parse(text) if form == TOML else jsonc.parse(text).value


def _plan(
    client: Client,
    path: Path,
    form: str,
    scope: str,
    change: Callable[[str], str],
    wanted: Callable[[Any], Any],
    is_there: Callable[[Any], bool],
    *,
    is_removal: bool = False,
) -> Plan:
    """Plan a change of one file, which may touch nothing but what is ours.

    `wanted` makes of the file's values what they are to be, and leaves those that are so; `is_there` tells whether they
    hold what is ours.
    """
    is_private = scope == USER
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        before = None
    except OSError as error:
        return Plan(client, path, FAIL, problem=error.strerror or str(error))
    try:
        text = _text(before or b"")
        changed = change(text)
        values = _values(changed, form)  # what we write can be read again
        if changed == text:
            return Plan(client, path, NOTHING, before, before)
        given = _values(text, form)
        if is_there(values) == is_removal or not _are_same(wanted(given), wanted(values)):
            return Plan(client, path, FAIL, before, before, TOUCHES_OTHERS)
    except UnicodeDecodeError:
        return Plan(client, path, FAIL, before, before, NO_TEXT)
    except ValueError as error:
        return Plan(client, path, FAIL, before, before, str(error))
    after = (_BOM if before and before.startswith(_BOM) else b"") + changed.encode()
    if is_removal:
        return Plan(client, path, REMOVE, before, _left(path, after, values, form), is_private=is_private)
    return Plan(client, path, UPDATE if is_there(given) else ADD, before, after, is_private=is_private)


def _are_same(one: Any, other: Any) -> bool:
    """Tell whether values are the same, also those that do not equal themselves, as the `nan` of TOML."""
    first, second = (json.dumps(values, sort_keys=True, default=repr) for values in (one, other))
    return first == second


def _left(path: Path, changed: bytes, values: Any, form: str) -> bytes | None:
    """Return what a removal leaves: the bytes from before mnemo came if nothing else changed since, else the changed.

    None is no file at all: it was made by us, and holds nothing any more.
    """
    backup = path.with_name(path.name + BACKUP)
    with contextlib.suppress(OSError, ValueError):
        kept = backup.read_bytes()
        if _values(_text(kept), form) == values:
            return kept
    if _text(changed).strip() in ("", "{}") and not backup.exists():
        return None
    return changed


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
    if plan.after is None:
        target.unlink()
        plan.backup.unlink(missing_ok=True)
        left = {file.name for file in target.parent.iterdir()}
        if left == {MADE}:  # left there, the folder would look like an assistant that is installed
            target.with_name(MADE).unlink()
            target.parent.rmdir()
        elif not (left or plan.is_private) and target.parent.name.startswith("."):
            target.parent.rmdir()
        return
    if plan.action != REMOVE and plan.before is not None and (plan.action == ADD or not plan.backup.exists()):
        _replace(plan.backup, plan.before, like=target, is_private=True)
    _replace(target, plan.after, like=target if target.exists() else None, is_private=plan.is_private)
    if plan.action == REMOVE and plan.backup.exists() and plan.backup.read_bytes() == plan.after:
        plan.backup.unlink()


def _replace(path: Path, content: bytes, *, like: Path | None, is_private: bool) -> None:
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
        if is_private:  # a project's folders are shared with others, who need not see this
            path.with_name(MADE).touch()
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
