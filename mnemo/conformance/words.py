"""What a run says to the person at the terminal: progress, failures, the sum of it all."""

import re
import shlex
import shutil
import sys
from typing import TextIO

from mnemo.conformance import SPECIFICATION_VERSION
from mnemo.conformance.driver import SHOWN
from mnemo.conformance.engine import steps_until
from mnemo.conformance.runner import FAILING, Outcome, Plan, Result, Verdict
from mnemo.conformance.spec import Step

MARKS = {
    Verdict.PASSED: "ok",
    Verdict.FAILED: "FAILED",
    Verdict.WARNED: "warning",
    Verdict.KNOWN: "known",
    Verdict.MENDED: "MENDED",
    Verdict.NOT_OFFERED: "not offered",
}
SEVERAL = {
    Verdict.WARNED: "warnings",
    Verdict.KNOWN: "known failures",
    Verdict.MENDED: "listed as known failures, and pass",
}
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|PWD|AUTH|CREDENTIAL|COOKIE|PRIVATE", re.IGNORECASE)
SECRET_VALUE = re.compile(r"://[^/\s]*:[^/\s]*@|-----BEGIN|\b(?:gh[a-z]_|sk-|xox[a-z]-|AKIA)|[\w+=-]{32,}|\bBearer ")
NOTHING = "  (nothing)"
WIDTH = 76
USUAL_TIMEOUT = 30.0  # seconds


def heading(plan: Plan) -> str:
    """Return the first line: version, what is run, command."""
    what = [f"profile {plan.profile}"] if plan.profile else []
    if plan.selection:
        what.append(f"selection: {len(plan.chosen)} of {counted(plan.selection.of, 'scenario')}")
    what = what or ["profile core, and of the rest what the server offers"]
    return f"specification {SPECIFICATION_VERSION}, {', '.join(what)}, server: {shlex.join(plan.command)}"


