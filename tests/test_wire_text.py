"""Lines from clients: mended where a request can be read then, and where it cannot, whom the error goes to."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.serving.wire_text import Unread, WireText, is_notification, mended, unread


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
        ('\ufeff{"id":1}', '{"id":1}'),
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


ASKED = '"jsonrpc":"2.0","id":7,"method":"ping"'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", None),
        (" \r\n", None),
        ("tea\n", Unread(is_json=False, ids=(None,))),
        ("7", Unread(is_json=True, ids=(None,))),
        ("[]", Unread(is_json=True, ids=(None,))),
        ("{}", Unread(is_json=True, ids=(None,))),
        (f"{{{ASKED},}}\n", Unread(is_json=False, ids=(7,))),
        (f'{{{ASKED},"params":{{"a":"\t"}}}}', Unread(is_json=False, ids=(7,))),
        (f'{{{ASKED},"params":{{"a":{"1" * 4301}}}}}', Unread(is_json=True, ids=(7,))),
        (f'{{{ASKED},"params":{{"a":{"[" * 200}{"]" * 200}}}}}', Unread(is_json=True, ids=(7,))),
        (f'{{{ASKED},"params":{{"a":{"[" * 200_000}', Unread(is_json=False, ids=(7,))),
        ('{"method":"ping","params":{"id":7},"id":', Unread(is_json=False, ids=(None,))),
        ('{"method":"ping","id":7', Unread(is_json=False, ids=(None,))),  # or 77
        ('{"method":"ping","id"', Unread(is_json=False, ids=(None,))),
        (f'[{{{ASKED}}},{{"id":"a","method":"ping"}},{{"method":"x"}}]', Unread(is_json=True, ids=(7, "a"))),
        ('{"id":true,"method":5}', Unread(is_json=True, ids=(None,))),
        ('{"id":7,"result":[]}', Unread(is_json=True, ids=())),
        ('[{"id":7,"error":{}}]', Unread(is_json=True, ids=())),
    ],
)
def test_who_asked_is_read_from_a_line_that_is_no_message(line: str, expected: Unread | None) -> None:
    assert unread(line) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ('"method":"ping"', True),
        ('"method":"notifications/initialized","id":null', True),
        ('"method":"ping","id":null', False),
        ('"method":"ping","id":1.5', False),
        ('"method":"notifications/initialized","id":{}', False),
        ('"method":"ping","\\u0069d":true', False),
        ('"method":"ping","params":{"id":1}', True),
    ],
)
def test_a_request_with_an_unknown_kind_of_id_is_no_notification(members: str, expected: bool) -> None:
    assert is_notification(f'{{"jsonrpc":"2.0",{members}}}') is expected


@given(st.text() | st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)).map(json.dumps))
def test_any_line_can_be_told_of(line: str) -> None:
    found = unread(line)
    assert found is not None or not line.strip()
