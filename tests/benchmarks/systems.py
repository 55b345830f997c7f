"""What is measured: mnemo over stdio and in process, raw FTS5, and the npm package where Node and it are present."""

import json
import os
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from mnemo import imports
from mnemo.memory import Memory
from tests.benchmarks.wire import WireClient

NPM_VARIABLE = "MNEMO_BENCH_NPM"
NPM_HOME = Path.home() / ".cache" / "mnemo-bench" / "npm" / "package"
NPM_SERVER = "dist/server.js"
LIMIT = 10

Facts = Iterable[dict[str, str]]


class System:
    """One way to keep and search facts, in a folder of its own."""

    name = ""

    def __init__(self, home: Path) -> None:
        """Use an empty folder."""
        self.home = home

    @property
    def file(self) -> Path:
        """Return the file that holds the facts."""
        return self.home / ".mnemo" / "facts.db"

    def prepare(self, facts: Facts) -> None:
        """Bring the facts that `fill` stores into the form that it reads."""
        self._facts = list(facts)

    def fill(self) -> None:
        """Store the prepared facts in the fastest way that leaves them searchable."""
        raise NotImplementedError

    def open(self) -> None:
        """Start what answers."""

    def search(self, query: str) -> Any:
        """Answer one query."""
        raise NotImplementedError

    def add(self, fact: dict[str, str]) -> Any:
        """Store one fact, durably."""
        raise NotImplementedError

    def memory_mb(self) -> float:
        """Return the resident memory of the process that answers; 0 where it is this one."""
        return 0.0

    def close(self) -> None:
        """End what answers."""

    def file_mb(self) -> float:
        """Return the size of the file and its write-ahead log, in MB."""
        return sum(path.stat().st_size for path in self.file.parent.glob(self.file.name + "*")) / 1e6


class Imported(System):
    """A memory of ours, which is filled by an import."""

    def prepare(self, facts: Facts) -> None:
        self._lines = json_lines(facts)

    def fill(self) -> None:
        import_lines(self.file, self._lines)


class InProcess(Imported):
    """mnemo's tools as functions."""

    name = "mnemo, in process"

    def open(self) -> None:
        self.memory = Memory(self.file)

    def search(self, query: str) -> Any:
        return self.memory.fact_store({"action": "search", "query": query, "limit": LIMIT, "refine": False})

    def add(self, fact: dict[str, str]) -> Any:
        return self.memory.fact_store({"action": "add", **fact})

    def call(self, action: str) -> Any:
        """Do an action without arguments."""
        return self.memory.fact_store({"action": action})

    def close(self) -> None:
        self.memory.close()


class OverStdio(System):
    """A server that speaks MCP on stdin and stdout."""

    def command(self) -> Sequence[str]:
        """Return the command that starts the server."""
        raise NotImplementedError

    def open(self) -> None:
        self._client = WireClient(self.command(), self.home)
        self._client.start()

    def search(self, query: str) -> Any:
        return self._client.call("fact_store", action="search", query=query, limit=LIMIT)

    def add(self, fact: dict[str, str]) -> Any:
        return self._client.call("fact_store", action="add", **fact)

    def memory_mb(self) -> float:
        return self._client.memory_mb()

    def close(self) -> None:
        self._client.close()


class MnemoServer(Imported, OverStdio):
    """`mnemo serve`."""

    name = "mnemo, stdio"

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", "mnemo", "serve"]


class NpmServer(OverStdio):
    """The npm package `@morningljn/mnemo`, as a black box; its file is filled over its own triggers."""

    name = "npm package, stdio"

    def command(self) -> Sequence[str]:
        return ["node", str(npm_package() / NPM_SERVER)]

    def fill(self) -> None:
        self.open()  # makes the tables
        self.add({"content": "the first fact", "category": "general", "tags": ""})
        self.close()
        insert(self.file, map(_as_npm_adds, self._facts))


class RawFts5(System):
    """What SQLite gives by itself: FTS5 with its `trigram` tokenizer aside, words by `unicode61`, ranked by BM25."""

    name = "raw FTS5"

    def fill(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.file)
        connection.execute("CREATE VIRTUAL TABLE facts USING fts5(content, tokenize='porter unicode61')")
        with connection:
            connection.executemany("INSERT INTO facts VALUES (?)", ((fact["content"],) for fact in self._facts))
        connection.close()

    def open(self) -> None:
        self._connection = sqlite3.connect(self.file)

    def search(self, query: str) -> Any:
        words = " OR ".join(f'"{word}"' for word in query.split())
        return self._connection.execute(
            "SELECT content, rank FROM facts WHERE facts MATCH ? ORDER BY rank LIMIT ?", (words, LIMIT)
        ).fetchall()

    def close(self) -> None:
        self._connection.close()


def _as_npm_adds(fact: dict[str, str]) -> dict[str, str]:
    """Return the fact as the rows of that package look after an add by MCP: Chinese pairs stand among the tags."""
    runs = re.findall("[一-鿿，]+", fact["content"])
    pairs = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
    return {**fact, "tags": ",".join(filter(None, [fact["tags"], *pairs]))}


def npm_package() -> Path:
    """Return the folder of the installed npm package."""
    return Path(os.environ.get(NPM_VARIABLE, NPM_HOME))


def available() -> list[Callable[[Path], System]]:
    """Return what can be measured here."""
    has_npm = shutil.which("node") is not None and (npm_package() / NPM_SERVER).exists()
    return [MnemoServer, InProcess, RawFts5, *([NpmServer] if has_npm else [])]


def insert(file: Path, facts: Facts) -> None:
    """Insert facts by SQL, as another program does."""
    stored_at = time.strftime("%Y-%m-%d %H:%M:%S")  # old facts are not found by every system
    connection = sqlite3.connect(file)
    with connection:
        connection.executemany(
            "INSERT INTO facts(content, category, tags, trust_score, created_at, updated_at) "
            "VALUES (:content, :category, :tags, 0.5, :stored_at, :stored_at)",
            ({**fact, "stored_at": stored_at} for fact in facts),
        )
    connection.close()


def json_lines(facts: Facts) -> bytes:
    """Return facts as a file that `mnemo import` reads."""
    return "".join(json.dumps(fact, ensure_ascii=False) + "\n" for fact in facts).encode()


def import_lines(file: Path, lines: bytes) -> None:
    """Import such a file into a memory: each batch is durable and searchable when it is done."""
    memory = Memory(file)
    imports.import_facts(memory, lines)
    memory.close()
