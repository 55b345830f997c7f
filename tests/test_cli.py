"""The commands as a person and a script meet them: output, exit status, JSON that is the tools' own."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from freezegun import freeze_time

import mnemo
from mnemo.cli import COMMANDS, edit, frame, output
from mnemo.errors import DuplicateContentError, MemoryBusyError, MemoryFileError, MnemoError
from mnemo.memory import Memory
from tests.commands import Run

pytestmark = pytest.mark.usefixtures("english")

MNEMO = [sys.executable, "-m", "mnemo"]


@pytest.fixture
def stored(run: Run) -> Run:
    """Give a memory with three facts."""
    with freeze_time("2026-04-01 08:00:00"):
        run("add", "站会改到 9:45，地点在露台", "-c", "workflow", "-t", "会议,团队")
        run("add", "CI runs pytest with --fail-fast on node-17")
        run("add", "Maren reviews every migration of harbour-api", "-s", "Maren reviews migrations")
    return run


def answer(result: Result) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(result.stdout)
    return parsed


# --- storing and showing ---


def test_add_says_what_was_stored(run: Run) -> None:
    result = run("add", "The mast is 14 m", "-c", "general", "--tags", "boat")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "Added fact 1 (general).\n", "")
    again = run("add", "the mast is  14 m.")
    assert (again.exit_code, again.stdout) == (0, "Fact 1 already says this; nothing was changed.\n")
    run("add", "The mast is 12 m")
    hiding = run("add", "the mast is 14 m", "--supersedes", "2")
    assert (hiding.exit_code, hiding.stdout) == (0, "Fact 1 already says this.\nFact 2 is hidden from now on.\n")


@pytest.mark.parametrize(
    ("named", "category"),
    [
        ("身份", "identity"),
        ("代码风格", "coding_style"),
        ("tools", "tool_pref"),
        ("工作流程", "workflow"),
        ("其他", "general"),
        ("Identity", "identity"),
    ],
)
def test_a_category_goes_by_the_names_that_people_give_it(run: Run, named: str, category: str) -> None:
    assert run("add", "The mast is 14 m", "-c", named).stdout == f"Added fact 1 ({category}).\n"
    assert answer(run("list", "-c", named, "--json"))["count"] == 1
    assert run("contradict", "-c", named).exit_code == 0


def test_an_unknown_category_is_told_those_that_exist(run: Run) -> None:
    refused = run("add", "The mast is 14 m", "-c", "boats")
    assert refused.exit_code == 2
    assert "'boats' is not one of 'identity', 'coding_style'" in refused.stderr


def test_add_takes_stdin_and_files(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fact.txt"
    file.write_text("first line\nsecond line\n", encoding="utf-8-sig")
    assert run("add", stdin="来自标准输入\n").exit_code == 0
    assert run("add", "-", stdin="a dash").exit_code == 0
    assert run("add", "--file", str(file)).exit_code == 0
    assert [f["content"] for f in answer(run("show", "1", "2", "3", "--json"))["facts"]] == [
        "来自标准输入",
        "a dash",
        "first line\nsecond line",
    ]
    lines = answer(run("add", "--lines", "--json", stdin="one\n\ntwo\nfirst\tthird\n"))
    assert [outcome["fact_id"] for outcome in lines["results"]] == [4, 5, 6]


def test_add_warns_and_points_to_what_is_similar(stored: Run) -> None:
    long = stored("add", "很长" * 300)
    assert "Note: The content has more than 500 characters; give it a summary (--summary)" in long.stderr
    alike = stored("add", "CI runs pytest with --fail-fast on node-18")
    assert alike.stderr == "Similar: fact 2: CI runs pytest with --fail-fast on node-17\n"


def test_wrong_use_of_add_ends_2(run: Run, tmp_path: Path) -> None:
    assert run("add", "  ").exit_code == 2
    assert run("add", "x", "-c", "nonsense").exit_code == 2
    assert run("add", "x", "--file", "y").exit_code == 2
    missing = run("add", "--file", str(tmp_path / "gone"))
    assert (missing.exit_code, "gone cannot be read" in missing.stderr) == (1, True)


def test_list_gives_a_plain_line_for_each_fact_in_a_pipe(stored: Run) -> None:
    stored("feedback", "helpful", "1")
    result = stored("list")
    assert result.stdout.splitlines() == [
        "1\t0.55\tworkflow\t站会改到 9:45，地点在露台 [会议,团队]",
        "2\t0.50\tgeneral\tCI runs pytest with --fail-fast on node-17",
        "3\t0.50\tgeneral\tMaren reviews migrations",
    ]
    assert stored("list", "-c", "workflow", "--json").stdout.count("fact_id") == 1
    assert stored("list", "-t", "团队").stdout.startswith("1\t")
    assert answer(stored("list", "-n", "1", "--offset", "1", "--json"))["facts"][0]["fact_id"] == 2
    assert stored("list", "--after", "2099-01-01").stdout == ""


def test_show_tells_all_and_ends_1_for_what_is_missing(stored: Run) -> None:
    shown = stored("show", "3", "99")
    assert "content\tMaren reviews every migration of harbour-api" in shown.stdout
    assert "summary\tMaren reviews migrations" in shown.stdout
    assert (shown.exit_code, shown.stderr) == (
        1,
        "mnemo: There is no fact 99; `mnemo list` shows the facts that exist, "
        "`mnemo history 99` what a removed one was.\n",
    )
    missing = stored("show", "99", "--json")
    assert (missing.exit_code, answer(missing)) == (1, {"facts": [], "count": 0, "missing": [99]})


def test_control_characters_cannot_steer_the_terminal(run: Run) -> None:
    run("add", "red \x1b[31malert\x07 \u202etxt.exe")
    assert run("list").stdout == (
        "1\t0.50\tgeneral\tred �[31malert� �txt.exe (contains control characters: control_character; "
        "contains characters that reorder text: bidi_control)\n"
    )


# --- changing ---


def test_update_changes_what_is_named(stored: Run) -> None:
    assert stored("update", "3", "--content", "Liv reviews", "--summary", "", "--trust-delta", "0.2").exit_code == 0
    fact = answer(stored("show", "3", "--json"))["facts"][0]
    assert (fact["content"], fact["summary"], fact["trust_score"]) == ("Liv reviews", None, 0.7)
    assert stored("update", "3").exit_code == 2
    assert stored("update", "99", "-t", "x").exit_code == 1
    taken = stored("update", "3", "--content", "CI runs pytest with --fail-fast on node-17")
    assert (taken.exit_code, "fact 2 already has exactly this content" in taken.stderr) == (1, True)


def test_remove_ends_1_for_what_is_not_there(stored: Run) -> None:
    assert stored("remove", "1").stdout == "Removed fact 1; `mnemo undo` brings it back.\n"
    assert (stored("remove", "1").exit_code, stored("remove", "2", "1", "--json").exit_code) == (1, 1)
    assert answer(stored("list", "--json"))["total"] == 1


def test_feedback_moves_trust(stored: Run) -> None:
    assert stored("feedback", "unhelpful", "2").stdout == "Trust of fact 2: 0.50 -> 0.40\n"
    assert answer(stored("feedback", "helpful", "2", "--json"))["new_trust"] == 0.45
    assert stored("feedback", "helpful", "99").exit_code == 1
    assert stored("feedback", "great", "2").exit_code == 2


def editor(tmp_path: Path, script: str) -> str:
    file = tmp_path / "editor.py"
    file.write_text(
        f"import sys, pathlib\nfile = pathlib.Path(sys.argv[1])\ntext = file.read_text('utf-8')\n{script}\n"
    )
    return f"{sys.executable} {file}"


def test_edit_changes_what_was_edited(stored: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    script = "file.write_text(text.replace('露台', '三楼').replace('tags: 会议,团队', 'tags: 会议'), 'utf-8')"
    monkeypatch.setenv("EDITOR", editor(tmp_path, script))
    assert stored("edit", "1").stdout == "Updated fact 1.\n"
    fact = answer(stored("show", "1", "--json"))["facts"][0]
    assert (fact["content"], fact["tags"], fact["category"]) == ("站会改到 9:45，地点在三楼", "会议", "workflow")
    monkeypatch.setenv("EDITOR", editor(tmp_path, ""))
    assert (stored("edit", "1").stderr, stored("edit", "99").exit_code) == ("Nothing was changed.\n", 1)
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_text(text.split('---')[0] + '---\\n', 'utf-8')"))
    emptied = stored("edit", "1")
    assert (emptied.exit_code, "has no text any more" in emptied.stderr) == (1, True)
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_text('category: weather\\n---\\nx\\n', 'utf-8')"))
    assert stored("edit", "1").exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("---\n", "", "The line --- between the fields and the content is gone; put it back."),
        ("tags:", "tag:", "This line above --- is no field: tag: x."),
        ("tags:", "标签：", "This line above --- is no field: 标签： x."),
        ("summary:", "summary: one\ntwo", "This line above --- is no field: two."),
        ("summary:", "tags:", "This line above --- is no field: tags:."),
    ],
)
def test_an_edit_that_is_not_understood_changes_nothing_and_is_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old: str, new: str, said: str
) -> None:
    run("add", "uses neovim", "-t", "x")
    before = run("show", "1").stdout
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("click.edit", lambda text, **_: text.replace(old, new))
    done = run("edit", "1")
    assert (done.exit_code, done.stdout, said in done.stderr) == (2, "", True)
    (kept,) = tmp_path.glob("mnemo-*.txt")
    assert (new in kept.read_text("utf-8"), run("show", "1").stdout) == (True, before)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("category: general\ntags：a,b\n--- \nsays\n---\nmore\n", {"tags": "a,b", "content": "says\n---\nmore"}),
        ("---\nsays", {"content": "says"}),
        ("\n  tags: a\n\n---", {"tags": "a", "content": ""}),
        ("only says", {"content": "only says"}),
    ],
)
def test_an_edit_is_read_as_it_was_meant(text: str, expected: dict[str, str]) -> None:
    before = edit.as_text({"category": "general", "tags": "", "summary": None, "content": "said"})
    assert edit.changed(before, text) == expected


# --- searching ---


def test_search_prints_scores_and_json_is_the_tools_answer(stored: Run) -> None:
    assert stored("search", "露台").stdout.split("\t")[0] == "1"
    from_cli = answer(stored("search", "露台", "--explain", "--json"))
    memory = Memory()
    from_tool = memory.fact_store({"action": "search", "query": "露台", "explain": True})
    memory.close()
    for result in (from_cli, from_tool):
        for fact in result["results"]:
            del fact["retrieval_count"], fact["last_retrieved_at"]
    assert from_cli == from_tool
    assert "fts 1, jaccard" in stored("search", "露台", "--explain").stdout


def test_a_query_may_begin_with_dashes(stored: Run) -> None:
    assert [f["fact_id"] for f in answer(stored("search", "--json", "--", "--fail-fast"))["results"]] == [2]


def test_nothing_found_is_said_and_no_failure(stored: Run) -> None:
    result = stored("search", "zeppelin")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No facts found.\n")
    skipped = stored("search", "git commit")
    assert (skipped.exit_code, "--all searches it all the same" in skipped.stderr) == (0, True)
    assert stored("search", "  ").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "reason", "said"),
    [
        (["露台", "--why", "1"], "found", "Fact 1 is result 1"),
        (["露台", "--why", "2"], "not_a_candidate", "It has none of the query's words"),
        (["harbour-api", "--why", "3"], "only_in_content", "found by its summary and tags alone"),
        (["露台", "--min-trust", "0.6", "--why", "1"], "below_min_trust", "Its trust 0.5 is below 0.6"),
        (["露台", "-c", "identity", "--why", "1"], "other_category", "Its category is workflow, not identity."),
        (["露台", "-t", "x", "--why", "1"], "without_tag", "It does not have the tag x."),
        (["露台", "--before", "2020-01-01", "--why", "1"], "other_time", "outside of the time asked for"),
        (["git commit", "--why", "1"], "skipped", "only an operation"),
        (["!!", "--why", "1"], "no_words", "no word to search for"),
    ],
)
def test_why_names_the_reason(stored: Run, arguments: list[str], reason: str, said: str) -> None:
    result = answer(stored("search", *arguments, "--json"))
    assert [r["reason"] for r in result["reasons"]] == [reason]
    assert result["found"] is (reason == "found")
    assert said in stored("search", *arguments).stdout


def test_why_reads_times_as_a_search_does(stored: Run, home: Path) -> None:
    with closing(sqlite3.connect(home / ".mnemo" / "facts.db")) as writer, writer:
        writer.execute("UPDATE facts SET updated_at = '2026-05-08T10:00:00+08:00' WHERE fact_id = 1")
    for after, reason in (("2026-05-08 02:00:01", "other_time"), ("2026-05-08", "found")):
        result = answer(stored("search", "露台", "--after", after, "--why", "1", "--json"))
        assert [one["reason"] for one in result["reasons"]] == [reason]


def test_why_knows_what_facts_teach(run: Run) -> None:
    run("add", "逆向（reverse engineering）要先写报告")
    run("add", "Reverse engineering takes a week")
    result = answer(run("search", "逆向", "--why", "2", "--json"))
    assert [one["reason"] for one in result["reasons"]] == ["found"]


def test_why_names_those_that_are_better(run: Run) -> None:
    for number in range(4):
        run("add", f"the harbour crane {number}")
    run("add", "crane " + "and much else that has nothing to do with it " * 12)
    result = answer(run("search", "harbour crane", "-n", "2", "--why", "5", "--json"))
    assert [r["reason"] for r in result["reasons"]] == ["outranked", "long_text"]
    assert (result["rank"], result["found"]) == (5, False)


def test_looking_for_the_reason_counts_as_no_retrieval(stored: Run) -> None:
    stored("search", "露台", "--why", "1")
    fact = answer(stored("show", "1", "--json"))["facts"][0]
    assert (fact["retrieval_count"], fact["last_retrieved_at"]) == (0, None)
    assert stored("search", "露台", "--why", "99").exit_code == 1


# --- names, learning, figures ---


def test_names_lead_from_fact_to_fact(run: Run) -> None:
    for hour, content in (("08", "harbour-api uses PostgreSQL 16"), ("09", "PostgreSQL backups go to `cold-store`")):
        with freeze_time(f"2026-04-01 {hour}:00:00"):
            run("add", content)
    assert [f["fact_id"] for f in answer(run("probe", "postgresql", "--json"))["results"]] == [2, 1]
    assert run("probe", "Zanzibar").stderr == "No facts found.\n"
    assert run("reason", "harbour-api", "PostgreSQL").stdout.startswith("1\t")
    assert run("related", "harbour-api").exit_code == 0
    run("add", "harbour-api uses PostgreSQL 17")
    pairs = answer(run("contradict", "--json"))["results"]
    assert {pairs[0]["fact_a"]["fact_id"], pairs[0]["fact_b"]["fact_id"]} == {1, 3}
    assert "PostgreSQL 16  <>  harbour-api" in run("contradict").stdout.replace("<>", " <> ").replace("   ", "  ")


def test_learn_shows_before_it_does(stored: Run) -> None:
    memory = Memory()
    with memory.parts.database.writing() as connection:
        connection.execute("UPDATE facts SET retrieval_count = 40, last_retrieved_at = '2020-01-01 00:00:00'")
    memory.close()
    rehearsed = stored("learn", "--dry-run")
    assert "Fact 1: 0.500 -> 0.427  站会改到" in rehearsed.stdout
    assert "Would change: 0 promoted, 3 demoted, 3 aged, 0 unchanged." in rehearsed.stdout
    assert {f["trust_score"] for f in answer(stored("list", "--json"))["facts"]} == {0.5}
    foreseen = {c["fact_id"]: c["new_trust"] for c in answer(stored("learn", "--dry-run", "--json"))["changes"]}
    assert answer(stored("learn", "--json"))["demoted"] == 3
    assert {f["fact_id"]: f["trust_score"] for f in answer(stored("list", "--json"))["facts"]} == foreseen


def test_audit_and_stats_report(stored: Run) -> None:
    stored("add", "x" * 501)
    assert "Fact 4 has 501 characters and no summary." in stored("audit").stdout
    assert answer(stored("audit", "--json"))["total_facts"] == 4
    assert "Fact 4 has 501 characters (score x 0.599); give it a summary." in stored("learn").stdout
    assert "total_facts\t4\n" in stored("stats").stdout
    assert answer(stored("stats", "--json"))["categories"] == {"general": 3, "workflow": 1}


# --- the frame ---


def test_the_file_is_chosen_before_or_behind_the_command(run: Run, tmp_path: Path) -> None:
    first, second = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    run("--db", first, "add", "in a")
    run("add", "in b", "--db", second)
    assert run("list", "--db", first).stdout.endswith("in a\n")
    assert run("--db", second, "list").stdout.endswith("in b\n")
    assert run("list").stdout == ""


def test_errors_are_json_where_json_is_asked_for(run: Run) -> None:
    result = run("list", "--limit", "0", "--json")
    assert (result.exit_code, result.stderr) == (2, "")
    assert answer(result) == {"error": "limit must be 1 or more, not 0; leave it out for 20"}


def test_a_file_that_is_no_memory_is_explained(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "broken.db"
    file.write_bytes(b"no database at all, but long enough to be read as one" * 20)
    result = run("list", "--db", str(file))
    assert (result.exit_code, "is damaged or no SQLite database" in result.stderr) == (1, True)


def test_every_command_has_help_and_completion(run: Run) -> None:
    for name in COMMANDS:
        shown = run(name, "--help")
        assert (shown.exit_code, shown.stdout.startswith(f"Usage: mnemo {name}")) == (0, True)
    assert run("completion", "zsh").stdout.startswith("#compdef mnemo")
    assert run("nonsense").exit_code == 2
    assert mnemo.__version__ in run("--version").stdout


def test_help_is_chinese_where_the_locale_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "查找事实。" in run("--help").stdout
    assert "只要这个类别的事实。" in run("list", "--help").stdout
    assert (
        run("show", "4").stderr.splitlines(keepends=True)[-1]
        == "mnemo: 没有事实 4；`mnemo list` 显示现有的事实，`mnemo history 4` 显示已删除的事实以前的样子。\n"
    )


def test_only_serving_and_the_demo_import_the_mcp_sdk(tmp_path: Path) -> None:
    script = f"""
