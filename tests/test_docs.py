"""The documentation says what is: every command is run, every call answered, every link followed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mnemo.cli import COMMANDS
from mnemo.clients import catalogue, jsonc, plans
from mnemo.memory import Memory
from tools import build_reference

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BASH = shutil.which("bash") or "bash"
LONG_RUNS = {"conformance.md", "reliability.md"}  # what they show takes minutes, and other tests run it
PAGES = [
    *(page for page in sorted(DOCS.rglob("*.md")) if page.name not in LONG_RUNS),
    ROOT / "README.zh.md",
    ROOT / "CONTRIBUTING.md",
]
# Run by the continuous integration, or by whoever has the data; too slow for a test.
ELSEWHERE = {
    "python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/mnemo demo",
    "python3 -m venv .venv && .venv/bin/pip install --quiet nox && .venv/bin/nox --session tests",
    "python3 -m venv .venv && .venv/bin/pip install --quiet --editable '.[dev]'",
    "python -m tests.benchmarks --sizes 1000,10000",
    "nox -s quality -- DIR",
}
_PATH = re.compile(r"`((?:mnemo|tests|docs|openspec|features)/[^\s`]+)`")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language and its text."""

    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*found) for found in _BLOCK.findall(page.read_text("utf-8"))]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output that is shown for it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def pattern(shown: str) -> str:
    """Return what output may be: `...` stands for anything, alone on a line also for several lines or none."""
    lines = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(re.escape("..."), ".*?") + r"\n"
        for line in shown.splitlines()
    ]
    return "".join(lines)


def holds(shown: Any, came: Any) -> bool:
    """Tell whether an answer has what is shown of it; lists have the same length."""
    if isinstance(shown, dict):
        return isinstance(came, dict) and all(key in came and holds(value, came[key]) for key, value in shown.items())
    if isinstance(shown, list):
        return isinstance(came, list) and len(shown) == len(came) and all(map(holds, shown, came))
    return bool(shown == came)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def shell(home: Path, tmp_path: Path) -> dict[str, str]:
    """Give the environment of a shell that has this mnemo as a command, and no client of this machine."""
    program = tmp_path / "bin" / "mnemo"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mnemo "$@"\n')
    program.chmod(0o755)
    (home / ".codex").mkdir()
    other = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "LC_ALL", "LC_MESSAGES")
    kept = {name: value for name, value in os.environ.items() if name not in other}
    return {**kept, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_and_calls_give_what_is_shown(page: Path, shell: dict[str, str], home: Path, tmp_path: Path) -> None:
    environment = {**shell, "LANG": "zh_CN.UTF-8" if "zh" in name_of(page) else "C.UTF-8"}
    answer: Any = None
    for block in blocks(page):
        if block.language == "console":
            for command, shown in commands(block.text):
                done = subprocess.run(
                    [BASH, "-c", command],
                    env=environment,
                    cwd=tmp_path,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    check=False,
                )
                assert re.fullmatch(pattern(shown), done.stdout.decode()), f"{command}\n{done.stdout.decode()}"
        elif block.language == "json":
            given = json.loads(block.text)
            if "action" in given:
                answer = call(given)
                assert "error" not in answer
            elif answer is not None:
                assert holds(given, answer), answer
                answer = None
            else:
                assert is_an_entry(given), block.text
        elif block.language == "toml":
            assert is_an_entry(tomllib.loads(block.text)), block.text
        elif block.language == "sh":
            assert set(block.text.splitlines()) <= ELSEWHERE, block.text
        else:
            assert block.language in ("text", "yaml"), block.language


def call(given: dict[str, Any]) -> dict[str, Any]:
    memory = Memory()
    try:
        tool = memory.fact_feedback if given["action"] in ("helpful", "unhelpful") else memory.fact_store
        return tool(given)
    finally:
        memory.close()


def entries(settings: dict[str, str] | None = None) -> list[Any]:
    """Return what `mnemo init` writes for each client into an empty file, with these settings of the shell."""
    found: list[Any] = []
    for client in catalogue.CLIENTS:
        plan = plans.install(client, catalogue.USER, Path(), ["/path/to/mnemo", "serve"], settings=settings)
        assert plan is not None
        assert plan.after is not None
        text = plan.after.decode()
        found.append(tomllib.loads(text) if client.form == catalogue.TOML else jsonc.parse(text).value)
    return found


def is_an_entry(shown: Any) -> bool:
    return shown in [*entries(), *entries({"MNEMO_SECRETS": "block"})]


def test_every_client_has_its_entry_and_its_file_in_the_docs() -> None:
    page = (DOCS / "clients.md").read_text("utf-8")
    for client, entry in zip(catalogue.CLIENTS, entries(), strict=True):
        section = page.split(f"### {client.name}\n")[1].split("\n### ")[0]
        ((_, shown),) = _BLOCK.findall(section)
        assert (tomllib.loads(shown) if client.form == catalogue.TOML else json.loads(shown)) == entry
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {client.name} | `{client.key}` |")]
        assert "/".join(client.user_file().parts[-2:]).lstrip("/").split("/")[-1] in row
        assert client.project_file is None or f"`{client.project_file}`" in row


def test_the_reference_is_up_to_date() -> None:
    assert build_reference.build() == (DOCS / "tools.md").read_text("utf-8"), (
        "run: python -m tools.build_reference --write"
    )


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]*)[^)]*\)", page.read_text("utf-8")):
        assert not link or (page.parent / link).exists(), link


def test_every_path_that_is_named_is_there() -> None:
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]
    named = {path for page in pages for path in _PATH.findall(page.read_text("utf-8"))}
    assert {"tests/test_architecture.py", "mnemo/cli/chinese/"} <= named
    assert [path for path in sorted(named) if not any(ROOT.glob(re.sub("<.*?>", "*", path)))] == []


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
    named = set(re.findall(r": (\S+\.md)$", navigation, re.MULTILINE))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert named == pages, "name each page under `nav` in mkdocs.yml"


@pytest.mark.parametrize(
    ("shown", "came", "expected"),
    [
        ("a\n...\nb\n", "a\nb\n", True),
        ("a\n...\nb\n", "a\n1\n2\nb\n", True),
        ("a\n...\nb\n", "a\nc\n", False),
        ("x ... y\n", "x 1 y\n", True),
        ("x ... y\n", "x 1\n y\n", False),
        ("to ...\n", "to /some/where.\n", True),
        ("...\n", "", True),
        ("", "noise\n", False),
    ],
)
def test_shown_output_is_really_compared(shown: str, came: str, expected: bool) -> None:
    assert bool(re.fullmatch(pattern(shown), came)) is expected


@pytest.mark.parametrize("page", ["commands.md", "zh/commands.md"])
def test_every_command_is_in_the_table_of_commands(page: str) -> None:
    table = (DOCS / page).read_text("utf-8").split("\n## ")[0]
    named = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(COMMANDS)
