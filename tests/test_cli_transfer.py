"""The export and import commands: where they write, what they say."""

import json
from pathlib import Path

import pytest
from freezegun import freeze_time

from tests.commands import Run

pytestmark = pytest.mark.usefixtures("english")

DATA = Path(__file__).parent / "data"


def test_an_export_goes_to_stdout_or_to_a_file(run: Run, tmp_path: Path) -> None:
    run("add", "one"), run("add", "two", "-c", "identity")
    assert [json.loads(line)["content"] for line in run("export").stdout.splitlines()] == ["one", "two"]
    whole = json.loads(run("export", "--json").stdout)
    assert (whole["count"], [fact["content"] for fact in whole["facts"]]) == (2, ["one", "two"])
    for arguments in (["-o", str(tmp_path / "a.jsonl")], [str(tmp_path / "b.jsonl")]):
        done = run("export", *arguments)
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote 2 facts to {arguments[-1]}.\n")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    report = json.loads(run("export", str(tmp_path / "c.md"), "--json").stdout)
    assert report == {"file": str(tmp_path / "c.md"), "format": "md", "facts": 2}
    assert (tmp_path / "c.md").read_text().startswith("# Facts\n\n<!-- `mnemo export` wrote")
    assert run("export", "-", "--format", "csv").stdout.splitlines()[1].startswith("1,one,")
    assert run("export", str(tmp_path / "none" / "x.jsonl")).exit_code == 1


@pytest.mark.parametrize("more", [[], ["--json"], ["--format", "md"], ["--kept"]])
def test_an_export_of_a_memory_that_is_not_there_takes_no_files_place(
    run: Run, tmp_path: Path, more: list[str]
) -> None:
    """The path may be spelt wrongly, or the machine be a new one that has to import first."""
    file, missing = tmp_path / "facts.jsonl", tmp_path / "wrong" / "facts.db"
    file.write_text("the last export")
    said = f"There is no memory at {missing}; nothing was done. Check the path (--db, MNEMO_DB)."
    for arguments in ([str(file)], []):
        done = run("export", *arguments, *more, "--db", str(missing))
        assert done.exit_code == 1
        assert (json.loads(done.stdout)["error"] if more == ["--json"] else done.stderr) == (
            said if more == ["--json"] else f"mnemo: {said}\n"
        )
    assert (file.read_text(), missing.parent.exists()) == ("the last export", False)


@pytest.mark.parametrize("name", ["facts.db", "facts.db-wal", "facts.db-shm", "link.db"])
@pytest.mark.parametrize("command", ["export", "backup"])
def test_nothing_is_written_over_the_memory_itself(run: Run, tmp_path: Path, name: str, command: str) -> None:
    database = tmp_path / "facts.db"
    run("add", "one", "--db", str(database))
    (tmp_path / "link.db").symlink_to(database)
    done = run(command, str(tmp_path / name), "--db", str(database))
    assert (done.exit_code, "must be another file than the memory itself" in done.stderr) == (2, True)
    assert run("list", "--db", str(database)).stdout.endswith("\tone\n")


def test_an_import_says_what_it_did(run: Run) -> None:
    done = run("import", str(DATA / "server-memory.jsonl"))
    assert (done.exit_code, done.stdout) == (0, "Read 6 facts (server-memory): 6 added, 0 updated, 0 unchanged.\n")
    again = run("import", str(DATA / "server-memory.jsonl"), "--json")
    assert json.loads(again.stdout) == {
        "format": "server-memory",
        "read": 6,
        "added": 0,
        "updated": 0,
        "unchanged": 6,
        "not_taken": 0,
        "conflicts": [],
        "errors": [],
        "passed_over": [],
        "dry_run": False,
    }
    assert "Ingrid" in run("search", "coffee").stdout


def test_what_is_left_out_is_said_and_ends_1(run: Run) -> None:
    done = run("import", "-", stdin='{"content": "good"}\n' + "{bad\n" * 25)
    assert (done.exit_code, done.stdout) == (1, "Read 1 fact (jsonl): 1 added, 0 updated, 0 unchanged.\n")
    said = done.stderr.splitlines()
    assert said[0].startswith("Line 2 was left out: no JSON:")
    assert (len(said), said[-1]) == (21, "... and 5 more lines; --json lists them all.")


@pytest.mark.parametrize(
    ("ours", "theirs", "said", "counts"),
    [
        ("09", "10", "the file's newer version won, the other was kept: berth ours", "1 updated, 0 unchanged"),
        (
            "10",
            "09",
            "the memory's newer version stays, the file's was kept: berth theirs",
            "0 updated, 0 unchanged, 1 not taken",
        ),
    ],
)
def test_a_conflict_is_told(run: Run, tmp_path: Path, ours: str, theirs: str, said: str, counts: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    file = str(tmp_path / "m.jsonl")
    with freeze_time("2026-07-01 08:00:00"):
        run("add", "berth")
        run("export", file)
        run("import", file, home=other)
    with freeze_time(f"2026-07-01 {ours}:00:00"):
        run("update", "1", "--content", "berth ours")
    with freeze_time(f"2026-07-01 {theirs}:00:00"):
        run("update", "1", "--content", "berth theirs", home=other)
    run("export", file, home=other)
    done = run("import", file)
    assert (done.exit_code, done.stdout) == (0, f"Read 1 fact (jsonl): 0 added, {counts}.\n")
    assert done.stderr.splitlines()[:2] == [
        f"Line 1: fact 1 was changed on both sides; {said}",
        "`mnemo export --kept` shows all that was kept.",
    ]
    assert ("What was not taken is older" in done.stderr) == ("not taken" in counts)
    assert json.loads(run("export", "--kept").stdout)["content"] == said.rpartition(": ")[2]


def test_a_format_can_be_named(run: Run) -> None:
    done = run("import", "-", "--format", "lines", "--json", stdin='{"content": "taken as it is"}')
    assert (json.loads(done.stdout)["format"], "taken as it is" in run("list").stdout) == ("lines", True)
    assert run("import", "-", "--format", "yaml", stdin="x").exit_code == 2
    assert run("import", "gone.jsonl").exit_code == 1


def test_markdown_goes_by_both_of_its_names(run: Run, tmp_path: Path) -> None:
    run("add", "Use pnpm", "--tags", "build")
    assert run("export", "--format", "markdown").stdout == run("export", "--format", "md").stdout
    (tmp_path / "facts").write_text(run("export", "--format", "md").stdout)
    for name in ("md", "markdown"):
        done = run("import", str(tmp_path / "facts"), "--format", name)
        assert done.stdout == "Read 1 fact (markdown): 0 added, 0 updated, 1 unchanged.\n"


def test_what_of_a_markdown_file_is_no_bullet_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("# Harbour\n\nWe deploy on Tuesdays.\n\n- Use pnpm\n\nThe end.\n")
    done = run("import", str(tmp_path / "CLAUDE.md"))
    assert (done.exit_code, done.stdout) == (0, "Read 1 fact (markdown): 1 added, 0 updated, 0 unchanged.\n")
    assert done.stderr.startswith("Only bullets were taken. Paragraphs and tables were passed over: 2, from line 3 on;")