import sys
from click.testing import CliRunner
from mnemo.cli import COMMANDS, frame, main, output
from mnemo.errors import DuplicateContentError, MemoryBusyError, MemoryFileError, MnemoError
file = {str(tmp_path / "f.db")!r}
commands = ["add x", "search x", "show 1", "list", "update 1 -t y", "feedback helpful 1", "probe X", "related X",
    "reason X", "contradict", "learn", "learn --dry-run", "audit", "stats", "export", "import -",
    "backup " + file + "2", "restore " + file + "2", "doctor", "completion bash", "edit 9", "search x --why 1",
    "recall x", "init --dry-run codex", "remove 1", "undo", "history 1", "undo import --dry-run", "purge 1 --yes"]
assert {{command.split()[0] for command in commands}} == set(COMMANDS) - {{"serve", "demo", "conformance"}}
for command in commands:
    result = CliRunner().invoke(main, command.split(), env={{"MNEMO_DB": file}}, input="a line")
    assert result.exit_code == (1 if command == "edit 9" else 0), (command, result.output)
heavy = [name for name in sys.modules if name.split(".")[0] in ("mcp", "anyio", "pydantic", "rich", "pytest")]
print(heavy)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_closed_pipe_is_no_error(stored: Run, tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text("".join(f"line {number} {'x' * 60}\n" for number in range(3000)))
    stored("import", str(file))
    with subprocess.Popen([*MNEMO, "export"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert (process.stderr.read(), process.wait(30)) == (b"", 0)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
def test_ctrl_c_keeps_what_was_done(run: Run, home: Path) -> None:
    command = [*MNEMO, "import", "-", "--format", "lines"]
    memory = home / ".mnemo" / "facts.db"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write("".join(f"fact number {number} of many\n" for number in range(40_000)).encode())
        process.stdin.close()
        end = time.monotonic() + 30
        while time.monotonic() < end and not (memory.exists() and answer(run("list", "--json"))["total"]):
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert (process.wait(10), process.stderr.read()) == (130, b"Stopped; what was done so far is kept.\n")
    total = answer(run("list", "--json"))["total"]
    assert 0 < total < 40_000
    assert total % 1000 == 0
    assert answer(run("doctor", "--json"))["ok"] is True


def test_what_stops_a_command_ends_it_at_once(stored: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: Memory, given: object) -> dict[str, Any]:
        raise KeyboardInterrupt

    def unread(text: str) -> None:
        raise BrokenPipeError

    discarded: list[bool] = []
    with monkeypatch.context() as patch:
        patch.setattr(Memory, "fact_store", stopped)
        done = stored("list")
        assert (done.exit_code, done.stderr) == (130, "Stopped; what was done so far is kept.\n")
    monkeypatch.setattr(output, "write", unread)
    monkeypatch.setattr(frame, "_discard_output", lambda: discarded.append(True))
    assert (stored("list").exit_code, discarded) == (0, [True])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryBusyError("locked"), "locked"),
        (MemoryFileError("gone"), "gone"),
        (DuplicateContentError(3), "Another fact already says exactly this: fact 3 already"),
        (MnemoError("anything else"), "anything else"),
    ],
)
def test_errors_are_said_in_a_persons_words(error: MnemoError, said: str) -> None:
    assert frame.explain(error).startswith(said)


