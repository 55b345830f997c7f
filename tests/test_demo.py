"""The demo plays the main job with a real server, and its exit status is the truth."""

import re
import tempfile
from pathlib import Path

import pytest

from mnemo.cli import demo


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
        ("x" * 97, "x" * 96 + "…"),
        ("鲸" * 48, "鲸" * 48),
        ("鲸" * 49, "鲸" * 48 + "…"),
        ("", ""),
    ],
)
def test_line_is_cut_to_the_width_of_a_screen(line: str, expected: str) -> None:
    assert demo.shorten(line) == expected
