"""The stdio driver against servers that misbehave: every wait ends, every failure says what was on the wire."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemo.conformance import database
from mnemo.conformance.driver import DriverError, RequestRefusedError
from mnemo.conformance.stdio import StdioDriver, home_environment, read_result

PREAMBLE = """
import json, os, subprocess, sys, time
def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def asked():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)
def text(value):
    return {"content": [{"type": "text", "text": value}]}
def refuse(message):
    say(id=message["id"], error={"code": -32602, "message": "unsupported"})
def shake():
    message = asked()
    say(id=message["id"], result={"protocolVersion": message["params"]["protocolVersion"], "capabilities": {}})
    assert asked()["method"] == "notifications/initialized"
"""
Make = Callable[..., StdioDriver]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Make]:
    drivers: list[StdioDriver] = []

    def make(code: str, timeout: float = 10.0, *, early: bool = False) -> StdioDriver:
        script = tmp_path / "server.py"
        script.write_text(PREAMBLE + code, encoding="utf-8")
        drivers.append(StdioDriver([sys.executable, str(script)], timeout=timeout, early=early))
        return drivers[-1]

    yield make
    for driver in drivers:
        driver.close().join()


def test_a_call_returns_the_json_of_the_first_text_block(server: Make) -> None:
    driver = server("""
shake()
message = asked()
say(id=message["id"], result=text(json.dumps({"given": message["params"]})))
""")
    answer = driver.call("fact_store", {"action": "list", "query": "深色"})
    assert answer.value == {"given": {"name": "fact_store", "arguments": {"action": "list", "query": "深色"}}}
    assert not answer.is_error


def test_a_server_that_does_not_answer_is_given_up_in_time(server: Make) -> None:
    driver = server("shake()\ntime.sleep(60)", timeout=3.0)
    began = time.monotonic()
    with pytest.raises(DriverError, match=r"(?s)no answer to tools/call within 3\.0 s\n.*-> .*tools/call"):
        driver.call("fact_store", {})
    assert time.monotonic() - began < 10


def test_a_server_that_ends_is_noticed_with_its_last_words(server: Make) -> None:
    driver = server("shake()\nasked()\nprint('out of tea', file=sys.stderr)\nsys.exit(3)")
    with pytest.raises(
        DriverError, match=r"(?s)the server ended with exit status 3 before it answered tools/call.*out of tea"
    ):
        driver.call("fact_store", {})
    with pytest.raises(DriverError, match=r"the server (ended|does not read)"):
        driver.call("fact_store", {})


def test_a_server_that_ends_at_once_is_noticed(server: Make) -> None:
    with pytest.raises(DriverError, match=r"the server (ended|does not read)"):
        server("sys.exit(1)").start()


@pytest.mark.parametrize("line", ["'welcome'", "'[]'", "'{\"id\": 1}'"])
def test_stdout_carries_messages_alone(server: Make, line: str) -> None:
    with pytest.raises(DriverError, match="stdout carries a line that is no message"):
        server(f"asked()\nprint({line}, flush=True)\ntime.sleep(60)").start()


def test_a_command_that_does_not_exist_is_named() -> None:
    driver = StdioDriver(["/nowhere/no-such-server"])
    with pytest.raises(DriverError, match="there is no command '/nowhere/no-such-server'"):
        driver.start()
    driver.close().join()


def test_an_older_version_is_agreed_on(server: Make) -> None:
    driver = server("""
while (message := asked())["params"]["protocolVersion"] != "2024-11-05":
    refuse(message)
say(id=message["id"], result={"protocolVersion": "2024-11-05", "capabilities": {}})
assert asked()["method"] == "notifications/initialized"
message = asked()
say(id=message["id"], result={"params": message["params"]})
""")
    assert driver.request("ping") == {"params": {}}


def test_an_unknown_version_is_refused(server: Make) -> None:
    driver = server('message = asked()\nsay(id=message["id"], result={"protocolVersion": "1999-01-01"})\ntime.sleep(9)')
    with pytest.raises(DriverError, match="'1999-01-01', not to a known one"):
        driver.start()


def test_a_server_without_handshake_gets_the_envelope(server: Make) -> None:
    driver = server("""
