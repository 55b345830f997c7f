"""Wrong use, help and questions speak Chinese to a Chinese user, whoever words them: click, the system, a parser."""

import ast
import errno
import io
import os
import re
import string
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mnemo.cli import COMMANDS, main
from mnemo.cli.cells import cells
from mnemo.cli.chinese.usage import CLICK, SETTINGS, SYSTEM
from mnemo.cli.messages import translated
from mnemo.cli.usage import confirm
from mnemo.clients import catalogue
from tests.commands import Run, invoke
from tests.test_cli_messages import places

pytestmark = pytest.mark.usefixtures("chinese")

CLICKS = Path(click.__file__).parent
CLIENTS = Path(__file__).parents[1] / "mnemo" / "clients"
# What click says to programmers, or of things that no command has: passwords, dates, UUIDs, groups of options.
UNUSED = re.compile(
    r"(?i)deprecat|boolean|defined twice|determine name|datetime|format|UUID|prompt|repeat|entered values|colou?r|"
    r"stream|nargs|Choice\(|iterable|press any|unknown error|could not open|executable|windows|start character|version|"
    r"dynamic|env var|default|continue\?|without prompting|parameter|param_type|hidden|positional|invalid input|shell|"
    r"arguments\.|values|mutually|required|missing command|\(s\)"
)
OURS = {"Error: {message}", "Try '{command} {option}' for help.", "Aborted!", "Options", "Commands", "Usage:", "d"}
OURS |= {"Show the version and exit.", "Show this message and exit.", "Missing argument", "Missing option"}
PATHS = {"file", "directory", "path"}
HAN = re.compile(r"[一-鿿]")
ENGLISH = re.compile(r"[A-Za-z]{2,}(?: [A-Za-z]{2,}){2,}")  # three words in a row


