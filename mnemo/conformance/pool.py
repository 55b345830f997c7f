"""Servers for scenarios: each fresh, or one whose file is as empty again as on its first day; one more starts ahead.

A start often takes longer than a scenario. So a server whose scenario passed is told to remove its facts, what is left
of them in the file is deleted, and it serves another scenario if file and HOME look as after its start. A scenario that
fails on such a server is run again on a fresh one, whose verdict counts.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemo.conformance.driver import RequestRefusedError, Statement
from mnemo.conformance.situation import learned_lines
from mnemo.conformance.stdio import StdioDriver

MOST_EMPTIED = 12  # facts; with more, a fresh server is quicker
SETTLED_SECONDS = 2.0
DERIVED = ("facts_fts", "facts_terms", "index_", "sqlite_")  # tables that hold what an index makes of facts


@dataclass(frozen=True)
class Offer:
    """What a server said of itself: capabilities, tools with their schemas, and its untouched HOME."""

    capabilities: dict[str, Any]
    tools: dict[str, dict[str, Any]]
    pristine: "Traces | None"


@dataclass(frozen=True)
class Traces:
    """How many rows each table of the file has, the last ids that were given, and which files the HOME holds."""

    rows: dict[str, int]
    sequences: dict[str, int]
    files: frozenset[str]


class Server(StdioDriver):
    """A driver that knows whether its process may serve another scenario."""

    is_used = False  # it has served a scenario before this one
    _is_plain = True  # nothing but calls and SQL has been done with it

    def before_start(self, statements: Sequence[Statement] = (), environment: Mapping[str, str] | None = None) -> None:
        """Build the file and set variables before a start; only a fresh server can do that."""
        self._is_plain = False
        super().before_start(statements, environment)

    def speak(self, version: str) -> None:
        """Speak this protocol version; only a fresh server can do that."""
        self._is_plain = False
        super().speak(version)

    def stop(self) -> None:
        """End the server; another scenario gets another one."""
        self._is_plain = False
        super().stop()

    def subscribe(self, uri: str) -> None:
        """Subscribe; another scenario gets another server, which has no subscriber."""
        self._is_plain = False
        super().subscribe(uri)

    def wait(self, *, days: float = 0, seconds: float = 0) -> None:
        """Shift the times; another scenario gets another server."""
        self._is_plain = False
        super().wait(days=days, seconds=seconds)

    def introduce(self, *, has_to_serve_again: bool) -> Offer:
        """Start the server, and return what it says of itself and, if need be, how its HOME looks after the start."""
        self.start()
        assert self._wire is not None
        try:
            listed = self.request("tools/list").get("tools")
            listed = listed if isinstance(listed, list) else []
            tools = {str(tool.get("name")): dict(tool) for tool in listed if isinstance(tool, dict)}
        except RequestRefusedError:
            tools = {}
        return Offer(self._wire.capabilities, tools, self._untouched() if has_to_serve_again else None)

    def _untouched(self) -> Traces | None:
        try:
            if self.call("fact_store", {"action": "list"}).is_error:
                return None
            until = time.monotonic() + SETTLED_SECONDS
            while not learned_lines(self.stderr()) and time.monotonic() < until:
                time.sleep(0.05)
            return self.traces()
        except Exception:  # whatever is odd about its answers, the scenarios show it; none serves again
            return None

    def traces(self) -> Traces:
        """Return what the file and the HOME hold, by number and name; the tables of an index do not count."""
        tables = [str(row[0]) for row in self.sql("SELECT name FROM sqlite_master WHERE type = 'table'")]
        ordinary = [name for name in tables if not name.startswith(DERIVED)]
        rows = {name: self.sql(f'SELECT count(*) FROM "{name}"')[0][0] for name in ordinary}  # noqa: S608
        sequences = {str(row[0]): int(row[1]) for row in self.sql("SELECT name, seq FROM sqlite_sequence")}
        sides = ("-wal", "-shm", "-journal")
        files = (path.relative_to(self.home).as_posix() for path in self.home.rglob("*"))
        return Traces(rows, sequences, frozenset(name for name in files if not name.endswith(sides)))

    def empty(self, pristine: Traces) -> bool:
        """Remove every fact through the server's own tool, all traces of it by SQL; tell whether nothing is left."""
        if not self._is_plain:
            return False
        try:
            ids = [row[0] for row in self.sql("SELECT fact_id FROM facts")]
            if len(ids) > MOST_EMPTIED:
                return False
            for fact_id in ids:
                self.call("fact_store", {"action": "remove", "fact_id": fact_id})
            for table in [name for name, count in pristine.rows.items() if not count]:
                self.sql(f'DELETE FROM "{table}"')  # noqa: S608 - the file's own names
            self.sql("DELETE FROM sqlite_sequence")
            for name, last in pristine.sequences.items():
                self.sql("INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", [name, last])
            return self.traces() == pristine
        except Exception:  # it passed its scenario; what is odd about it now need not be known
            return False


