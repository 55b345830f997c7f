"""A run's result for machines: JUnit XML, which build servers read, and JSON."""

import json
import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from mnemo.conformance import SPECIFICATION_VERSION
from mnemo.conformance.runner import Outcome, Plan, Result, Verdict
from mnemo.conformance.words import failure_text

NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(plan: Plan, result: Result) -> dict[str, Any]:
    """Return a result as a JSON object: versions, counts, and every scenario with what came of it."""
    return {
        "specification": SPECIFICATION_VERSION,
        "command": list(plan.command),
        "profile": plan.profile or "core and what is offered",
        "conforms": result.conforms,
        "seconds": round(result.seconds, 3),
        "starts": result.starts,
        "counts": {verdict.value: result.count(verdict) for verdict in Verdict},
        "scenarios": [_scenario(outcome) for outcome in result.outcomes],
    }


def _scenario(outcome: Outcome) -> dict[str, Any]:
    case, failure = outcome.case, outcome.failure
    shown: dict[str, Any] = {
        "name": case.name,
        "capability": case.capability.name,
        "requirement": case.requirement.name,
        "scenario": case.scenario.name,
        "profile": "core" if case.is_core else "full",
        "level": "SHOULD" if case.only_warns else "MUST",
        "place": case.place(),
        "result": outcome.verdict.value,
        "seconds": round(outcome.seconds, 3),
    }
    if outcome.reason:
        shown["reason"] = outcome.reason
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


def write_json(path: Path, plan: Plan, result: Result) -> None:
    """Write the JSON report."""
    path.write_text(json.dumps(as_json(plan, result), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def write_junit(path: Path, plan: Plan, result: Result) -> None:
    """Write the JUnit report: a suite for each capability; warnings and known failures count as skipped."""
    root = ElementTree.Element("testsuites", {"name": "mnemo conformance"} | _counts(result.outcomes))
    for capability, group in groupby(result.outcomes, key=lambda outcome: outcome.case.capability.name):
        outcomes = list(group)
        suite = ElementTree.SubElement(root, "testsuite", {"name": capability} | _counts(outcomes))
        for outcome in outcomes:
            _testcase(suite, outcome, plan)
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


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
        failure.text = NO_XML.sub("?", failure_text(outcome, plan.command))
    elif outcome.verdict is Verdict.MENDED:
        ElementTree.SubElement(made, "failure", type="known failure", message=outcome.verdict.value)
    elif outcome.verdict is not Verdict.PASSED:
        words = outcome.reason or (outcome.failure.sentence if outcome.failure else "")
        message = f"{outcome.verdict.value}: {words}".strip(": ")
        ElementTree.SubElement(made, "skipped", message=NO_XML.sub("?", message))
