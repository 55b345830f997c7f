"""What the history costs: the same memory with and without it, asked in pairs.

`python -m tests.benchmarks.history [--facts 10000] [--pairs 300]` prints the median of each and their ratio.
Without it means: no triggers, no versions, no look at superseded and expired facts.
"""

import argparse
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from unittest.mock import patch

from mnemo import index, versions
from mnemo.memory import Memory
from tests.benchmarks.corpus import KINDS, Corpus
from tests.benchmarks.systems import import_lines, json_lines

MILLISECONDS = 1_000


@contextmanager
def without_history() -> Iterator[None]:
    """Let the store work as if there were no history."""
    with (
        patch.object(versions, "_sign", lambda *_: None),
        patch.object(versions, "last_version", lambda _: 0),
        patch.object(index, "NOT_SUPERSEDED", "1"),
        patch.object(index, "NOT_EXPIRED", "coalesce(:now, 1)"),
    ):
        yield


def drop_triggers(path: Path) -> None:
    """Take the triggers of the history out of a file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'facts_history_%'").fetchall()
        for (name,) in names:
            connection.execute(f"DROP TRIGGER {name}")


def timed(work: Callable[[], object]) -> float:
    """Return how long a piece of work takes, in milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * MILLISECONDS


def compare(name: str, pairs: Iterator[tuple[float, float]]) -> float:
    """Print the medians of pairs (with, without) and of their ratios; return the ratio of the medians."""
    taken = list(pairs)
    on, off = median(pair[0] for pair in taken), median(pair[1] for pair in taken)
    of_pairs = median(pair[0] / pair[1] for pair in taken)
    sys.stdout.write(f"{name:8}  {len(taken):5} pairs  with {on:8.3f} ms  without {off:8.3f} ms  ")
    sys.stdout.write(f"ratio {on / off:.3f}  median ratio of pairs {of_pairs:.3f}\n")
    sys.stdout.flush()
    return on / off


def measure(facts: int, pairs: int) -> dict[str, float]:
    """Return by how much searches, adds and ratings take longer with the history (1.0: not at all)."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as folder:
        paths = [Path(folder) / name / "facts.db" for name in ("on", "off")]
        for path in paths:
            import_lines(path, json_lines(corpus.facts(facts)))
        drop_triggers(paths[1])
        on, off = (Memory(path) for path in paths)

        def pair(number: int, arguments: dict[str, object], tool: str = "fact_store") -> tuple[float, float]:
            def ask_on() -> float:
                return timed(lambda: getattr(on, tool)(arguments))

            def ask_off() -> float:
                with without_history():
                    return timed(lambda: getattr(off, tool)(arguments))

            if number % 2:  # neither profits from always coming second
                later = ask_off()
                return ask_on(), later
            return ask_on(), ask_off()

        queries = [query for kind in KINDS for query in corpus.searches(kind, pairs // len(KINDS))]
        new = [fact["content"] for fact in corpus.facts(facts + pairs)][facts:]
        result = {
            "search": compare(
                "search",
                (
                    pair(number, {"action": "search", "query": query, "refine": False})
                    for number, query in enumerate(queries)
                ),
            ),
            "add": compare(
                "add", (pair(number, {"action": "add", "content": content}) for number, content in enumerate(new))
            ),
            "rating": compare(
                "rating",
                (
                    pair(number, {"action": "helpful", "fact_id": number + 1}, "fact_feedback")
                    for number in range(pairs)
                ),
            ),
        }
        on.close()
        off.close()
    return result


def main() -> None:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.history", description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=300)
    given = parser.parse_args()
    measure(given.facts, given.pairs)


if __name__ == "__main__":
    main()
