"""Which servers may serve another scenario, whose verdict counts, and what of the profile `full` a server offers."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemo.conformance import catalogue, runner
from mnemo.conformance.offers import partition
from mnemo.conformance.pool import Offer
from mnemo.conformance.runner import Plan, Result, Verdict
from tests.conformance.broken import MINIMAL

CASES = catalogue.all_cases()
ADD = '        content = text_of(given, "content")\n'
PLAIN = [case for case in CASES if case.capability.name == "length-penalty"][:5]


def result_of(server: Path, cases: Sequence[catalogue.Case], **options: Any) -> Result:
    plan = Plan([sys.executable, "-S", str(server)], cases, timeout=20, **options)
    return runner.run(plan, lambda *_: None)


def changed(folder: Path, old: str, new: str) -> Path:
    source = MINIMAL.read_text("utf-8")
    assert source.count(old) == 1
    server = folder / "server.py"
    server.write_text(source.replace(old, new), "utf-8")
    return server


def test_a_server_that_is_as_new_serves_again() -> None:
    result = result_of(MINIMAL, PLAIN)
    assert [one.verdict for one in result.outcomes] == [Verdict.PASSED] * len(PLAIN)
    assert result.starts <= 2


def test_each_scenario_has_a_server_of_its_own_on_demand() -> None:
    result = result_of(MINIMAL, PLAIN, always_fresh=True)
    assert result.conforms
    assert result.starts > len(PLAIN)


def test_a_server_that_leaves_a_file_in_its_home_serves_once(tmp_path: Path) -> None:
    server = changed(tmp_path, ADD, ADD + '        (Path.home() / "note.txt").write_text("x")\n')
    result = result_of(server, PLAIN)
    assert result.conforms
    assert result.starts > len(PLAIN)


def test_the_verdict_of_a_fresh_server_counts(tmp_path: Path) -> None:
    tired = ADD + "        self.adds = getattr(self, 'adds', 0) + 1\n        assert self.adds < 2\n"
    server = changed(tmp_path, ADD, tired)
    one_fact = [case for case in PLAIN if len(case.scenario.steps[0].table) == 2]
    result = result_of(server, one_fact)
    assert [one.verdict for one in result.outcomes] == [Verdict.PASSED] * len(one_fact)


def test_the_same_scenarios_fail_with_and_without_servers_that_serve_again(tmp_path: Path) -> None:
    server = changed(tmp_path, "min(1.0, 300 /", "min(1.0, 299 /")
    again, fresh = (result_of(server, PLAIN, always_fresh=choice) for choice in (False, True))
    assert [one.verdict for one in again.outcomes] == [one.verdict for one in fresh.outcomes]


def offer(actions: Sequence[str] = (), arguments: Sequence[str] = (), **capabilities: Any) -> Offer:
    properties: dict[str, Any] = {"action": {"enum": list(actions)}} | {name: {} for name in arguments}
    return Offer(dict(capabilities), {"fact_store": {"inputSchema": {"properties": properties}}}, None)


def names(cases: Sequence[catalogue.Case]) -> set[str]:
    return {case.capability.name for case in cases if not case.is_core}


def test_the_core_is_run_whatever_a_server_declares() -> None:
    run, missing = partition(CASES, offer(), all_of_it=False)
    assert all(case.is_core for case in run)
    assert not any(case.is_core for case in missing)
    assert len(run) + len(missing) == len(CASES)


@pytest.mark.parametrize(
    ("declared", "capability"),
    [
        (offer(actions=["probe", "related", "reason", "contradict"]), "entity-graph"),
        (offer(arguments=["refine"]), "query-refinement"),
        (offer(arguments=["contents", "fact_ids"]), "batches"),
        (offer(resources={}), "fact-resources"),
        (offer(experimental={"mnemo-facts": {"offers": ["content-safety"]}}), "content-safety"),
    ],
)
def test_what_is_declared_is_run(declared: Offer, capability: str) -> None:
    run, _ = partition(CASES, declared, all_of_it=False)
    assert capability in names(run)
    assert capability not in names(partition(CASES, offer(), all_of_it=False)[0])


def test_the_whole_profile_asks_for_what_no_list_can_show() -> None:
    run, missing = partition(CASES, offer(), all_of_it=True)
    assert {"bilingual-retrieval", "content-safety"} <= names(run)
    assert {"entity-graph", "batches", "fact-resources"} <= names(missing)


@pytest.mark.parametrize("odd", [None, [], "full", {"offers": {"full": True}}, {"offers": 5}])
def test_an_odd_claim_is_none(odd: Any) -> None:
    run, _ = partition(CASES, offer(experimental={"mnemo-facts": odd}), all_of_it=False)
    assert not names(run)


def test_our_own_server_offers_everything() -> None:
    ours = offer(experimental={"mnemo-facts": {"offers": ["full"]}})
    assert partition(CASES, ours, all_of_it=False)[1] == []
