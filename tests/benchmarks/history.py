"""What the history costs: the same memory with and without it, asked in pairs.

`python -m tests.benchmarks.history [--facts 10000] [--pairs 300] [--rounds 1] [--cpu]` prints the median of each,
that of the ratios of the pairs, and over several rounds its range. Without it means: no triggers, no versions, no
look at superseded and expired facts; at the end of each round it is made sure that it was so.
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

from mnemo import index, schema, versions
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
        patch.object(schema, "is_whole", lambda _: True),  # else the triggers would be made anew
    ):
        yield


def history_in(path: Path) -> tuple[list[str], int]:
    """Return the names of the triggers that keep a file's history, and how many versions it holds."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'facts_history_%'").fetchall()
        versions_kept = connection.execute("SELECT count(*) FROM fact_versions").fetchone()[0]
    return [name for (name,) in names], versions_kept


def drop_triggers(path: Path) -> None:
    """Take the triggers of the history out of a file."""
    names, _ = history_in(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for name in names:
            connection.execute(f"DROP TRIGGER {name}")


def timed(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return how long a piece of work takes by a clock, in milliseconds."""
    start = clock()
    work()
    return (clock() - start) * MILLISECONDS


def compare(name: str, pairs: Iterator[tuple[float, float]]) -> float:
    """Print the medians of pairs (with, without) and of their ratios; return the latter."""
    taken = list(pairs)
    on, off = median(pair[0] for pair in taken), median(pair[1] for pair in taken)
    of_pairs = median(pair[0] / pair[1] for pair in taken)
    sys.stdout.write(f"{name:8}  {len(taken):5} pairs  with {on:8.3f} ms  without {off:8.3f} ms  ")
    sys.stdout.write(f"ratio {on / off:.3f}  median ratio of pairs {of_pairs:.3f}\n")
    sys.stdout.flush()
    return of_pairs


def measure(facts: int, pairs: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return by how much searches, adds and ratings take longer with the history (1.0: not at all), by a clock."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as folder:
        paths = [Path(folder) / name / "facts.db" for name in ("on", "off")]
        for path in paths:
            import_lines(path, json_lines(corpus.facts(facts)))
        on, off = (Memory(path) for path in paths)
        for memory in (on, off):
            memory.fact_store({"action": "list", "limit": 1})
        drop_triggers(paths[1])  # of the open file: a start makes them anew
        _, kept = history_in(paths[1])

        def pair(number: int, arguments: dict[str, object], tool: str = "fact_store") -> tuple[float, float]:
            def ask_on() -> float:
                return timed(lambda: getattr(on, tool)(arguments), clock)

            def ask_off() -> float:
                with without_history():
                    return timed(lambda: getattr(off, tool)(arguments), clock)

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
        if history_in(paths[1]) != ([], kept):
            raise RuntimeError("the memory without a history kept one")
        if history_in(paths[0])[1] < kept + pairs:
            raise RuntimeError("the memory with a history kept none")
    return result


def main() -> None:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.history", description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="the time on a processor, where others use them too")
    given = parser.parse_args()
    clock = time.thread_time if given.cpu else time.perf_counter
    rounds = [measure(given.facts, given.pairs, clock) for _ in range(given.rounds)]
    for name in rounds[0]:
        ratios = sorted(one[name] for one in rounds)
        sys.stdout.write(
            f"{name:8}  median ratio of pairs {ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} rounds\n"
        )


if __name__ == "__main__":
    main()