while (message := asked())["method"] == "initialize":
    refuse(message)
assert message["method"] == "server/discover"
say(id=message["id"], result={"supportedVersions": ["2026-07-28"]})
message = asked()
say(id=message["id"], result={"meta": message["params"]["_meta"]})
""")
    meta = driver.request("tools/list")["meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {}


def test_a_server_that_knows_no_version_is_refused(server: Make) -> None:
    with pytest.raises(DriverError, match=r"no protocol version in common: initialize 2025-11-25: .*server/discover"):
        server("while True:\n    refuse(asked())").start()


def test_the_servers_own_requests_and_notifications_are_served(server: Make) -> None:
    driver = server("""
shake()
message = asked()
say(method="notifications/message", params={})
say(id="p", method="ping")
assert asked() == {"jsonrpc": "2.0", "id": "p", "result": {}}
say(id="r", method="roots/list")
assert asked()["error"]["code"] == -32601
say(id=message["id"], result={"fine": True})
""")
    assert driver.request("tools/list") == {"fine": True}


@pytest.mark.parametrize("number", ["None", "77", "'1'", "True", "message['id']"])
def test_an_answer_to_nothing_that_was_asked_is_noticed(server: Make, number: str) -> None:
    driver = server(f"""
shake()
message = asked()
say(id=message["id"], result={{}})
say(id={number}, result={{}})
message = asked()
say(id=message["id"], result={{}})
time.sleep(60)
""")
    assert driver.request("tools/list") == {}
    with pytest.raises(DriverError, match="answered what was not asked"):
        driver.request("tools/list")


def test_a_notification_that_is_answered_is_noticed(server: Make) -> None:
    driver = server("shake()\nsay(id=None, result={})\nasked()\ntime.sleep(60)")
    with pytest.raises(DriverError, match="answered what was not asked, with the id null"):
        driver.request("tools/list")


def test_a_refusal_is_an_answer_marked_as_an_error(server: Make) -> None:
    driver = server("shake()\nrefuse(asked())\nrefuse(asked())")
    answer = driver.call("fact_store", {})
    assert (answer.is_error, answer.value) == (True, None)
    with pytest.raises(RequestRefusedError, match="unsupported"):
        driver.request("memory/forget")


def test_an_answer_without_a_result_is_noticed(server: Make) -> None:
    with pytest.raises(DriverError, match="has neither result nor error"):
        server('shake()\nsay(id=asked()["id"])\ntime.sleep(60)').request("ping")


def test_a_result_holds_json() -> None:
    block = {"type": "text", "text": "no json"}
    with pytest.raises(DriverError, match="is not JSON: 'no json'"):
        read_result({"content": [block]})
    with pytest.raises(DriverError, match="no text block"):
        read_result({"content": [{"type": "image", "data": ""}]})
    failed = read_result({"content": [block], "isError": True})
    assert (failed.value, failed.is_error, failed.text) == (None, True, "no json")


def test_stderr_is_kept_and_split_at_the_handshake(server: Make) -> None:
    driver = server("""
