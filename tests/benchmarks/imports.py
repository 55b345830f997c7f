"""Measure a whole `mnemo import`, of new facts and of the same again: `python -m tests.benchmarks.imports`."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.corpus import Corpus


def seconds() -> float:
    """Return the processor time that ended processes took, those that they started included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print one line for each import: facts, seconds by the clock and of the processors, facts a second."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.imports", description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mnemo-imports-") as name:
        file = Path(name) / "facts.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            for number, fact in enumerate(Corpus().facts(given.facts), 1):
                written = {"uid": f"{number:016x}", "fact_id": number, **fact, "updated_at": "2026-01-01 00:00:00"}
                lines.write(json.dumps(written, ensure_ascii=False) + "\n")
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        sys.stdout.write(f"{given.facts:,} facts{'clock s':>12}{'CPU s':>10}{'facts/s':>10}\n")
        for title in ("new", "the same again"):
            used, start = seconds(), time.perf_counter()
            command = [sys.executable, "-m", "mnemo", "--db", str(Path(name) / "facts.db"), "import", str(file)]
            subprocess.run(command, env={**kept, "HOME": name}, check=True, stdout=subprocess.DEVNULL)
            clock = time.perf_counter() - start
            used = seconds() - used
            sys.stdout.write(f"{title:<15}{clock:>10.1f}{used:>10.1f}{given.facts / clock:>10,.0f}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
