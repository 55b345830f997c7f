"""`mnemo init`: each client's file is changed in one place, and is as it was when mnemo is taken out again."""

import json
import os
import stat
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mnemo.cli import init as init_module
from mnemo.clients import catalogue, commands, files, jsonc, plans, toml
from mnemo.clients.catalogue import CLIENTS, Client
from tests.commands import Run, invoke

SERVER = ["/opt/mnemo/bin/mnemo", "serve"]

OTHERS = """{
  // what I use every day
  "KEY": {
    "notes": { "command": "notes-server", "args": ["--port", "7001"] }, /* keep */
    "tides": {
      "command": "tides", // Nordby
      "args": [],
    },
  },
  "theme": "深色", // 我喜欢
}
"""
ONE_LINE = '{"KEY": {"notes": {"command": "notes-server"}}, "theme": "dark"}'
OTHERS_TOML = """# what I use every day
model = "some-model"   # aligned

[mcp_servers.notes]
command = 'notes-server'
args = [
    "--port", # of the office
    "7001",
]

[tui]
theme = "深色"
"""
STATES: dict[str, tuple[str | None, str | None]] = {  # as JSON, as TOML; None where there is no file
    "no file": (None, None),
    "empty": ("", ""),
    "an empty object": ("{}", "\n"),
    "other settings": ('{\n    "theme": "dark"\n}\n', 'model = "some-model"\n'),
    "other servers and comments": (OTHERS, OTHERS_TOML),
    "on one line": (ONE_LINE, 'mcp_servers = {notes = {command = "notes-server"}}\n'),
    "lines of Windows": (OTHERS.replace("\n", "\r\n"), OTHERS_TOML.replace("\n", "\r\n")),
    "no last line end": ('{\n\t"KEY": {}\n}', 'model = "some-model"'),
    "a byte order mark": ("\ufeff" + ONE_LINE, "\ufeff" + OTHERS_TOML),
}
BROKEN = {
    "a missing brace": ('{\n  "KEY": {\n', "[mcp_servers\n", "line 3"),
    "text": ("my notes", "my notes", "line 1"),
    "a list of servers": ('{"KEY": []}', "mcp_servers = []\n", "not an object"),
    "bytes that are no text": (b"\xff\xfe{\x00}\x00", b"\xff\xfe", "UTF-8"),
}


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Use none of this machine's clients, and a server that is not started."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "APPDATA", "MNEMO_DB", "MNEMO_SECRETS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(home / "bin"))
    monkeypatch.setattr(commands, "program", lambda: SERVER[:1])
    monkeypatch.setattr(commands, "trouble", lambda _: None)


@pytest.fixture
def run() -> Run:
    return partial(invoke, "init")


def write(client: Client, state: tuple[Any, ...]) -> Path:
    file = client.user_file()
    content = state[1] if client.form == catalogue.TOML else state[0]
    if isinstance(content, str):
        content = content.replace("KEY", client.servers).encode()
    if content is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return file


def read(client: Client, file: Path) -> dict[str, Any]:
    text = file.read_text("utf-8-sig")
    values: dict[str, Any] = tomllib.loads(text) if client.form == catalogue.TOML else jsonc.parse(text).value
    return values


def written(file: Path, content: str) -> Path:
    file.parent.mkdir()
    file.write_text(content)
    return file


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_added_once_and_taken_out_without_a_trace(client: Client, state: str, run: Run, home: Path) -> None:
    file = write(client, STATES[state])
    first = tree(home)
    others = read(client, file) if file.exists() and file.read_bytes().strip() else {}

    added = run(client.key)
    assert (added.exit_code, added.stderr) == (0, "")
    assert f"{client.name}: added to {file}." in added.stdout
    values = read(client, file)
    entry = values[client.servers].pop("mnemo")
    assert entry == {**client.extras, "command": SERVER[0], "args": SERVER[1:]}
    assert values == {client.servers: {}, **others}
    if first:
        assert file.with_name(file.name + files.BACKUP).read_bytes() == next(iter(first.values()))

    second = tree(home)
    again = run(client.key)
    assert f"{client.name}: nothing to do in {file}." in again.stdout
    assert tree(home) == second

    removed = run(client.key, "--remove")
    assert (removed.exit_code, removed.stdout) == (0, removed.stdout)
    assert tree(home) == first


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_folder_that_was_made_for_the_file_goes_with_it(client: Client, run: Run, home: Path) -> None:
    folder = client.user_file().parent
    assert folder == home or not folder.exists()
    run(client.key)
    assert folder.is_dir()
    run(client.key, "--remove")
    assert list(home.iterdir()) == []
    run(client.key)
    (folder / "of the assistant").touch()
    run(client.key, "--remove")
    assert (folder / "of the assistant").exists()


