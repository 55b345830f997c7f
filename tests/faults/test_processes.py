"""Many programs on one file: no error, no lost write, counters that add up, and answers in time."""

import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from mnemo.memory import Memory
from tests.conftest import rows
from tests.faults.common import FULL, Server, assert_whole, contents, times

SERVERS = times(3, 8)
WRITERS = times(1, 4)
SECONDS = times(3, 60)
SLOWEST = 2.0  # seconds for an answer
WORDS = ("harbour", "lantern", "orchard", "tide", "quarry", "港口", "灯塔", "果园")


class Client(threading.Thread):
    """One server and a client that calls it without a pause, and counts what was acknowledged."""

    def __init__(self, path: Path, number: int, until: float) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self.added: list[str] = []
        self.slowest = (0.0, "")
        self.errors: list[Any] = []
        self._server = Server(path)
        self._random = random.Random(number)  # noqa: S311 - made-up work
        self._number, self._until = number, until

    def run(self) -> None:
        try:
            self._server.start()
            while time.monotonic() < self._until:
                self._step()
        except Exception as error:
            self.errors.append(error)
        finally:
            self._server.close()

    def _step(self) -> None:
        kind = self._random.choices(["add", "search", "rate", "update", "learn", "list"], [4, 5, 3, 2, 1, 1])[0]
        word = self._random.choice(WORDS)
        if kind == "add":
            text = f"{word} note {self._number}-{self.counts['add']} of {self._random.random()}"
            if self._ask("fact_store", action="add", content=text) is not None:
                self.added.append(text)
        elif kind == "search":
            found = self._ask("fact_store", action="search", query=word)
            self.counts["retrieved"] += len((found or {}).get("results", ()))
        elif kind == "rate":
            self._ask("fact_feedback", action="helpful", fact_id=1)
        elif kind == "update":
            self._ask("fact_store", action="update", fact_id=2, tags=f"tag{self._random.random()}")
        else:
            self._ask("fact_store", action=kind)
        self.counts[kind] += 1

    def _ask(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        began = time.monotonic()
        answer, is_error = self._server.ask(tool, **arguments)
        self.slowest = max(self.slowest, (time.monotonic() - began, str(arguments.get("action"))))
        if is_error:
            self.errors.append(answer)
            return None
        return answer


def command_line_writer(path: Path, until: float, added: list[str], errors: list[str]) -> None:
    number = 0
    while time.monotonic() < until:
        number += 1
        text = f"shell note {number} of {threading.get_ident()}"
        command = [sys.executable, "-m", "mnemo", "add", text, "--db", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            errors.append(done.stderr)
        else:
            added.append(text)


def test_servers_and_commands_share_one_file(path: Path) -> None:
    with closing(Memory(path)) as memory:
        for content in ("The first fact is rated", "The second fact is updated"):
            memory.fact_store({"action": "add", "content": content})
    until = time.monotonic() + SECONDS
    clients = [Client(path, number, until) for number in range(SERVERS)]
    added: list[str] = []
    errors: list[str] = []
    writers = [threading.Thread(target=command_line_writer, args=(path, until, added, errors)) for _ in range(WRITERS)]
    for thread in (*clients, *writers):
        thread.start()
    for thread in (*clients, *writers):
        thread.join()
    counts: Counter[str] = sum((client.counts for client in clients), Counter())
    every = {text for client in clients for text in client.added} | set(added)
    assert [error for client in clients for error in client.errors] + errors == []
    assert every <= contents(path)
    assert rows(path, "SELECT helpful_count FROM facts WHERE fact_id = 1") == [(counts["rate"],)]
    assert rows(path, "SELECT count(*) FROM retrieval_log") == [(min(counts["search"], 5000),)]
    assert rows(path, "SELECT sum(retrieval_count) FROM facts") == [(counts["retrieved"],)]
    assert_whole(path)
    slowest, action = max(client.slowest for client in clients)
    sys.stdout.write(f"{dict(counts)}, by commands {len(added)}, slowest answer {slowest:.2f} s ({action})\n")
    if FULL:  # in a few seconds beside other tests a start says little
        assert slowest < SLOWEST


def test_a_long_lock_makes_writes_fail_in_words_and_searches_go_on(path: Path) -> None:
    server = Server(path)
    server.start()
    server.call("fact_store", action="add", content="Lanterns light the harbour")
    time.sleep(0.3)  # learning at start-up is over
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        answer, is_error = server.ask("fact_store", action="add", content="Orchards stand in rows")
        waited = time.monotonic() - began
        assert is_error
        assert "keeps the memory file" in answer["error"]
        assert 4 < waited < 8
        began = time.monotonic()
        assert server.call("fact_store", action="search", query="lanterns")["count"] == 1
        assert time.monotonic() - began < SLOWEST
        holder.execute("ROLLBACK")
    server.close()
    assert rows(path, "SELECT query FROM retrieval_log") == [("lanterns",)]
    assert contents(path) == {"Lanterns light the harbour"}