def clicks() -> Iterator[str]:
    """Yield what this version of click can say, as its own catalogue has it."""
    for name in ("core", "exceptions", "parser", "types", "termui", "formatting", "decorators", "_termui_impl"):
        for node in ast.walk(ast.parse((CLICKS / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
                yield from (
                    one.value for one in node.args if isinstance(one, ast.Constant) if isinstance(one.value, str)
                )


def filled(sentence: str) -> str:
    """Return a sentence with 7 for each value."""
    return "".join(text + ("7" if name is not None else "") for text, name, _, _ in string.Formatter().parse(sentence))


def without_values(text: str) -> str:
    """Return a text without what the user typed, the names of options and the choices of a value."""
    return re.sub(r"'[^']*'|\{[^}]*\}|\([^)]*\)|（[^）]*）", "", text)


def test_all_that_click_says_has_its_chinese() -> None:
    said = {one for one in clicks() if not UNUSED.search(one)} - OURS - PATHS
    assert len(said) > 15, "click's sentences are gathered"
    numbers = ("integer", "integer range", "float", "float range")
    said = {one.replace("{number_type}", number) for one in said for number in numbers}
    whole = {one if "?" not in one else f"7 {one}" for one in map(filled, said)}  # a question follows a sentence
    assert [one for one in sorted(whole) if not HAN.search(translated(one))] == [], "chinese/usage.py lacks these"


WRONG = {
    "an option that is not there": (["list", "--tea"], "mnemo: 没有选项 '--tea'"),
    "an option spelt nearly right": (["list", "--lim"], "mnemo: 没有选项 '--lim'。是不是想用 '--limit'？"),
    "an option before the command": (["--tea", "list"], "mnemo: 没有选项 '--tea'"),
    "a command that is not there": (["xyzzy"], "mnemo: 没有命令 'xyzzy'。"),
    "a command spelt nearly right": (["lits"], "mnemo: 没有命令 'lits'。是不是想用 'list'？"),
    "an argument that is missing": (["show"], "mnemo: 缺少参数 'ID...'。"),
    "a choice that is missing": (
        ["feedback"],
        "mnemo: 缺少参数 '{helpful|unhelpful}'。请从中选择：\n\thelpful,\n\tunhelpful",
    ),
    "an argument too many": (["stats", "a"], "mnemo: 多出了参数（a）"),
    "arguments too many": (["stats", "a", "b"], "mnemo: 多出了参数（a b）"),
    "a value that is missing": (["list", "--limit"], "mnemo: 选项 '--limit' 需要一个值。"),
    "a value that is not taken": (["list", "--superseded=1"], "mnemo: 选项 '--superseded' 不接受值。"),
    "no integer": (["list", "--limit", "x"], "mnemo: '-n' / '--limit' 的值无效：'x' 不是整数。"),
    "no integer in a range": (["backup", "--keep", "x"], "mnemo: '--keep' 的值无效：'x' 不是整数。"),
    "no number": (["list", "--min-trust", "x"], "mnemo: '--min-trust' 的值无效：'x' 不是数字。"),
    "a number outside of a range": (["backup", "--keep", "0"], "mnemo: '--keep' 的值无效：0 不在 x>=1 的范围内。"),
    "a value outside of a choice": (
        ["undo", "x"],
        "mnemo: '[change|learn|import]' 的值无效：'x' 不是以下之一：'change', 'learn', 'import'。",
    ),
    "a folder for a file": (["export", "."], "mnemo: '[FILE]' 的值无效：'.' 是目录。"),
    "nothing to add": (["add", "x", "--file", "y"], "mnemo: 请用参数或文件给出事实，不要同时使用。"),
}


@pytest.mark.parametrize("kind", sorted(WRONG))
def test_wrong_use_is_explained_in_chinese(run: Run, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    line, expected = WRONG[kind]
    done = run(*line)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.rstrip("\n").endswith(expected) or expected in done.stderr
    assert not ENGLISH.search(without_values(done.stderr))
    assert "Usage" not in done.stderr
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    english = run(*line)
    assert english.exit_code == 2, "the status does not depend on the language"
    assert not HAN.search(english.stderr)


def test_wrong_use_shows_how_a_command_is_used(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("show").stderr == (
        "用法：mnemo show [选项] ID...\n用 'mnemo show --help' 查看帮助。\n\nmnemo: 缺少参数 'ID...'。\n"
    )
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert run("show").stderr == (
        "Usage: mnemo show [OPTIONS] ID...\nTry 'mnemo show --help' for help.\n\nmnemo: Missing argument 'ID...'.\n"
    )


def test_recall_explains_wrong_use_and_lets_the_host_go_on(run: Run) -> None:
    done = run("recall", "--budget", "7")
    assert (done.exit_code, done.stderr) == (0, "mnemo: '--budget' 的值无效：7 不在 x>=400 的范围内。\n")


@pytest.mark.parametrize("width", [60, 100])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_chinese_and_fits(name: str, width: int) -> None:
    line = [*([name] if name else []), "--help"]
    shown = CliRunner().invoke(main, line, prog_name="mnemo", terminal_width=width, max_content_width=width)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"用法：mnemo {name}".rstrip())
    assert "\n选项：\n" in shown.stdout
    body = shown.stdout.split("\n\n", 1)[1]
    assert not ENGLISH.search(re.sub(r"`[^`]*`|--[\w-]+ [A-Z ]+", "", body))
    lines = [line for line in body.splitlines() if "|" not in line]  # choices are not broken
    assert [line for line in lines if cells(line) > width] == []
    assert [line for line in lines if line.strip()[:1] in tuple("，。；：）")] == [], "none of these begins a line"
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_system_error_is_named_in_chinese() -> None:
    numbers = [errno.EACCES, errno.EPERM, errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOSPC]
    numbers += [errno.EROFS, errno.EIO, errno.EMFILE, errno.ELOOP, errno.ENAMETOOLONG]
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert [os.strerror(number) for number in numbers if os.strerror(number) not in SYSTEM] == []
    assert translated("/a/b cannot be read: Permission denied.") == "无法读取 /a/b：权限不足。"


def test_a_file_that_cannot_be_read_is_explained(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "none.txt"
    assert run("add", "--file", str(missing)).stderr == f"mnemo: 无法读取 {missing}：没有这个文件或目录\n"
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    assert run("add", "--file", str(binary)).stderr == f"mnemo: 无法读取 {binary}：不是 UTF-8 文本\n"


def settings_problems() -> set[str]:
    """Return what the readers of settings files and the check of a command can say, with 7 for each value."""
    from tests.test_cli_sentences import constants_of, texts

    found = set()
    for path in CLIENTS.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        constants = constants_of(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Return) and path.stem == "commands" and isinstance(node.value, ast.expr):
                found |= {one for one in texts(node.value, constants) if " " in one}
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            wanted = {
                "JsonError": node.args[:1],
                "TomlError": node.args[:1],
                "fail": node.args[1:],
                "Plan": node.args[5:],
                "OSError": node.args,
            }
            for argument in wanted.get(name, []):
                found |= set(texts(argument, constants))
    return found - {"7"}


def test_every_problem_of_a_settings_file_has_its_chinese() -> None:
    assert len(settings_problems()) > 15
    lacking = [one for one in sorted(settings_problems()) if not HAN.search(translated(one))]
    assert lacking == []


@pytest.mark.parametrize("english", sorted({**CLICK, **SYSTEM, **SETTINGS}))
def test_a_translation_names_no_other_places(english: str) -> None:
    chinese = {**CLICK, **SYSTEM, **SETTINGS}[english]
    assert places(chinese) <= places(english)
    assert places(english) - places(chinese) <= {"name", "problem", "number"}, "what says nothing to a person"


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "cursor": ('{"mcpServers": [}', "第 1 行：缺少值"),
    "codex": ("[mcp_servers\nx = 1\n", "第 1 行第 13 列不是 TOML 写法"),
    "gemini": ('{"a": 1', "第 1 行：缺少逗号或 }"),
    "zed": ("[1, 2]", "整个文件不是对象"),
    "windsurf": (b"\xff\xfe\x00", "不是 UTF-8 文本"),
}


@pytest.mark.parametrize("key", sorted(BROKEN))
def test_init_says_in_chinese_what_is_wrong_with_a_file(run: Run, key: str) -> None:
    content, expected = BROKEN[key]
    client = catalogue.BY_KEY[key]
    path = client.user_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    written = content.encode() if isinstance(content, str) else content
    path.write_bytes(written)
    done = run("init", key)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"{client.name}：没有改动 {path}：{expected}\n"
    assert path.read_bytes() == written


@pytest.mark.parametrize(
    ("typed", "default", "expected"),
    [
        *[
            ("y\n", False, True),
            ("是\n", False, True),
            ("ｙ\n", False, True),
            ("n\n", True, False),
            ("否\n", True, False),
        ],
        *[("\n", True, True), ("\n", False, False), ("maybe\nyes\n", False, True)],
    ],
)
def test_a_question_is_answered_in_either_language(typed: str, default: bool, expected: bool) -> None:
    answers: list[bool] = []
    asking = click.Command("ask", callback=lambda: answers.append(confirm("继续？", default=default)))
    asked = CliRunner().invoke(asking, input=typed)
    assert answers == [expected]
    assert asked.stderr.count("请回答 y（是）或 n（否）。") == typed.startswith("maybe")
    assert asked.stdout == "", "what is asked goes to the terminal, not into a pipe"


def test_a_question_that_nobody_answers_ends_the_command(run: Run) -> None:
    run("add", "berth six")
    done = run("purge", "1", stdin="")
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (1, "已中止！")
    assert run("show", "1").exit_code == 0


@pytest.mark.parametrize("stops", ["question", "start"])
def test_ctrl_c_ends_a_command_with_130_wherever_it_comes(
    run: Run, monkeypatch: pytest.MonkeyPatch, stops: str
) -> None:
    class Keyboard(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    run("add", "berth six")
    with monkeypatch.context() as patch:
        if stops == "start":
            patch.setattr("mnemo.cli.LazyGroup.get_command", pressed)
        done = CliRunner().invoke(main, ["purge", "1"], input=Keyboard())
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (130, "已中止！")
    assert run("show", "1").exit_code == 0


def test_ranges_of_options_are_told_in_chinese() -> None:
    assert "最多输出多少个字符（2000）。 [不小于 400]" in " ".join(invoke("recall", "--help").stdout.split())
    shown = " ".join(invoke("conformance", "--help").stdout.split())
    assert "[1 到 64]" in shown
    assert "RANGE" not in shown


def test_only_a_search_has_a_least_trust_of_its_own() -> None:
    assert "0 到 1（默认 0.3）。" in " ".join(invoke("search", "--help").stdout.split())
    assert "0.3" not in invoke("list", "--help").stdout


@pytest.mark.parametrize("language", ["C.UTF-8", "zh_CN.UTF-8"])
def test_where_an_option_named_the_memory_the_advice_is_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    for arguments in (["add", "The berth is free"], ["doctor"]):
        done = invoke(*arguments, "--db", str(tmp_path))
        assert "--db" in done.stdout + done.stderr
        assert "MNEMO_DB" not in done.stdout + done.stderr
        monkeypatch.setenv("MNEMO_DB", str(tmp_path))
        done = invoke(*arguments)
        assert "MNEMO_DB" in done.stdout + done.stderr
        monkeypatch.delenv("MNEMO_DB")