def counted(number: int, word: str) -> str:
    """Return a number with its word, which gets an s where there are more or none."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def again(scenario: str, plan: Plan) -> str:
    """Return the command that runs one scenario once more; values of variables that look like secrets are left out."""
    options = [f"--profile {plan.profile}"] if plan.profile else []
    options += [f"--env {_shown_variable(name, value)}" for name, value in plan.environment.items()]
    options += [f"--timeout {plan.timeout:g}"] if plan.timeout != USUAL_TIMEOUT else []
    more = "".join(f" {option}" for option in options)
    return f"mnemo conformance --name {shlex.quote(scenario)}{more} --keep -- {shlex.join(plan.command)}"


def _shown_variable(name: str, value: str) -> str:
    is_secret = SECRET_NAME.search(name) or SECRET_VALUE.search(value)
    return f"{shlex.quote(name)}=..." if is_secret else shlex.quote(f"{name}={value}")


def failure_text(outcome: Outcome, plan: Plan) -> str:
    """Return all that an implementer needs to understand one failure."""
    case, failure = outcome.case, outcome.failure
    assert failure is not None, "only a failure has a text"
    level = "SHOULD, so this warns" if case.only_warns else "MUST"
    lines = [
        f"{MARKS[outcome.verdict]}  {case.name}",
        f"  capability:  {case.capability.name}",
        f"  requirement: {case.requirement.name} ({level})",
        *(f"    {text}" for text in case.requirement.text),
        f"  scenario:    {case.scenario.name}",
        f"  specified:   {case.place(failure.step.line if failure.step else None)}",
        *(["  steps:"] if not failure.is_general else []),
        *(f"    {line}" for step in steps_until(case, failure) for line in _step_lines(step, step is failure.step)),
        "  wanted and came:" if failure.step else "  what went wrong:",
        *(f"    {line}" for line in failure.sentence.splitlines()),
        "  last messages on the wire (-> to the server, <- from it):",
        *([f"    {message}" for message in failure.messages] or [f"  {NOTHING}"]),
        "  the end of what the server wrote to stderr:",
        *([f"    {line}" for line in failure.stderr[-SHOWN:].splitlines()] or [f"  {NOTHING}"]),
    ]
    if outcome.reason:
        lines.append(f"  known, because: {outcome.reason}")
    if outcome.home:
        lines.append(f"  the HOME of this scenario was kept: {outcome.home}")
    lines.append(f"  again: {again(case.scenario.name, plan)}")
    return "\n".join(lines)


def _step_lines(step: Step, is_failed: bool) -> list[str]:
    mark = ">>" if is_failed else "  "
    table = [f"     | {' | '.join(row)} |" for row in step.table]
    return [f"{mark} {step.keyword} {step.text}", *table]


def summary(plan: Plan, result: Result) -> str:
    """Return the last lines: what is to be explained, how many scenarios came to which end, and the verdict."""
    lines = [*warnings(plan, result), total(result), left_out(result), result.one_cause, verdict_on(plan, result)]
    return "\n".join(line for line in lines if line)


def warnings(plan: Plan, result: Result) -> list[str]:
    """Return what an implementer should know beside the scenarios, a line each."""
    every = [*(f"warning: {note}" for note in result.notes), unexplained(plan, result)]
    return [line for line in every if line]


def total(result: Result) -> str:
    """Return in one line how many scenarios came to which end."""
    numbers = {verdict: result.count(verdict) for verdict in Verdict if result.count(verdict)}
    counts = [f"{number} {SEVERAL.get(one, one.value) if number > 1 else one.value}" for one, number in numbers.items()]
    stopped = " (stopped by Ctrl-C)" if result.is_interrupted else " (stopped at the first failure)"
    starts = f"{counted(result.starts, 'start')} of the server"
    ran = f"{counted(len(result.ran), 'scenario')} in {result.seconds:.1f} s"
    return f"{ran}, {starts}: {', '.join(counts) or 'nothing'}{'' if result.is_whole else stopped}"


def left_out(result: Result) -> str:
    """Return what else could be claimed, where nobody asked for it and the server does not offer it."""
    if not result.left_out:
        return ""
    many = counted(result.left_out, "scenario")
    return f"left out: {many} of the profile full, which the server neither offers nor claims; --profile full runs them"


def verdict_on(plan: Plan, result: Result) -> str:
    """Return the verdict on the server, which of a selection says no more than what was run."""
    ran, chosen = len(result.ran), len(plan.chosen)
    if result.is_interrupted:
        return "stopped before the end"
    if not ran:
        return f"no scenario was run: the server offers nothing of what was chosen ({counted(chosen, 'scenario')})"
    if not result.conforms:
        return "does not conform"
    if not plan.selection:
        return "conforms"
    if ran < chosen:
        return f"conforms in the {ran} of {chosen} chosen scenarios that the server offers"
    return "conforms in the one scenario that was chosen" if ran == 1 else f"conforms in the {ran} chosen scenarios"


def unexplained(plan: Plan, result: Result) -> str:
    """Return a warning where known failures have no reason but that they failed, else an empty text."""
    if not result.unexplained:
        return ""
    where = f" in {plan.known_file}" if plan.known_file else ""
    have, what = ("has", "it") if result.unexplained == 1 else ("have", "each")
    return f"warning: {counted(result.unexplained, 'known failure')} {have} no reason yet; explain {what}{where}"


class Progress:
    """Shows each outcome as it comes: one line that changes on a terminal, one line a scenario elsewhere."""

    def __init__(self, plan: Plan, stream: TextIO | None = None, *, verbose: bool = False) -> None:
        """Write to stdout unless a stream is given."""
        self._plan = plan
        self._stream = stream or sys.stdout
        self._verbose = verbose
        self._changes = self._stream.isatty() and not verbose
        self._done = 0
        self._failed = 0

    def tell(self, outcome: Outcome, total: int) -> None:
        """Show one outcome; failures and warnings with their whole text."""
        offered = outcome.verdict is not Verdict.NOT_OFFERED
        self._done += offered
        self._failed += outcome.verdict in FAILING
        if self._changes:
            self._write("\r\033[K")
        if outcome.failure and outcome.verdict is not Verdict.KNOWN and not outcome.is_told:
            self._write(failure_text(outcome, self._plan) + "\n\n")
        elif outcome.is_told and not self._verbose:
            return  # the last lines say how many fail for the same cause
        elif outcome.verdict is Verdict.MENDED or not self._changes:
            self._write(f"{MARKS[outcome.verdict]:11} {outcome.case.name}{self._rest(outcome)}\n")
            if self._verbose and offered:
                steps = "\n".join(f"{'':14}{step.keyword} {step.text}" for step in outcome.case.scenario.steps)
                self._write(f"{steps}\n")
        if self._changes:
            line = f"{self._done} of {total}, {self._failed} failed  {outcome.case.name}"
            self._write(line[: min(WIDTH, shutil.get_terminal_size().columns - 1)])
        self._stream.flush()

    def end(self) -> None:
        """Clear the line that changed."""
        if self._changes:
            self._write("\r\033[K")

    def _rest(self, outcome: Outcome) -> str:
        if outcome.verdict is Verdict.MENDED:
            return ": listed as a known failure, and passes; take it off the list"
        if outcome.is_told:
            return ": as above"
        return f": {outcome.reason}" if outcome.reason else f" ({outcome.seconds:.2f} s)" if outcome.seconds else ""

    def _write(self, text: str) -> None:
        self._stream.write(text)
