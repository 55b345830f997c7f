"""One trial: the scenarios in process, on the code as it is or with a change in one module."""

import contextlib
import importlib
import importlib.abc
import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Protocol

import coverage

from mnemo.conformance import catalogue
from mnemo.conformance.catalogue import Case
from mnemo.conformance.driver import Driver
from mnemo.conformance.engine import StepBook
from mnemo.conformance.situation import Situation


class ClosingDriver(Driver, Protocol):
    """A driver that can be done with."""

    def close(self) -> None:
        """Stop the server and free all that it held."""


@dataclass(frozen=True)
class Reach:
    """What a run of the unchanged code showed: which lines each scenario runs through, and how long it takes."""

    lines: Mapping[str, Mapping[int, frozenset[str]]]  # by module and line: the names of the scenarios
    seconds: Mapping[str, float]

    def scenarios(self, module: str, first: int, last: int) -> frozenset[str] | None:
        """Return the names of the scenarios that a change of these lines can touch; None means all of them."""
        lines = self.lines[module]
        names = frozenset[str]().union(*(lines.get(line, ()) for line in range(first, last + 1)))
        return None if "" in names else names  # the empty name: it runs when the module is imported


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


def first_failure(module: str, source: str, cases: Iterable[Case]) -> tuple[str, str]:
    """Run scenarios in this process with a changed module; return the name of the first that fails, and why.

    What fails must fail twice: on a busy machine a scenario may once wait in vain.
    """
    sys.meta_path.insert(0, Changed(f"mnemo.{module}", source))
    try:
        make_driver = importlib.import_module("tests.drivers").InProcessDriver
    except Exception as error:  # a change that breaks the import is found out
        return "the import", str(error)
    steps = StepBook()
    for case in cases:
        if _run(case, steps, make_driver) and (problem := _run(case, steps, make_driver)):
            return case.name, problem
    return "", ""


def reach(paths: Mapping[str, Path]) -> Reach:
    """Run every scenario in this process on the code as it is, and note which lines of the modules it runs through.

    Raises:
        AssertionError: a scenario fails without any change.
    """
    seconds: dict[str, float] = {}
    measured = coverage.Coverage(data_file=None, config_file=False, include=[str(path) for path in paths.values()])
    measured.start()
    make_driver = importlib.import_module("tests.drivers").InProcessDriver
    steps = StepBook()
    for case in catalogue.all_cases():
        measured.switch_context(case.name)
        began = time.monotonic()
        problem = _run(case, steps, make_driver)
        assert not problem, f"{case.name} fails on the code as it is: {problem}"
        seconds[case.name] = time.monotonic() - began
    measured.stop()
    data = measured.get_data()
    lines = {
        module: {line: frozenset(names) for line, names in data.contexts_by_lineno(str(path)).items()}
        for module, path in paths.items()
    }
    return Reach(lines, seconds)


def _run(case: Case, steps: StepBook, make_driver: Callable[[Path], ClosingDriver]) -> str:
    """Run one scenario; return why it failed, or an empty text."""
    problem = ""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        driver = make_driver(Path(home))
        try:
            situation = Situation(driver)
            for step in case.scenario.steps:
                steps.run(step, situation)
        except Exception as error:
            problem = (str(error).splitlines() or [type(error).__name__])[0]
        with contextlib.suppress(Exception):  # what no scenario notices is not found out
            driver.close()
    return problem
