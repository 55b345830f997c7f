"""What a run says to the person at the terminal: progress, failures, the sum of it all."""

import shlex
import sys
from collections.abc import Sequence
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
NOTHING = "  (nothing)"
WIDTH = 76


def heading(plan: Plan) -> str:
    """Return the first line: versions, profile, command."""
    profile = plan.profile or "core, and of the rest what the server offers"
    return f"specification {SPECIFICATION_VERSION}, profile {profile}, server: {shlex.join(plan.command)}"


def failure_text(outcome: Outcome, command: Sequence[str]) -> str:
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
    lines.append(f"  again: mnemo conformance --name {shlex.quote(case.scenario.name)} --keep -- {shlex.join(command)}")
    return "\n".join(lines)


def _step_lines(step: Step, is_failed: bool) -> list[str]:
    mark = ">>" if is_failed else "  "
    table = [f"     | {' | '.join(row)} |" for row in step.table]
    return [f"{mark} {step.keyword} {step.text}", *table]


def summary(result: Result) -> str:
    """Return the last lines: how many scenarios came to which end."""
    counts = [f"{result.count(verdict)} {verdict.value}" for verdict in Verdict if result.count(verdict)]
    ran = len(result.outcomes) - result.count(Verdict.NOT_OFFERED)
    end = "conforms" if result.conforms else "does not conform"
    stopped = "" if result.is_whole else " (stopped at the first failure)"
    starts = f"{result.starts} starts of the server"
    return f"{ran} scenarios in {result.seconds:.1f} s, {starts}: {', '.join(counts) or 'nothing'}{stopped}\n{end}"


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
            self._write(failure_text(outcome, self._plan.command) + "\n\n")
        elif outcome.verdict is Verdict.MENDED or not self._changes:
            self._write(f"{MARKS[outcome.verdict]:11} {outcome.case.name}{self._rest(outcome)}\n")
            if self._verbose and offered:
                steps = "\n".join(f"{'':14}{step.keyword} {step.text}" for step in outcome.case.scenario.steps)
                self._write(f"{steps}\n")
        if self._changes:
            line = f"{self._done} of {total}, {self._failed} failed  {outcome.case.name}"
            self._write(line[:WIDTH])
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
