"""Nonsense on the wire: each request is answered exactly once, the server lives on, its memory stays bounded."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.common import Server, times

INPUTS = times(600, 50_000)
WITHOUT_WAITING = times(500, 10_000)
MOST_GROWTH_MB = 200.0
LAST = "the last one"
SECONDS = 600.0
METHODS = ("tools/list", "ping", "resources/list", "prompts/list", "prompts/get", "resources/read", "tools/call")
ODD: tuple[Any, ...] = (None, True, -1, 1e300, "", "\x00", "深", [], {}, [[]], {"a": {"b": None}}, "x" * 3_000, 2**70)
ARGUMENTS = ("action", "content", "contents", "query", "fact_id", "limit", "tags", "min_trust", "before", "version")
ACTIONS = ("search", "list", "add", "get", "probe", "history", "restore", "audit", "contradict", "nonsense")


class Fuzz:
    """Makes lines for a server, and knows which of them must be answered."""

    def __init__(self, seed: int) -> None:
        """Make the same lines for the same seed."""
        self._random = random.Random(seed)  # noqa: S311
        self._serial = 0
        self.owed: set[str] = set()  # ids that must be answered exactly once
        self.free: set[str] = set()  # ids that may be answered: they are cancelled, or wrong
        self._kinds: list[Callable[[], bytes]] = [
            self._noise,
            self._cut,
            self._nested,
            self._no_message,
            self._wrong_envelope,
            self._unknown_method,
            self._request,
            self._notification,
            self._cancelled,
            self._call,
            self._call,
            self._call,
        ]

    def line(self) -> bytes:
        """Return the next line."""
        return self._random.choice(self._kinds)().replace(b"\n", b" ") + b"\n"

    def _id(self, ids: set[str]) -> str:
        self._serial += 1
        made = f"id-{self._serial}"
        ids.add(made)
        return made

    def _message(self, ids: set[str], method: Any, params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": self._id(ids), "method": method, "params": params}

    def _noise(self) -> bytes:
        return self._random.randbytes(self._random.randrange(1, 80))

    def _cut(self) -> bytes:
        line = _bytes(self._message(set(), "tools/list", {}))
        return line[: self._random.randrange(1, len(line) - 1)]

    def _nested(self) -> bytes:
        return b"[" * self._random.choice((10, 500, 20_000))

    def _no_message(self) -> bytes:
        return _bytes(self._random.choice(ODD))

    def _wrong_envelope(self) -> bytes:
        message = self._message(self.free, self._random.choice(METHODS), {})
        message[self._random.choice(("jsonrpc", "method", "params"))] = self._random.choice(ODD)
        return _bytes(message)

    def _unknown_method(self) -> bytes:
        return _bytes(self._message(self.owed, f"nonsense/{self._random.randrange(99)}", {}))

    def _request(self) -> bytes:
        return _bytes(self._message(self.owed, self._random.choice(("tools/list", "ping", "resources/list")), {}))

    def _notification(self) -> bytes:
        method = self._random.choice(("notifications/initialized", "notifications/nonsense", "notifications/progress"))
        return _bytes({"jsonrpc": "2.0", "method": method, "params": self._random.choice(({}, {"progressToken": 1}))})

    def _cancelled(self) -> bytes:
        call = _bytes(self._message(self.free, "tools/call", _call({"action": "contradict"})))
        cancel = {"method": "notifications/cancelled", "params": {"requestId": f"id-{self._serial}"}}
        return call + b"\n" + _bytes({"jsonrpc": "2.0", **cancel})

    def _call(self) -> bytes:
        given = {name: self._value() for name in self._random.sample(ARGUMENTS, self._random.randrange(5))}
        if self._random.random() < 0.7:
            given["action"] = self._random.choice(ACTIONS)
        return _bytes(self._message(self.owed, "tools/call", _call(given)))

    def _value(self) -> Any:
        return self._random.choice(
            (*ODD, self._random.randrange(40), chr(self._random.randrange(0x20, 0xD7FF)) * 5, "a OR b*", "\u202e\ud800")
        )


def _call(given: dict[str, Any]) -> dict[str, Any]:
    return {"name": "fact_store", "arguments": given}


def _bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


def converse(server: Server, lines: list[bytes]) -> Counter[str]:
    """Send lines without waiting, then one last request, and return how often each id was answered until that."""
    answered: Counter[str] = Counter()
    process = server.process
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    def send() -> None:
        for line in lines:
            stdin.write(line)
        stdin.flush()

    sender = threading.Thread(target=send)
    sender.start()
    guard = threading.Timer(SECONDS, process.kill)
    guard.start()
    reader = threading.Thread(target=_count, args=(stdout, answered))
    reader.start()
    sender.join()
    _settle(answered)
    stdin.write(_bytes({"jsonrpc": "2.0", "id": LAST, "method": "ping"}) + b"\n")
    stdin.flush()
    while LAST not in answered and reader.is_alive():
        time.sleep(0.02)
    guard.cancel()
    assert process.poll() is None, "the server has ended"
    process.stdin.close()
    reader.join()
    process.wait(timeout=20)
    stdout.close()
    return answered


def _settle(answered: Counter[str]) -> None:
    """Wait until no answer has come for a while."""
    before = -1
    while before != (before := sum(answered.values())):
        time.sleep(1.5)


def _count(stdout: Any, answered: Counter[str]) -> None:
    for line in stdout:
        message = json.loads(line)  # whatever comes in, what goes out is JSON
        messages = message if isinstance(message, list) else [message]
        for one in messages:
            if "id" in one and "method" not in one:
                answered[str(one["id"])] += 1


@pytest.mark.parametrize("seed", range(times(1, 5)))
def test_each_request_among_nonsense_is_answered_once(path: Path, seed: int) -> None:
    server = Server(path)
    server.start()
    before = server.memory_mb()
    fuzz = Fuzz(seed)
    lines = [fuzz.line() for _ in range(INPUTS // times(1, 5))]
    lines.append(b'{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"x":"' + b"y" * 3_000_000 + b'"}}\n')
    growth: list[float] = []
    watch = threading.Timer(2, lambda: growth.append(server.memory_mb() - before))
    watch.start()
    answered = converse(server, lines)
    watch.cancel()
    assert {name: answered[name] for name in fuzz.owed if answered[name] != 1} == {}
    assert {name: answered[name] for name in fuzz.free if answered[name] > 1} == {}
    assert max(growth, default=0.0) < MOST_GROWTH_MB


def test_requests_that_nobody_waits_for_are_all_answered(path: Path) -> None:
    server = Server(path)
    server.start()
    server.call("fact_store", action="add", content="Lanterns light the harbour")
    search = {"name": "fact_store", "arguments": {"action": "search", "query": "lanterns"}}
    lines = [
        _bytes({"jsonrpc": "2.0", "id": f"n{number}", "method": "tools/call", "params": search}) + b"\n"
        for number in range(WITHOUT_WAITING)
    ]
    answered = converse(server, lines)
    assert {answered[f"n{number}"] for number in range(WITHOUT_WAITING)} == {1}
