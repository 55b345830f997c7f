"""What the suite says of a server in one scenario."""

import sys
from collections.abc import Sequence

from mnemo.conformance import catalogue, runner
from mnemo.conformance.runner import Outcome, Plan

CASES = catalogue.all_cases()


def verdict_on(command: Sequence[str], scenario: str) -> Outcome:
    """Run one scenario on a server that Python runs; return its outcome."""
    cases = [case for case in CASES if case.scenario.name == scenario]
    assert len(cases) == 1, f"there are {len(cases)} scenarios {scenario!r}"
    plan = Plan([sys.executable, *command], cases, profile="full", timeout=20, always_fresh=True)
    return runner.run(plan, lambda *_: None).outcomes[0]
