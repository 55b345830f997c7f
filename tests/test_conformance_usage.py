"""`mnemo conformance` at a shell: pipes, reports on stdout, servers that cannot be run, lists of known failures."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mnemo.conformance import SPECIFICATION_VERSION, catalogue, known
from tests.test_conformance_cli import BOUNDARY, MNEMO, PING, RIGHT, SEARCHES, broken, conformance, penalizing

__all__ = ["penalizing"]

ALL = [case.name for case in catalogue.all_cases()]
HERE = (sys.executable, "-c")


@pytest.mark.parametrize("option", ["--json", "--junit", "--html"])
def test_a_report_on_stdout_stands_there_alone(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = conformance("--name", PING, option, "-", "--", *RIGHT)
    assert done.returncode == 0
    if option == "--json":
        assert json.loads(done.stdout)["conforms"] is True
    elif option == "--junit":
        assert ElementTree.fromstring(done.stdout).get("tests") == "1"  # noqa: S314 - made just now
    else:
        assert done.stdout.startswith("<!doctype html>")
        assert done.stdout.endswith("</html>\n")
    first, progress, _, end = done.stderr.splitlines()
    assert (first.split()[0], progress.split()[0]) == ("specification", "ok")
    assert end == "conforms in the one scenario that was chosen"
    assert not list(tmp_path.iterdir())


def test_a_list_of_known_failures_may_go_to_stdout(penalizing: list[str]) -> None:
    done = conformance("--name", BOUNDARY, "--write-known-failures", "-", "--", *penalizing)
    assert f"\nlength-penalty: {BOUNDARY}\n    to be explained" in done.stdout
    assert "does not conform" not in done.stdout


def test_the_list_can_be_json(tmp_path: Path) -> None:
    done = conformance("--list", "--json", "-", "--profile", "core", "--capability", "length-penalty")
    listed = json.loads(done.stdout)
    assert listed["specification"] == SPECIFICATION_VERSION
    cases = [case for case in catalogue.all_cases() if case.capability.name == "length-penalty"]
    assert [one["name"] for one in listed["scenarios"]] == [case.name for case in cases]
    first = listed["scenarios"][0]
    assert first == {
        "name": cases[0].name,
        "capability": "length-penalty",
        "requirement": cases[0].requirement.name,
        "scenario": cases[0].scenario.name,
        "profile": "core",
        "level": "MUST",
        "place": cases[0].place(),
        "sentence": cases[0].sentence,
        "steps": first["steps"],
    }
    assert first["steps"][0] == {
        "keyword": "GIVEN",
        "text": "a memory with these facts:",
        "table": [["fact", "content"], ["short", "[150 characters about 蓝鲸]"]],
    }
    to_file = conformance("--list", "--json", str(tmp_path / "list"))
    assert (to_file.returncode, to_file.stdout) == (0, "")
    assert len(json.loads((tmp_path / "list").read_text("utf-8"))["scenarios"]) == len(ALL)


def test_a_selection_claims_no_more_than_it_ran(tmp_path: Path) -> None:
    path = tmp_path / "report"
    done = conformance("--profile", "core", "--name", PING, "--json", str(path), "--", *RIGHT)
    first, *_, total, end = done.stdout.splitlines()
    assert f", profile core, selection: 1 of {len(ALL)} scenarios, server: " in first
    assert re.match(r"1 scenario in \d+\.\d s, (1 start|\d+ starts) of the server: 1 passed$", total)
    assert end == "conforms in the one scenario that was chosen"
    report = json.loads(path.read_text("utf-8"))
    assert report["selection"] == {"names": [PING], "capabilities": [], "scenarios": 1, "of": len(ALL)}
    assert (report["profile"], report["whole"], report["conforms"]) == ("core", True, True)


def test_what_is_chosen_and_not_offered_is_no_success(tmp_path: Path) -> None:
    path = tmp_path / "report"
    done = conformance("--capability", "entity-graph", "--json", str(path), "--", *RIGHT)
    assert done.returncode == 2
    assert re.match(
        r"no scenario was run: the server offers nothing of what was chosen \(\d\d scenarios\)",
        done.stdout.splitlines()[-1],
    )
    report = json.loads(path.read_text("utf-8"))
    assert (report["conforms"], report["profile"], report["selection"]["names"]) == (False, None, [])


def test_a_whole_name_means_no_longer_one() -> None:
    found = catalogue.chosen(catalogue.all_cases(), ["a summary of spaces counts as none"])
    assert [case.name for case in found] == ["fact-summary: a summary of spaces counts as none"]


@pytest.mark.parametrize(
    ("name", "made", "said"),
    [
        ("xyz", None, "there is no command 'xyz'; no folder of the PATH has it"),
        ("/nowhere/server", None, "there is no command '/nowhere/server'; the file does not exist"),
        ("./plain", "x = 1\n", "'./plain' is not executable; run chmod +x on it, or name its interpreter before it"),
        ("./bare!", "echo\n", "'./bare!' is no program that can be run; name its interpreter before it, or in its"),
        ("./lost!", "#!/nowhere/sh\n", "there is no interpreter for './lost!': its first line names a program"),
        ("./", None, "'./' is a folder, not a program"),
        ("", None, "the server's command is empty"),
    ],
)
def test_a_command_that_cannot_be_started_ends_with_2(
    name: str, made: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if made is not None:
        Path(name).write_text(made, "utf-8")
        Path(name).chmod(0o755 if name.endswith("!") else 0o644)
    done = conformance("--", name)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"mnemo: {said}" in done.stderr
    assert "Errno" not in done.stderr


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit('no module server.js')", ["with exit status 1", "wrote to stderr", "  no module server.js"]),
        ("import os; os.kill(os.getpid(), 9)", ["was ended by signal 9", "it wrote nothing to stderr"]),
        ("print('usage: server FOLDER')", ["with exit status 0", "wrote to stdout", "  <- usage: server FOLDER"]),
        ("1 / 0", ["with exit status 1", "  ZeroDivisionError: division by zero"]),
    ],
)
def test_a_server_that_ends_at_every_start_could_not_be_run(code: str, said: list[str], tmp_path: Path) -> None:
    path = tmp_path / "known"
    done = conformance("--write-known-failures", str(path), "--", *HERE, code)
    assert done.returncode == 2
    assert "before it answered initialize, at each of 3 starts; no scenario was run" in done.stderr
    assert [text for text in said if text not in done.stderr] == []
    assert "FAILED" not in done.stdout
    assert not path.exists()


@pytest.mark.parametrize("answered", ["initialize", "an error"])
def test_a_server_that_answers_and_ends_does_not_conform(answered: str) -> None:
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
    given = {"result": result} if answered == "initialize" else {"error": {"code": -32602, "message": "no"}}
    answer = json.dumps({"jsonrpc": "2.0", "id": 1, **given})
    done = conformance("--name", PING, "--timeout", "5", "--", *HERE, f"input(); print('''{answer}''')")
    assert done.returncode == 1
    assert "no scenario could be run: the server ended with exit status 0 before it answered" in done.stdout


def test_a_server_that_ends_at_some_starts_costs_only_their_scenarios(tmp_path: Path) -> None:
    begin = "    memory = Memory()\n    for"
    odd = (
        f"    starts = Path({str(tmp_path / 'starts')!r})\n"
        "    with starts.open('a') as file: file.write('x')\n"
        "    if len(starts.read_text()) % 5 == 1: sys.exit(3)\n"
    )
    names = ["--name", "Boundary at 300", "--name", PING, "--name", "helpful raises trust by 0.05"]
    server = broken(tmp_path, begin, odd + begin)
    done = conformance("--fresh", "--jobs", "1", *names, "--json", "-", "--", *server)
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["counts"]["passed"] >= 1


def test_a_list_keeps_what_was_explained_and_what_was_not_run(penalizing: list[str], tmp_path: Path) -> None:
    path = tmp_path / "known"
    other = "fact-store: a ping is answered"
    path.write_text(f"length-penalty: {BOUNDARY}\n    counts one less\n{other}\n    has none\n", "utf-8")
    done = conformance("--capability", "length-penalty", "--write-known-failures", str(path), "--", *penalizing)
    assert done.returncode == 1
    reasons = known.read(path, ALL)
    assert reasons[f"length-penalty: {BOUNDARY}"] == "counts one less"
    assert reasons[other] == "has none"
    assert list(reasons) == [name for name in ALL if name in reasons]
    assert len([reason for reason in reasons.values() if not known.is_explained(reason)]) == len(reasons) - 2 > 0
    mended = conformance(
        "--name", BOUNDARY, "--known-failures", str(path), "--write-known-failures", str(path), "--", *RIGHT
    )
    assert mended.returncode == 1
    assert known.read(path, ALL) == {name: reason for name, reason in reasons.items() if BOUNDARY not in name}


def test_no_list_is_overwritten_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("my notes\n", "utf-8")
    done = conformance("--name", PING, "--write-known-failures", str(path), "--", *RIGHT)
    assert done.returncode == 2
    assert ":1: there is no scenario 'my notes'" in done.stderr
    assert path.read_text("utf-8") == "my notes\n"


def test_a_reason_that_is_written_lasts() -> None:
    sentences = {
        "a": "f.created_at: wanted '2031-04-05 06:07:08', got '2031-04-05T06:07:08.123Z'\n- wanted, + came:\n- 1\n+ 2",
        "b": "the file /var/x/mnemo-conformance-a8_b2/.mnemo/facts.db answers with: no such table",
        "c": f"id 3f2b8c1e-0d4a-4b5c-9e6f-7a8b9c0d1e2f {'x' * 300}",
    }
    lines = known.listing(sentences, {}, set(sentences), sentences).splitlines()
    begin = "    to be explained; it failed with: "
    assert [line for line in lines if line.startswith("    ")] == [
        f"{begin}f.created_at: wanted '[a time]', got '[a time]'",
        f"{begin}the file [HOME]/.mnemo/facts.db answers with: no such table",
        f"{begin}id [an id] {'x' * 189} …",
    ]


def test_reasons_that_nobody_wrote_are_counted_in_the_reports(penalizing: list[str], tmp_path: Path) -> None:
    listed, report, page = (tmp_path / name for name in ("known", "json", "html"))
    name = f"length-penalty: {BOUNDARY}"
    listed.write_text(f"\ufeff{name}\n   To be explained some day\n", "utf-8")
    options = ["--known-failures", str(listed), "--json", str(report), "--html", str(page)]
    done = conformance("--name", BOUNDARY, *options, "--", *penalizing)
    warning = f"warning: 1 known failure has no reason yet; explain it in {listed}"
    assert done.returncode == 0
    assert done.stdout.splitlines()[-3] == warning
    told = json.loads(report.read_text("utf-8"))
    assert (told["unexplained"], told["scenarios"][0]["explained"]) == (1, False)
    assert f'<p class="odd">{warning}</p>' in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "said"), [(b"\xff\xfe", "is not text in UTF-8"), (None, "there is no file ")], ids=["bytes", "missing"]
)
def test_a_list_that_cannot_be_read_is_told_plainly(content: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "list"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(known.KnownFailuresError, match=said):
        known.read(path, ALL)


def test_a_run_that_stopped_says_so_in_its_reports(penalizing: list[str]) -> None:
    done = conformance("--capability", "length-penalty", "--fail-fast", "--json", "-", "--", *penalizing)
    report = json.loads(done.stdout)
    assert (done.returncode, report["whole"], report["conforms"]) == (1, False, False)


def test_ctrl_c_leaves_reports_of_what_was_run_and_no_list(tmp_path: Path) -> None:
    report, listed = tmp_path / "report", tmp_path / "known"
    options = ["--capability", "self-learning", "--json", str(report), "--write-known-failures", str(listed)]
    command = [*MNEMO, "conformance", *options, "--", *RIGHT]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()  # the heading
    assert process.stdout.readline()  # the first scenario is told
    process.send_signal(signal.SIGINT)
    told, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "(stopped by Ctrl-C)\nstopped before the end\n" in told
    assert "No list of known failures was written" in said
    assert not listed.exists()
    made = json.loads(report.read_text("utf-8"))
    assert made["scenarios"]
    assert (made["whole"], made["conforms"]) == (False, False)


def test_a_reader_that_goes_away_is_no_success() -> None:
    command = [*MNEMO, "conformance", "--capability", "length-penalty", "--", *RIGHT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 2


def test_any_text_can_be_shown_wherever_it_goes(tmp_path: Path) -> None:
    half = b'{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"\\ud800"}}\n'
    server = broken(tmp_path, SEARCHES, f"{SEARCHES}        os.write(1, {half!r})\n")
    report = tmp_path / "report"
    done = subprocess.run(
        [*MNEMO, "conformance", "--name", BOUNDARY, "--fresh", "--json", str(report), "--", *server],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert "[300 characters about 蓝鲸]" in done.stdout.decode("utf-8")
    (failed,) = json.loads(report.read_text("utf-8"))["scenarios"]
    assert failed["failure"]["text"] == 'the answer is an error: {"code": 1, "message": "\\ud800"}'


def test_the_command_to_run_again_has_what_this_run_had(penalizing: list[str]) -> None:
    done = conformance("--name", BOUNDARY, "--env", "KEY=wharf-lamp", "--timeout", "12.5", "--", *penalizing)
    assert f"again: mnemo conformance --name '{BOUNDARY}' --env KEY=... --timeout 12.5 --keep -- " in done.stdout
    assert "wharf-lamp" not in done.stdout


def test_a_command_without_options_needs_no_hyphens(tmp_path: Path) -> None:
    server = tmp_path / "server"
    server.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S '{RIGHT[-1]}'\n", "utf-8")
    server.chmod(0o755)
    assert conformance("--name", PING, str(server)).returncode == 0
    own = conformance("--name", PING, "--", str(server), "--", "--jobs", "x")
    assert own.returncode == 0, own.stderr