@pytest.mark.parametrize("trouble", BROKEN)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_a_file_that_cannot_be_read_is_left_alone(client: Client, trouble: str, run: Run, home: Path) -> None:
    file = write(client, BROKEN[trouble])
    first = tree(home)
    for arguments in ((client.key,), (client.key, "--dry-run")):
        result = run(*arguments)
        assert result.exit_code == 1
        assert f"{client.name}: {file} was left alone: " in result.stderr
    assert tree(home) == first


def test_broken_files_of_others_do_not_stand_in_the_way_of_a_removal(run: Run, home: Path) -> None:
    run("codex")
    write(catalogue.BY_KEY["cursor"], ('{"mcpServers": ',))
    result = run("--remove")
    assert (result.exit_code, result.stderr) == (0, "")
    write(catalogue.BY_KEY["cursor"], ('{"mcpServers": {"mnemo": ',))
    assert run("--remove").exit_code == 1


def test_the_message_says_where_a_file_is_broken(run: Run) -> None:
    write(catalogue.BY_KEY["cursor"], BROKEN["a missing brace"])
    assert "line 3" in run("cursor").stderr


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_what_else_was_changed_since_stays(client: Client, run: Run) -> None:
    file = write(client, STATES["other servers and comments"])
    run(client.key)
    changed = file.read_text("utf-8").replace("深色", "浅色")
    file.write_text(changed, "utf-8")
    assert run(client.key, "--remove").exit_code == 0
    content = STATES["other servers and comments"][client.form == catalogue.TOML] or ""
    assert file.read_text("utf-8") == content.replace("KEY", client.servers).replace("深色", "浅色")


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_an_entry_that_is_there_keeps_its_environment(client: Client, run: Run) -> None:
    if client.form == catalogue.TOML:
        state: tuple[str, ...] = ("", '[mcp_servers.mnemo]\ncommand = "old"\nenv = {MNEMO_SECRETS = "block"}  # mine\n')
    else:
        state = ('{"KEY": {"mnemo": {"command": "old", "env": {"MNEMO_SECRETS": "block"} /* mine */}}}',)
    file = write(client, (*state, ""))
    first = file.read_bytes()
    assert f"{client.name}: updated in {file}." in run(client.key).stdout
    entry = read(client, file)[client.servers]["mnemo"]
    assert entry == {"command": SERVER[0], "args": SERVER[1:], "env": {"MNEMO_SECRETS": "block"}}
    assert "mine" in file.read_text("utf-8")
    assert file.with_name(file.name + files.BACKUP).read_bytes() == first


OLD = "/old/checkout/.venv/bin/mnemo"


