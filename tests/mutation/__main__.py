"""Change the code in one place after the other and run the scenarios in process: `python -m tests.mutation`.

Prints each survivor, and at the end how many changes were found out. Each change runs in a process of its own, with
the scenarios of the most telling capabilities first, and ends at the first scenario that fails.
"""

import argparse
import importlib
import importlib.abc
import importlib.util
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from mnemo.conformance import catalogue
from mnemo.conformance.engine import StepBook
from mnemo.conformance.situation import Situation
from tests.mutation.changes import Change, changes_of

PACKAGE = Path(__file__).parents[2] / "mnemo"
MODULES = {
    "scoring": ("length-penalty", "fact-retrieval"),
    "learner": ("self-learning",),
    "schema": ("fact-store", "fact-summary", "retrieval-log"),
    "retriever": ("fact-retrieval", "fact-store", "length-penalty"),
}
LIBRARIES = ("anyio", "freezegun", "mcp", "mcp.server.lowlevel", "mcp.server.stdio", "snowballstemmer")
WANTED = 0.9
SECONDS = 900.0  # for all scenarios of one change; longer means that it hangs


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a change in it."""

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.source = source

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, self.name, "exec"), module.__dict__)  # noqa: S102 - our own code, changed


def first_failure(module: str, source: str | None) -> str:
    """Run the scenarios in this process with a changed module; return the first that fails, or an empty text."""
    if source is not None:
        sys.meta_path.insert(0, Changed(f"mnemo.{module}", source))
    try:
        drivers = importlib.import_module("tests.drivers")
    except Exception as error:  # a change that breaks the import is found out
        return f"import: {error}"
    steps = StepBook()
    first = MODULES[module]
    cases = sorted(catalogue.all_cases(), key=lambda case: case.capability.name not in first)
    for case in cases:
        with tempfile.TemporaryDirectory() as home:
            driver = drivers.InProcessDriver(Path(home))
            try:
                situation = Situation(driver)
                for step in case.scenario.steps:
                    steps.run(step, situation)
            except Exception as error:
                return f"{case.name}: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
            finally:
                try:
                    driver.close()
                except Exception as error:
                    sys.stderr.write(f"{error}\n")
    return ""


def try_change(module: str, change: Change) -> str:
    """Run the scenarios with a change in a process of its own; return what found it out, or an empty text."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = os.fork()
    if process == 0:
        os.setsid()
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        try:
            sender.send(first_failure(module, change.source))
        except BaseException as error:
            sender.send(f"{type(error).__name__}: {error}")
        os._exit(0)
    found = "it hangs"
    if receiver.poll(SECONDS):
        found = receiver.recv()
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the changes and report; return 0 if at least 90 % of them were found out."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", default=list(MODULES), help="of " + ", ".join(MODULES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth change")
    parser.add_argument("--verbose", action="store_true", help="show by what each change was found out")
    options = parser.parse_args(arguments)
    for library in LIBRARIES:  # once here, not in each process
        importlib.import_module(library)
    began, total, survivors = time.monotonic(), 0, 0
    for module in options.modules:
        changes = list(changes_of(PACKAGE / f"{module}.py"))[:: options.every]
        lost = 0
        with ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(lambda change, module=module: try_change(module, change), changes)
            for change, found in zip(changes, results, strict=True):
                lost += not found
                if not found or options.verbose:
                    end = found or "survives"
                    print(f"mnemo/{module}.py:{change.line}: {change.what}: {end}", flush=True)
        print(f"{module}: {len(changes) - lost} of {len(changes)} changes found out", flush=True)
        total += len(changes)
        survivors += lost
    share = (total - survivors) / max(1, total)
    print(f"{total - survivors} of {total} ({share:.1%}) in {time.monotonic() - began:.0f} s")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
