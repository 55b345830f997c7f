"""What the memory itself says reaches a Chinese user in Chinese: every error and warning has its sentence."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain, product
from pathlib import Path

import click
import pytest

from mnemo import answers, safety
from mnemo.arguments import FACT_STORE, Parameter
from mnemo.cli import COMMANDS, main
from mnemo.cli.chinese.sentences import OWN
from mnemo.cli.messages import translated
from mnemo.derived import marks
from mnemo.storage.connections import MEMORY, OTHER
from tests.commands import Run
from tests.test_cli_messages import places

pytestmark = pytest.mark.usefixtures("chinese")

PACKAGE = Path(__file__).parents[1] / "mnemo"
VALUE = "7"
RAISED = {
    "DamagedFileError",
    "InvalidArgumentError",
    "MemoryBusyError",
    "MemoryFileError",
    "UnknownNameError",
    "ValueError",
}
RETURNING = {"_range", "_file_problem"}  # functions whose result is a sentence, or the middle of one
# Parts of sentences that are put together elsewhere; a date that is none is never said, "no date" is caught at once.
PARTS = {"one of 7", "item 7 of 7", "all", "a number of days, 0 for no decay"}
PARTS |= {part for role in (MEMORY, OTHER) for part in (role.place, role.if_damaged)}
PARTS |= {f"{MEMORY.title}{VALUE}", f"{MEMORY.title.capitalize()}{VALUE}"}
UNSAID = {"no date"}
IN_MCP_ALONE = {"Unknown tool: 7; use one of 7"}
HAN = re.compile(r"[一-鿿]")


def texts(node: ast.expr, constants: dict[str, str]) -> Iterator[str]:
    """Yield what an expression can say, with 7 for each value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body, constants)
        yield from texts(node.orelse, constants)
    elif isinstance(node, ast.BoolOp):
        yield from chain.from_iterable(texts(part, constants) for part in node.values)
    elif isinstance(node, ast.Name) and node.id.isupper():
        yield constants.get(node.id, VALUE)
    elif isinstance(node, ast.FormattedValue):
        if isinstance(node.value, ast.Name):
            yield constants.get(node.value.id, VALUE)
        else:
            yield from list(texts(node.value, constants)) or [VALUE]
    elif isinstance(node, ast.JoinedStr):
        for parts in product(*(list(texts(part, constants)) for part in node.values)):
            yield "".join(parts)


