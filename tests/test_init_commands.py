"""The command that a client is told works later and from anywhere, and is tried before anyone relies on it."""

import json
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.clients import commands, jsonc, toml, words

SCRIPT = """
import json, sys
sys.stdin.readline()
{body}
"""


def python(body: str) -> list[str]:
    return [sys.executable, "-c", SCRIPT.format(body=body)]


def test_the_real_server_answers_and_opens_no_memory(home: Path) -> None:
    assert commands.trouble([sys.executable, "-m", "mnemo", "serve"]) is None
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "trouble"),
    [
        (python("sys.exit('no module named mnemo')"), "no module named mnemo"),
        (python("pass"), "it ended without an answer"),
        (python("print('hello', flush=True)"), "it ended without an answer"),
        (python("print(json.dumps({'result': {'serverInfo': {'name': 'tides'}}}))"), "another server answered: tides"),
        (python("import time; time.sleep(30)"), "no answer within 0.5 seconds"),
    ],
)
def test_trouble_is_named(command: list[str], trouble: str) -> None:
    assert commands.trouble(command, seconds=0.5 if "sleep" in command[-1] else 20) == trouble


def test_a_command_that_is_not_there_is_named() -> None:
    assert str(commands.trouble(["/nowhere/mnemo", "serve"])).startswith("/nowhere/mnemo cannot be started: ")


def test_the_full_path_of_the_installed_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert commands.program() == [sys.executable, "-m", "mnemo"]
    script = tmp_path / "venv" / "mnemo"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert commands.program() == [str(script)]
    link = tmp_path / "bin" / "mnemo"
    link.parent.mkdir()
    link.symlink_to(script)
    assert commands.program() == [str(link)]
    assert commands.server(tmp_path / "team.db") == [str(link), "serve", "--db", str(tmp_path / "team.db")]


@pytest.mark.parametrize(
    ("prefix", "program"),
    [
        ("/home/kari/.cache/uv/archive-v0/x7Kq", ["uvx", "--from", "mnemo-facts", "mnemo"]),
        ("/home/kari/.local/pipx/.cache/0a1b", ["pipx", "run", "--spec", "mnemo-facts", "mnemo"]),
    ],
)
def test_short_lived_folders_are_not_named(prefix: str, program: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setenv("PATH", "")
    assert commands.program() == program


def test_a_hook_is_a_line_for_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "program", lambda: ["C:\\Program Files\\mnemo.exe"])
    monkeypatch.setattr(sys, "platform", "win32")
    line = commands.hook(Path("team.db"))
    assert line == "'C:/Program Files/mnemo.exe' recall --hook --db team.db"
    assert words.is_our_hook(line)
    assert not words.is_our_hook("date")
    assert not words.is_our_hook(None)


NEW, TEAM = "/opt/mnemo/bin/mnemo", Path("/srv/team notes.db")
RETOLD = [  # a hook, the memory that it is to name, what is left of it
    ("/old/mnemo recall --hook", None, f"{NEW} recall --hook"),
    ("/old/mnemo recall --hook --budget 800", None, f"{NEW} recall --hook --budget 800"),
    ("/old/mnemo recall --budget=800 --hook", TEAM, f"{NEW} recall --budget=800 --hook --db '/srv/team notes.db'"),
    ("cd /repo && /x/mnemo recall --hook | tee /tmp/log", None, f"cd /repo && {NEW} recall --hook | tee /tmp/log"),
    ("'/my tools/mnemo' recall --hook --db /a.db  --budget 800", None, f"{NEW} recall --hook  --budget 800"),
    ("/old/mnemo --db=/a.db recall --hook", TEAM, f"{NEW} --db '/srv/team notes.db' recall --hook"),
    ("/old/mnemo recall --hook --db /a.db --db /b.db", TEAM, f"{NEW} recall --hook --db '/srv/team notes.db'"),
    (f"{NEW} recall  --hook --db '/srv/team notes.db'", TEAM, f"{NEW} recall  --hook --db '/srv/team notes.db'"),
    ("A=1 nice /old/mnemo recall --hook 2>/dev/null", None, f"A=1 nice {NEW} recall --hook 2>/dev/null"),
    ("python3.13 -X utf8 -m mnemo recall --hook", None, f"{NEW} recall --hook"),
    ("uvx --from mnemo-facts mnemo recall --hook; date", None, f"{NEW} recall --hook; date"),
    ("pipx run --spec=mnemo-facts mnemo recall --hook", None, f"{NEW} recall --hook"),
    ("C:/tools/Mnemo.EXE recall --hook", None, f"{NEW} recall --hook"),
    ("(/old/mnemo recall --hook)\n/old/mnemo recall --hook", None, f"({NEW} recall --hook)\n{NEW} recall --hook"),
    # Ways of its own to start mnemo, which another path would break.
    ("docker run --rm -i memory mnemo recall --hook", TEAM, None),
    ("ssh harbour mnemo recall --hook", None, None),
    ("sh -c '/old/mnemo recall --hook'", None, None),
    ("uvx mnemo recall --hook", None, None),
    ("python3 notes.py mnemo recall --hook", None, None),
]


