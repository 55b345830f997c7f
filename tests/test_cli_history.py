"""The commands that show what facts were, take changes back and destroy facts."""

import json
import re
from pathlib import Path

import pytest
from freezegun import freeze_time

from tests.commands import Run

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def changed(run: Run) -> Run:
    """Give a memory whose one fact was changed, rated and removed."""
    with freeze_time("2026-04-01 08:00:00"):
        run("add", "The harbour office opens at nine")
        run("update", "1", "--content", "The harbour office opens at ten")
        run("feedback", "helpful", "1")
        run("remove", "1")
    return run


def test_history_shows_each_change_newest_first(changed: Run) -> None:
    lines = [line.split("\t") for line in changed("history", "1").stdout.splitlines()]
    assert [line[:4] for line in lines] == [
        ["4", "2026-04-01 08:00:00", "command line", "remove"],
        ["3", "2026-04-01 08:00:00", "command line", "feedback"],
        ["2", "2026-04-01 08:00:00", "command line", "update"],
        ["1", "2026-04-01 08:00:00", "command line", "add"],
    ]
    assert [line[4] for line in lines[1:]] == [
        "trust_score=0.5 helpful_count=0",
        "content=The harbour office opens at nine",
        "",
    ]


def test_history_brings_a_removed_fact_back(changed: Run) -> None:
    assert changed("history", "1", "--restore").stdout == "Brought fact 1 back.\n"
    assert "opens at ten" in changed("show", "1").stdout


def test_history_brings_an_earlier_version_back(changed: Run) -> None:
    assert json.loads(changed("history", "1", "--restore", "2", "--json").stdout) == {"fact_id": 1, "restored": True}
    assert "opens at nine" in changed("show", "1").stdout


def test_history_of_an_unknown_fact_fails(changed: Run) -> None:
    result = changed("history", "9")
    assert (result.exit_code, result.stderr) == (1, "mnemo: There is no fact 9, and none is known to have been.\n")
    assert changed("history", "9", "--restore").stderr == result.stderr
    assert "fact_id 9 not found" in json.loads(changed("history", "9", "--json").stdout)["error"]


def test_undo_goes_back_change_by_change(changed: Run) -> None:
    said = [changed("undo").stdout for _ in range(4)]
    assert [re.sub(r" \(.*\)", "", line) for line in said] == [
        f"Took back: {action}, facts 1\n" for action in ("remove", "feedback", "update", "add")
    ]
    result = changed("undo")
    assert (result.exit_code, result.stderr) == (1, "mnemo: There is nothing to take back.\n")
    assert changed("list").stdout == ""


def test_undo_can_be_rehearsed(changed: Run) -> None:
    assert changed("undo", "--dry-run").stdout.startswith("Would take back: remove (command line, ")
    assert changed("list").stdout == ""


def test_undo_of_an_import_takes_all_of_it(run: Run, tmp_path: Path) -> None:
    run("add", "Stays as it is")
    file = tmp_path / "many.txt"
    file.write_text("".join(f"Line number {number}\n" for number in range(1200)), "utf-8")
    run("import", str(file))
    run("feedback", "helpful", "1")
    undone = json.loads(run("undo", "import", "--json").stdout)["undone"]
    assert (undone["action"], undone["source"], len(undone["facts"]), undone["left"]) == ("import", "import", 1200, [])
    assert re.match(r"Would take back: feedback \(command line, [-\d]+ [:\d]+ UTC\)", run("undo", "--dry-run").stdout)
    assert json.loads(run("list", "--json").stdout)["total"] == 1


def test_an_import_is_not_named_twice(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("The only line of it\n", "utf-8")
    run("import", str(file))
    assert re.match(r"Took back: import \([-\d]+ [:\d]+ UTC\), facts 1$", run("undo", "import").stdout)


def test_who_changed_a_fact_is_told_alike_in_a_pipe(changed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    newest = changed("history", "1").stdout.splitlines()[0].split("\t")
    assert newest[2:4] == ["命令行", "删除"]
    assert changed("undo").stdout == f"已撤销：删除（命令行，{newest[1]} UTC），事实 1\n"


def test_undo_tells_what_it_left(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    file.write_text("First line of it\nSecond line of it\n", "utf-8")
    run("import", str(file))
    run("update", "2", "--content", "Second line, mended since")
    result = run("undo", "import")
    assert (result.stdout.split(", facts ")[1], result.stderr) == (
        "1\n",
        "Changed again since, and left as they are: facts 2\n",
    )


@pytest.mark.parametrize(("answer", "status", "left"), [("y\n", 0, 0), ("n\n", 1, 1), ("", 1, 1)])
def test_purge_asks_first(run: Run, answer: str, status: int, left: int) -> None:
    run("add", "A fact that should go for good")
    result = run("purge", "1", stdin=answer)
    assert "A fact that should go for good" in result.stderr
    assert (result.exit_code, json.loads(run("list", "--json").stdout)["total"]) == (status, left)


def test_purge_names_what_it_did_and_what_may_be_left(run: Run, home: Path) -> None:
    run("add", "A fact that should go for good")
    run("backup")
    result = run("purge", "1", "7", "--yes")
    assert (result.exit_code, result.stdout) == (1, "Destroyed fact 1.\n")
    assert "There is no fact 7, and none is known to have been." in result.stderr
    assert "Copies beside the memory may still hold them: facts.db.backup-" in result.stderr
    assert run("history", "1").exit_code == 1


def test_an_id_that_no_fact_can_have_keeps_no_other_from_being_destroyed(run: Run) -> None:
    run("add", "the key is kept in the harbour")
    result = run("purge", "--yes", "9223372036854775808", "1", "99999999999999999999")
    assert (result.exit_code, result.stdout) == (1, "Destroyed fact 1.\n")
    assert result.stderr.count("none is known to have been") == 2


def test_purge_in_json(run: Run) -> None:
    run("add", "A fact that should go for good")
    answer = json.loads(run("purge", "1", "--yes", "--json").stdout)
    assert answer == {"purged": [1], "missing": [], "rewritten": True, "copies": []}


def test_a_fact_takes_the_place_of_another_and_expires(run: Run) -> None:
    run("add", "The office is on the second floor")
    run("add", "The office is on the third floor", "--supersedes", "1", "--expires", "30d")
    assert [line.split("\t")[0] for line in run("list").stdout.splitlines()] == ["2"]
    assert [line.split("\t")[0] for line in run("list", "--superseded").stdout.splitlines()] == ["1", "2"]
    with freeze_time("2099-01-01"):
        assert run("list").stdout == ""
        assert [fact["id"] for fact in json.loads(run("audit", "--json").stdout)["expired"]] == [2]


def test_a_secret_that_is_replaced_is_said_to_be_in_the_history(run: Run) -> None:
    run("add", "The staging password is: hunter2!Xq9" + "z7")
    assert "history still has" not in run("update", "1", "--trust-delta", "0.1").stderr
    assert "`mnemo purge 1` destroys it" in run("update", "1", "--content", "The password is in the vault").stderr
    assert "history still has" not in run("update", "1", "--content", "The password is in that vault").stderr
    run("add", "The vault is in the cellar")
    removed = run("remove", "1", "2")
    assert "`mnemo purge 1` destroys it" in removed.stderr


def test_removal_of_a_secret_says_how_to_destroy_it(run: Run) -> None:
    run("add", "The staging password is: hunter2!Xq9" + "z7")
    assert "`mnemo purge 1` destroys it" in run("remove", "1").stderr
