"""Backup, restore and the check-up, on whole and on broken files."""

import json
import os
import re
import shlex
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from mnemo import copies, diagnosis
from mnemo.clients import commands
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.memory import Memory
from mnemo.storage import copying, inspection
from tests.commands import invoke
from tests.conftest import rows

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def file(home: Path) -> Path:
    """Give the user's memory with two facts, closed."""
    memory = Memory()
    for content in ("Nordby has a ferry", "渡轮七点开"):
        memory.fact_store({"action": "add", "content": content})
    memory.close()
    return home / ".mnemo" / "facts.db"


def contents(path: Path) -> set[str]:
    return {str(row[0]) for row in rows(path, "SELECT content FROM facts")}


def found_by(query: str) -> list[int]:
    return [fact["fact_id"] for fact in json.loads(invoke("search", query, "--json").stdout)["results"]]


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 64] = b"\xff" * 64
    path.write_bytes(data)


def statuses(*arguments: str) -> dict[str, str]:
    found: dict[str, Any] = json.loads(invoke("doctor", *arguments, "--json").stdout)
    worst: dict[str, str] = {}
    order = ("ok", "warning", "error")
    for check in found["checks"]:
        worst[check["check"]] = max(worst.get(check["check"], "ok"), check["status"], key=order.index)
    return worst


# --- backup ---


def test_a_copy_is_whole_while_a_server_has_the_memory_open(file: Path, tmp_path: Path) -> None:
    memory = Memory()
    memory.fact_store({"action": "add", "content": "not yet in the file itself"})
    done = invoke("backup", str(tmp_path / "copy.db"))
    assert (done.exit_code, done.stdout) == (0, f"Copied the memory to {tmp_path / 'copy.db'}.\n")
    assert contents(tmp_path / "copy.db") == {"Nordby has a ferry", "渡轮七点开", "not yet in the file itself"}
    memory.close()
    if os.name == "posix":
        assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db"]


def test_copies_beside_the_memory_are_named_by_time_and_rotate(file: Path) -> None:
    for hour in range(4):
        with freeze_time(f"2026-06-01 0{hour}:00:00"):
            done = invoke("backup", "--keep", "2", "--json")
    assert [path.name for path in copies.backups(file)] == [
        "facts.db.backup-20260601-030000",
        "facts.db.backup-20260601-020000",
    ]
    assert [Path(old).name for old in json.loads(done.stdout)["removed"]] == ["facts.db.backup-20260601-010000"]


