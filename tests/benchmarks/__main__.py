"""Measure and print one table: `python -m tests.benchmarks [--sizes 1000,10000,100000] [--quick]`.

All numbers of one run come from one machine in one state; compare the systems of a run, not runs.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks.agreement import agreement
from tests.benchmarks.corpus import KINDS, Corpus
from tests.benchmarks.systems import InProcess, NpmServer, RawFts5, System, available
from tests.benchmarks.wire import WireClient

BARE_SERVER = Path(__file__).with_name("bare_server.py")
MILLISECONDS = 1_000
ROW = 25  # adds that one system makes one after the other


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def timed(work: Callable[[], object]) -> float:
    """Return how long a piece of work takes, in milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * MILLISECONDS


def row(*cells: object) -> None:
    """Print one line of the table at once: a run takes minutes."""
    sys.stdout.write("  ".join(str(cell).ljust(18) if i == 0 else str(cell).rjust(9) for i, cell in enumerate(cells)))
    sys.stdout.write("\n")
    sys.stdout.flush()


def measure_searches(systems: Sequence[System], corpus: Corpus, each: int) -> None:
    """Ask every system the same queries: in turn, so that others have used the machine before, then others in a row."""
    queries = {kind: corpus.searches(kind, 2 * each) for kind in KINDS}  # an answer may be kept for the same again
    taken: dict[str, dict[str, list[float]]] = {system.name: {kind: [] for kind in KINDS} for system in systems}
    for kind in KINDS:
        for query in queries[kind][:each]:
            for system in systems:
                taken[system.name][kind].append(_asked(system, query))
    row("search in turn, ms", "kind", "p50", "p95", "max")
    for name, by_kind in taken.items():
        for kind, values in by_kind.items():
            _print_times(name, kind, values)
        _print_times(name, "all", [value for values in by_kind.values() for value in values])
    row("in a row, ms", "kind", "p50", "p95", "max")
    in_a_row: dict[str, list[float]] = {system.name: [] for system in systems}
    for kind in KINDS:  # so that a slow moment of the machine meets more than one
        for system in systems:
            in_a_row[system.name] += [_asked(system, query) for query in queries[kind][each:]]
    for name, values in in_a_row.items():
        _print_times(name, "all", values)


def _asked(system: System, query: str) -> float:
    return timed(lambda: system.search(query))


def _print_times(name: str, kind: str, values: Sequence[float]) -> None:
    row(name, kind, *(f"{number:.2f}" for number in (median(values), percentile(values, 0.95), max(values))))


def measure_adds(systems: Sequence[System], corpus: Corpus, size: int, count: int) -> None:
    """Have every system add the same facts, beside the `size` that it holds: in turn, then others in a row."""
    facts = list(corpus.facts(size + 2 * count))[size:]
    in_turn: dict[str, list[float]] = {system.name: [] for system in systems}
    for fact in facts[:count]:
        for system in systems:
            in_turn[system.name].append(_added(system, fact))
    in_a_row: dict[str, list[float]] = {system.name: [] for system in systems}
    for start in range(count, 2 * count, ROW):
        for system in systems:
            in_a_row[system.name] += [_added(system, fact) for fact in facts[start : start + ROW]]
    for title, taken in (("adds in turn", in_turn), ("in a row", in_a_row)):
        row(title, "adds/s", "p95 ms")
        for name, values in taken.items():
            row(name, f"{len(values) / sum(values) * MILLISECONDS:.0f}", f"{percentile(values, 0.95):.2f}")
    row("memory", "MB")
    for system in systems:
        row(system.name, f"{system.memory_mb():.0f}")


def _added(system: System, fact: Mapping[str, str]) -> float:
    own = {**fact, "content": f"{fact['content']} {system.name}"}
    return timed(lambda: system.add(own))


def measure_size(size: int, each: int, adds: int) -> None:
    """Fill every system with `size` facts and measure it."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as folder:
        systems = [make(Path(folder) / str(number)) for number, make in enumerate(available())]
        sys.stdout.write(f"\n{size:,} facts\n")
        row("system", "bulk/s", "file MB", "open ms")
        for system in systems:
            system.home.mkdir()
            system.prepare(corpus.facts(size))
            filling = timed(system.fill)
            size_mb = system.file_mb()
            opening = timed(lambda system=system: (system.open(), system.search("opening")))  # type: ignore[misc]
            by_itself = not isinstance(system, NpmServer)  # filled from outside, which is not its own speed
            row(
                system.name,
                f"{size / filling * MILLISECONDS:,.0f}" if by_itself else "-",
                f"{size_mb:.1f}",
                f"{opening:.0f}",
            )
        measure_searches(systems, corpus, each)
        measure_adds([system for system in systems if not isinstance(system, RawFts5)], corpus, size, adds)
        for system in systems:
            if isinstance(system, InProcess):
                for kind in KINDS:
                    share = agreement(system.memory, corpus.searches(kind, each // 3))
                    row("same top ten", kind, f"{share:.1%}")
                for action in ("learn", "audit"):
                    row(action, f"{timed(lambda a=action, s=system: s.call(a)):.0f} ms")  # type: ignore[misc]
            system.close()


def measure_start(runs: int) -> None:
    """Start `mnemo serve` and the barest server of the SDK in turn, up to the first answered search."""
    own, bare, ratios = [], [], []
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as folder:
        for run in range(runs + 1):
            pair = [
                timed(lambda command=command: _first_answer(command, Path(folder)))  # type: ignore[misc]
                for command in ([sys.executable, "-m", "mnemo", "serve"], [sys.executable, str(BARE_SERVER)])
            ]
            if run:  # the first pair fills the caches
                own.append(pair[0])
                bare.append(pair[1])
                ratios.append(pair[0] / pair[1])
    sys.stdout.write("\nstart to first answered search\n")
    row("mnemo serve", f"{median(own):.0f} ms", "bare", f"{median(bare):.0f} ms", "ratio", f"{median(ratios):.3f}")


def _first_answer(command: Sequence[str], home: Path) -> None:
    client = WireClient(command, home)
    client.start()
    client.call("fact_store", action="search", query="dark mode")
    client.close()


def main() -> None:
    """Run the benchmarks that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of facts, separated by commas")
    parser.add_argument("--quick", action="store_true", help="fewer searches, adds and starts")
    parser.add_argument("--only-start", action="store_true", help="measure the start of the server alone")
    given = parser.parse_args()
    measure_start(5 if given.quick else 15)
    if not given.only_start:
        for size in map(int, given.sizes.split(",")):
            measure_size(size, 15 if given.quick else 60, 50 if given.quick else 200)


if __name__ == "__main__":
    main()