def test_json_is_there_for_every_answer(stored: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, "file.write_text('no rule at all, so all is content', 'utf-8')"))
    assert answer(stored("edit", "1", "--json")) == {"fact_id": 1, "updated": True}
    assert answer(stored("update", "1", "-t", "x", "--json")) == {"fact_id": 1, "updated": True}
    assert answer(stored("remove", "1", "--json")) == {"fact_id": 1, "removed": True}
    assert stored("contradict").stderr == "No contradictions found.\n"
    several = stored("show", "2", "3").stdout
    assert "\n\nfact_id\t3\n" in several


def test_serving_and_the_demo_start_what_they_name(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mnemo import server
    from mnemo.cli import demo

    served: list[Path] = []
    monkeypatch.setattr(server, "serve", lambda memory: served.append(memory.path))
    monkeypatch.setattr(demo, "run", lambda: 1)
    assert run("serve", "--db", str(tmp_path / "s.db")).exit_code == 0
    assert served == [tmp_path / "s.db"]
    assert run("demo").exit_code == 1


def test_audit_names_what_is_stale_or_of_no_help(stored: Run) -> None:
    memory = Memory()
    with memory.parts.database.writing() as connection:
        connection.execute("UPDATE facts SET retrieval_count = 40, last_retrieved_at = '2020-01-01 00:00:00'")
    memory.close()
    said = stored("audit").stdout.splitlines()
    assert "Fact 1 was found 40 times and helped 0 times." in said
    assert "Fact 2 was last found at 2020-01-01 00:00:00 (UTC)." in said


def test_a_default_answer_says_what_it_left_out(run: Run) -> None:
    run("add", "--lines", stdin="".join(f"the harbour log, page {n}: {'x' * 4000}\n" for n in range(8)))
    done = run("search", "harbour log")
    assert "were left out to keep the answer short" in done.stderr


def test_a_line_that_is_refused_is_said_and_the_others_are_stored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_SECRETS", "block")
    done = run("add", "--lines", stdin="harmless\ntoken ghp_" + "Zt4" * 12 + "\n")
    assert (done.exit_code, done.stdout) == (1, "Added fact 1 (general).\n")
    assert "looks like it holds a secret" in done.stderr


def test_lines_that_come_after_a_lock_are_counted_and_the_others_kept(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("add", "berth one")
    store, calls = Memory.fact_store, list[Any]()
    monkeypatch.setattr(Memory, "__init__", partialmethod(Memory.__init__, wait_seconds=0.1))
    with closing(sqlite3.connect(home / ".mnemo" / "facts.db", isolation_level=None)) as other:

        def locked_from_the_second_on(self: Memory, given: Mapping[str, Any]) -> dict[str, Any]:
            calls.append(given)
            if len(calls) == 2:
                other.execute("BEGIN IMMEDIATE")
            return store(self, given)

        monkeypatch.setattr(Memory, "fact_store", locked_from_the_second_on)
        done = run("add", "--lines", stdin="".join(f"line {number} of many\n" for number in range(1500)))
        other.execute("ROLLBACK")
    monkeypatch.setattr(Memory, "fact_store", store)
    assert (done.exit_code, done.stdout.count("Added fact")) == (1, 1000)
    assert done.stderr.splitlines()[-1].startswith("mnemo: 500 lines were not stored: Another program keeps")
    assert answer(run("list", "--json"))["total"] == 1001


def test_versions_that_were_kept_are_shown_as_json_too(stored: Run) -> None:
    assert answer(stored("export", "--kept", "--json")) == {"facts": [], "count": 0}
    assert answer(stored("export", "--json"))["count"] == len(answer(stored("list", "--superseded", "--json"))["facts"])


def test_words_need_no_quotes(run: Run) -> None:
    assert run("add", "Use", "pnpm,", "not", "npm", "-c", "tool_pref").exit_code == 0
    assert answer(run("list", "--json"))["facts"][0]["content"] == "Use pnpm, not npm"
    assert "Use pnpm" in run("search", "npm", "pnpm").stdout
    assert run("search").exit_code == 2


def test_the_audit_names_what_has_expired_and_says_where_nothing_is_to_do(run: Run) -> None:
    run("add", "The mast is red")
    assert run("audit").stdout == "1 fact\nNone needs care.\n"
    run("update", "1", "--expires", "2020-01-01")
    expected = "Fact 1 expired at 2020-01-01 00:00:00 (UTC); `mnemo update 1 --expires ''` shows it again.\n"
    assert run("audit").stdout == f"1 fact\n{expected}"


def test_a_memory_that_is_not_there_takes_no_room(run: Run) -> None:
    assert answer(run("stats", "--json"))["file_bytes"] == 0


def test_a_text_that_was_edited_in_vain_is_kept(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run("add", "The mast is red")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr("click.edit", lambda text, **_: text.replace("general", "随便").replace("red", "blue"))
    done = run("edit", "1")
    assert done.exit_code == 2
    (kept,) = tmp_path.glob("mnemo-*.txt")
    assert f"What you wrote is kept in {kept}." in done.stderr
    assert 'not "随便"' in done.stderr
    assert "The mast is blue" in kept.read_text("utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("line", ["list", "--help", "--version", "export", "add --json two"])
def test_output_that_finds_no_room_is_told(stored: Run, home: Path, line: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*MNEMO, *line.split()], stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert (done.returncode, done.stderr) == (
        1,
        "mnemo: What was to be said could not be written: No space left on device\n",
    )


@pytest.mark.skipif(os.name != "posix", reason="closed descriptors of POSIX shells")
@pytest.mark.parametrize("line", ["list", "export", "--version"])
def test_output_may_be_closed(stored: Run, home: Path, line: str) -> None:
    command = " ".join([*(shlex.quote(word) for word in MNEMO), line, ">&-"])
    done = subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
