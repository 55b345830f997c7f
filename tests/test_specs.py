"""What the OpenSpec validator and pytest-bdd let pass silently, caught over all specs, features and steps."""

import ast
import importlib
import re
from collections import Counter
from pathlib import Path

import pytest
from pytest_bdd.parser import Feature, FeatureParser, ScenarioTemplate, Step
from pytest_bdd.parsers import StepParser
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from mnemo.conformance.spec import Capability, read_capabilities
from mnemo.conformance.steps import PLUGINS

ROOT = Path(__file__).parents[1]
SPECS = ROOT / "openspec" / "specs"
FEATURES = ROOT / "features"

# The change memory-self-learning brought these scenarios; their names are kept for good.
FOUNDING_SCENARIOS = {
    "fact-retrieval": {
        "Short query uses static weights",
        "Long query uses same static weights",
        "Search matches on summary",
        "Returned results include full content",
    },
    "fact-summary": {
        "Add fact without summary",
        "Add fact with summary",
        "Long fact without summary triggers warning",
        "Long fact with summary has no warning",
        "300-500 字 content without summary has no warning",
        "FTS5 matches on summary",
        "FTS5 falls back to content when no summary",
        "Existing database gets new columns",
    },
    "length-penalty": {
        "Short fact gets no penalty",
        "Long fact without summary gets penalized",
        "Long fact with short summary gets no penalty",
        "Boundary at 300 chars of match text",
        "Penalty stacks with trust score",
    },
    "retrieval-log": {
        "Search logs query and scored results",
        "Empty search results are still logged",
        "Auto-prune when exceeding 5000 entries",
        "Table exists after database initialization",
        "last_retrieved_at is updated on retrieval",
    },
    "self-learning": {
        "High retrieval low helpful fact gets demoted",
        "High helpful rate fact gets promoted",
        "Low retrieval count facts are not adjusted",
        "Stale fact gets aged",
        "Recently retrieved fact is not aged",
        "Never retrieved fact gets aged",
        "Learn returns summary with long_facts report",
        "Learn runs after MCP handshake",
        "Audit returns quality report",
        "Audit does not modify data",
    },
}


def features() -> list[Feature]:
    return [FeatureParser(str(FEATURES), path.name).parse() for path in sorted(FEATURES.glob("*.feature"))]


def capabilities() -> list[Capability]:
    return read_capabilities(SPECS)


def step_parsers() -> list[tuple[str, StepParser]]:
    """Return every step definition with the name of its function."""
    for plugin in PLUGINS:
        importlib.import_module(plugin)
    contexts: list[tuple[object, StepFunctionContext]] = list(step_function_context_registry.items())
    found = []
    for function, context in contexts:
        module = getattr(context.step_func, "__module__", "")
        if module in PLUGINS:
            found.append((f"{module}.{getattr(context.step_func, '__name__', function)}", context.parser))
    assert found, "no step definition was found"
    return found


def matches(text: str, parsers: list[tuple[str, StepParser]]) -> list[str]:
    return [name for name, parser in parsers if parser.is_matching(text)]


def steps_of(found: list[Feature]) -> list[tuple[str, ScenarioTemplate, Step]]:
    return [
        (feature.name or "", scenario, step)
        for feature in found
        for scenario in feature.scenarios.values()
        for step in scenario.steps
    ]


def problems_of_steps(found: list[Feature], parsers: list[tuple[str, StepParser]]) -> list[str]:
    problems = []
    for feature, scenario, step in steps_of(found):
        definitions = matches(step.name, parsers)
        if len(definitions) != 1:
            kind = "unknown step" if not definitions else f"ambiguous step ({', '.join(definitions)})"
            problems.append(f"{feature}: {scenario.name}: {kind}: {step.name}")
    return problems


def scenario_lines(text: str) -> list[str]:
    return re.findall(r"^ *Scenario: (.*)$", text, re.MULTILINE)


def test_the_founding_scenarios_keep_their_names() -> None:
    assert sum(map(len, FOUNDING_SCENARIOS.values())) == 32
    for capability in capabilities():
        names = {scenario.name for scenario in capability.scenarios}
        assert FOUNDING_SCENARIOS.get(capability.name, set()) <= names


