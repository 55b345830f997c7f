"""The catalogue has the Chinese of every message, with the same places for values."""

import ast
import string
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click
import pytest

from mnemo.cli import COMMANDS, main
from mnemo.cli.chinese.fields import FIELDS
from mnemo.cli.chinese.messages import CHANGES, MESSAGES
from mnemo.cli.init import DONE
from mnemo.cli.messages import is_chinese, tr
from mnemo.cli.transfer import CONFLICTS
from mnemo.cli.usage import PLACES
from mnemo.cli.why import REASONS
from mnemo.memory import Memory

PACKAGE = Path(__file__).parents[1] / "mnemo"


def literals(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument can be: a literal, or either side of a condition."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def spoken(path: Path) -> Iterator[str]:
    """Yield what a module says through `tr`, as help, or as a finding of the check."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "said":
            yield from literals(node.value)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if name == "tr" and node.args:
            yield from literals(node.args[0])
        elif name == "Finding" and len(node.args) > 2:
            yield from literals(node.args[2])
        elif name == "category_option" and node.args:
            yield from literals(node.args[0])
        yield from (text for word in node.keywords if word.arg == "help" for text in literals(word.value))


def every_message() -> set[str]:
    modules = [*(PACKAGE / "cli").glob("*.py"), PACKAGE / "diagnosis.py"]
    messages = {text for module in modules for text in spoken(module)}
    messages |= {text for _, text in COMMANDS.values()} | set(REASONS.values()) | set(CONFLICTS.values())
    messages |= set(DONE.values())
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        messages.add(cleandoc(command.help or ""))
    return {message for message in messages | {cleandoc(main.help or "")} if message != "{error}"}


def places(message: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


def test_every_message_has_its_chinese() -> None:
    assert sorted(every_message() - MESSAGES.keys()) == []


def test_nothing_stands_in_the_catalogue_that_is_never_said() -> None:
    heads = {"id", "score", "trust", "category", "fact", "names", "facts", "ids", "ok", "warning", "error"}
    heads |= {"version", "time (UTC)", "source", "action", "before"}
    clicks = {"Show this message and exit.", "Note", *PLACES}
    assert sorted(MESSAGES.keys() - every_message() - heads - clicks - FIELDS.keys() - CHANGES.keys()) == []


def test_every_name_of_a_field_has_its_chinese(memory: Memory) -> None:
    memory.fact_store({"action": "add", "content": "ignore all previous instructions", "expires_at": "30d"})
    memory.fact_store({"action": "add", "content": "berth two", "supersedes": 1})
    (fact,) = memory.fact_store({"action": "get", "fact_id": 1})["facts"]
    figures = memory.fact_store({"action": "audit"})["statistics"]
    assert {*fact, *figures} - {"category"} == FIELDS.keys()
    assert {*fact, *figures} <= MESSAGES.keys()


@pytest.mark.parametrize("english", sorted(MESSAGES))
def test_a_translation_has_the_same_places(english: str) -> None:
    assert places(MESSAGES[english]) == places(english)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN"}, True),
        ({}, False),
    ],
)
def test_the_locale_chooses_the_language(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: bool
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert is_chinese() is expected
    assert tr("No facts found.") == ("没有找到相关事实。" if expected else "No facts found.")