@pytest.mark.parametrize("memory", [(), ("--db", "/srv/team.db")])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_an_entry_of_a_checkout_that_moved_goes_without_a_trace(
    client: Client, memory: tuple[str, ...], run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = ("--hooks",) if client.key == "claude-code" else ()
    monkeypatch.setattr(commands, "program", lambda: [OLD])
    run(client.key, *memory, *hooks)
    monkeypatch.setattr(commands, "program", lambda: SERVER[:1])
    assert f"{client.name}: updated in " in run(client.key).stdout
    run("--remove")
    assert list(home.iterdir()) == []


def test_what_its_user_added_to_an_entry_stays_in_the_copy(run: Run, home: Path) -> None:
    mine = '{"mcpServers": {"mnemo": {"command": "/old/mnemo", "args": ["serve"], "env": {"LANG": "zh_CN.UTF-8"}}}}'
    file = written(home / ".cursor" / "mcp.json", mine)
    for update in (True, False):
        if update:
            run("cursor")
        run("cursor", "--remove")
        assert tree(home) == {".cursor/mcp.json.mnemo-backup": mine.encode()}
        file.with_name(file.name + files.BACKUP).unlink()
        file.write_text(mine)


def test_folders_on_the_way_go_too_when_the_last_file_has_gone(run: Run, home: Path) -> None:
    run("vscode", "zed", "windsurf")
    run("vscode", "--remove")
    assert not (home / ".config" / "Code").exists()
    assert (home / ".config" / "zed" / "settings.json").exists()
    run("--remove")
    assert list(home.iterdir()) == []
    run("zed")
    (home / ".config" / "of another").mkdir()
    run("--remove")
    assert [path.relative_to(home).as_posix() for path in home.rglob("*")] == [".config", ".config/of another"]


FOREIGN: dict[
    str, tuple[dict[str, Any], str, str]
] = {  # entries under mnemo's name that start something else, as JSON and TOML
    "the original program": (
        {"command": "npx", "args": ["-y", "@morningljn/mnemo"], "env": {"NODE_ENV": "production"}},
        'command = "npx"\nargs = ["-y", "@morningljn/mnemo"]\nenv = {NODE_ENV = "production"}\n',
        "npx -y @morningljn/mnemo",
    ),
    "a container": (
        {"command": "docker", "args": ["run", "-i", "memory", "mnemo", "serve"]},
        'command = "docker"\nargs = ["run", "-i", "memory", "mnemo", "serve"]\n',
        "docker run -i memory mnemo serve",
    ),
    "an address": (
        {"type": "http", "url": "http://localhost:7001/mcp"},
        'type = "http"\nurl = "http://localhost:7001/mcp"\n',
        "http://localhost:7001/mcp",
    ),
    "nothing": ({}, "", ""),
}


@pytest.mark.parametrize("change", [False, True])
@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_an_entry_of_another_program_is_named_and_brought_back(
    client: Client, kind: str, change: bool, run: Run, home: Path
) -> None:
    entry, table, started = FOREIGN[kind]
    as_json = json.dumps({"theme": "dark", client.servers: {"mnemo": entry}})
    file = write(client, (as_json, f'theme = "dark"\n[mcp_servers.mnemo]\n{table}'))
    file.with_name(file.name + files.BACKUP).write_text("{}")  # of another time
    first = file.read_bytes()
    told = run(client.key)
    assert f"{client.name}: updated in {file}." in told.stdout
    said = f"{client.name}: its entry mnemo started another program until now: {started}. --remove brings that back."
    assert (said in told.stdout) == bool(started)
    now = read(client, file)[client.servers]["mnemo"]
    kept = {key: value for key, value in entry.items() if "command" in entry}
    extras = {} if "command" in entry or client.form == catalogue.TOML else client.extras
    assert now == {**kept, **extras, "command": SERVER[0], "args": SERVER[1:]}
    assert file.with_name(file.name + files.BACKUP).read_bytes() == first
    assert "nothing to do" in run(client.key).stdout
    if change:
        file.write_text(file.read_text("utf-8").replace("dark", "light"), "utf-8")
    assert f"{client.name}: removed from {file}." in run(client.key, "--remove").stdout
    if change:
        assert read(client, file) == {"theme": "light", client.servers: {"mnemo": entry}}
    else:
        assert tree(home) == {file.relative_to(home).as_posix(): first}
    second = tree(home)
    assert json.loads(run(client.key, "--dry-run", "--json").stdout)["files"][0]["other_program"] == started
    left = run(client.key, "--remove")
    assert (left.exit_code, tree(home)) == (0, second)
    assert f"{client.name}: nothing to do in {file}." in left.stdout
    assert ("its entry mnemo starts another program, which stays: " + started in left.stdout) == bool(started)


def test_dry_run_prints_the_difference_and_writes_nothing(run: Run, home: Path) -> None:
    file = write(catalogue.BY_KEY["cursor"], ('{\n  "mcpServers": {}\n}\n',))
    first = tree(home)
    result = run("cursor", "codex", "--dry-run")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"--- {file}\n+++ {file}\n")
    assert '+    "mnemo": {\n' in result.stdout
    assert "+[mcp_servers.mnemo]\n" in result.stdout
    assert tree(home) == first


def test_clients_that_are_installed_are_found(run: Run, home: Path) -> None:
    nothing = run("--yes")
    assert nothing.exit_code == 1
    assert "No assistant was found" in nothing.stderr
    for folder in (home / ".claude", home / ".codex", home / ".cursor", catalogue.BY_KEY["zed"].user_file().parent):
        folder.mkdir(parents=True)
    program = home / "bin" / ("gemini.bat" if sys.platform == "win32" else "gemini")
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unnamed = run()
    assert unnamed.exit_code == 2
    assert "Found claude-code, codex, cursor, gemini, zed;" in unnamed.stderr
    assert run("--yes").stdout.count(": added to ") == 5
    assert run("--remove").stdout.count(": removed from ") == 5


