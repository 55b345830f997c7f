"""The demo plays the main job with a real server, and its exit status is the truth."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mnemo.cli import demo
from mnemo.cli.cells import cells


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the demo keep its temporary memory where the test can see what is left of it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_demo_shows_the_product_in_one_screen_and_leaves_nothing(
    folder: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.run() == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "BAD" not in out
    assert out.rstrip().endswith("Every answer was right. Next: `mnemo init` connects your assistant.")
    assert out.count("mnemo: learned at start-up: ") == 2
    assert len(re.findall(r"^  ok ", out, re.MULTILINE)) >= 5
    assert len(out.splitlines()) <= 50
    assert list(folder.iterdir()) == []
    assert list(home.iterdir()) == []


def test_demo_speaks_chinese_where_the_locale_does(chinese: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.run() == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line and "->" not in line and "mnemo:" not in line]
    assert told[0] == "会话 1：一份新的记忆"
    assert told[-1] == "所有回答都正确。下一步：用 `mnemo init` 连接你的助手。"
    assert [line for line in told if line.isascii()] == []


def test_demo_fails_where_an_answer_is_not_as_it_should_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def save_one_fact_twice(self: demo.Demo) -> None:
        self._data["facts"] = self._data["facts"][:1] * 2
        async with self._session() as (session, _):
            await self._save(session)

    monkeypatch.setattr(demo.Demo, "run", save_one_fact_twice)
    assert demo.run() == 1
    out, err = capsys.readouterr()
    assert "Every answer was right" not in out
    assert err.startswith("\nNot as it should be:\n  saving ")
    assert '"status": "duplicate"' in err
    assert "a warning for the one long fact without a summary: 0" in err


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x" * 96, "x" * 96),
        ("x" * 97, "x" * 95 + "…"),
        ("鲸" * 48, "鲸" * 48),
        ("鲸" * 49, "鲸" * 47 + "…"),
        ("", ""),
    ],
)
def test_line_is_cut_to_the_width_of_a_screen(line: str, expected: str) -> None:
    assert demo.shorten(line) == expected


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX systems")
def test_demo_ends_quietly_when_nobody_reads_on(folder: Path, home: Path) -> None:
    command = [sys.executable, "-m", "mnemo", "demo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.stderr.read(), process.wait(30)) == (b"", 0)


def test_lines_fit_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("mnemo.cli.output.on_terminal", lambda: True)
    monkeypatch.setattr("mnemo.cli.output.terminal_width", lambda: 30)
    demo.say("\n  saved 28 facts in Chinese and English; 1 said twice was recognised")
    demo.say(demo.shorten("  ok  " + "鲸" * 49))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["", "  saved 28 facts in Chinese", "  and English; 1 said twice"]
    assert lines[-1] == "  ok  " + "鲸" * 11 + "…"
    assert [line for line in lines if cells(line) > 30] == []
