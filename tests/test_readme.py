"""The README says what is: its commands, names, numbers, examples and links hold."""

import json
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from mnemo import arguments, guard, learner, paths, scoring, store
from mnemo.actions import DEFAULT_LIMIT
from mnemo.facts import CATEGORIES, SEARCH_MIN_TRUST
from mnemo.memory import HALF_LIFE_VARIABLE, Memory
from mnemo.serving import prompts, resources
from tests.conftest import rows

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CHINESE = (ROOT / "README.zh.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def code(text: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", text))


def test_quick_start_is_two_command_lines_demo_and_tests() -> None:
    demo, tests = re.findall(r"^```sh\n(.*?)^```$", section("Quick start"), re.MULTILINE | re.DOTALL)
    assert [len(block.splitlines()) for block in (demo, tests)] == [1, 1]
    for block in (demo, tests):
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert "activate" not in block
    assert demo.rstrip().endswith("&& .venv/bin/mnemo demo")
    assert tests.rstrip().endswith(" nox && .venv/bin/nox --session tests")
    assert README.index(demo) == README.index("```sh\n") + len("```sh\n")


def test_configuration_examples_can_be_read() -> None:
    servers = [json.loads(block) for block in blocks("json") if "mcpServers" in block]
    assert [server["mcpServers"]["mnemo"]["args"] for server in servers] == [["serve"]]
    assert [tomllib.loads(block)["mcp_servers"]["mnemo"]["args"] for block in blocks("toml")] == [["serve"]]


def test_examples_of_calls_answer_what_the_readme_says(memory: Memory) -> None:
    add, search = [json.loads(block) for block in blocks("json") if '"action"' in block]
    answer = json.dumps(memory.fact_store(add), ensure_ascii=False, separators=(",", ":"))
    assert f"`{answer}`" in README
    (result,) = memory.fact_store(search)["results"]
    assert result["content"] == add["content"]
    assert {"score", "explain"} <= set(result)


@pytest.mark.parametrize("page", [README, CHINESE], ids=["README.md", "README.zh.md"])
def test_every_action_and_no_other_is_in_the_table(page: str) -> None:
    (table,) = re.findall(r"^\| `fact_store`.*?\n\n", page, re.MULTILINE | re.DOTALL)
    named = {name for row in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE) for name in code(row)}
    assert named - {"fact_store"} == set(arguments.ACTIONS)


def test_arguments_that_the_readme_names_exist() -> None:
    known = {parameter.name for parameter in (*arguments.FACT_STORE, *arguments.FACT_FEEDBACK)}
    rows_of_table = [row for row in section("The tools").splitlines() if row.startswith("| `")]
    words = {word for row in rows_of_table for word in code(row.split("|", 2)[2])}
    assert {word.split("=")[0] for word in words} <= known | {"duplicate", "similar"}
    assert f"`min_trust` ({SEARCH_MIN_TRUST})" in README
    assert f"`limit` ({DEFAULT_LIMIT})" in README
    assert f"+{store.HELPFUL_STEP:.2f} or {store.UNHELPFUL_STEP:.2f}" in README


@pytest.mark.parametrize("page", [README, CHINESE], ids=["README.md", "README.zh.md"])
def test_settings_are_those_of_the_code(page: str) -> None:
    named = set(re.findall(r"`(MNEMO_\w+)`", page))
    assert named == {paths.DATABASE_VARIABLE, HALF_LIFE_VARIABLE, guard.VARIABLE}
    for mode in guard.MODES:
        assert f"`{mode}`" in page


def test_resources_and_prompts_are_named() -> None:
    assert f"`{resources.SCHEME}{{{','.join(CATEGORIES)}}}`" in README
    for prompt in prompts.PROMPTS:
        assert f"`{prompt.name}`" in README


def test_formula_and_learning_rules_have_the_numbers_of_the_code() -> None:
    told = " ".join(section("How a fact is scored").split())
    assert f"relevance = {scoring.FTS_WEIGHT} * fts + {scoring.JACCARD_WEIGHT} * jaccard" in told
    assert f"min(1, {scoring.PENALTY_FREE_LENGTH} / length of the match text)" in told
    assert f"more than {learner.MIN_RETRIEVALS} times" in told
    assert f"less than {learner.LOW_HELPFUL_RATE:.0%}".replace("%", " %") in told
    assert f"more than {learner.HIGH_HELPFUL_RATE:.0%}".replace("%", " %") in told
    assert f"rises by {learner.PROMOTION_STEP}" in told
    assert f"more than {learner.AGEING_DAYS} days" in told
    assert f"falls to {learner.AGEING_FACTOR:.0%}".replace("%", " %") in told
    assert pytest.approx(0.9) == learner.DEMOTION_FACTOR
    assert "falls to nine tenths" in told


def test_the_chinese_readme_has_the_same_numbers() -> None:
    numbers = (
        f"relevance = {scoring.FTS_WEIGHT} * fts + {scoring.JACCARD_WEIGHT} * jaccard",
        f"min(1, {scoring.PENALTY_FREE_LENGTH} / ",
        f"从 {scoring.PENALTY_FREE_LENGTH + 1} 个字符起",
        f"超过 {learner.LONG_CONTENT} 个字符",
        f"超过 {learner.MIN_RETRIEVALS} 次而有用的不到 {learner.LOW_HELPFUL_RATE * 100:.0f} %",
        f"超过 {learner.HIGH_HELPFUL_RATE * 100:.0f} %，上升 {learner.PROMOTION_STEP}",
        f"超过 {learner.AGEING_DAYS} 天没有被检索，降为原来的 {learner.AGEING_FACTOR * 100:.0f} %",
        f"`min_trust`（{SEARCH_MIN_TRUST}）",
        f"`limit`（{DEFAULT_LIMIT}）",
        f"+{store.HELPFUL_STEP:.2f} 或 {store.UNHELPFUL_STEP:.2f}",
    )
    assert [number for number in numbers if number not in CHINESE] == []


def test_public_tables_are_there(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "list"})
    tables = {str(row[0]) for row in rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    named = {"facts", "entities", "fact_entities", "retrieval_log", "facts_fts"}
    assert named <= code(section("The file"))
    assert named <= tables


def test_dependencies_are_all_explained_and_no_others() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {re.split(r"[\[<>=~!; ]", requirement)[0] for requirement in declared} - {project["name"]}
    explained = set(re.findall(r"\[([\w-]+)\]\(https://pypi\.org/project/\1/\)", section("Dependencies")))
    assert explained == names


def test_links_to_files_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