def test_on_a_terminal_each_client_is_asked_about(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (".codex", ".cursor"):
        (home / folder).mkdir()

    monkeypatch.setattr(init_module, "_can_ask", lambda: True)
    asked = run(stdin="n\ny\n").output
    assert asked.index("Set up Codex?") < asked.index("Set up Cursor?")
    assert set(tree(home)) == {".cursor/mcp.json"}
    assert run(stdin="n\nn\n").stdout.endswith("Nothing was changed.\n")


def test_project_files(run: Run, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [client.key for client in CLIENTS]
    result = run(*names, "--project", "--hooks")
    assert set(tree(tmp_path)) == {
        ".mcp.json",
        ".claude/settings.local.json",
        ".codex/config.toml",
        ".cursor/mcp.json",
        ".vscode/mcp.json",
        ".gemini/settings.json",
    }
    assert [line.split(" has no file")[0] for line in result.stderr.splitlines()] == [
        "Windsurf",
        "Zed",
        "Claude Desktop",
    ]
    assert run("--project", "--remove").exit_code == 0
    assert list(tmp_path.iterdir()) == []
    assert tree(home) == {}


HOOKED = """{
  "permissions": {"allow": ["Bash(ls)"]}, // careful
  "hooks": {
    "UserPromptSubmit": [
      {"hooks": [{"type": "command", "command": "date"}]}
    ]
  }
}
"""


@pytest.mark.parametrize("before", [None, "", "{}", HOOKED, '{"hooks": {}}', '{"hooks": {"SessionStart": []}}'])
def test_hooks_come_and_go(before: str | None, run: Run, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    if before is not None:
        settings.write_text(before)
    first = tree(home)
    assert run("claude-code", "--hooks").exit_code == 0
    hooks = jsonc.parse(settings.read_text()).value["hooks"]
    ours = {"type": "command", "command": f"{SERVER[0]} recall --hook", "timeout": 10}
    assert hooks["SessionStart"] == [{"matcher": "startup|clear|compact", "hooks": [ours]}]
    assert hooks["UserPromptSubmit"][-1] == {"hooks": [ours]}
    second = tree(home)
    run("claude-code", "--hooks")
    assert tree(home) == second
    run("claude-code", "--remove")
    assert tree(home) == first


def test_hooks_of_another_installation_are_updated_not_doubled(run: Run, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    old = {"type": "command", "command": "/old/mnemo recall --hook", "timeout": 3}
    other = {"type": "command", "command": "date"}
    settings.write_text(json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [other, old]}]}}))
    run("claude-code", "--hooks")
    hooks = json.loads(settings.read_text())["hooks"]
    assert hooks["UserPromptSubmit"] == [{"hooks": [other, {**old, "command": f"{SERVER[0]} recall --hook"}]}]
    run("claude-code", "--remove")
    assert json.loads(settings.read_text())["hooks"] == {"UserPromptSubmit": [{"hooks": [other]}]}


def test_options_of_the_user_in_a_hook_stay(run: Run, home: Path) -> None:
    settings = written(home / ".claude" / "settings.json", "{}")
    lines = ["/old/mnemo recall --hook --budget 800", "cd /repo && /x/mnemo recall --budget 900 --hook | tee /tmp/log"]
    hooks = [{"type": "command", "command": line} for line in lines]
    settings.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": hooks}]}}))
    assert f"Claude Code: updated in {settings}." in run("claude-code").stdout
    (group,) = json.loads(settings.read_text())["hooks"]["SessionStart"]
    assert [hook["command"] for hook in group["hooks"]] == [
        f"{SERVER[0]} recall --hook --budget 800",
        f"cd /repo && {SERVER[0]} recall --budget 900 --hook | tee /tmp/log",
    ]
    second = settings.read_text()
    run("claude-code")
    assert settings.read_text() == second


def test_hooks_that_are_there_follow_the_entry(run: Run, home: Path, tmp_path: Path) -> None:
    settings = home / ".claude" / "settings.json"
    run("claude-code", "--hooks", "--db", str(tmp_path / "tried.db"))
    assert settings.read_text().count("tried.db") == 2
    assert "nothing to do" in run("claude-code", "--db", str(tmp_path / "tried.db")).stdout
    assert "Claude Code: updated in " + str(settings) in run("claude-code").stdout
    assert "tried.db" not in settings.read_text()
    assert settings.read_text().count("recall --hook") == 2
    settings.write_text("no settings")
    assert "settings.json" not in run("claude-code").stdout