@pytest.mark.parametrize(("line", "database", "left"), RETOLD)
def test_of_a_hook_only_program_and_memory_change(
    line: str, database: Path | None, left: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "program", lambda: [NEW])
    monkeypatch.setattr(sys, "platform", "linux")
    assert words.is_our_hook(line)
    assert commands.hook(database, line) == (line if left is None else left)


@pytest.mark.parametrize("line", ["mnemo list", "echo mnemo; recall --hook", "mnemo recall", "mnemo | x recall --hook"])
def test_other_commands_are_no_hooks_of_ours(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "program", lambda: [NEW])
    assert commands.hook(None, line) == line


def test_hooks_with_something_of_their_users_are_told_from_plain_ones() -> None:
    assert words.is_plain_hook("/old/mnemo recall --hook --db /a.db")
    for line in ("mnemo recall --hook --budget 800", "mnemo recall --hook | tee log", "A=1 mnemo recall --hook"):
        assert not words.is_plain_hook(line)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: a name in double quotes is missing"),
        ('{"a" 1}', "line 1: a colon is missing"),
        ('{"a": }', "line 1: a value is missing"),
        ('{"a": 1 "b": 2}', "line 1: a comma or } is missing"),
        ("[1 2]", "line 1: a comma or ] is missing"),
        ("{}\n\n}", "line 3: something stands behind the end"),
        ("{} /* open", "line 1: a comment does not end"),
        ("{'a': 1}", "line 1: a name in double quotes is missing"),
        ('{"a": yes}', "line 1: unexpected 'y'"),
        (r'{"a": "\q"}', "line 1: a text is not written as JSON"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
)
def test_what_is_not_json_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(jsonc.JsonError) as caught:
        jsonc.parse(text)
    assert str(caught.value) == message


def test_members_are_removed_with_their_commas() -> None:
    text = '{\n  "a": 1, // one\n  "b": [1, 2, 3],\n  "c": {"d": null}\n}\n'
    assert jsonc.remove(text, ["a"]) == '{ // one\n  "b": [1, 2, 3],\n  "c": {"d": null}\n}\n'
    assert jsonc.remove(text, ["b", 1]) == text.replace(" 2,", "")
    assert jsonc.remove(text, ["b", 2]) == text.replace(", 3", "")
    assert jsonc.remove(text, ["c"]) == '{\n  "a": 1, // one\n  "b": [1, 2, 3]\n}\n'
    assert jsonc.remove(text, ["c", "d"]) == text.replace('"d": null', "")
    absent: list[list[str | int]] = [["x"], ["a", "x"], ["b", 7], ["a", 0]]
    for path in absent:
        assert jsonc.remove(text, path) == text


