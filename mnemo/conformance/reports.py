"""A run's result for machines: JUnit XML, which build servers read, and JSON."""

import json
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any
from xml.etree import ElementTree

from mnemo.conformance import SPECIFICATION_VERSION
from mnemo.conformance.catalogue import Case
from mnemo.conformance.known import is_explained
from mnemo.conformance.runner import Outcome, Plan, Result, Verdict
from mnemo.conformance.spec import Step
from mnemo.conformance.words import failure_text

NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(plan: Plan, result: Result) -> dict[str, Any]:
    """Return a result as a JSON object: versions, counts, and every scenario with what came of it.

    `profile` is what the user asked for, `selection` what was chosen by name; null where nothing was. `whole` tells
    whether the run came to its end, `unexplained` how many known failures have no reason yet, `left_out`
    how many scenarios of the profile full were neither asked for nor offered, `one_cause` why nearly all fails or null.
    """
    chosen = plan.selection
    return {
        "specification": SPECIFICATION_VERSION,
        "command": list(plan.command),
        "profile": plan.profile,
        "selection": chosen
        and {
            "names": list(chosen.names),
            "capabilities": list(chosen.capabilities),
            "scenarios": len(plan.chosen),
            "of": chosen.of,
        },
        "conforms": result.conforms,
        "whole": result.is_whole,
        "unexplained": result.unexplained,
        "left_out": result.left_out,
        "one_cause": result.one_cause or None,
        "warnings": list(result.notes),
        "seconds": round(result.seconds, 3),
        "starts": result.starts,
        "counts": {verdict.value: result.count(verdict) for verdict in Verdict},
        "scenarios": [_scenario(outcome) for outcome in result.outcomes],
    }


def _named(case: Case) -> dict[str, Any]:
    return {
        "name": case.name,
        "capability": case.capability.name,
        "requirement": case.requirement.name,
        "scenario": case.scenario.name,
        "profile": "core" if case.is_core else "full",
        "level": "SHOULD" if case.only_warns else "MUST",
        "place": case.place(),
    }


def _scenario(outcome: Outcome) -> dict[str, Any]:
    case, failure = outcome.case, outcome.failure
    shown = _named(case) | {"result": outcome.verdict.value, "seconds": round(outcome.seconds, 3)}
    if outcome.reason:
        shown |= {"reason": outcome.reason, "explained": is_explained(outcome.reason)}
    if outcome.home:
        shown["home"] = str(outcome.home)
    if failure:
        step = failure.step
        shown["failure"] = {
            "step": f"{step.keyword} {step.text}" if step else None,
            "place": case.place(step.line if step else None),
            "text": failure.sentence,
            "messages": failure.messages,
            "stderr": failure.stderr,
        }
    return shown


def json_report(plan: Plan, result: Result) -> str:
    """Return the JSON report as a text."""
    return _json_text(as_json(plan, result))


def json_list(cases: Iterable[Case]) -> str:
    """Return scenarios as a JSON text: names, profile, level, place, the requirement's sentence, and the steps."""
    listed = [
        _named(case) | {"sentence": case.sentence, "steps": [_step(step) for step in case.scenario.steps]}
        for case in cases
    ]
    return _json_text({"specification": SPECIFICATION_VERSION, "scenarios": listed})


def _step(step: Step) -> dict[str, Any]:
    shown: dict[str, Any] = {"keyword": step.keyword, "text": step.text}
    if step.table:
        shown["table"] = step.table
    if step.block is not None:
        shown["block"] = step.block
    return shown


def _json_text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def junit_report(plan: Plan, result: Result) -> str:
    """Return the JUnit report: a suite for each capability; warnings and known failures count as skipped."""
    root = ElementTree.Element("testsuites", {"name": "mnemo conformance"} | _counts(result.outcomes))
    for capability, group in groupby(result.outcomes, key=lambda outcome: outcome.case.capability.name):
        outcomes = list(group)
        suite = ElementTree.SubElement(root, "testsuite", {"name": capability} | _counts(outcomes))
        for outcome in outcomes:
            _testcase(suite, outcome, plan)
    ElementTree.indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _counts(outcomes: Iterable[Outcome]) -> dict[str, str]:
    every = list(outcomes)
    failed = sum(one.verdict in (Verdict.FAILED, Verdict.MENDED) for one in every)
    passed = sum(one.verdict is Verdict.PASSED for one in every)
    return {
        "tests": str(len(every)),
        "failures": str(failed),
        "errors": "0",
        "skipped": str(len(every) - failed - passed),
        "time": f"{sum(one.seconds for one in every):.3f}",
    }


def _testcase(suite: ElementTree.Element, outcome: Outcome, plan: Plan) -> None:
    case = outcome.case
    classname = f"{case.capability.name}.{case.requirement.name}"
    made = ElementTree.SubElement(
        suite, "testcase", name=case.scenario.name, classname=classname, time=f"{outcome.seconds:.3f}"
    )
    if outcome.verdict is Verdict.FAILED:
        assert outcome.failure is not None
        first = NO_XML.sub("?", outcome.failure.sentence.partition("\n")[0])
        failure = ElementTree.SubElement(made, "failure", type="MUST", message=first)
        failure.text = NO_XML.sub("?", failure_text(outcome, plan))
    elif outcome.verdict is Verdict.MENDED:
        ElementTree.SubElement(made, "failure", type="known failure", message=outcome.verdict.value)
    elif outcome.verdict is not Verdict.PASSED:
        words = outcome.reason or (outcome.failure.sentence if outcome.failure else "")
        message = f"{outcome.verdict.value}: {words}".strip(": ")
        ElementTree.SubElement(made, "skipped", message=NO_XML.sub("?", message))
