"""Run one scenario on one driver, with the same step definitions that the test runs use, and say what failed."""

import importlib
import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_bdd.parsers import StepParser
from pytest_bdd.steps import step_function_context_registry

from mnemo.conformance.catalogue import Case
from mnemo.conformance.driver import DriverError, RequestRefusedError
from mnemo.conformance.situation import Situation
from mnemo.conformance.spec import Step
from mnemo.conformance.stdio import StdioDriver
from mnemo.conformance.steps import PLUGINS


@dataclass(frozen=True)
class Failure:
    """Why a scenario failed: the step (None: after the last one), what was wanted and came, and what was said last."""

    step: Step | None
    sentence: str
    messages: list[str] = field(default_factory=list)
    stderr: str = ""
    is_general: bool = False  # no scenario could be run at all


@dataclass(frozen=True)
class Definition:
    """A step definition: how its text looks, and what to call."""

    parser: StepParser
    function: Callable[..., object]
    parameters: frozenset[str]


class StepBook:
    """All step definitions of the suite."""

    def __init__(self) -> None:
        """Import the modules of steps and take over what they registered."""
        for plugin in PLUGINS:
            importlib.import_module(plugin)
        contexts: list[Any] = list(step_function_context_registry.values())
        self._definitions = [
            Definition(one.parser, one.step_func, frozenset(inspect.signature(one.step_func).parameters))
            for one in contexts
            if getattr(one.step_func, "__module__", "") in PLUGINS
        ]

    def run(self, step: Step, situation: Situation) -> None:
        """Do what a step says.

        Raises whatever the definition raises; `LookupError` if there is not exactly one definition for the text.
        """
        found = [one for one in self._definitions if one.parser.is_matching(step.text)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} definitions fit the step {step.text!r}")
        given = {"situation": situation, "datatable": step.table, "docstring": step.block}
        arguments = {name: value for name, value in given.items() if name in found[0].parameters}
        found[0].function(**arguments, **(found[0].parser.parse_arguments(step.text) or {}))


def run_case(case: Case, driver: StdioDriver, steps: StepBook) -> Failure | None:
    """Run every step of a scenario; return None if all hold, and the first failure otherwise."""
    situation = Situation(driver)
    for step in case.scenario.steps:
        if problem := _problem(lambda step=step: steps.run(step, situation)):  # type: ignore[misc]
            return _failure(step, problem, driver)
    if problem := _problem(driver.check):
        return _failure(None, problem, driver)
    return None


def _problem(work: Callable[[], object]) -> str:
    """Do work and return in words what went wrong with it."""
    try:
        work()
    except DriverError as error:
        return error.sentence
    except AssertionError as error:
        return str(error) or "the step does not hold"
    except RequestRefusedError as refusal:
        return f"the server refused a request: {refusal}"
    except KeyError as error:
        return f"what the server gave has no {error}, which the step looks at"
    except LookupError as error:
        return f"what the server gave lacks what the step looks at: {type(error).__name__}: {error}"
    except Exception as error:  # whatever a server may send, it costs this scenario alone
        return f"what the server gave cannot be read by the step: {type(error).__name__}: {error}"
    return ""


def _failure(step: Step | None, sentence: str, driver: StdioDriver) -> Failure:
    messages = driver.messages()
    try:
        stderr = driver.stderr() if messages else ""
    except DriverError:
        stderr = ""
    # Half a character, which JSON can hold, could be written neither to a file nor to a terminal.
    whole = sentence.encode("utf-8", "backslashreplace").decode("utf-8")
    return Failure(step, whole, messages, stderr)


@dataclass(frozen=True)
class Timed:
    """What came of one run of a scenario, and how long it took in seconds."""

    failure: Failure | None
    seconds: float


def timed(case: Case, driver: StdioDriver, steps: StepBook) -> Timed:
    """Run a scenario and measure how long it took."""
    began = time.monotonic()
    failure = run_case(case, driver, steps)
    return Timed(failure, time.monotonic() - began)


def steps_until(case: Case, failure: Failure) -> Sequence[Step]:
    """Return the steps of a scenario up to and with the one that failed."""
    if failure.is_general:
        return []
    steps = case.scenario.steps
    return steps if failure.step is None else steps[: steps.index(failure.step) + 1]
