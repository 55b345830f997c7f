"""What is to change in a client's files, worked out first and read again: only what is ours, and all else as it was."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemo import paths
from mnemo.clients import catalogue, commands, jsonc, toml, words
from mnemo.clients.catalogue import JSON, TOML, USER, Client
from mnemo.clients.entries import BOM, NO_TEXT, SERVER, Entry, at, entry_in, list_in, text_of, values_of
from mnemo.clients.files import ADD, BACKUP, FAIL, NOTHING, REMOVE, UPDATE, Plan

HOOK_SECONDS = 10
TOUCHES_OTHERS = "mnemo cannot change its entry there without changing others; please edit the file by hand"
# Not on resume: what was recalled then is still in the conversation.
HOOKS: Mapping[str, Mapping[str, Any]] = {
    "SessionStart": {"matcher": "startup|clear|compact"},
    "UserPromptSubmit": {},
}


def install(
    client: Client,
    scope: str,
    project: Path,
    command: Sequence[str],
    chosen: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> Plan | None:
    """Plan to tell a client of the server; None if it has no file for this scope.

    An entry that is there keeps what else it holds, its environment for example; one that leads to a server in another
    way than by a command is replaced. A memory that was chosen counts before the one that the entry's variable names;
    settings join its environment.
    """
    path = client.file(scope, project)
    if path is None:
        return None
    place = (client.servers, SERVER)

    def is_kept(values: Any) -> bool:
        return isinstance(at(values, (*place, "command")), str)

    def wanted(values: Any) -> dict[str, Any]:
        variable = at(values, (*place, "env", paths.DATABASE_VARIABLE))
        more = [words.DATABASE_OPTION, str(chosen)] if chosen and variable else []
        return {
            "command": command[0],
            "args": [*words.without_database(command[1:]), *more] if more else [*command[1:]],
        }

    def fresh(values: Any) -> dict[str, Any]:
        extras = {} if client.form == TOML else client.extras
        return {**extras, **wanted(values), **({"env": dict(settings)} if settings else {})}

    def change(text: str) -> str:
        values = values_of(text, client.form)
        put: Callable[[str, Sequence[str], Mapping[str, Any]], str] = toml.put if client.form == TOML else _put_members
        if not is_kept(values):
            if client.form == TOML:
                return toml.put(toml.remove(text, place) if _has_any(values, client) else text, place, fresh(values))
            return jsonc.put(text, place, fresh(values))
        text = put(text, place, wanted(values))
        return put(text, (*place, "env"), settings) if settings else text

    def wanted_values(values: Any) -> Any:
        if not is_kept(values):
            return _changed(values, place, fresh(values))
        given = at(values, place)
        environment = {"env": {**(given.get("env") or {}), **settings}} if settings else {}
        return _changed(values, place, {**given, **wanted(values), **environment})

    return _plan(
        client,
        path,
        client.form,
        scope,
        change,
        wanted_values,
        lambda values: _has_entry(values, client),
        lambda values: entry_in(values, client),
    )


def uninstall(client: Client, scope: str, project: Path) -> Plan | None:
    """Plan to take the server out of a client's file; None if it has no file for this scope.

    An entry that starts another program is left alone; one that stood there before ours comes back.
    """
    path = client.file(scope, project)
    if path is None:
        return None
    place = (client.servers, SERVER)
    old = _kept_values(path, client.form)
    replaced = at(old, place) if _is_of_another(old, client) else None
    if _has_entry(old, client):
        old = None  # not from before mnemo came

    def change(text: str) -> str:
        if not _has_entry(values_of(text, client.form), client):
            return text
        if client.form == TOML:
            without = toml.remove(text, place)
            return without if replaced is None else toml.put(without, place, replaced)
        if replaced is not None:
            return jsonc.put(text, place, replaced)
        return _prune(jsonc.remove(text, place), (client.servers,), old)

    return _plan(
        client,
        path,
        client.form,
        scope,
        change,
        lambda values: _changed(values, place, replaced),
        lambda values: _has_entry(values, client),
        lambda values: entry_in(values, client),
        is_removal=True,
    )


def _put_members(text: str, place: Sequence[str], values: Mapping[str, Any]) -> str:
    """Return the text of a JSON file with these members in the object at a place; its others stay."""
    for key, value in values.items():
        text = jsonc.put(text, (*place, key), value)
    return text


def _has_any(values: Any, client: Client) -> bool:
    return entry_in(values, client) is not None


def _has_entry(values: Any, client: Client) -> bool:
    entry = entry_in(values, client)
    return entry is not None and entry.is_ours


def _is_of_another(values: Any, client: Client) -> bool:
    entry = entry_in(values, client)
    return entry is not None and not entry.is_ours


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
        values = jsonc.parse(text_of(catalogue.hooks_file(scope, project).read_bytes())).value
    except (OSError, ValueError):
        return False
    return any(_our_hooks(values, event) for event in HOOKS)


def uninstall_hooks(client: Client, scope: str, project: Path) -> Plan:
    """Plan to take our hooks out of Claude Code's settings."""
    path = catalogue.hooks_file(scope, project)

    def change(text: str) -> str:
        old, given = _kept_values(path, JSON), text
        if _has_our_hooks(old):
            old = None  # not from before mnemo came
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
        for group, one in enumerate(list_in(events, event))
        for number, hook in enumerate(list_in(one, "hooks"))
        if _is_ours(hook)
    ]


