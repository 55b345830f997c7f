"""Each plausible mistake, made in the minimal implementation, is noticed by the scenario that is about it."""

from collections import Counter
from pathlib import Path

import pytest

from mnemo.conformance import situation
from mnemo.conformance.runner import Verdict
from tests.conformance.broken import MINIMAL, MISTAKES, Mistake
from tests.conformance.verdicts import CASES, verdict_on

pytestmark = pytest.mark.proof


@pytest.fixture(autouse=True)
def quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a quarter of the time: the minimal implementation writes before it answers."""
    monkeypatch.setattr(situation, "POLLS", 10)
    monkeypatch.setattr(situation, "SETTLE_SECONDS", 0.1)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_fails_the_scenario_that_is_about_it(mistake: Mistake, tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(mistake.source(), encoding="utf-8")
    outcome = verdict_on(["-S", str(server)], mistake.scenario)
    assert outcome.verdict in (Verdict.FAILED, Verdict.WARNED)
    assert outcome.failure is not None
    assert not outcome.failure.is_general, outcome.failure.sentence
    assert "AttributeError" not in outcome.failure.stderr, "the change broke more than it was to break"


def test_mistakes_have_names_of_their_own_and_touch_every_capability_of_the_core() -> None:
    assert not [name for name, times in Counter(mistake.name for mistake in MISTAKES).items() if times > 1]
    touched = {case.capability.name for case in CASES for one in MISTAKES if case.scenario.name == one.scenario}
    assert touched == {case.capability.name for case in CASES if case.is_core}


@pytest.mark.parametrize("scenario", sorted({mistake.scenario for mistake in MISTAKES})[::10])
def test_the_right_server_passes_where_the_broken_ones_fail(scenario: str) -> None:
    assert verdict_on(["-S", str(MINIMAL)], scenario).verdict is Verdict.PASSED
