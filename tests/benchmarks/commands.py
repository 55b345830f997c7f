"""Measure each command as a whole process: `python -m tests.benchmarks.commands [--facts 10000] [--runs 11]`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from mnemo.memory import Memory
from tests.benchmarks.corpus import Corpus

MILLISECONDS = 1_000
BATCH = 500  # facts


def fill(path: Path, facts: Sequence[str]) -> None:
    """Make a memory of these facts, its index included."""
    memory = Memory(path)
    for start in range(0, len(facts), BATCH):
        memory.fact_store({"action": "add", "contents": list(facts[start : start + BATCH])})
    memory.close()


def command_lines(folder: Path, facts: Sequence[str]) -> Iterator[tuple[str, list[str], bytes]]:
    """Yield what is measured: a name, the arguments, what comes on stdin."""
    query = " ".join(facts[len(facts) // 2].split()[:6])
    hook = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": query}).encode()
    copy, exported = str(folder / "copy.db"), str(folder / "facts.jsonl")
    yield "--version", ["--version"], b""
    yield "recall", ["recall"], b""
    yield "recall QUERY", ["recall", query], b""
    yield "recall --hook", ["recall", "--hook"], hook
    yield "search QUERY", ["search", query], b""
    yield "show", ["show", "1"], b""
    yield "list", ["list"], b""
    yield "add", ["add", "-"], b"A fact of its own"
    yield "update", ["update", "1", "--tags", "own"], b""
    yield "feedback", ["feedback", "helpful", "1"], b""
    yield "probe", ["probe", facts[0].split()[0]], b""
    yield "contradict", ["contradict"], b""
    yield "learn --dry-run", ["learn", "--dry-run"], b""
    yield "audit", ["audit"], b""
    yield "stats", ["stats"], b""
    yield "export", ["export", exported], b""
    yield "import (unchanged)", ["import", exported], b""
    yield "backup", ["backup", copy], b""
    yield "doctor", ["doctor"], b""


def main() -> None:
    """Print one line for each command: the median and the fastest of its runs."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.commands", description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=11)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mnemo-commands-") as name:
        folder = Path(name)
        facts = [fact["content"] for fact in Corpus().facts(given.facts)]
        fill(folder / "facts.db", facts)
        # With compiled modules, as an installed program has them.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "HOME": name, "MNEMO_DB": str(folder / "facts.db")}
        sys.stdout.write(f"{given.facts:,} facts{'median ms':>24}{'fastest ms':>12}\n")
        for title, arguments, stdin in command_lines(folder, facts):
            taken = []
            for run in range(given.runs + 1):
                start = time.perf_counter()
                done = subprocess.run(
                    [sys.executable, "-m", "mnemo", *arguments], input=stdin, env=environment, capture_output=True
                )
                if run:  # the first fills the caches
                    taken.append((time.perf_counter() - start) * MILLISECONDS)
                if done.returncode not in (0, 1):
                    raise SystemExit(f"{title}: {done.stderr.decode()}")
            sys.stdout.write(f"{title:<20}{median(taken):>16.0f}{min(taken):>12.0f}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
