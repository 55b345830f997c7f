"""Bytes of a file as text: its encoding, and what of it cannot be read, so that no fact comes in with other signs."""

import codecs
import re
from collections.abc import Iterator

from mnemo.importers.records import Item

UNREADABLE = "\ufdef"  # stands for what cannot be read: Unicode promises that no text holds this character
_HANDLER = "mnemo.unreadable"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_GB_PAIR: re.Pattern[bytes] = re.compile(rb"[\x81-\xfe]([\x40-\xfe])")


def _mark(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return UNREADABLE, error.end


codecs.register_error(_HANDLER, _mark)


def is_utf_16(data: bytes) -> bool:
    """Tell whether a file says that it is UTF-16, and may hold any bytes."""
    return data.startswith(_UTF_16)


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 or GB 18030, with `UNREADABLE` for bytes that are none.

    Chinese programs of Windows write GB 18030, and few bytes are none of it: a file that is UTF-8 in most places stays
    UTF-8, with its errors.
    """
    if is_utf_16(data):
        return data.decode("utf-16", _HANDLER)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", _HANDLER)
    errors = text.count(UNREADABLE)
    is_mostly_utf_8 = sum(1 for _ in _NOT_ASCII.finditer(text)) > 2 * errors
    if is_mostly_utf_8 or data.startswith(codecs.BOM_UTF8) or not _may_be_gb_18030(data):
        return text
    chinese = data.decode("gb18030", _HANDLER)
    return chinese if chinese.count(UNREADABLE) < errors else text


def _may_be_gb_18030(data: bytes) -> bool:
    """Tell a text in Chinese from one in a Western encoding, where a letter of ASCII follows most of the others."""
    seconds: list[bytes] = _GB_PAIR.findall(data)
    return sum(second < b"\x80" for second in seconds) * 2 <= len(seconds)


def without_unreadable(found: Iterator[Item]) -> Iterator[Item]:
    """Yield the items of a text, an error for each fact of which a part could not be read."""
    for item in found:
        said = (item.error,) if item.fact is None else item.fact
        if not any(isinstance(value, str) and UNREADABLE in value for value in said):
            yield item
        elif item.error is not None:
            yield Item(item.line, error=item.error.replace(UNREADABLE, "\ufffd"))
        else:
            yield Item(item.line, error="it holds bytes that are no UTF-8; mend it, or save the file as UTF-8")
