"""What the faults share: how often, servers that can be killed, and what must hold after each of them."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from mnemo.memory import Memory
from mnemo.storage import inspection
from tests.benchmarks.wire import WireClient

FULL = os.environ.get("MNEMO_FAULTS") == "full"
SERVE = [sys.executable, "-m", "mnemo", "serve"]


def times(few: int, many: int) -> int:
    """Return how often a fault is provoked: `few` in the tests, `many` in the session of its own."""
    return many if FULL else few


class Server(WireClient):
    """A server on one memory file, which can be killed at any moment."""

    def __init__(self, path: Path, environment: Mapping[str, str] | None = None) -> None:
        """Start the server; `start` does the handshake."""
        super().__init__(SERVE, path.parent, {"MNEMO_DB": str(path), **(environment or {})})

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """Return the process."""
        return self._process

    def ask(self, tool: str, **arguments: Any) -> tuple[dict[str, Any], bool]:
        """Call a tool and return its answer, and whether it is an error."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        answer = json.loads(result["content"][0]["text"])
        assert isinstance(answer, dict)
        return answer, bool(result.get("isError"))

    def kill(self) -> None:
        """End the process at once, as `kill -9` does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with_broken_pipe(pipe.close)


def with_broken_pipe(work: Any) -> None:
    """Do work on a pipe whose other end may be gone."""
    try:
        work()
    except (BrokenPipeError, ValueError):
        return


def contents(path: Path) -> set[str]:
    """Return the texts of all facts in a file."""
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        return {row[0] for row in connection.execute("SELECT content FROM facts")}


def assert_whole(path: Path) -> None:
    """Check that a file is whole: for SQLite, for the index, and for the history."""
    with closing(Memory(path)) as memory:
        memory.parts.store.refresh()
    state = inspection.look(path)
    assert (state.problems, state.index_problems, state.waiting) == ((), (), 0)
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        assert connection.execute("SELECT count(*) FROM replaced_facts").fetchone() == (0,)
        unknown = "SELECT count(*) FROM facts WHERE fact_id NOT IN (SELECT fact_id FROM fact_versions)"
        assert connection.execute(unknown).fetchone() == (0,)
        linked = "SELECT count(*) FROM fact_entities WHERE fact_id NOT IN (SELECT fact_id FROM facts)"
        assert connection.execute(linked).fetchone() == (0,)
