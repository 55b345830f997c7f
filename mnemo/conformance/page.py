"""A run's result as one HTML page that needs no other file and no network."""

import shlex
from html import escape
from itertools import groupby

from mnemo.conformance import SPECIFICATION_VERSION
from mnemo.conformance.runner import FAILING, Outcome, Plan, Result, Verdict
from mnemo.conformance.words import failure_text, left_out, total, verdict_on, warnings

CLASSES = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "failed",
    Verdict.WARNED: "warned",
    Verdict.KNOWN: "known",
    Verdict.MENDED: "failed",
    Verdict.NOT_OFFERED: "missing",
}
STYLE = """
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; --dim: #6e7781; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: 0; }
p.text { color: var(--dim); margin: 0 0 .3rem; } ul { list-style: none; padding-left: .5rem; margin: 0; }
li::before { content: "\\25cf"; margin-right: .5rem; } li.passed::before { color: var(--good); }
li.failed::before { color: var(--bad); } li.warned::before, li.known::before { color: var(--odd); }
li.missing { color: var(--dim); } details { display: inline-block; vertical-align: top; max-width: 58rem; }
summary { cursor: pointer; } .good { color: var(--good); } .bad { color: var(--bad); }
.odd { color: var(--odd); } .dim { color: var(--dim); }
pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; padding-left: .7rem;
  border-left: 3px solid var(--dim); }
"""


def page(plan: Plan, result: Result) -> str:
    """Return the page: capabilities, requirements, scenarios; each failure unfolds."""
    color, verdict = "good" if result.conforms else "bad", verdict_on(plan, result)
    remarks = [*warnings(plan, result), left_out(result), result.one_cause]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>mnemo conformance</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head><body>",
        f'<h1><code>{escape(shlex.join(plan.command))}</code> <span class="{color}">{escape(verdict)}</span></h1>',
        f"<p>Specification {SPECIFICATION_VERSION}{escape(_what(plan))}. {escape(total(result))}.</p>",
        *(f'<p class="odd">{escape(remark)}</p>' for remark in remarks if remark),
    ]
    for capability, group in groupby(result.outcomes, key=lambda outcome: outcome.case.capability.name):
        parts += _capability(capability, list(group), plan)
    return "\n".join([*parts, "</body></html>", ""])


def _what(plan: Plan) -> str:
    profile = f", profile {plan.profile}" if plan.profile else ""
    chosen = plan.selection
    if not chosen:
        return profile
    means = ", ".join([*map(repr, chosen.names), *chosen.capabilities])
    return f"{profile}, selection: {len(plan.chosen)} of {chosen.of} scenarios ({means})"


def _capability(name: str, outcomes: list[Outcome], plan: Plan) -> list[str]:
    failed = sum(outcome.verdict in FAILING for outcome in outcomes)
    passed = sum(outcome.verdict is Verdict.PASSED for outcome in outcomes)
    counts = f'<span class="{"bad" if failed else "good"}">{passed} of {len(outcomes)} passed</span>'
    parts = [f"<h2>{escape(name)} {counts}</h2>"]
    for requirement, group in groupby(outcomes, key=lambda outcome: outcome.case.requirement.name):
        of_requirement = list(group)
        parts += [f"<h3>{escape(requirement)}</h3>", f'<p class="text">{escape(of_requirement[0].case.sentence)}</p>']
        parts += ["<ul>", *(_scenario(outcome, plan) for outcome in of_requirement), "</ul>"]
    return parts


def _scenario(outcome: Outcome, plan: Plan) -> str:
    name = escape(outcome.case.scenario.name)
    word = "" if outcome.verdict is Verdict.PASSED else f' <span class="dim">{outcome.verdict.value}</span>'
    if outcome.reason:
        word += f' <span class="dim">({escape(outcome.reason)})</span>'
    if outcome.failure:
        text = escape(failure_text(outcome, plan))
        name = f"<details><summary>{name}{word}</summary><pre>{text}</pre></details>"
        word = ""
    return f'<li class="{CLASSES[outcome.verdict]}">{name}{word}</li>'
