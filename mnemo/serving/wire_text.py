"""The lines of a client as they come in, mended where the SDK would drop a whole request unanswered.

What cannot be mended gets an error (JSON-RPC 2.0, 5.1): whom it goes to is read here.

Spec: fact-store (Badly encoded text stands in nobody's way).
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any

BYTE_ORDER_MARK = "\ufeff"
_NOTIFICATIONS = "notifications/"
_LONGEST_ID = 18  # digits
_MEMBER = re.compile(r'\s*[{,]\s*(?=")')
_COLON, _END = re.compile(r"\s*:\s*"), re.compile(r"\s*[,}]")

# A pair of halves, one half alone, or any other escape: those are passed over, so that `\\ud800` stays what it is.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_MAY_HOLD_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def mended(line: str) -> str:
    """Return a line of JSON in which each escaped half of a surrogate pair, which is no character, is U+FFFD.

    A byte order mark in front, which some shells put there, is taken away.
    """
    line = line.removeprefix(BYTE_ORDER_MARK)
    if not _MAY_HOLD_HALF.search(line):
        return line
    return _ESCAPE.sub(lambda found: r"\ufffd" if found["half"] else found[0], line)


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is no message: whether it is JSON at all, and which requests in it wait for an answer.

    An id is None where none can be read. There are no ids where nobody waits: an answer is never answered.
    """

    is_json: bool
    ids: tuple[int | str | None, ...]


def unread(line: str) -> Unread | None:
    """Tell of a line that the SDK does not read what is in it; None where that is nothing."""
    if not line.strip():
        return None
    try:
        value = _DECODER.decode(line.strip())
    except (ValueError, RecursionError):
        is_json, items = False, [dict(_members(line))]
    else:
        is_json, items = _is_json(line), value if isinstance(value, list) else [value]
    asked = [item for item in items if not _is_answer(item)] if items else [None]
    known = tuple(dict.fromkeys(item["id"] for item in asked if isinstance(item, dict) and _is_id(item.get("id"))))
    return Unread(is_json, known or (None,) * bool(asked))


def is_notification(line: str) -> bool:
    """Tell whether a message that the SDK takes for a notification is one, not a request with an id that it drops.

    A notification whose id is null is one all the same: some clients write every member.
    """
    message = _DECODER.decode(line.strip())
    return "id" not in message or (message["id"] is None and message["method"].startswith(_NOTIFICATIONS))


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _LONGEST_ID else None  # Python reads none of thousands of digits


_DECODER = json.JSONDecoder(parse_int=_integer, strict=False)


def _is_json(line: str) -> bool:
    try:
        json.loads(line, parse_int=_integer)
    except ValueError:  # a raw control character in a text
        return False
    return True


def _members(line: str) -> Iterator[tuple[str, Any]]:
    """Yield the members of a JSON object up to where it cannot be read any further."""
    place = 0
    with suppress(ValueError, RecursionError):
        while start := _MEMBER.match(line, place):
            name, place = _DECODER.raw_decode(line, start.end())
            colon = _COLON.match(line, place)
            if colon is None:
                return
            value, place = _DECODER.raw_decode(line, colon.end())
            if _END.match(line, place) is None:  # a number may have gone on
                return
            yield name, value


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _is_answer(item: object) -> bool:
    return isinstance(item, dict) and "method" not in item and ("result" in item or "error" in item)


class WireText(TextIOWrapper):
    """The text of stdin, line by line; closing it leaves the bytes below open, which are not ours to close."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the next line, mended."""
        return mended(super().readline(-1 if size is None else size))

    def close(self) -> None:
        """Let go of the bytes below."""
        with suppress(ValueError):  # let go of already
            self.detach()