class Servers:
    """All servers of a run."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], timeout: float, *, always_fresh: bool = False
    ) -> None:
        """Prepare to start this command line in the present folder."""
        self._command = list(command)
        self._environment = dict(environment)
        self._timeout = timeout
        self._always_fresh = always_fresh
        self._pristine: Traces | None = None
        self._idle: list[Server] = []
        self._spare: Server | None = None
        self._all: set[Server] = set()
        self._endings: list[threading.Thread] = []
        self._lock = threading.Lock()
        self.starts = 0
        self.has_outlived_stdin = False  # of one that was to be ended by it

    def introduce(self) -> Offer:
        """Return what a first server says of itself; it then serves a scenario like any other.

        Raises:
            DriverError: it cannot be started, or does not come through its handshake.
        """
        server = self._make(early=False)
        try:
            offer = server.introduce(has_to_serve_again=not self._always_fresh)
        except BaseException:
            self.drop(server)
            raise
        self._pristine = offer.pristine
        if self._pristine is None:
            self.drop(server)
        else:
            self.give_back(server)
        return offer

    def take(self, *, fresh: bool) -> Server:
        """Return a server that nothing has been done with, or at least nothing that is left."""
        while not fresh:
            with self._lock:
                if not self._idle:
                    break
                server = self._idle.pop()
            if self._pristine and server.empty(self._pristine):  # something may have been written late
                return server
            self.drop(server)
        with self._lock:
            ready, self._spare = self._spare, None
        if ready and not ready.is_running():
            self.drop(ready)  # it did not wait for us
            ready = None
        server = ready or self._make(early=True)
        ahead = self._make(early=True)
        with self._lock:
            unneeded, self._spare = (ahead, None) if self._spare else (None, ahead)
        if unneeded:
            self.drop(unneeded)
        return server

    def give_back(self, server: Server) -> None:
        """Take a server back after a scenario that passed: it serves again if nothing is left in it, else it ends."""
        if self._pristine and server.empty(self._pristine):
            server.is_used = True
            with self._lock:
                self._idle.append(server)
        else:
            self.drop(server)

    def drop(self, server: Server, *, keep_home: bool = False) -> None:
        """End a server in the background, and delete its HOME unless it is to be kept."""
        with self._lock:
            self._all.discard(server)
            self.has_outlived_stdin = self.has_outlived_stdin or server.has_outlived_stdin
            self._endings = [thread for thread in self._endings if thread.is_alive()]
            self._endings.append(server.close(keep_home=keep_home))

    def close(self) -> None:
        """End every server that is left, and wait until all have ended."""
        with self._lock:
            left = list(self._all)
        for server in left:
            self.drop(server)
        for thread in self._endings:
            thread.join()

    def _make(self, *, early: bool) -> Server:
        server = Server(
            self._command, environment=self._environment, timeout=self._timeout, early=early, folder=Path.cwd()
        )
        with self._lock:
            self._all.add(server)
            self.starts += 1
        return server
