"""What the stdio driver hears without asking: notifications in both eras of the protocol, and the instructions."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemo.conformance.driver import DriverError, RequestRefusedError
from mnemo.conformance.stdio import StdioDriver

IDENTITY = "mnemo://global/identity"
UPDATED = "notifications/resources/updated"
OLD, NEW = "2025-06-18", "2026-07-28"
SERVER = """
import json, sys
def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def updated(uri, **meta):
    say(method="notifications/resources/updated", params={"uri": uri, **meta})
def refused(message):
    say(id=message["id"], error={"code": -32602, "message": "no " + message["method"]})
def acknowledged(message):
    say(method="notifications/subscriptions/acknowledged",
        params={"_meta": {"io.modelcontextprotocol/subscriptionId": message["id"]}})
for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        if KNOWN and params["protocolVersion"] not in KNOWN:
            refused(message)
        else:
            version = AGREED or params["protocolVersion"]
            say(id=message["id"], result={"protocolVersion": version, "instructions": "search first"})
    elif method == "server/discover":
        say(id=message["id"], result={"instructions": "discover first"})
    elif method == "resources/subscribe":
        say(id=message["id"], result={})
        updated(params["uri"])
    elif method == "subscriptions/listen":
        (uri,) = params["notifications"]["resourceSubscriptions"]
        if "drinks" in uri:
            refused(message)
        else:
            updated("mnemo://global/general")
            acknowledged(message)
            updated(uri)
    elif method == "tools/call":
        updated("mnemo://global/workflow")
        say(id=message["id"], result={"content": [{"type": "text", "text": "{}"}]})
    elif method == "ping":
        say(id=message["id"], result={})
        print("oops", flush=True)
"""
Make = Callable[..., StdioDriver]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Make]:
    drivers: list[StdioDriver] = []

    def make(known: tuple[str, ...] = (), agreed: str = "") -> StdioDriver:
        script = tmp_path / "server.py"
        script.write_text(f"KNOWN = {known!r}\nAGREED = {agreed!r}\n{SERVER}", encoding="utf-8")
        drivers.append(StdioDriver([sys.executable, str(script)], timeout=20.0))
        return drivers[-1]

    yield make
    for driver in drivers:
        driver.close().join()


def heard(driver: StdioDriver, count: int) -> list[str]:
    """Return the addresses of which the driver heard, once there are so many, or after 10 seconds."""
    until = time.monotonic() + 10
    while True:
        found = [one["params"]["uri"] for one in driver.notifications() if one["method"] == UPDATED]
        if len(found) >= count or time.monotonic() > until:
            return found
        time.sleep(0.01)


def test_subscriber_of_the_handshake_era_hears_of_changes(server: Make) -> None:
    driver = server()
    driver.subscribe(IDENTITY)
    assert heard(driver, 1) == [IDENTITY]
    assert driver.instructions() == "search first"


def test_listener_without_a_handshake_hears_of_changes_before_and_after_it_is_acknowledged(server: Make) -> None:
    driver = server()
    driver.speak(NEW)
    driver.subscribe(IDENTITY)
    assert heard(driver, 2) == ["mnemo://global/general", IDENTITY]
    assert driver.instructions() == "discover first"


def test_refused_stream_is_a_refusal(server: Make) -> None:
    driver = server()
    driver.speak(NEW)
    with pytest.raises(RequestRefusedError, match="no subscriptions/listen"):
        driver.subscribe("mnemo://global/drinks")


def test_notification_between_a_call_and_its_answer_is_kept(server: Make) -> None:
    driver = server()
    assert driver.call("fact_store", {}).value == {}
    assert heard(driver, 1) == ["mnemo://global/workflow"]
    assert heard(driver, 1) == ["mnemo://global/workflow"]  # asking takes nothing away


def test_restart_begins_with_nothing_heard(server: Make) -> None:
    driver = server()
    driver.call("fact_store", {})
    driver.restart()
    assert driver.notifications() == []


def test_line_that_is_no_message_is_noticed_while_listening(server: Make) -> None:
    driver = server()
    driver.request("ping")
    with pytest.raises(DriverError, match="stdout carries a line that is no message"):
        heard(driver, 1)


def test_wanted_version_is_the_only_one_that_is_tried(server: Make) -> None:
    driver = server(known=(OLD,))
    driver.speak(OLD)
    driver.start()
    driver.stop()
    driver.speak("2025-11-25")
    with pytest.raises(DriverError, match="no protocol version in common: initialize 2025-11-25"):
        driver.start()


def test_server_that_agrees_to_another_version_than_the_wanted_one_is_noticed(server: Make) -> None:
    driver = server(agreed="2024-11-05")
    driver.speak(OLD)
    with pytest.raises(DriverError, match=f"the server agreed to protocol version '2024-11-05', not to {OLD}"):
        driver.start()
