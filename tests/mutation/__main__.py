"""Change the code in one place after the other and run the scenarios in process: `python -m tests.mutation`.

Prints each survivor, and at the end how many changes were found out. Each change runs in a process of its own, forked
from one that has all libraries: first the scenarios that found out others, then those of the most telling
capabilities, of all only those that run through the changed statement, until one fails. Changes that nobody can tell
from outside are left out; `equivalent.txt` names each with the reason.
"""

import argparse
import importlib
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from mnemo.conformance import catalogue
from tests.mutation import equivalent
from tests.mutation.changes import Change, changes_of
from tests.mutation.trial import Reach, first_failure, reach

PACKAGE = Path(__file__).parents[2] / "mnemo"
MODULES = {
    "scoring": ("length-penalty", "fact-retrieval"),
    "learner": ("self-learning",),
    "schema": ("fact-store", "fact-summary", "retrieval-log"),
    "retriever": ("fact-retrieval", "fact-store", "length-penalty"),
}
LIBRARIES = ("anyio", "freezegun", "mcp", "mcp.server.lowlevel", "mcp.server.stdio", "snowballstemmer")
WANTED = 0.9
SECONDS = 600.0  # for all scenarios of one change; longer means that it hangs

Found = TypeVar("Found")


def in_a_process(work: Callable[[], Found], *, hung: Found) -> Found:
    """Do work in a forked process that is ended afterwards; return what came, or `hung` after ten minutes."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = os.fork()
    if process == 0:
        try:
            os.setsid()
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            sender.send((work(), ""))
        except BaseException as error:
            sender.send((None, f"{type(error).__name__}: {error}"))
        finally:
            os._exit(0)
    sender.close()
    try:
        found, problem = receiver.recv() if receiver.poll(SECONDS) else (hung, "")
    except EOFError:
        found, problem = hung, ""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    if problem:
        raise RuntimeError(problem)
    return found


class Hunt:
    """Tries the changes of one module, and learns on the way which scenarios find out most."""

    def __init__(self, module: str, known: Reach, *, only_own: bool = False) -> None:
        self.module = module
        self.known = known
        self.finders: Counter[str] = Counter()
        self.cases = {
            case.name: case for case in catalogue.all_cases() if not only_own or case.capability.name in MODULES[module]
        }

    def find_out(self, change: Change) -> str:
        """Run the scenarios with a change; return what found it out, or an empty text."""
        touched = self.known.scenarios(self.module, change.statement, change.line)
        names = sorted(self.cases if touched is None else touched & self.cases.keys(), key=self._order)
        cases = [self.cases[name] for name in names]
        name, why = in_a_process(
            lambda: first_failure(self.module, change.source, cases), hung=("all scenarios", "it hangs or dies")
        )
        self.finders[name] += bool(name)
        return f"{name}: {why}" if name else ""

    def _order(self, name: str) -> tuple[int, bool, float]:
        is_other = self.cases[name].capability.name not in MODULES[self.module]
        return (-self.finders[name], is_other, self.known.seconds[name])


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the changes and report; return 0 if at least 90 % of them were found out."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", default=list(MODULES), help="of " + ", ".join(MODULES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth change")
    parser.add_argument("--lines", type=int, nargs="+", default=[], help="only the changes of these lines")
    parser.add_argument("--own", action="store_true", help="run the most telling capabilities alone: quick and strict")
    parser.add_argument("--equivalent", action="store_true", help="try those alone that are left out otherwise")
    parser.add_argument("--verbose", action="store_true", help="show by what each change was found out")
    options = parser.parse_args(arguments)
    paths = {module: PACKAGE / f"{module}.py" for module in MODULES}
    changes = {module: list(changes_of(path)) for module, path in paths.items()}
    reasons = equivalent.read()
    equivalent.check(reasons, changes)
    for library in LIBRARIES:  # once here, not in each process
        importlib.import_module(library)
    began, total, survivors = time.monotonic(), 0, 0
    known = in_a_process(lambda: reach(paths), hung=Reach({}, {}))
    for module in options.modules:
        chosen = [
            change
            for change in changes[module]
            if (equivalent.name(module, change) in reasons) is options.equivalent
            and (not options.lines or change.line in options.lines)
        ][:: options.every]
        lost, hunt = 0, Hunt(module, known, only_own=options.own)
        with ThreadPoolExecutor(options.jobs) as pool:
            for change, found in zip(chosen, pool.map(hunt.find_out, chosen), strict=True):
                lost += not found
                if not found or options.verbose:
                    end = found or "survives"
                    print(f"mnemo/{module}.py:{change.line}: {change.what}: {end}", flush=True)
        print(f"{module}: {len(chosen) - lost} of {len(chosen)} changes found out", flush=True)
        total += len(chosen)
        survivors += lost
    share = (total - survivors) / max(1, total)
    print(f"{total - survivors} of {total} ({share:.1%}) in {time.monotonic() - began:.0f} s")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
