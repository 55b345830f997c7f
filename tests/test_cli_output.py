"""Tables on a terminal: they fit its width, also with Chinese, and mark what was asked for."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from mnemo.cli import cells, main, output
from mnemo.memory import Memory
from tests.commands import Run

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("plain", 5),
        ("深色主题", 8),
        ("ｗｉｄｅ", 8),
        ("cafe\u0301", 4),
        ("한글", 4),
        ("a\u200bb", 2),
        ("→", 1),
        ("", 0),
    ],
)
def test_cells_of_a_text(text: str, width: int) -> None:
    assert cells.cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("一二三四五", 4, ["一二", "三四", "五"]),
        ("混合 mixed 文字", 10, ["混合 mixed", "文字"]),
        ("unbreakable-and-long", 8, ["unbreaka", "ble-and-", "long"]),
        ("", 8, [""]),
    ],
)
def test_wrapping_counts_cells(text: str, width: int, lines: list[str]) -> None:
    assert cells.wrap(text, width) == lines


def test_what_does_not_fit_ends_in_an_ellipsis() -> None:
    assert cells.wrap("一二三四五六七八", 4, max_lines=2) == ["一二", "三…"]


def test_padding_counts_cells() -> None:
    assert (cells.pad("类别", 6), cells.pad("1", 3, right=True)) == ("类别  ", "  1")


def on_terminal(memory: Path, *arguments: str, width: int = 60, environment: Mapping[str, str] | None = None) -> str:
    """Run a command on a terminal of its own and return what it shows."""
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    chosen = {"LC_ALL": "C.UTF-8", "TERM": "xterm", "MNEMO_DB": str(memory)}
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "mnemo", *arguments],
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        env={**kept, **chosen, **(environment or {})},
    )
    os.close(secondary)
    shown = b""
    while True:
        try:
            part = os.read(primary, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(primary)
    process.wait(30)
    return shown.decode().replace("\r\n", "\n")


@pytest.fixture
def filled(path: Path) -> Path:
    memory = Memory(path)
    for content in (
        "站会改到九点四十五分，地点在三楼露台，雨天改在会议室，请提前十分钟到",
        "The terrace is on the third floor",
    ):
        memory.fact_store({"action": "add", "content": content})
    memory.close()
    return path


def test_a_table_fits_the_terminal(filled: Path) -> None:
    shown = COLOUR.sub("", on_terminal(filled, "list", width=44))
    lines = shown.splitlines()
    assert lines[0].split() == ["id", "trust", "category", "fact"]
    assert max(cells.cells(line) for line in lines) <= 44
    joined = "".join(line[21:].strip() for line in lines if line[:1].isspace() or line[:1] == "1")
    assert "地点在三楼露台，雨天改在会议室" in shown.replace("\n", "").replace(" ", ""), joined
    assert "2 of 2 facts" in shown


def test_the_words_of_the_query_are_marked(filled: Path) -> None:
    assert "三楼\x1b[33m\x1b[1m露台\x1b[0m" in on_terminal(filled, "search", "露台", width=200)
    assert "\x1b[1mterrace\x1b[0m" in on_terminal(filled, "search", "the terraces", width=200)


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_there_is_no_colour_where_it_is_not_wanted(filled: Path, variable: str, value: str) -> None:
    shown = on_terminal(filled, "search", "terrace", environment={variable: value})
    assert "terrace" in shown
    assert "\x1b" not in shown


def test_an_import_shows_a_bar_and_asks_for_no_fact_on_a_terminal(filled: Path, tmp_path: Path) -> None:
    source = tmp_path / "lines.txt"
    source.write_text("".join(f"berth {number}\n" for number in range(1500)))
    shown = on_terminal(filled, "import", str(source))
    assert "Importing" in shown
    assert "Read 1500 facts (lines): 1500 added" in shown
    assert "Give the fact as an argument" in on_terminal(filled, "add")


def test_names_of_fields_are_chinese_on_a_terminal_alone(filled: Path, run: Run, chinese: None) -> None:
    shown = on_terminal(filled, "show", "1", environment={"LC_ALL": "zh_CN.UTF-8", "NO_COLOR": "1"})
    assert re.match(r"编号 +1\n内容 +", shown)
    assert "\n编号\t" not in run("stats").stdout
    assert run("stats").stdout.startswith("total_facts\t")


def test_a_fact_is_shown_whole_on_a_terminal(filled: Path) -> None:
    shown = COLOUR.sub("", on_terminal(filled, "show", "1", width=40))
    assert "请提前十分钟到" in shown.replace("\n", "").replace(" ", "")
    assert max(cells.cells(line) for line in shown.splitlines()) <= 40
    wide = COLOUR.sub("", on_terminal(filled, "show", "1", width=100))
    assert re.search(r"^created_at +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)$", wide, re.MULTILINE)
    assert re.search(r"^last_retrieved_at *$", wide, re.MULTILINE)
    assert "time (UTC)" in on_terminal(filled, "history", "1", width=100)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands of this process believe in a terminal of 48 cells."""
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    monkeypatch.setattr(output, "terminal_width", lambda: 48)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.delenv("NO_COLOR", raising=False)


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(main, list(arguments), color=True, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_a_table_has_a_head_in_the_users_language(filled: Path, terminal: None) -> None:
    lines = COLOUR.sub("", shown("list", "--db", str(filled))).splitlines()
    assert lines[0].split() == ["编号", "信任度", "类别", "事实"]
    assert {cells.cells(line) <= 48 for line in lines} == {True}
    assert "   2    0.50  general  The terrace is on the" in lines


def test_marks_stand_where_the_words_are(filled: Path, terminal: None) -> None:
    marked = output.Marker("露台 floor", {"floor": ("deck",)})
    assert marked.mark("在露台上") == "在\x1b[33m\x1b[1m露台\x1b[0m上"
    assert marked.mark("two Floors, one terrace").startswith("two \x1b[33m\x1b[1mFloors\x1b[0m, one")
    assert marked.mark("one deck") == "one \x1b[33m\x1b[1mdeck\x1b[0m", "as a fact teaches"
    assert marked.mark("ﷺ ﷽") == "ﷺ ﷽", "what folding makes longer is left as it is"
    assert output.Marker("!!", {}).mark("floor") == "floor"
    assert "\x1b[1m" in shown("search", "terrace", "--db", str(filled))


def test_a_fact_is_shown_with_its_names_in_a_column(filled: Path, terminal: None) -> None:
    lines = COLOUR.sub("", shown("show", "2", "1", "--db", str(filled))).splitlines()
    assert lines[1:3] == ["内容             The terrace is on the third", "                 floor"]
    assert "" in lines, "a blank line between two facts"
    assert lines[lines.index("") + 2] == "内容             站会改到九点四十五分，地点在三"


def test_an_empty_table_is_not_drawn(path: Path, terminal: None) -> None:
    assert shown("list", "--db", str(path)) == ""


def test_a_narrow_terminal_still_gets_some_text(filled: Path, terminal: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "terminal_width", lambda: 10)
    assert "The terrace is on" in COLOUR.sub("", shown("list", "--db", str(filled)))


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "61")
    assert output.terminal_width() == 61


def test_a_single_wide_character_is_wider_than_the_room() -> None:
    assert cells.cut("一二", 1) == "一"
    assert cells.cut("ab", 5) == "ab"