def test_modes_and_links_are_kept(run: Run, home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o640)
    link = catalogue.BY_KEY["cursor"].user_file()
    link.parent.mkdir()
    try:
        link.symlink_to(real)
    except OSError:  # Windows without the right to make links
        link = real
    run("cursor", "codex")
    assert "mnemo" in real.read_text()
    assert link.is_symlink() or link == real
    if os.name == "posix":
        new = catalogue.BY_KEY["codex"].user_file()
        assert [stat.S_IMODE(file.stat().st_mode) for file in (real, new)] == [0o640, 0o600]


def test_variables_of_the_clients_count(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    run("codex", "claude-code", "--hooks")
    made = {"codex/config.toml", "claude/.claude.json", "claude/settings.json"}
    assert set(tree(tmp_path)) == made | {f"codex/{files.MADE}", f"claude/{files.MADE}"}
    run("--remove")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("platform", "folder"), [("darwin", "Library/Application Support"), ("win32", "AppData/Roaming")]
)
def test_folders_of_other_systems(platform: str, folder: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert catalogue.BY_KEY["vscode"].user_file() == home / folder / "Code/User/mcp.json"
    assert catalogue.BY_KEY["claude-desktop"].user_file() == home / folder / "Claude/claude_desktop_config.json"
    zed = home / folder / "Zed" if platform == "win32" else home / ".config/zed"
    assert catalogue.BY_KEY["zed"].user_file() == zed / "settings.json"


def test_another_memory_file_is_named_in_the_command(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["serve", "--db", str(tmp_path / "team.db")]
    run("cursor", "--db", str(tmp_path / "team.db"))
    file = catalogue.BY_KEY["cursor"].user_file()
    assert json.loads(file.read_text())["mcpServers"]["mnemo"]["args"] == wanted
    monkeypatch.setenv("MNEMO_DB", str(tmp_path / "team.db"))
    assert json.loads(run("cursor", "--json").stdout)["command"] == [SERVER[0], *wanted]


def test_another_memory_is_told_and_a_passing_one_warned_of(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "passing"))
    monkeypatch.setattr(init_module, "PASSING", ())
    usual = run("cursor")
    assert "memory" not in usual.stdout + usual.stderr
    lasting, passing = tmp_path / "team.db", tmp_path / "passing" / "x" / "facts.db"
    told = run("cursor", "--db", str(lasting))
    assert f"The assistant will use the memory {lasting}.\n" in told.stdout
    assert told.stderr == ""
    monkeypatch.setenv("MNEMO_DB", str(passing))
    for options in (["--dry-run"], []):
        warned = run("cursor", *options)
        assert f"The assistant will use the memory {passing}.\n" in warned.stdout
        assert "folder of temporary files" in warned.stderr
        assert "`unset MNEMO_DB`" in warned.stderr
    assert "memory" not in run("--remove", "cursor").stdout


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_a_memory_that_the_entrys_variable_names_is_kept_and_told(
    client: Client, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(init_module, "PASSING", ())
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/passing")
    environment = {"MNEMO_DB": "/srv/team.db"}
    entry = {"command": SERVER[0], "args": ["serve"], "env": environment}
    table = toml.put("", ("mcp_servers", "mnemo"), entry)
    file = write(client, (json.dumps({client.servers: {"mnemo": entry}}), table))
    same = run(client.key)
    assert f"{client.name}: nothing to do in {file}." in same.stdout
    assert "The assistant will use the memory /srv/team.db." in same.stdout
    assert f"{client.name}: MNEMO_DB in its entry names that; --db FILE chooses another." in same.stdout
    assert json.loads(run(client.key, "--json").stdout)["files"][0]["memory"] == "/srv/team.db"
    usual = str(home / ".mnemo" / "facts.db")
    told = run(client.key, "--db", usual).stdout
    assert f"{client.name}: until now it used the memory /srv/team.db." in told
    assert "will use" not in told
    now = read(client, file)[client.servers]["mnemo"]
    assert now == {"command": SERVER[0], "args": ["serve", "--db", usual], "env": environment}
    monkeypatch.setenv("MNEMO_DB", usual)
    assert "nothing to do" in run(client.key).stdout


def test_hooks_recall_from_the_memory_that_the_entrys_variable_names(run: Run, home: Path) -> None:
    entry = {"command": SERVER[0], "args": ["serve"], "env": {"MNEMO_DB": "/srv/team.db"}}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"mnemo": entry}}))
    run("claude-code", "--hooks")
    assert (home / ".claude" / "settings.json").read_text().count("recall --hook --db /srv/team.db") == 2