def test_a_named_copy_rotates_by_number(file: Path, tmp_path: Path) -> None:
    for number in range(4):
        invoke("add", f"fact {number}")
        done = invoke("backup", str(tmp_path / "copy.db"), "--keep", "3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "copy.db.1", "copy.db.2"]
    assert [len(contents(tmp_path / name)) for name in ("copy.db", "copy.db.1", "copy.db.2")] == [6, 5, 4]
    assert "Removed the older copy" in done.stdout


def test_older_copies_stay_as_they_are_where_a_new_one_fails(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    for number in range(2):
        invoke("add", f"fact {number}")
        invoke("backup", str(target), "--keep", "2")
    kept = {path.name: contents(path) for path in tmp_path.iterdir()}
    assert sorted(kept) == ["copy.db", "copy.db.1"]
    file.write_bytes(b"damaged" * 1000)
    assert invoke("backup", str(target), "--keep", "2").exit_code == 1
    assert {path.name: contents(path) for path in tmp_path.iterdir()} == kept


def test_a_copy_into_a_folder_gets_a_name(file: Path, tmp_path: Path) -> None:
    with freeze_time("2026-06-01"):
        invoke("backup", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["facts.db.backup-20260601-000000"]


def test_what_cannot_be_copied_is_explained(file: Path, tmp_path: Path) -> None:
    assert invoke("backup", str(file)).exit_code == 2
    missing = invoke("backup", "--db", str(tmp_path / "none.db"))
    assert (missing.exit_code, "nothing to copy" in missing.stderr) == (1, True)
    assert not (tmp_path / "none.db").exists()


def test_a_copy_does_not_wait_for_ever(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "WRITE_WAIT_SECONDS", 0.3)
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(MemoryBusyError):
            copying.copy_database(file, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


# --- restore ---


def test_restore_takes_the_copy_and_keeps_what_was_there(file: Path, tmp_path: Path) -> None:
    invoke("backup", str(tmp_path / "copy.db"))
    invoke("add", "added after the copy")
    with freeze_time("2026-06-02"):
        done = invoke("restore", str(tmp_path / "copy.db"), "--json")
    kept = file.with_name("facts.db.before-restore-20260602-000000")
    assert json.loads(done.stdout) == {"facts": 2, "kept": str(kept)}
    assert contents(file) == {"Nordby has a ferry", "渡轮七点开"}
    assert "added after the copy" in contents(kept)
    assert 2 in found_by("渡轮")


def test_a_server_that_has_the_memory_open_sees_what_was_restored(file: Path, tmp_path: Path) -> None:
    invoke("backup", str(tmp_path / "copy.db"))
    server = Memory()
    server.fact_store({"action": "add", "content": "soon gone"})
    assert invoke("restore", str(tmp_path / "copy.db")).exit_code == 0
    assert server.fact_store({"action": "list"})["total"] == 2
    server.fact_store({"action": "add", "content": "added after the return"})
    server.close()
    assert contents(file) == {"Nordby has a ferry", "渡轮七点开", "added after the return"}


def test_a_damaged_copy_is_refused_and_nothing_is_changed(file: Path, tmp_path: Path) -> None:
    invoke("backup", str(tmp_path / "copy.db"))
    damage(tmp_path / "copy.db")
    refused = invoke("restore", str(tmp_path / "copy.db"))
    assert (refused.exit_code, "damaged" in refused.stderr) == (1, True)
    assert invoke("restore", str(tmp_path / "none.db")).exit_code == 1
    (tmp_path / "text.db").write_text("no database")
    assert invoke("restore", str(tmp_path / "text.db")).exit_code == 1
    assert contents(file) == {"Nordby has a ferry", "渡轮七点开"}
    assert sorted(path.name for path in file.parent.iterdir()) == ["facts.db"]


def test_a_damaged_memory_is_replaced_and_kept_as_it_is(file: Path, tmp_path: Path) -> None:
    invoke("backup", str(tmp_path / "copy.db"))
    file.write_bytes(b"nothing but noise " * 500)
    with freeze_time("2026-06-02"):
        assert invoke("restore", str(tmp_path / "copy.db")).exit_code == 0
    assert contents(file) == {"Nordby has a ferry", "渡轮七点开"}
    assert file.with_name("facts.db.before-restore-20260602-000000").read_bytes().startswith(b"nothing but noise")


def test_a_memory_that_was_lost_is_restored(file: Path, tmp_path: Path) -> None:
    invoke("backup", str(tmp_path / "copy.db"))
    file.unlink()
    done = invoke("restore", str(tmp_path / "copy.db"))
    assert done.stdout == f"Restored {tmp_path / 'copy.db'}; the memory now has 2 facts.\n"
    assert len(contents(file)) == 2


def test_an_old_file_is_upgraded_when_it_is_restored(file: Path, original_file: Path) -> None:
    assert invoke("restore", str(original_file)).exit_code == 0
    assert found_by("深色主题")[0] == 1


# --- doctor ---


def test_a_whole_memory_is_in_order(file: Path) -> None:
    done = invoke("doctor")
    assert done.exit_code == 0
    assert statuses() == {
        "python": "ok",
        "sqlite": "ok",
        "fts5": "ok",
        "file": "ok",
        "permissions": "ok",
        "schema": "ok",
        "integrity": "ok",
        "index": "ok",
        "log": "ok",
        "disk": "ok",
        "processes": "ok",
        "clients": "warning",
    }


def test_looking_changes_nothing(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    invoke("doctor")
    assert file.read_bytes() == before
    assert invoke("doctor", "--db", str(tmp_path / "none.db")).exit_code == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_a_folder_that_only_has_the_name_stays_open(file: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared" / ".mnemo"
    shared.mkdir(parents=True)
    shared.chmod(0o775)
    invoke("add", "of a team", "--db", str(shared / "facts.db"))
    assert statuses("--fix", "--db", str(shared / "facts.db"))["permissions"] == "ok"
    assert shared.stat().st_mode & 0o777 == 0o775


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_what_cannot_be_closed_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.chmod(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    assert "is open to others (0644), and is not yours to close; ask its owner." in invoke("doctor", "--fix").stdout


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_open_permissions_are_found_and_mended(file: Path) -> None:
    file.chmod(0o644)
    file.parent.chmod(0o755)
    assert statuses()["permissions"] == "warning"
    assert invoke("doctor").exit_code == 0
    assert statuses("--fix")["permissions"] == "ok"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_an_index_that_disagrees_is_found_and_built_anew(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM index_documents WHERE fact_id = 2")
        connection.execute("DELETE FROM facts_fts WHERE rowid = 2")
        connection.execute("INSERT INTO index_terms(index_terms) VALUES ('delete-all')")
    assert statuses()["index"] == "error"
    assert invoke("doctor").exit_code == 1
    assert 2 not in found_by("渡轮")
    assert invoke("doctor", "--fix").exit_code == 0
    assert 2 in found_by("渡轮")


def test_facts_of_another_program_wait_for_the_next_search(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO facts(content) VALUES ('written by another program')")
    assert statuses()["index"] == "warning"
    invoke("search", "another program")
    assert statuses()["index"] == "ok"


def test_damage_is_found(file: Path) -> None:
    damage(file)
    before = file.read_bytes()
    done = invoke("doctor", "--fix")
    assert done.exit_code == 1
    (line,) = [line for line in done.stdout.splitlines() if "integrity" in line]
    assert line.startswith("error")
    assert "can be read; restore a copy with `mnemo restore FILE`" in line
    assert statuses()["integrity"] == "error"
    assert file.read_bytes() == before


def test_files_of_others_are_told_apart(file: Path, original_file: Path, tmp_path: Path) -> None:
    assert statuses("--db", str(original_file))["schema"] == "warning"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 999")
    assert statuses()["schema"] == "error"
    with closing(sqlite3.connect(tmp_path / "strange.db")) as connection, connection:
        connection.execute("PRAGMA application_id = 77")
        connection.execute("CREATE TABLE t (x)")
    assert statuses("--db", str(tmp_path / "strange.db"))["schema"] == "error"
    assert statuses("--db", str(tmp_path))["file"] == "error"


def test_an_older_file_and_a_long_log_are_warned_of(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA user_version = 3")
        connection.execute(
            "INSERT INTO retrieval_log(query, results) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
            "WHERE i < 5001) SELECT 'q', '[]' FROM n"
        )
    found = statuses()
    assert (found["schema"], found["log"]) == ("warning", "warning")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux tells which programs have a file open")
def test_other_programs_that_have_the_file_open_are_named(file: Path) -> None:
    import subprocess
    import sys

    script = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        holders = diagnosis.open_by(file)
        assert process.stdin is not None
        process.stdin.close()
    assert [holder for holder in holders or [] if holder.endswith(f"({process.pid})")]


def test_systems_without_proc_say_so(file: Path, tmp_path: Path) -> None:
    assert diagnosis.open_by(file, tmp_path) is None


def test_configured_clients_are_named(file: Path, home: Path) -> None:
    (home / ".cursor").mkdir()
    entry = {"mcpServers": {"mnemo": {"command": sys.executable, "args": ["-m", "mnemo", "serve"]}}}
    (home / ".cursor" / "mcp.json").write_text(json.dumps(entry))
    assert "configured in Cursor" in invoke("doctor").stdout


@pytest.mark.parametrize(
    ("more", "other"),
    [
        ({"args": ["serve", "--db", "{}/other.db"]}, "other.db"),
        ({"args": ["-m", "mnemo", "serve", "--db={}/other.db"]}, "other.db"),
        ({"args": ["serve"], "env": {"MNEMO_DB": "{}/other.db"}}, "other.db"),
        ({"args": ["serve", "--db", "{}/facts.db"], "env": {"MNEMO_DB": "{}/other.db"}}, None),
        ({"args": ["serve", "--db", "~/.mnemo/facts.db"]}, None),
        ({"args": ["serve", "--db", "other.db"]}, None),  # from the folder in which the assistant starts it
        ({"args": ["serve", "--db"]}, None),
        ({"args": ["run", "--rm", "mnemo"], "env": {"MNEMO_DB": "/other.db"}}, None),  # whose paths are others
        ({"args": "serve", "env": []}, None),
    ],
)
def test_a_client_that_uses_another_memory_is_named(
    file: Path, home: Path, more: dict[str, object], other: str | None
) -> None:
    (home / ".cursor").mkdir()
    entry = {"mcpServers": {"mnemo": {"command": sys.executable, **more}}}
    (home / ".cursor" / "mcp.json").write_text(json.dumps(entry).replace("{}", str(file.parent)))
    said = invoke("doctor").stdout
    if other is None:
        assert "configured in Cursor" in said
        assert "Cursor uses" not in said
    else:
        option = f" --db {file}" if "env" in more else ""
        assert f"Cursor uses another memory, {file.parent / other}; run `mnemo init cursor{option}` again" in said
        assert "configured in" not in said
        assert "No assistant" not in said


def test_a_client_with_the_usual_memory_is_named_where_another_is_looked_at(file: Path, home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        f"[mcp_servers.mnemo]\ncommand = '{sys.executable}'\nargs = ['serve']\n"
    )
    assert f"Codex uses another memory, {file}" in invoke("doctor", "--db", str(home / "other.db")).stdout


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({"args": ["-m", "mnemo", "serve", "--db", "/srv/a b.db"]}, []),
        ({"args": ["-m", "mnemo", "serve"], "env": {"MNEMO_DB": "/srv/team.db"}}, []),
        ({"args": ["-m", "mnemo", "serve", "--db", "/srv/team.db"], "env": {"MNEMO_DB": "/srv/x.db"}}, []),
        ({"args": ["-m", "mnemo", "serve"]}, ["--db", "{}/of another/facts.db"]),
        ({"args": ["-m", "mnemo", "serve"], "env": {"MNEMO_DB": "/srv/x.db"}}, ["--db", "{}/of another/facts.db"]),
    ],
)
def test_what_the_check_advises_about_a_memory_helps(
    file: Path, home: Path, more: dict[str, object], options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "trouble", lambda _: None)
    monkeypatch.setattr(commands, "program", lambda: [sys.executable, "-m", "mnemo"])
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text(
        json.dumps({"mcpServers": {"mnemo": {"command": sys.executable, **more}}})
    )
    chosen = [one.replace("{}", str(home)) for one in options]
    said = invoke("doctor", *chosen).stdout
    (advice,) = re.findall("uses another memory, .*; run `mnemo (.*)` again", said)
    assert invoke(*shlex.split(advice)).exit_code == 0
    assert "configured in Cursor" in invoke("doctor", *chosen).stdout


@pytest.mark.parametrize("environment", [{}, {"MNEMO_SECRETS": "warn"}])
def test_a_client_that_does_not_pass_a_setting_on_is_named(
    file: Path, home: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "trouble", lambda _: None)
    monkeypatch.setattr(commands, "program", lambda: [sys.executable, "-m", "mnemo"])
    (home / ".cursor").mkdir()
    entry = {"command": sys.executable, "args": ["-m", "mnemo", "serve"], "env": environment}
    (home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"mnemo": entry}}))
    assert "configured in Cursor" in invoke("doctor").stdout
    monkeypatch.setenv("MNEMO_SECRETS", "block")
    said = "Cursor runs its server without MNEMO_SECRETS=block, which is set here; run `mnemo init cursor` if it should"
    assert said in invoke("doctor").stdout
    invoke("init", "cursor")
    assert "configured in Cursor" in invoke("doctor").stdout


def test_a_client_that_has_mnemo_switched_off_is_named(file: Path, home: Path) -> None:
    (home / ".codex").mkdir()
    settings = home / ".codex" / "config.toml"
    settings.write_text(
        f"[mcp_servers.mnemo]\ncommand = '{sys.executable}'\nargs = ['-m', 'mnemo', 'serve']\nenabled = false\n"
    )
    said = invoke("doctor").stdout
    assert f"Codex has mnemo switched off (enabled in {settings}); switch it on there to use it." in said
    assert "configured in" not in said


def test_a_client_that_starts_what_is_not_there_is_named(file: Path, home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text('[mcp_servers.mnemo]\ncommand = "/nowhere/mnemo"\nargs = ["serve"]\n')
    said = invoke("doctor").stdout
    assert "Codex starts /nowhere/mnemo, which is not there; run `mnemo init codex` again." in said


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [("OLDEST_PYTHON", (9, 0), "python"), ("OLDEST_SQLITE", (9, 0, 0), "sqlite")],
)
def test_what_is_too_old_is_an_error(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object, check: str
) -> None:
    monkeypatch.setattr(diagnosis, name, value)
    assert statuses()[check] == "error"


def test_a_full_disk_and_a_missing_search_are_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "LITTLE_SPACE", 2**62)
    monkeypatch.setattr(inspection, "has_fts5", lambda: False)
    found = statuses()
    assert (found["disk"], found["fts5"]) == ("warning", "error")


# --- rehearsals ---


def test_a_rehearsal_leaves_the_memory_alone(file: Path, tmp_path: Path) -> None:
    source = tmp_path / "more.txt"
    source.write_text("one more fact\n")
    done = invoke("import", str(source), "--dry-run")
    assert done.stdout == "Would read 1 fact (lines): 1 to add, 0 to update, 0 unchanged.\n"
    assert len(contents(file)) == 2
    none = tmp_path / "none.db"
    assert invoke("import", str(source), "--dry-run", "--db", str(none)).exit_code == 0
    assert not none.exists()


def test_an_index_cannot_be_built_in_a_file_that_is_locked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(path: Path) -> None:
        raise MemoryFileError(f"{path} is locked")

    monkeypatch.setattr(inspection, "rebuild_index", locked)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE index_state SET tokenizer = 'another'")
    assert statuses("--fix")["index"] == "error"


def test_two_copies_of_one_second_get_names_of_their_own(file: Path) -> None:
    with freeze_time("2026-06-01"):
        invoke("backup"), invoke("backup")
    names = ["facts.db.backup-20260601-000000-2", "facts.db.backup-20260601-000000"]
    assert [path.name for path in copies.backups(file)] == names


def test_a_memory_that_another_program_is_writing_is_not_replaced(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("backup", str(tmp_path / "copy.db"))
    invoke("add", "stays")
    for module in (copying, inspection):
        monkeypatch.setattr(module, "WRITE_WAIT_SECONDS", 0.3)
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        refused = invoke("restore", str(tmp_path / "copy.db"))
        holder.execute("ROLLBACK")
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(MemoryBusyError):
            copies.restore(file, tmp_path / "copy.db")
        with pytest.raises(MemoryBusyError):
            inspection.look(file)
        holder.execute("ROLLBACK")
    assert (refused.exit_code, refused.stderr.startswith("mnemo: Another program keeps ")) == (1, True)
    assert "stays" in contents(file)


def test_a_file_whose_index_another_version_made_is_warned_of_and_built_anew(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE index_state SET tokenizer = 'another'")
    assert statuses()["index"] == "warning"
    assert "the index was built anew (another version made it)" in invoke("doctor", "--fix").stdout
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM facts WHERE fact_id = 2")
        connection.execute("DELETE FROM index_notes")
    assert statuses()["index"] == "error"


def test_settings_of_a_project_are_looked_at_too(
    file: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entry = {"mcpServers": {"mnemo": {"command": sys.executable, "args": ["-m", "mnemo", "serve"]}}}
    (tmp_path / ".mcp.json").write_text(json.dumps(entry))
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "mcp.json").write_text('{"servers": {"mnemo": {"command": "/nowhere/mnemo"}}}')
    said = invoke("doctor").stdout
    assert f"configured in Claude Code ({tmp_path / '.mcp.json'})" in said
    assert "VS Code starts /nowhere/mnemo, which is not there; run `mnemo init vscode --project` again." in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"mcpServers": {"mnemo": {', "is not right: "),
        (b'{"mnemo": "\xff"}', "is not right: it is not text in UTF-8. Mend it, then run `mnemo init cursor`."),
        (b'{"mcpServers": {"mnemo": []}}', "No assistant is set up to use mnemo"),
        (b'["mnemo"]', "No assistant is set up to use mnemo"),
        (b'{"projects": {"/src/mnemo": {}}}', "No assistant is set up to use mnemo"),
        (b'{"of another": {', "No assistant is set up to use mnemo"),
    ],
)
def test_settings_that_are_broken_are_named_where_they_are_about_us(
    file: Path, home: Path, content: bytes, said: str
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_bytes(content)
    done = invoke("doctor")
    assert (done.exit_code, said in done.stdout) == (0, True)


def test_settings_that_cannot_be_read_are_named(file: Path, home: Path) -> None:
    (home / ".cursor" / "mcp.json").mkdir(parents=True)
    assert f"{home / '.cursor' / 'mcp.json'} of Cursor cannot be read: Is a directory." in invoke("doctor").stdout
