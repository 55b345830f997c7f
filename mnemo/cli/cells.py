"""Texts that fit a terminal: widths count cells, of which a Chinese character takes two."""

import unicodedata

from mnemo.language import late

# What a line may not be broken in: a word that is not Chinese, and what may neither begin nor end a line.
_WORD = late.pattern(r"[（“‘《「『【]*(?:[^\s\u2e80-\u9fff\uff00-\uffef“”‘’]+|\S)[，。、；：！？）”’》」』】…]*|\s")


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, width: int, max_lines: int = 0) -> list[str]:
    """Return text in lines of at most `width` cells, broken at spaces or between wide characters.

    With `max_lines` above 0, what does not fit is cut and ends in an ellipsis.
    """
    lines: list[str] = []
    line, filled = "", 0
    for word in _WORD.findall(text):
        size = cells(word)
        if filled + size > width and line:
            lines.append(line.rstrip())
            line, filled = "", 0
            if word.isspace():
                continue
        while size > width:
            head = cut(word, width)
            lines.append(head)
            word = word[len(head) :]
            size = cells(word)
        line, filled = line + word, filled + size
    if line.strip() or not lines:
        lines.append(line.rstrip())
    if max_lines and len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], cut(lines[max_lines - 1], width - 1) + "…"]
    return lines


def cut(text: str, width: int) -> str:
    """Return the start of a text that fits into `width` cells, at least one character."""
    filled = 0
    for position, character in enumerate(text):
        filled += _cells(character)
        if filled > width:
            return text[: max(position, 1)]
    return text


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return text filled up with spaces to `width` cells; `right` puts them in front."""
    space = " " * max(0, width - cells(text))
    return space + text if right else text + space