OFF = {
    "codex": ("", '[mcp_servers.mnemo]\ncommand = "COMMAND"\nargs = ["serve"]\nenabled = false\n', "enabled"),
    "zed": (
        '{"context_servers": {"mnemo": {"command": "COMMAND", "args": ["serve"], "enabled": false}}}',
        "",
        "enabled",
    ),
    "windsurf": (
        '{"mcpServers": {"mnemo": {"command": "COMMAND", "args": ["serve"], "disabled": true}}}',
        "",
        "disabled",
    ),
    "gemini": (
        '{"mcp": {"excluded": ["mnemo"]}, "mcpServers": {"mnemo": {"command": "COMMAND", "args": ["serve"]}}}',
        "",
        "mcp.excluded",
    ),
}


@pytest.mark.parametrize("program", [SERVER[0], "/old/mnemo"])
@pytest.mark.parametrize("key", OFF)
def test_an_entry_that_is_switched_off_stays_so_and_is_told(key: str, program: str, run: Run, home: Path) -> None:
    client = catalogue.BY_KEY[key]
    *state, setting = (text.replace("COMMAND", program) for text in OFF[key])
    file = write(client, tuple(state))
    given = read(client, file)
    done = run(key)
    said = f"{client.name}: mnemo is switched off there ({setting} in {file}); switch it on to use it."
    assert (done.exit_code, said in done.stderr) == (0, True)
    assert done.stdout.endswith("The server answers.\n")
    given[client.servers]["mnemo"]["command"] = SERVER[0]
    assert read(client, file) == given
    assert json.loads(run(key, "--json").stdout)["files"][0]["switched_off"] == setting


def test_a_new_entry_that_is_not_among_the_allowed_ones_is_told(run: Run) -> None:
    write(catalogue.BY_KEY["gemini"], ('{"mcp": {"allowed": ["notes"]}}',))
    assert "switched off there (mcp.allowed in " in run("gemini").stderr
    write(catalogue.BY_KEY["gemini"], ('{"mcp": {"allowed": ["mnemo"]}}',))
    assert run("gemini").stderr == ""