print("starting", file=sys.stderr, flush=True)
time.sleep(0.3)
shake()
print("learned", file=sys.stderr, flush=True)
say(id=asked()["id"], result={})
""")
    driver.request("ping")
    deadline = time.monotonic() + 5
    while "learned\n" not in driver.stderr() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert driver.stderr() == "starting\nlearned\n"
    assert driver.stderr_at_handshake() == "starting\n"
    assert "end of stderr:\nstarting\nlearned" in driver.evidence()


def test_children_of_the_server_end_with_it(server: Make, tmp_path: Path) -> None:
    note = tmp_path / "child"
    driver = server(f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
open({str(note)!r}, "w").write(str(child.pid))
shake()
time.sleep(300)
""")
    driver.start()
    child = int(note.read_text())
    driver.close().join()
    deadline = time.monotonic() + 5
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(child)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_server_that_ignores_the_end_of_stdin_is_ended(server: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemo.conformance.wire.END_SECONDS", 1.0)
    driver = server("shake()\nwhile True:\n    time.sleep(1)")
    driver.start()
    began = time.monotonic()
    driver.stop()
    assert time.monotonic() - began < 5
    assert driver.evidence() == "the server is not running"


def test_a_server_that_ended_before_its_stdin_was_closed_is_no_trouble(server: Make) -> None:
    driver = server("shake()\nos.close(0)\ntime.sleep(0.5)\nsys.exit(0)")
    driver.start()
    time.sleep(1)
    driver.stop()
    driver.stop()
    assert driver.evidence() == "the server is not running"


def test_restart_starts_a_new_process_with_new_variables_in_the_same_home(server: Make) -> None:
    driver = server("""
shake()
while True:
    message = asked()
    say(id=message["id"], result={"pid": os.getpid(), "home": os.environ["HOME"], "x": os.environ.get("X")})
""")
    first = driver.request("ping")
    driver.restart({"X": "1"})
    second = driver.request("ping")
    assert first["pid"] != second["pid"]
    assert (second["home"], second["x"]) == (first["home"], "1")
    with pytest.raises(DriverError, match="runs already"):
        driver.start()
    with pytest.raises(DriverError, match="runs already"):
        driver.before_start(environment={"X": "2"})


def test_before_start_builds_the_file_and_sets_variables_even_if_the_process_began_early(server: Make) -> None:
    driver = server(
        """
shake()
found = os.path.exists(os.path.expanduser("~/.mnemo/facts.db"))
say(id=asked()["id"], result={"x": os.environ.get("X"), "file": found})
""",
        early=True,
    )
    driver.before_start([("CREATE TABLE t (a)", ()), ("INSERT INTO t VALUES (?)", (5,))], {"X": "1"})
    assert driver.request("ping") == {"x": "1", "file": True}
    assert driver.sql("SELECT a FROM t") == [[5]]


def test_the_home_is_deleted_or_kept(server: Make) -> None:
    driver = server("shake()")
    driver.close(keep_home=True).join()
    assert driver.home.is_dir()
    driver.close().join()
    assert not driver.home.exists()


def test_no_folder_or_setting_of_the_user_reaches_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_DB", "/elsewhere/facts.db")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/elsewhere")
    environment = home_environment(tmp_path)
    assert not [value for value in environment.values() if "elsewhere" in value]
    assert environment["HOME"] == environment["USERPROFILE"] == str(tmp_path)
    assert environment["PATH"] == os.environ["PATH"]


def test_waiting_moves_every_stored_time_back(tmp_path: Path) -> None:
    path = tmp_path / "facts.db"
    database.build_file(
        path,
        [
            ("CREATE TABLE facts (id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT, seen TEXT, n INTEGER)", ()),
            ("CREATE VIRTUAL TABLE facts_fts USING fts5(content)", ()),
            ('CREATE TABLE odd ("a ""b" TEXT PRIMARY KEY) WITHOUT ROWID', ()),
            ("INSERT INTO facts(content, seen, n) VALUES ('on 2026-01-01 00:00:00', '2026-03-01 00:00:30', 5)", ()),
            ("INSERT INTO facts(content, seen) VALUES ('tea', NULL)", ()),
            ("INSERT INTO facts_fts VALUES ('2026-03-01 00:00:30')", ()),
            ("INSERT INTO odd VALUES ('2026-03-01 00:00:30'), ('abcd-ef-gh ij:kl:mn')", ()),
        ],
    )
    driver = StdioDriver(["unused"])
    driver.database = path
    driver.wait(days=1, seconds=30)
    assert driver.sql("SELECT content, seen, n FROM facts") == [
        ["on 2026-01-01 00:00:00", "2026-02-28 00:00:00", 5],
        ["tea", None, None],
    ]
    assert driver.sql("SELECT content FROM facts_fts") == [["2026-03-01 00:00:30"]]
    assert driver.sql("SELECT * FROM odd") == [["2026-02-28 00:00:00"], ["abcd-ef-gh ij:kl:mn"]]
    driver.close().join()


def test_sql_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="does not exist"):
        database.query_file(tmp_path / "none.db", "SELECT 1")
    database.build_file(tmp_path / "some.db", [("CREATE TABLE t (a)", ())])
    with pytest.raises(DriverError, match="answers 'SELECT b FROM t' with: no such column"):
        database.query_file(tmp_path / "some.db", "SELECT b FROM t")