def constants_of(tree: ast.Module) -> dict[str, str]:
    """Return the texts to which a module gives names."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def said(path: Path) -> Iterator[str]:
    """Yield what the errors of a module say."""
    tree = ast.parse(path.read_text("utf-8"))
    constants = constants_of(tree)
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            source = import_module(statement.module)
            imported = {one.name: getattr(source, one.name, None) for one in statement.names}
            constants |= {name: value for name, value in imported.items() if isinstance(value, str)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in RETURNING:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from texts(inner.value, constants)
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in RAISED or (name == "__init__" and path.stem == "errors"):
            wanted = node.args[:1]
        elif name == "_refused":
            wanted = node.args[2:]
        else:
            wanted = [word.value for word in node.keywords if word.arg == "error"]
        for argument in wanted:
            yield from texts(argument, constants)


@cache
def every_error() -> set[str]:
    faces = {"cli", "clients", "conformance"}  # which have catalogues of their own
    modules = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in faces]
    modules.append(PACKAGE / "cli" / "frame.py")
    return {sentence for module in modules for sentence in said(module)} - UNSAID - IN_MCP_ALONE


def every_warning() -> set[str]:
    whole = answers.notes([{"text": "x" * 30_000}, {}], 1, whole=False)["note"]
    return {
        *answers.hidden_warnings(7, 8, "9"),
        *answers.purge_warnings([7]),
        *answers.replaced_warnings(7),
        *answers.twin_warnings([7]),
        *answers.expiry_warnings("7", "8"),
        *safety.warnings_for("token ghp_" + "Zt4" * 12),
        *safety._SENTENCES.values(),
        marks.UNREADABLE,
        *whole.split("; "),
        answers.notes([{}, {}], 1, whole=True)["note"],
        "7 similar facts were left out to keep the answer short",
        "only the first 7 characters were searched",
        "a secret was replaced before storing: 7",
    }


@pytest.mark.parametrize("sentence", sorted(every_error() | every_warning() | PARTS))
def test_every_sentence_of_the_memory_has_its_chinese(sentence: str) -> None:
    chinese = translated(sentence)
    assert HAN.search(chinese), f"mnemo/cli/chinese/sentences.py lacks: {sentence}"
    if sentence in every_error():
        assert chinese.count(VALUE) >= sentence.count(VALUE), "each value is in it"


def test_the_sentences_are_gathered() -> None:
    assert len(every_error()) > 50
    expected = {
        "Missing required argument: 7",
        "fact_id 7 not found; use action=search or action=list to see the ids that exist",
        "7 is read-only; make the file and its folder writable.",
        "The text looks like it holds a secret (7), so nothing was stored; take it out and try again",
    }
    assert expected <= every_error()


def test_nothing_stands_in_the_catalogue_that_is_never_said() -> None:
    known = {re.sub(r"\{\w+\}", VALUE, english) for english in OWN}
    plain = {
        re.sub(r"(?<=: )\S.*", VALUE, text) if text.startswith("looks like a secret") else text
        for text in every_warning()
    }
    patterns = {re.escape(one).replace(VALUE, ".*?") for one in known - every_error() - PARTS}
    assert [one for one in sorted(patterns) if not any(re.fullmatch(one, text) for text in plain)] == []


@pytest.mark.parametrize("english", sorted(OWN))
def test_a_translation_names_no_other_places(english: str) -> None:
    assert places(OWN[english]) <= places(english)
    assert places(english) - places(OWN[english]) <= {"how", "shorter"}


def test_parts_of_a_sentence_are_translated_too() -> None:
    number = next(parameter for parameter in FACT_STORE if parameter.name == "min_trust")
    assert isinstance(number, Parameter)
    assert translated('min_trust must be between 0 and 1, not "high; higher"') == (
        'min_trust 必须是 0 到 1 之间的数，而不是 "high; higher"'
    )
    assert translated("item 2 of fact_ids must be a whole number, not true") == (
        "fact_ids 的第 2 项 必须是整数，而不是 true"
    )
    assert translated("no content; the content is empty") == "没有 content；内容为空"
    assert translated("something that nobody said") == "something that nobody said"


def test_commands_answer_in_chinese_and_json_in_english(run: Run) -> None:
    run("add", "港口在北边")
    refused = run("list", "--min-trust", "7")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "mnemo: 无法执行：--min-trust 必须是 0 到 1 之间的数，而不是 7.0\n",
    )
    answer = json.loads(run("list", "--min-trust", "7", "--json").stdout)
    assert answer == {"error": "min_trust must be between 0 and 1, not 7.0"}
    assert "事实 1 不能取代它自己" in run("update", "1", "--supersedes", "1").stderr
    assert "似乎含有机密信息" in run("add", "token ghp_" + "Zt4" * 12).stderr
    assert run("import", "-", stdin='{"content": ""}').stderr == "第 1 行被略过：内容为空\n"
    assert run("search", " ").stderr == "mnemo: 无法执行：缺少必需的参数：query\n"


def test_sentences_stay_english_elsewhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert (
        run("search", " ").stderr.splitlines(keepends=True)[-1]
        == "mnemo: That cannot be done: Missing required argument: query\n"
    )


def limited() -> list[tuple[str, str]]:
    """Return the commands that take a limit, each with what its help says is the default."""
    context = click.Context(main)
    found = []
    for name in COMMANDS:
        command = main.get_command(context, name)
        for option in command.params if command is not None else []:
            if option.name == "limit" and isinstance(option, click.Option):
                default = re.search(r"\((\w+)\)\.$", option.help or "")
                assert default is not None, f"the help of mnemo {name} does not say how many without --limit"
                found.append((name, default[1]))
    return found


@pytest.mark.parametrize(("name", "default"), limited())
def test_a_refused_limit_names_the_default_of_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, default: str
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    run("add", "berth one")
    needed = {"search": ["berth"], "probe": ["x"], "related": ["x"], "reason": ["x"], "history": ["1"]}
    done = run(name, *needed.get(name, []), "--limit", "0")
    assert (done.exit_code, done.stderr) == (
        2,
        f"mnemo: That cannot be done: limit must be 1 or more, not 0; leave it out for {default}\n",
    )


def test_the_defaults_are_as_many_as_the_help_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    run("add", "-", "--lines", stdin="".join(f"`berth` number {number}\n" for number in range(25)))
    counts = {
        name: len(run(*line).stdout.splitlines())
        for name, line in {"list": ["list"], "search": ["search", "berth"], "probe": ["probe", "berth"]}.items()
    }
    assert counts == {name: int(default) for name, default in limited() if name in counts}