SETTINGS = {"MNEMO_HALF_LIFE_DAYS": "30", "MNEMO_SECRETS": "block"}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_settings_of_the_shell_come_with_the_entry(
    client: Client, state: str, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(client, STATES[state])
    first = tree(home)
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    told = f"{client.name}: its server runs with MNEMO_HALF_LIFE_DAYS=30, MNEMO_SECRETS=block."
    assert told in run(client.key).stdout
    entry = read(client, file)[client.servers]["mnemo"]
    assert entry == {**client.extras, "command": SERVER[0], "args": SERVER[1:], "env": SETTINGS}
    for name in SETTINGS:
        monkeypatch.delenv(name)
    again = run(client.key)
    assert f"{client.name}: nothing to do in {file}." in again.stdout
    assert told in again.stdout
    run(client.key, "--remove")
    assert tree(home) == first


@pytest.mark.parametrize("form", ["env = {NOTES = 'x', MNEMO_SECRETS = 'warn'}", "[KEY.mnemo.env]\nNOTES = 'x'", ""])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.key)
def test_settings_join_the_environment_of_an_entry(
    client: Client, form: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"[KEY.mnemo]\ncommand = '/old/mnemo'\nargs = ['serve']\n{form}\n\n[KEY.notes]\ncommand = 'notes'\n"
    values = toml.parse(table.replace("KEY", client.servers))
    file = write(client, (json.dumps(values), table))
    monkeypatch.setenv("MNEMO_SECRETS", "block")
    assert run(client.key).exit_code == 0
    values[client.servers]["mnemo"]["command"] = SERVER[0]
    values[client.servers]["mnemo"].setdefault("env", {})["MNEMO_SECRETS"] = "block"
    assert read(client, file) == values
    assert run(client.key, "--remove").exit_code == 0
    assert read(client, file) == {client.servers: {"notes": {"command": "notes"}}}


@pytest.mark.parametrize(("name", "value"), [("MNEMO_SECRETS", "blok"), ("MNEMO_HALF_LIFE_DAYS", "a month")])
def test_a_wrong_setting_is_not_written(
    name: str, value: str, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    done = run("codex", "cursor")
    assert done.exit_code == 2
    assert f"{name} must be " in done.stderr
    assert tree(home) == {}
    assert run("codex", "--remove").exit_code == 0


def test_an_environment_that_is_none_is_left_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = '{"mcpServers": {"mnemo": {"command": "/old/mnemo", "args": ["serve"], "env": ["MNEMO_SECRETS=warn"]}}}'
    file = write(catalogue.BY_KEY["cursor"], (entry,))
    monkeypatch.setenv("MNEMO_SECRETS", "block")
    assert "env is not an object" in run("cursor").stderr
    assert file.read_text() == entry


def test_json_says_what_was_done(run: Run, home: Path) -> None:
    file = write(catalogue.BY_KEY["cursor"], ("{}",))
    planned = json.loads(run("cursor", "--json", "--dry-run").stdout)
    assert planned["files"][0]["diff"].startswith("---")
    assert json.loads(run("cursor", "--json").stdout) == {
        "files": [{"client": "cursor", "file": str(file), "action": "add", "backup": f"{file}.mnemo-backup"}],
        "command": SERVER,
    }
    file.write_text("{")
    assert (
        json.loads(run("cursor", "--json").stdout)["files"][0]["problem"]
        == "line 1: a name in double quotes is missing"
    )


def test_a_file_that_cannot_be_written_is_told(run: Run, home: Path) -> None:
    (home / ".cursor").write_text("not a folder")
    result = run("cursor")
    assert result.exit_code == 1
    assert "Cursor: " in result.stderr
    assert "was left alone" in result.stderr


def test_a_file_that_was_saved_meanwhile_is_left_alone(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(home / ".cursor" / "mcp.json", "{}")
    install = plans.install

    def install_slowly(*given: Any) -> files.Plan | None:
        plan = install(*given)
        file.write_text('{"theirs": 1}')
        return plan

    monkeypatch.setattr(plans, "install", install_slowly)
    done = run("cursor")
    assert (done.exit_code, file.read_text()) == (1, '{"theirs": 1}')
    assert "it was changed by another program meanwhile; run this again" in done.stderr


def test_a_write_that_fails_leaves_the_file(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(catalogue.BY_KEY["cursor"], (ONE_LINE,))
    first = tree(home)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = run("cursor")
    assert result.exit_code == 1
    assert f"{file} was left alone: No space left on device" in result.stderr
    assert tree(home) == first


def test_a_server_that_does_not_answer_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "trouble", lambda _: "no answer within 30 seconds")
    result = run("cursor")
    assert result.exit_code == 1
    assert "does not answer: no answer within 30 seconds" in result.stderr
    assert json.loads(run("cursor", "--json").stdout)["error"] == "no answer within 30 seconds"


def test_an_unknown_client_is_wrong_use(run: Run) -> None:
    assert run("emacs").exit_code == 2


def test_a_project_of_which_nothing_else_is_left_keeps_its_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "harbour"
    project.mkdir()
    monkeypatch.chdir(project)
    for client in ("claude-code", "cursor"):
        assert run(client, "--project").exit_code == 0
        assert run(client, "--project", "--remove").exit_code == 0
    assert list(project.iterdir()) == []


def test_a_folder_that_is_gone_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "harbour"
    project.mkdir()
    monkeypatch.chdir(project)
    project.rmdir()
    done = run("codex")
    assert done.exit_code == 1
    assert "The current folder is not there any more; change to another one." in done.stderr


@pytest.mark.parametrize(
    "content",
    [
        '{"mcpServers": {}}',
        '{"mcpServers": []}',
        '{"mcpServers": null, "theme": "dark"}',
        "{}",
        "",
        '{"mcpServers": {"notes": {}}}',
    ],
)
def test_a_file_that_is_not_about_us_is_left_as_it_is(run: Run, home: Path, content: str) -> None:
    file = written(home / ".cursor" / "mcp.json", content)
    done = run("cursor", "--remove")
    assert (done.exit_code, done.stdout) == (0, f"Cursor: nothing to do in {file}.\n")
    assert tree(home) == {".cursor/mcp.json": content.encode()}


@pytest.mark.parametrize(
    "content",
    [
        '{"hooks": {}}',
        '{"hooks": {"SessionStart": {}}}',
        '{"hooks": {"SessionStart": []}}',
        '{"hooks": {"SessionStart": [{"hooks": null}]}}',
        '{"hooks": {"SessionStart": [{"hooks": 3}, null, {"hooks": [null]}]}}',
        '{"hooks": null}',
        '{"hooks": []}',
    ],
)
def test_odd_hooks_of_others_are_left_as_they_are(run: Run, home: Path, content: str) -> None:
    written(home / ".claude" / "settings.json", content)
    for arguments in (["claude-code", "--remove"], ["--remove"]):
        assert run(*arguments).exit_code == 0
        assert tree(home) == {".claude/settings.json": content.encode()}
    added = run("claude-code", "--hooks")
    assert added.exception is None or isinstance(added.exception, SystemExit)


def test_what_stands_behind_our_entry_does_not_become_a_comment() -> None:
    text = '{"mcpServers": { // servers\n "mnemo": {"command": "mnemo"} }}\n'
    assert jsonc.remove(text, ("mcpServers", "mnemo")) == '{"mcpServers": { // servers\n }}\n'


def test_hooks_without_claude_code_come_to_nothing_and_restarts_are_asked_for_where_they_help(
    run: Run, home: Path
) -> None:
    done = run("codex", "--hooks")
    assert done.stderr == "--hooks is for Claude Code, which is not among these; nothing comes of it.\n"
    assert "Restart the assistant" in done.stdout
    assert run("CODEX").stdout.endswith("The server answers.\n")


def test_a_folder_that_was_there_stays(run: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    run("cursor", "codex")
    run("--remove")
    assert [path.name for path in home.iterdir()] == [".cursor"]


@pytest.mark.parametrize("comes_first", [True, False])
def test_another_server_on_the_line_of_ours_stays(run: Run, home: Path, *, comes_first: bool) -> None:
    others = '{\n  "mcpServers": {\n    // my servers\n    OURS"other": {"command": "y"}\n  }\n}\n'
    ours = '"mnemo": {"command": "/x/mnemo", "args": ["serve"]}, '
    file = written(home / ".cursor" / "mcp.json", others.replace("OURS", "" if comes_first else ours))
    if comes_first:
        run("cursor")
        file.write_text(others.replace("OURS", ours), "utf-8")  # as the user tidied it
    assert run("cursor", "--remove").exit_code == 0
    assert jsonc.parse(file.read_text("utf-8")).value == {"mcpServers": {"other": {"command": "y"}}}


def test_a_byte_order_mark_stays_where_more_was_changed_since(run: Run, home: Path) -> None:
    file = written(home / ".cursor" / "mcp.json", "\ufeff" + ONE_LINE.replace("KEY", "mcpServers"))
    run("cursor")
    file.write_text(file.read_text("utf-8").replace("dark", "light"), "utf-8")
    run("cursor", "--remove")
    assert file.read_bytes() == ("\ufeff" + ONE_LINE.replace("KEY", "mcpServers").replace("dark", "light")).encode()


@pytest.mark.parametrize(("key", "module"), [("cursor", jsonc), ("codex", toml)])
@pytest.mark.parametrize("flag", [(), ("--remove",)])
def test_a_change_that_would_touch_other_settings_is_not_made(
    run: Run, monkeypatch: pytest.MonkeyPatch, key: str, module: Any, flag: tuple[str, ...]
) -> None:
    client = catalogue.BY_KEY[key]
    write(client, STATES["other servers and comments"])
    if flag:
        run(key)
    before = client.user_file().read_bytes()
    name = "remove" if flag else "put"
    made = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *given: made(*given).replace("7001", "7002"))
    done = run(key, *flag)
    assert done.exit_code == 1
    assert "mnemo cannot change its entry there without changing others; please edit the file by hand" in done.stderr
    assert client.user_file().read_bytes() == before


def test_an_entry_that_does_not_come_or_go_is_told(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonc, "put", lambda text, *_: text + "// changed\n")
    assert run("cursor").exit_code == 1
    assert not (home / ".cursor" / "mcp.json").exists()


@pytest.mark.parametrize("flag", [(), ("--remove",)])
def test_hooks_of_others_are_never_touched(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, flag: tuple[str, ...]
) -> None:
    file = written(home / ".claude" / "settings.json", HOOKED)
    if flag:
        run("claude-code", "--hooks")
    before = file.read_bytes()
    name = "remove" if flag else "append"
    made = getattr(jsonc, name)
    monkeypatch.setattr(jsonc, name, lambda *given: made(*given).replace('"command": "date"', '"command": "time"'))
    done = run("claude-code", "--hooks", *flag)
    assert (done.exit_code, file.read_bytes()) == (1, before)
