"""Figures in running text, in both languages: what counts, measures or dates, however it is written.

"9:30", "09:30" and 九点半 are one figure, and so are "10,000" and "10000", "three" and 三个 and "3".
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mnemo.language.dates import take_dates

_DIGIT = re.compile(r"\d")
FIGURE = re.compile(r"\d+(?:[.:/\-]\d+)*")


def _words(lines: str) -> list[str]:
    return lines.split()


_WORDS = _words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""")
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_VALUES = {word: value for value, word in enumerate(_WORDS)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, start=2)
}
_WORD = re.compile(
    rf"\b(?=[efnostz])(?:(?P<tens>{'|'.join(_TENS)})[ -](?P<ones>{'|'.join(_WORDS[1:10])})"
    rf"|(?<!no )(?P<word>{'|'.join(_VALUES)}))\b(?! of\b| another\b)"
)
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
_NUMERALS = f"{''.join(_DIGITS)}{''.join(_PLACES)}"
# What a numeral counts, so that it is one and no part of a word such as 一些.
_MEASURES = "个名人位台次遍轮层楼秒分钟时小点天周月日年倍页章条项份件只张块元美欧字行列号版套组种类级步环节度%"
_NUMERAL = re.compile(
    f"(?<!\\d)[{_NUMERALS}]{{1,9}}(?=[{_MEASURES}])|(?<=第)[{_NUMERALS}]{{1,9}}|(?<=百分之)[{_NUMERALS}]{{1,9}}"
)
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_NOUGHTS = re.compile(r"(?<![\d.])(\d+)\.0+(?![\d.])")
_MYRIADS = re.compile(r"(?<![\d.])(\d{1,9}(?:\.\d{1,9})?) ?万")
_CHINESE_TIME = re.compile(
    r"(?P<half_day>下午|晚上|傍晚)? ?(?<!\d)(?P<hour>\d{1,2}) ?[点时](?!间)"
    r"(?:(?P<half>半)|(?P<minute>\d{1,2})分?|钟|整)?"
)
_CLOCK = re.compile(r"(?<![\d:./-])(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?![\d:])(?: ?(?P<half_day>[ap]\.?m\b\.?))?")
_HOUR = re.compile(r"(?<![\d:./-])(?P<hour>\d{1,2}) ?(?P<minute>)(?P<half_day>[ap]\.?m\b\.?)")
_HALF, _NOON = 30, 12  # minutes of half an hour, hours of half a day
_AFTERNOON = "下晚傍p"


class Figures(NamedTuple):
    """What a text states in figures: the text with each written one way and without dates, figures, days of dates."""

    rest: str
    figures: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()

    def differ_from(self, other: "Figures") -> bool:
        """Tell whether each has a figure that the other has not, neither being the more exact one of the other."""
        only, others = self.figures - other.figures, other.figures - self.figures
        return bool(only and others and _not_in(only, others) and _not_in(others, only))


def holds_digit(content: str) -> bool:
    """Tell whether a text holds a digit."""
    return _DIGIT.search(content) is not None


def in_digits(content: str) -> str:
    """Return a normalised text with its number words and Chinese numerals written in digits."""
    if not content.isascii():
        content = _NUMERAL.sub(_of_numerals, content)
    return _WORD.sub(_of_words, content)


@lru_cache(maxsize=16_384)
def read(content: str) -> Figures:
    """Return what a normalised text states in figures."""
    rest, dates = take_dates(content, with_parts=False)
    rest = _one_way(in_digits(rest))
    days = frozenset(date for date in dates if "-" in date or "月" in date)
    return Figures(rest, frozenset(FIGURE.findall(rest)).union(dates), days)


def _not_in(figures: frozenset[str], others: frozenset[str]) -> list[str]:
    """Return the figures that are neither a more nor a less exact form of one of the others: 1.29 and 1.29.3 are."""
    return [figure for figure in figures if not any(_is_part(figure, one) or _is_part(one, figure) for one in others)]


def _is_part(version: str, longer: str) -> bool:
    return "." in version and longer.startswith(f"{version}.")


def _one_way(text: str) -> str:
    if not text.isascii():
        text = _MYRIADS.sub(lambda number: f"{float(number[1]) * _PLACES['万']:.0f}", text)
        text = _CHINESE_TIME.sub(_of_time, text)
    if "," in text:
        text = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), text)
    if ".0" in text:
        text = _NOUGHTS.sub(r"\1", text)
    return _HOUR.sub(_of_time, _CLOCK.sub(_of_time, text))


def _of_words(number: re.Match[str]) -> str:
    return str(_VALUES[number["word"]] if number["word"] else _VALUES[number["tens"]] + _VALUES[number["ones"]])


def _of_numerals(numerals: re.Match[str]) -> str:
    if _PLACES.keys().isdisjoint(numerals[0]):
        return "".join(str(_DIGITS[digit]) for digit in numerals[0])
    total = below = 0
    digit: int | None = None
    for character in numerals[0]:
        place = _PLACES.get(character)
        if place is None:
            digit = _DIGITS[character]
        elif place == _PLACES["万"]:
            total, below, digit = total + (below + (digit or 0) or 1) * place, 0, None
        else:
            below, digit = below + (1 if digit is None else digit) * place, None
    return str(total + below + (digit or 0))


def _of_time(time: re.Match[str]) -> str:
    """Return a time of day as hours of twenty-four, with its minutes if it has some."""
    found = time.groupdict()
    minute = int(found["minute"] or 0) or (_HALF if found.get("half") else 0)
    hour, half_day = int(found["hour"]), found["half_day"] or ""
    if half_day and half_day[0] in _AFTERNOON and hour < _NOON:
        hour += _NOON
    elif half_day.startswith("a") and hour == _NOON:
        hour = 0
    return f"{hour}:{minute:02}" if minute else str(hour)