COMMENTED = [  # and what the removal of "mnemo" makes of it
    ('{ // mine\n "mnemo": {}, "other": 1 }', '{ // mine\n "other": 1 }'),
    ('{ // mine\r\n "mnemo": {}, "other": 1 }', '{ // mine\r\n "other": 1 }'),
    ('{ // mine\n "mnemo": {}, // ours\n "other": 1 }', '{ // mine\n // ours\n "other": 1 }'),
    ('{ "other": 1, // mine\n "mnemo": {} }', '{ "other": 1 // mine\n }'),
    ('{ "other": 1, // mine\n "mnemo": {}\n}', '{ "other": 1 // mine\n}'),
    ('{ "a": 1, // mine\n /* b */ "mnemo": {}, "other": 1 }', '{ "a": 1, // mine\n /* b */ "other": 1 }'),
    ('{ "url": "http://x", "mnemo": {}, "other": 1 }', '{ "url": "http://x", "other": 1 }'),
    ('{ "mnemo": {}, "other": 1, "mnemo": [] }', '{ "other": 1 }'),
]


@pytest.mark.parametrize(("text", "left"), COMMENTED)
def test_what_follows_a_removed_member_never_becomes_a_comment(text: str, left: str) -> None:
    assert jsonc.remove(text, ["mnemo"]) == left


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(OBJECTS, st.dictionaries(st.text(), OBJECTS, max_size=3), st.sampled_from([None, 1, 2, 4, "\t"]), st.booleans())
def test_whatever_the_file_holds_only_our_entry_changes(
    values: dict[str, Any], servers: dict[str, Any], indent: int | str | None, has_comments: bool
) -> None:
    values, servers = {**values}, {name: one for name, one in servers.items() if name != "mnemo"}
    values["servers"] = servers
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    if has_comments:
        text = f"// {{ [\n{text} /* }} */\n"
    entry = {"command": "/opt/mnemo", "args": ["serve"]}
    added = jsonc.put(text, ["servers", "mnemo"], entry)
    assert jsonc.parse(text).value == values
    assert jsonc.parse(added).value == {**values, "servers": {**servers, "mnemo": entry}}
    assert jsonc.put(added, ["servers", "mnemo"], entry) == added
    assert jsonc.remove(added, ["servers", "mnemo"]) == text


def test_values_are_replaced_where_they_stand() -> None:
    text = '{"a": [1, /* two */ 2]} // end\n'
    assert jsonc.put(text, ["a", 1], 3) == '{"a": [1, /* two */ 3]} // end\n'
    assert jsonc.put(text, ["a", 1], 2) == text
    assert jsonc.append(text, ["a"], 3) == '{"a": [1, /* two */ 2, 3]} // end\n'
    impossible: list[list[str | int]] = [["a", "x"], ["a", 9]]
    for path in impossible:
        with pytest.raises(jsonc.JsonError, match="is not an object"):
            jsonc.put(text, path, 1)
    with pytest.raises(jsonc.JsonError, match="is not a list"):
        jsonc.append(text, [], 1)
    assert jsonc.put("// only a comment", ["a"], 1) == '// only a comment\n{\n  "a": 1\n}\n'


def test_tables_of_toml() -> None:
    text = "[servers]\n[servers.a] # first\nx = 1\n[other]\n"
    assert toml.remove(text, ["servers", "b"]) == text
    assert toml.remove(text, ["none", "a"]) == text
    assert toml.put(text, ["servers", "a"], {"x": 2}) == text.replace("1", "2")
    for broken in ("x = [", "a = 1\na = 2\n"):
        with pytest.raises(toml.TomlError):
            toml.put(broken, ["servers"], {})
        with pytest.raises(toml.TomlError):
            toml.remove(broken, ["servers"])
    with pytest.raises(toml.TomlError, match=r"servers\.a\.x is not a table"):
        toml.put(text, ["servers", "a", "x"], {})


def test_tables_within_an_entry_of_toml_stand_on_one_line() -> None:
    values = {"env": {"A B": "1", "x": [{"y": True}, 2]}, "empty": {}}
    text = toml.put("a = 1\n", ["servers", "b"], values)
    assert toml.parse(text) == {"a": 1, "servers": {"b": values}}
    assert text.count("\n") == 5
    assert toml.remove(text, ["servers", "b"]) == "a = 1\n"