def _has_our_hooks(values: Any) -> bool:
    return any(_our_hooks(values, event) for event in HOOKS)


def _without_our_hooks(values: Any) -> Any:
    """Return the values without our hooks, and without what holds nothing but those."""
    for event in HOOKS:
        kept = []
        for group in list_in(at(values, ("hooks",)), event):
            hooks = list_in(group, "hooks")
            others = [hook for hook in hooks if not _is_ours(hook)]
            if len(others) == len(hooks):
                kept.append(group)
            elif others:
                kept.append({**group, "hooks": others})
        if isinstance(at(values, ("hooks",)), dict) and isinstance(at(values, ("hooks", event)), list | None):
            values = _changed(values, ("hooks", event), kept)
    return values


def _is_ours(hook: Any) -> bool:
    return isinstance(hook, dict) and words.is_our_hook(hook.get("command"))


def _changed(values: Any, place: Sequence[str], entry: Any) -> Any:
    """Return the values with this entry at a place, or without one; what is empty then on the way is left out."""
    key, *rest = place
    given = values if isinstance(values, dict) else {}
    inner = _changed(given.get(key), rest, entry) if rest else entry
    return {name: one for name, one in {**given, key: inner}.items() if name != key or inner}


def _prune(text: str, place: Sequence[str], old: Any) -> str:
    """Return the text without a container that has become empty and was not there before mnemo came."""
    values, before = jsonc.parse(text).value, old
    for key in place:
        if not isinstance(values, dict) or key not in values:
            return text
        values = values[key]
        before = before.get(key) if isinstance(before, dict) else None
    return jsonc.remove(text, place) if not values and before is None else text


def _kept_values(path: Path, form: str) -> Any:
    """Return the values of the copy beside a file, None where there is none that can be read."""
    try:
        return values_of(text_of(path.with_name(path.name + BACKUP).read_bytes()), form)
    except (OSError, ValueError):
        return None


def _plan(
    client: Client,
    path: Path,
    form: str,
    scope: str,
    change: Callable[[str], str],
    wanted: Callable[[Any], Any],
    is_there: Callable[[Any], bool],
    entry_of: Callable[[Any], Entry | None] = lambda _: None,
    *,
    is_removal: bool = False,
) -> Plan:
    """Plan a change of one file, which may touch nothing but what is ours.

    `wanted` makes of the file's values what they are to be, and leaves those that are so; `is_there` tells whether they
    hold what is ours; `entry_of` gives what stands there under mnemo's name.
    """
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        before = None
    except OSError as error:
        return Plan(client, path, FAIL, problem=error.strerror or str(error))
    try:
        text = text_of(before or b"")
        changed = change(text)
        given, values = (values_of(one, form) for one in (text, changed))  # what we write can be read again
        former, entry = entry_of(given), entry_of(values)
        if changed == text:
            return Plan(client, path, NOTHING, before, before, former=former, entry=entry)
        if is_there(values) == is_removal or not _are_same(wanted(given), wanted(values)):
            return Plan(client, path, FAIL, before, before, TOUCHES_OTHERS)
    except UnicodeDecodeError:
        return Plan(client, path, FAIL, before, before, NO_TEXT)
    except ValueError as error:
        return Plan(client, path, FAIL, before, before, str(error))
    after = (BOM if before and before.startswith(BOM) else b"") + changed.encode()
    plan = Plan(client, path, REMOVE, before, after, is_private=scope == USER, former=former, entry=entry)
    if not is_removal:
        action = UPDATE if former is not None or is_there(given) else ADD
        return replace(plan, action=action, has_come=not is_there(given))
    kept = _kept_values(path, form)
    is_copy_ours = is_there(kept)  # of a file that was ours alone, updated since, or of the user's own entry
    is_copy_idle = is_copy_ours and _is_as_written(kept, entry_of) and _are_same(wanted(kept), wanted(values))
    if kept is not None and _are_same(kept, values):
        plan = replace(plan, after=plan.backup.read_bytes())
    elif changed.strip() in ("", "{}") and (is_copy_ours or not plan.backup.exists()):
        plan = replace(plan, after=None)
    return replace(plan, is_copy_idle=is_copy_idle, takes_more=not _is_as_written(given, entry_of))


def _is_as_written(values: Any, entry_of: Callable[[Any], Entry | None]) -> bool:
    """Tell whether what is ours in a file's values is as `mnemo init` writes it, without anything of its user's."""
    entry = entry_of(values)
    hooks = [
        list_in(group, "hooks")[number]
        for event in HOOKS
        for place, number in _our_hooks(values, event)
        for group in [values["hooks"][event][place]]
    ]
    keys = {"type", "command", "timeout"}
    return (entry is None or entry.is_as_written) and all(
        hook.keys() <= keys and words.is_plain_hook(hook["command"]) for hook in hooks
    )


def _are_same(one: Any, other: Any) -> bool:
    """Tell whether values are the same, also those that do not equal themselves, as the `nan` of TOML."""
    first, second = (json.dumps(values, sort_keys=True, default=repr) for values in (one, other))
    return first == second
