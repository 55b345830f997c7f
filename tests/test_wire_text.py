"""Lines from clients that escape half a character: mended, so that the request is read; all others as they came."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.serving.wire_text import WireText, mended


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (r'{"a":"\ud800"}', r'{"a":"\ufffd"}'),
        (r'"\uDC00 and \uD83D\uDE42"', r'"\ufffd and \uD83D\uDE42"'),
        (r'"\ude42\ud83d"', r'"\ufffd\ufffd"'),
        (r'"\\ud800"', r'"\\ud800"'),
        (r'"\\\ud800"', r'"\\\ufffd"'),
        ('"深色 \\n 🙂"', '"深色 \\n 🙂"'),
        ("no JSON \\ud8", "no JSON \\ud8"),
    ],
)
def test_halves_are_replaced(line: str, expected: str) -> None:
    assert mended(line) == expected


@given(st.recursive(st.text(st.characters(exclude_categories=())), lambda inner: st.lists(inner, max_size=4)))
def test_any_json_becomes_readable(value: object) -> None:
    read = json.loads(mended(json.dumps(value)))
    json.dumps(read, ensure_ascii=False).encode("utf-8")


@given(st.text())
def test_whole_text_stays(text: str) -> None:
    assert mended(json.dumps(text)) == json.dumps(text)
    assert mended(text) == text or "\\u" in text


def test_lines_come_one_by_one_and_the_bytes_stay_open() -> None:
    below = BytesIO(b'"\\ud800"\n"two"\n')
    text = WireText(below, encoding="utf-8")
    assert [text.readline(), text.readline(), text.readline()] == ['"\\ufffd"\n', '"two"\n', ""]
    text.close()
    text.close()
    assert not below.closed
