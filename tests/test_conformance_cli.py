"""`mnemo conformance` as an implementer meets it: options, exit statuses, failures, reports, wicked servers."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mnemo.cli.conformance import conformance_command
from mnemo.conformance import SPECIFICATION_VERSION, catalogue, known
from mnemo.conformance.reports import NO_XML
from tests.conformance.broken import MINIMAL

PING = "a ping is answered"
BOUNDARY = "Boundary at 300 chars of match text"
MNEMO = [sys.executable, "-m", "mnemo"]
RIGHT = [sys.executable, "-S", str(MINIMAL)]


def conformance(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mnemo", "conformance", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def broken(folder: Path, old: str, new: str) -> list[str]:
    """Return the command of a server in which one text of the right one is replaced."""
    source = MINIMAL.read_text("utf-8")
    assert source.count(old) == 1
    (folder / "server.py").write_text(source.replace(old, new), "utf-8")
    return [sys.executable, "-S", str(folder / "server.py")]


@pytest.fixture
def penalizing(tmp_path: Path) -> list[str]:
    return broken(tmp_path, "min(1.0, 300 /", "min(1.0, 299 /")


def test_a_right_server_conforms() -> None:
    done = conformance("--name", PING, "--name", BOUNDARY, "--", *RIGHT)
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    first, *lines, total, end = done.stdout.splitlines()
    whole = len(catalogue.all_cases())
    assert first.startswith(f"specification {SPECIFICATION_VERSION}, selection: 2 of {whole} scenarios, server: ")
    assert [line.split(": ")[1].split(" (")[0] for line in sorted(lines)] == [PING, BOUNDARY]
    assert all(line.startswith("ok ") for line in lines)
    assert re.fullmatch(r"2 scenarios in \d+\.\d s, \d+ starts? of the server: 2 passed", total)
    assert end == "conforms in the 2 chosen scenarios"


def test_a_failure_says_all_that_an_implementer_needs(penalizing: list[str]) -> None:
    done = conformance("--name", BOUNDARY, "--", *penalizing)
    assert done.returncode == 1
    (case,) = [case for case in catalogue.all_cases() if case.scenario.name == BOUNDARY]
    step = case.scenario.steps[2]
    for wanted in (
        "FAILED  length-penalty: Boundary at 300 chars",
        "requirement: Scoring formula includes length penalty based on match text (MUST)",
        case.sentence,
        f"specified:   openspec/specs/length-penalty/spec.md:{step.line}",
        f">> THEN {step.text}",
        "exactly.explain.length_penalty: wanted 1.0, got 0.9967",
        '-> {"jsonrpc": "2.0", "id": 3, "method": "tools/call"',
        '<- {"jsonrpc":"2.0","id":3,"result":',
        "learned: promoted 0, demoted 0, aged 0, unchanged 0",
        f"again: mnemo conformance --name '{BOUNDARY}' --keep -- ",
        "1 failed",
        "does not conform",
    ):
        assert wanted in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_structures_are_shown_as_a_difference(tmp_path: Path) -> None:
    server = broken(tmp_path, "round(penalty(fact), 3)", "round(penalty(fact), 2)")
    done = conformance("--name", "Learn returns summary", "--", *server)
    assert re.search(r'\n    -\s+"penalty": 0.077\n    \+\s+"penalty": 0.08\n', done.stdout)


def test_should_warns_and_does_not_fail(tmp_path: Path) -> None:
    server = broken(tmp_path, 'separators=(",", ":"))', "indent=None)")
    done = conformance("--name", "no spaces and no escaped", "--", *server)
    assert done.returncode == 0
    assert "warning  fact-store: an answer has no spaces" in done.stdout
    assert "(SHOULD, so this warns)" in done.stdout
    assert done.stdout.splitlines()[-2].endswith("1 warning")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--name", "lenght penalty of matc text", "--", "x"], "is called 'lenght penalty of matc text'"),
        (["--capability", "tea", "--", "x"], "there is no capability 'tea', only "),
        ([], "Name the server's command behind --"),
        (["--env", "novalue", "--", "x"], "--env takes NAME=VALUE, not novalue"),
        (["--jobs", "0", "--", "x"], "0 is not in the range"),
        (["--tea", "--", "x"], "No such option"),
        (["--name", "", "--", "x"], "--name needs a name or a part of one"),
        (["--name", " \t", "--", "x"], "--name needs a name or a part of one"),
        (["--capability", "", "--", "x"], "there is no capability '', only "),
        (["--env", "=x", "--", "x"], "--env takes NAME=VALUE, not =x"),
        (["--timeout", "nan", "--", "x"], "Invalid value for '--timeout'"),
        (["--name", "Taught pairs", "--profile", "core", "--", "x"], "Nothing of that belongs to the profile core"),
        (["--name", "Taught pairs", "--capability", "batches", "--", "x"], "no scenario has one of the names and"),
        (["./my-server", "--jobs", "2"], "Write -- before the server's command; without it --jobs could be"),
        (["node", "-e", "0", "--", "--x"], "Write -- before the server's command; without it -e could be"),
        (["--known-failures", "/nowhere/list", "--", "x"], "there is no file /nowhere/list; --write-known-failures"),
        (["--known-failures", "/", "--", "x"], "/ is a folder; name a file"),
        (["--json", "/", "--", "x"], "/ is a folder; name a file in it"),
        (["--json", "-", "--html", "-", "--", "x"], "--json and --html cannot both write to -"),
        (["--json", "a", "--junit", "./a", "--", "x"], "--junit and --json cannot both write to a"),
        (["--write-known-failures", "k", "--fail-fast", "--", "x"], "needs the whole run; leave out --fail-fast"),
        (["--list", "--html", "-"], "--list runs nothing, so that there is nothing to report; --json FILE"),
        (["--list", "--known-failures", "k"], "--list runs nothing, so that there is nothing to report"),
        (["--list", "--json", "/nowhere/list"], "There is no folder for /nowhere/list"),
        (["--html", "/nowhere/page.html", "--", "x"], "There is no folder for /nowhere/page.html"),
    ],
)
def test_wrong_use_ends_with_2_and_a_sentence(arguments: list[str], said: str) -> None:
    done = conformance(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_list_names_every_scenario_and_needs_no_server() -> None:
    done = conformance("--list")
    assert done.returncode == 0
    cases = catalogue.all_cases()
    listed = [line.split("  @")[0].strip() for line in done.stdout.splitlines() if line.startswith("    ")]
    assert listed == [case.scenario.name for case in cases]
    core = conformance("--list", "--profile", "core", "--capability", "fact-store").stdout
    assert "both tools are listed" in core
    assert "@full" not in core


def test_a_name_is_a_part_of_a_capability_a_requirement_or_a_scenario() -> None:
    cases = catalogue.all_cases()
    by_capability = catalogue.chosen(cases, ["length penalty"])
    assert {case.capability.name for case in by_capability} >= {"length-penalty"}
    assert len(catalogue.chosen(cases, [PING.upper()])) == 1
    assert len(catalogue.chosen(cases, ["Feedback moves trust"])) > 3
    both = catalogue.chosen(cases, ["trust"], ["fact-store"])
    assert both
    assert {case.capability.name for case in both} == {"fact-store"}


def test_fail_fast_stops(penalizing: list[str]) -> None:
    done = conformance("--capability", "length-penalty", "--fail-fast", "--jobs", "1", "--", *penalizing)
    assert done.returncode == 1
    assert "1 failed (stopped at the first failure)" in done.stdout


def test_known_failures_only_shrink(penalizing: list[str], tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    written = conformance("--capability", "length-penalty", "--write-known-failures", str(path), "--", *penalizing)
    assert written.returncode == 1
    assert f"length-penalty: {BOUNDARY}\n    to be explained; it failed with: exactly" in path.read_text("utf-8")
    names = len(known.read(path, [case.name for case in catalogue.all_cases()]))
    assert names > 1
    listed = conformance("--capability", "length-penalty", "--known-failures", str(path), "--", *penalizing)
    assert listed.returncode == 0, listed.stdout
    warning, total, _ = listed.stdout.splitlines()[-3:]
    assert warning == f"warning: {names} known failures have no reason yet; explain each in {path}"
    assert total.endswith(f", {names} known failures")
    mended = conformance("--name", BOUNDARY, "--known-failures", str(path), "--", *RIGHT)
    assert mended.returncode == 1
    assert "listed as a known failure, and passes; take it off the list" in mended.stdout
    other = conformance("--name", PING, "--known-failures", str(path), "--", *RIGHT)
    assert other.returncode == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one: b\n", r":1: there is no scenario 'one: b'"),
        ("# c\n\none: a\ntwo: a\n   why\n", r":3: 'one: a' has no reason"),
        ("one: a\n  why\none: a\n  why\n", r":3: 'one: a' stands twice"),
        ("   why\n", r":1: a reason stands under the name"),
    ],
)
def test_a_list_of_known_failures_is_checked(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "known").write_text(text, "utf-8")
    with pytest.raises(known.KnownFailuresError, match=said):
        known.read(tmp_path / "known", ["one: a", "two: a"])


def test_reports_hold_the_same_outcomes(penalizing: list[str], tmp_path: Path) -> None:
    junit, as_json, html = tmp_path / "r.xml", tmp_path / "r.json", tmp_path / "r.html"
    reports = ["--junit", str(junit), "--json", str(as_json), "--html", str(html)]
    conformance("--name", BOUNDARY, "--name", PING, *reports, "--", *penalizing)
    data = json.loads(as_json.read_text("utf-8"))
    assert (data["conforms"], data["counts"]["passed"], data["counts"]["failed"]) == (False, 1, 1)
    results = {one["scenario"]: one for one in data["scenarios"]}
    assert results[PING]["result"] == "passed"
    assert results[BOUNDARY]["failure"]["text"] == "exactly.explain.length_penalty: wanted 1.0, got 0.9967"
    root = ElementTree.parse(junit).getroot()  # noqa: S314 - made just now
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("2", "1", "0")
    assert [one.get("name") for one in root.iter("testcase") if one.find("failure") is not None] == [BOUNDARY]
    page = html.read_text("utf-8")
    assert f"<details><summary>{BOUNDARY}" in page
    assert "wanted 1.0, got 0.9967" in page
    assert not re.search(r"<(script|link|img|iframe)|https?://|url\(", page)


def test_what_xml_cannot_hold_is_replaced() -> None:
    assert NO_XML.sub("?", "a\x00b\x1bc\ud800d\te深🙂") == "a?b?c?d\te深🙂"


def test_homes_of_failures_are_kept_on_demand(penalizing: list[str]) -> None:
    done = conformance("--name", BOUNDARY, "--keep", "--", *penalizing)
    (home,) = re.findall(r"HOME of this scenario was kept: (\S+)", done.stdout)
    assert (Path(home) / ".mnemo" / "facts.db").is_file()


def test_variables_reach_the_server_and_the_folder_is_the_callers(tmp_path: Path) -> None:
    begin = "    memory = Memory()\n    for"
    check = "    if os.environ.get('TEA') != 'a=b' or not os.path.exists('here'):\n        sys.exit(3)\n"
    broken(tmp_path, begin, check + begin)
    (tmp_path / "here").touch()
    command = [sys.executable, "-m", "mnemo", "conformance", "--name", PING, "--env", "TEA=a=b"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [*command, "--", sys.executable, "server.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_verbose_shows_steps() -> None:
    done = conformance("--name", PING, "--verbose", "--", *RIGHT)
    assert 'WHEN the client requests "ping"' in done.stdout


SEARCHES = "    def search(self, given: dict[str, Any]) -> dict[str, Any]:\n"
NOTICE = '{"jsonrpc":"2.0","method":"notifications/message"}\n'
WICKED = {
    "hangs": "        import time; time.sleep(600)\n",
    "dies": "        os._exit(3)\n",
    "kills itself": "        os.kill(os.getpid(), 9)\n",
    "prints": "        print('searching', flush=True)\n",
    "floods stdout": "        while True: os.write(1, b'x' * 65536)\n",
    "floods with messages": f"        while True: os.write(1, {NOTICE.encode()!r} * 500)\n",
    "floods stderr": "        while True: os.write(2, b'e' * 65536 + b'\\n')\n",
    "answers nothing but": "        os.write(1, b'[]\\n')\n",
    "leaves a child": (
        "        import subprocess\n"
        "        subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)\n"
        "        os._exit(1)\n"
    ),
}


@pytest.mark.parametrize("kind", WICKED)
def test_a_wicked_server_costs_its_scenarios_and_no_other(kind: str, tmp_path: Path) -> None:
    server = broken(tmp_path, SEARCHES, SEARCHES + WICKED[kind])
    began = time.monotonic()
    report = tmp_path / "report.json"
    names = ["--name", "Search matches on summary", "--name", PING, "--name", "helpful raises trust by 0.05"]
    done = conformance(*names, "--timeout", "4", "--json", str(report), "--", *server)
    assert done.returncode == 1
    assert time.monotonic() - began < 60
    results = {one["scenario"]: one["result"] for one in json.loads(report.read_text("utf-8"))["scenarios"]}
    assert results.pop("Search matches on summary") == "failed"
    assert set(results.values()) == {"passed"}
    assert "Traceback" not in done.stdout + done.stderr


def test_a_server_that_never_answers_ends_the_run_soon() -> None:
    began = time.monotonic()
    done = conformance("--timeout", "1", "--", sys.executable, "-c", "import time; time.sleep(600)")
    assert done.returncode == 1
    assert time.monotonic() - began < 30
    assert done.stdout.count("    no scenario could be run: no answer to initialize within 1.0 s") == 1
    assert done.stdout.splitlines()[-2].endswith(
        "for one cause: no scenario could be run: no answer to initialize within 1.0 s"
    )
    assert done.stdout.count("FAILED") == 1


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    child = "[sys.executable, '-c', 'import time; time.sleep(600)']"
    started = tmp_path / "started"
    spawn = (
        f"        import subprocess; process = subprocess.Popen({child}, start_new_session=True)\n"
        f"        open({str(started)!r}, 'a').write(f'{{process.pid}}\\n')\n"
    )
    conformance("--name", "Search matches on summary", "--", *broken(tmp_path, SEARCHES, SEARCHES + spawn))
    children = started.read_text().split()
    assert children
    assert [number for number in children if _is_running(Path("/proc") / number)] == []


def _is_running(process: Path) -> bool:
    try:
        return not re.search(r"^State:\s+Z", (process / "status").read_text(), re.MULTILINE)
    except OSError:
        return False


def test_ctrl_c_ends_the_servers_and_says_so() -> None:
    command = [sys.executable, "-m", "mnemo", "conformance", "--capability", "self-learning", "--", *RIGHT]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()  # the heading
    assert process.stdout.readline()  # the first scenario is told: the servers run
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Stopped; every server was ended." in said


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys, importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'pytest_bdd' else real(name, *rest)\n"
        "sys.argv = ['mnemo', 'conformance', '--list']\nfrom mnemo.cli import main\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    pip = f"{sys.executable} -m pip install"
    needed = f"{pip} '.[conformance]' or, once it is published: {pip} 'mnemo-facts[conformance]'"
    assert done.stderr == f"mnemo: The suite needs more packages; in a checkout of mnemo run: {needed}\n"


def test_the_manual_names_every_option_and_no_other() -> None:
    manual = (Path(__file__).parents[1] / "docs" / "conformance.md").read_text("utf-8")
    offered = {option for parameter in conformance_command.params for option in parameter.opts if option[:2] == "--"}
    foreign = {"--write", "--omit", "--ignore-scripts"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", manual)) - foreign == offered


def test_the_manual_shows_a_failure_as_it_is_printed(penalizing: list[str]) -> None:
    manual = (Path(__file__).parents[1] / "docs" / "conformance.md").read_text("utf-8")
    (shown,) = re.findall(r"^```text\n(FAILED .*?)^```$", manual, re.MULTILINE | re.DOTALL)
    shown = shown.replace("./my-server", shlex.join(penalizing))
    done = conformance("--name", BOUNDARY, "--", *penalizing)
    printed = done.stdout[done.stdout.index("FAILED") : done.stdout.index("\n1 scenario ")]
    expected = "".join(
        r"(?:.*\n)*" if line.strip() == "…" else re.escape(line).replace("…", ".*") + r"\n"
        for line in shown.splitlines()
    )
    assert re.fullmatch(expected, printed), printed


def test_the_list_of_the_npm_original_can_be_read() -> None:
    path = Path(__file__).parents[1] / "docs" / "known-failures-npm.txt"
    reasons = known.read(path, [case.name for case in catalogue.all_cases()])
    assert len(reasons) > 100
    assert not [name for name, reason in reasons.items() if reason.startswith(known.UNEXPLAINED)]


def test_the_package_needs_nothing_of_the_repository(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    build = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    installed, empty = tmp_path / "installed", tmp_path / "empty"
    for package in build["packages"]:
        shutil.copytree(root / package, installed / package, ignore=shutil.ignore_patterns("__pycache__"))
    for source, target in build["force-include"].items():
        shutil.copytree(root / source, installed / target)
    empty.mkdir()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mnemo",
            "conformance",
            "--name",
            BOUNDARY,
            "--",
            sys.executable,
            "-m",
            "mnemo",
            "serve",
        ],
        cwd=empty,
        env=os.environ | {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(empty.iterdir())
    where = "import mnemo.conformance.catalogue as c; print(c.specs_folder(), len(c.all_cases()))"
    told = subprocess.run(
        [sys.executable, "-c", where],
        cwd=empty,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == [str(installed / "mnemo" / "conformance" / "specs"), str(len(catalogue.all_cases()))]


def test_on_a_terminal_one_line_changes(penalizing: list[str]) -> None:
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "mnemo", "conformance", "--capability", "length-penalty", "--", *penalizing]
    with subprocess.Popen(command, stdout=slave, stderr=slave) as process:
        os.close(slave)
        shown = b""
        while chunk := _read(master):
            shown += chunk
        assert process.wait(60) == 1
    text = shown.decode()
    assert "\r\x1b[K" in text
    assert f"FAILED  length-penalty: {BOUNDARY}" in text
    assert not re.search(r"^ok ", text, re.MULTILINE)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""
