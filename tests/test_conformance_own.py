"""Each mistake in our own server is noticed by the scenario, outside `core`, that is about it.

A start of our server takes its time, so that only a few of them belong to the proof that every change has to pass.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from mnemo.conformance.runner import Verdict
from tests.conformance import broken_mnemo
from tests.conformance.broken_mnemo import OWN_MISTAKES
from tests.conformance.own_mistake import OwnMistake
from tests.conformance.verdicts import CASES, verdict_on

EACH = 12  # of so many mistakes one is made in each run of the proof
pytestmark = pytest.mark.proof_full


def marked() -> Iterator[Any]:
    for number, mistake in enumerate(OWN_MISTAKES):
        yield pytest.param(mistake, id=mistake.name, marks=[] if number % EACH else [pytest.mark.proof])


@pytest.mark.parametrize("mistake", list(marked()))
def test_a_mistake_in_our_own_server_fails_the_scenario_that_is_about_it(mistake: OwnMistake) -> None:
    outcome = verdict_on(["-m", broken_mnemo.__name__, mistake.name], mistake.scenario)
    assert outcome.verdict in (Verdict.FAILED, Verdict.WARNED)
    assert outcome.failure is not None
    assert not outcome.failure.is_general, outcome.failure.sentence
    assert "Traceback" not in outcome.failure.stderr, "the change broke more than it was to break"


def test_mistakes_in_our_own_server_touch_every_capability_outside_the_core() -> None:
    outside = {case.capability.name for case in CASES} - {case.capability.name for case in CASES if case.is_core}
    wrong = {mistake.scenario for mistake in OWN_MISTAKES}
    assert {case.capability.name for case in CASES if case.scenario.name in wrong} >= outside
    assert all("full" in case.scenario.tags for case in CASES if case.scenario.name in wrong)
