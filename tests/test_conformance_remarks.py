"""What `mnemo conformance` says beside the verdicts: causes, claims, what was left out, what to run again."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemo.conformance import catalogue, known, page, words
from mnemo.conformance.offers import is_claimed, unknown_claims
from mnemo.conformance.pool import Offer
from mnemo.conformance.runner import Plan, Result, Selection, Verdict, run
from tests.conformance.verdicts import CASES
from tests.test_conformance_cli import BOUNDARY, PING, RIGHT, broken, conformance, penalizing

__all__ = ["penalizing"]

LOOP = "    for line in sys.stdin.buffer:\n"
RESTARTS = "what was added survives a restart"
TAUGHT = "a pair of names that no lexicon knows"


def claiming(offers: Any) -> Offer:
    return Offer({"experimental": {"mnemo-facts": {"offers": offers}}}, {}, None)


def result_of(command: Sequence[str], *names: str, **given: Any) -> tuple[Plan, Result]:
    plan = Plan(command, [case for case in CASES if case.scenario.name in names], **given)
    return plan, run(plan, lambda *_: None)


@pytest.mark.parametrize("offers", ["full", ["full"], ["fact-resources", "full"]])
def test_all_of_it_is_claimed_by_one_word(offers: Any) -> None:
    assert all(is_claimed(case, claiming(offers)) for case in CASES)
    assert unknown_claims(CASES, claiming(offers)) == []


def test_a_capability_may_be_claimed_without_a_list() -> None:
    claimed = {case.capability.name for case in CASES if is_claimed(case, claiming("content-safety"))}
    assert claimed == {"content-safety"}


@pytest.mark.parametrize(
    ("offers", "claimed", "near"),
    [
        (["bilingual-retreival"], "'bilingual-retreival'", "near it: 'bilingual-retrieval'"),
        ("An emoji counts as a character", "'An emoji counts as a character'", "'An emoji counts as one character'"),
        (["all"], "'all'", "'full' claims all of it"),
        (["full", 5], "'5'", "'full' claims all of it"),
    ],
)
def test_a_claim_that_names_nothing_is_told_with_what_is_near(offers: Any, claimed: str, near: str) -> None:
    (said,) = unknown_claims(CASES, claiming(offers))
    assert said.startswith(f"the server claims {claimed}, which is no capability and no requirement")
    assert near in said


def test_claims_that_name_nothing_end_in_a_warning(tmp_path: Path) -> None:
    claim = '"capabilities": {"tools": {}, "experimental": {"mnemo-facts": {"offers": ["batch"]}}}'
    plan, result = result_of(broken(tmp_path, '"capabilities": {"tools": {}}', claim), PING)
    warning = words.summary(plan, result).splitlines()[0]
    assert warning.startswith("warning: the server claims 'batch', which is no capability")
    assert "near it: 'batches'" in warning
    assert "near it: &#x27;batches&#x27;" in page.page(plan, result)


def test_what_is_chosen_is_judged_however_it_is_chosen() -> None:
    by_name, by_capability = Selection(["x"], [], 9), Selection([], ["x"], 9)
    assert [Plan([], [], None, one).takes_all for one in (by_name, by_capability, None)] == [True, True, False]
    assert [Plan([], [], "core", one).takes_all for one in (by_name, by_capability)] == [False, False]


def test_what_else_could_be_claimed_is_told() -> None:
    plan, result = result_of(RIGHT, PING, TAUGHT)
    assert [one.case.scenario.name for one in result.outcomes] == [PING]
    said = "left out: 1 scenario of the profile full, which the server neither offers nor claims; --profile full runs"
    assert said in words.summary(plan, result)
    assert said in page.page(plan, result)


def test_what_is_chosen_and_not_offered_is_counted_with_and_without_a_profile() -> None:
    for profile in ([], ["--profile", "full"]):
        done = conformance("--capability", "entity-graph", *profile, "--json", "-", "--", *RIGHT)
        assert done.returncode == 2
        told = json.loads(done.stdout)
        assert told["counts"]["not offered"] == told["selection"]["scenarios"] > 30


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        (LOOP, f"    print('server is ready', flush=True)\n{LOOP}", "stdout carries a line that is no message: 'serv"),
        ('"id": message["id"], **', '"id": str(message["id"]), **', 'answered what was not asked, with the id "1"'),
    ],
)
def test_one_cause_of_all_is_told_once_more_at_the_end(old: str, new: str, cause: str, tmp_path: Path) -> None:
    done = conformance("--capability", "length-penalty", "--json", "-", "--", *broken(tmp_path, old, new))
    *_, total, one, end = done.stderr.splitlines()
    number = len([case for case in CASES if case.capability.name == "length-penalty"])
    assert f": {number} failed" in total
    assert one.startswith(f"{number} of {number} scenarios failed for one cause: no scenario could be run: ")
    assert cause in one
    assert end == "does not conform"
    assert done.stderr.count("FAILED") == 1
    assert json.loads(done.stdout)["one_cause"] == one


def test_many_failures_with_many_causes_have_no_single_one(penalizing: list[str]) -> None:
    _, result = result_of(penalizing, BOUNDARY)
    assert result.outcomes[0].verdict is Verdict.FAILED
    assert result.one_cause == ""


def test_a_server_that_outlives_its_stdin_is_told_of(tmp_path: Path) -> None:
    end = '\n\nif __name__ == "__main__":\n    main()\n'
    lasting = broken(tmp_path, end, f"{end}    import time\n    time.sleep(600)\n")
    plan, result = result_of(lasting, RESTARTS)
    assert result.outcomes[0].verdict is Verdict.PASSED
    assert words.summary(plan, result).startswith(
        "warning: the server goes on when its stdin is closed, which is how clients end it, and was ended by force 5 s"
    )
    assert result_of(RIGHT, RESTARTS)[1].notes == []


def test_a_missing_line_on_stderr_says_its_form_and_what_was_seen(tmp_path: Path) -> None:
    server = broken(tmp_path, 'f"{name} {counts[name]}"', 'f"{counts[name]} {name}"')
    _, result = result_of(server, "a start keeps a fact of little trust")
    failure = result.outcomes[0].failure
    assert failure is not None
    assert failure.sentence.splitlines() == [
        "no line on stderr says what was learned; waited 2 seconds or more for one line on stderr with each of "
        "promoted, demoted, aged, unchanged followed by its number, as in "
        "`learned: promoted 0, demoted 0, aged 1, unchanged 0`; seen:",
        "  learned: 0 promoted, 1 demoted, 1 aged, 0 unchanged",
    ]


def test_a_wrong_line_on_stderr_says_what_was_seen(tmp_path: Path) -> None:
    server = broken(tmp_path, 'print(f"learned: {shown}"', 'print("nothing"')
    _, result = result_of(server, "the start-up run demotes and promotes too")
    failure = result.outcomes[0].failure
    assert failure is not None
    assert failure.sentence.startswith(
        "wanted one line on stderr with promoted 1, demoted 1, aged 0, unchanged 0, came: no such line; waited 2 s"
    )
    assert failure.sentence.endswith("seen:\n  (no line with one of these words)")


@pytest.mark.parametrize(
    ("variable", "shown"),
    [
        ("MODE=a b", "--env 'MODE=a b'"),
        ("API_KEY=wharf", "--env API_KEY=..."),
        ("DB=postgres://harbour:tideGate@db/ledger", "--env DB=..."),
        ("ID=7c1f9a3e5d0b82467c1f9a3e5d0b8246", "--env ID=..."),
        ("FOLDER=/srv/mnemo/notes", "--env FOLDER=/srv/mnemo/notes"),
    ],
)
def test_the_command_to_run_again_brings_the_failure_back(variable: str, shown: str) -> None:
    name, _, value = variable.partition("=")
    plan = Plan(["./my-server"], [], "full", environment={name: value})
    assert words.again(BOUNDARY, plan) == (
        f"mnemo conformance --name '{BOUNDARY}' --profile full {shown} --keep -- ./my-server"
    )


def test_a_known_failure_needs_its_capability_only_where_two_have_the_name(tmp_path: Path) -> None:
    path, names = tmp_path / "known", ["one: tea", "two: tea", "one: cup"]
    path.write_text("cup\n  is cracked\n", "utf-8")
    assert known.read(path, names) == {"one: cup": "is cracked"}
    path.write_text("tea\n  is cold\n", "utf-8")
    with pytest.raises(known.KnownFailuresError, match=r":1: 'tea' may be 'one: tea' or 'two: tea'; name its cap"):
        known.read(path, names)
    path.write_text("one: cap\n  is cold\n", "utf-8")
    with pytest.raises(known.KnownFailuresError, match=r"a line is `capability: scenario`; near it: 'one: cup'"):
        known.read(path, names)
    path.write_text("cup\n  is cracked\none: cup\n  is cracked\n", "utf-8")
    with pytest.raises(known.KnownFailuresError, match=r":3: 'one: cup' stands twice"):
        known.read(path, names)


def test_scenarios_that_wait_are_known_by_their_steps() -> None:
    waiting = {case.scenario.name for case in catalogue.all_cases() if case.mostly_waits}
    assert {"learning at start-up happens once a start", "a server without a client learns nothing"} <= waiting
    assert len(waiting) < 12