def test_scenario_names_are_unique_within_a_feature() -> None:
    # pytest-bdd keeps only the last of two scenarios with one name, so the text is read here.
    for path in FEATURES.glob("*.feature"):
        twice = [name for name, times in Counter(scenario_lines(path.read_text("utf-8"))).items() if times > 1]
        assert not twice, f"{path.name}: {twice}"


def test_pytest_bdd_sees_every_scenario_of_the_specs() -> None:
    seen = {feature.name: list(feature.scenarios) for feature in features()}
    assert seen == {one.name: [scenario.name for scenario in one.scenarios] for one in capabilities()}


def test_scenario_names_state_the_case() -> None:
    for capability in capabilities():
        for scenario in capability.scenarios:
            assert not re.search(r"\bshould\b|\btests? that\b", scenario.name, re.IGNORECASE), scenario.name


def test_every_scenario_has_steps() -> None:
    empty = [scenario.name for feature in features() for scenario in feature.scenarios.values() if not scenario.steps]
    assert not empty


def test_every_step_has_exactly_one_definition() -> None:
    assert not problems_of_steps(features(), step_parsers())


def test_every_definition_is_used() -> None:
    texts = [step.name for _, _, step in steps_of(features())]
    unused = [name for name, parser in step_parsers() if not any(map(parser.is_matching, texts))]
    assert not unused


def test_an_unknown_and_an_ambiguous_step_are_noticed(tmp_path: Path) -> None:
    text = "Feature: bad\n  Scenario: one\n    Given an empty memory\n    When the moon is full\n    Then 3 days pass\n"
    (tmp_path / "bad.feature").write_text(text, encoding="utf-8")
    parsers = step_parsers()
    days = next(entry for entry in parsers if entry[1].is_matching("3 days pass"))
    problems = problems_of_steps([FeatureParser(str(tmp_path), "bad.feature").parse()], [*parsers, days])
    assert [problem.split(": ", 2)[2].split(" (")[0] for problem in problems] == [
        "unknown step: the moon is full",
        "ambiguous step",
    ]


def test_the_profile_core_holds_the_founding_scenarios() -> None:
    for capability in capabilities():
        outside = {scenario.name for scenario in capability.scenarios if "full" in scenario.tags}
        assert not outside & FOUNDING_SCENARIOS.get(capability.name, set())


def test_a_requirement_that_only_warns_says_should() -> None:
    for capability in capabilities():
        for requirement in capability.requirements:
            says_should = "SHOULD" in " ".join(requirement.text)
            assert says_should == ("should" in requirement.tags), requirement.name


@pytest.mark.parametrize("capability", capabilities(), ids=lambda one: one.name)
def test_requirements_are_short(capability: Capability) -> None:
    for requirement in capability.requirements:
        assert len(" ".join(requirement.text)) < 500, requirement.name


# --- what the code says of the specification ---

PACKAGE = Path(__file__).parents[1] / "mnemo"
NAMED = re.compile(r"\bSpec:\s((?:[a-z-]+(?:\s\([^)]*\))?(?:,\s)?)+)")
CAPABILITY = re.compile(r"\s*(?P<name>[a-z-]+)(?:\s\((?P<titles>[^)]*)\))?(?:,|$)")


def named_in(docstring: str) -> list[tuple[str, list[str]]]:
    """Return the capabilities that a docstring names, each with the requirements named."""
    found: list[tuple[str, list[str]]] = []
    for names in NAMED.findall(docstring):
        for one in CAPABILITY.finditer(names):
            titles = [" ".join(title.split()) for title in (one["titles"] or "").split(";")]
            found.append((one["name"], [title for title in titles if title]))
    return found


def test_docstrings_name_capabilities_and_requirements_that_exist() -> None:
    known = {
        path.parent.name: set(re.findall(r"^### Requirement: (.*)$", path.read_text("utf-8"), re.MULTILINE))
        for path in (PACKAGE.parent / "openspec" / "specs").glob("*/spec.md")
    }
    named, wrong = set(), []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            docstring = ast.get_docstring(node) or ""
            found = named_in(docstring)
            assert bool(found) == ("Spec:" in docstring), (path, docstring)
            for capability, titles in found:
                named.add(capability)
                unknown = [title for title in titles if title not in known.get(capability, ())]
                if unknown or capability not in known:
                    wrong.append((path.name, capability, unknown))
    assert wrong == []
    assert set(known) - named == set()
