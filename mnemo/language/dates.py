"""Dates and ordinals in running text, in both languages, as terms that do not depend on the writing."""

import re

from mnemo.language import late

_MONTH_NAMES: tuple[str, ...] = ("january", "february", "march", "april", "may", "june", "july", "august", "september")
_MONTH_NAMES += ("october", "november", "december")
_MONTHS = {name[:length]: number for number, name in enumerate(_MONTH_NAMES, 1) for length in (3, len(name))}
_MONTHS["sept"] = 9

# Other words too: months behind a preposition, with a capital ("May" within a sentence), or where nothing else is said.
_OTHER_WORDS = ("march", "mar", "may")
_PREPOSITIONS = ("in", "by", "of", "each", "every", "until", "since", "from", "before", "after")
_AS_MONTH = "|".join([r"\b(?-i:(?=Mar))|(?<=\w )(?-i:(?=May))", *(rf"(?<=\b{word} )" for word in _PREPOSITIONS)])
_NAME_ALONE = "|".join(sorted(_MONTHS.keys() - _OTHER_WORDS, key=len, reverse=True))
_NAME = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_NUMERAL = r"(?:\d{1,2}|[〇零一二三四五六七八九十]{1,3})"
_YEAR = r"(?:19|20)\d\d"
_TH = "(?:st|nd|rd|th)"
_NOT_GLUED = r"(?<![.a-z\d])"

_DATE = late.pattern(
    r"(?=[\d第〇零一二三四五六七八九十]|\b[jfmasond])(?:"  # no date starts with anything else: nothing is tried there
    rf"(?<![\d.-])(?P<year1>{_YEAR})(?P<separator>[-/.])(?P<month1>\d{{1,2}})(?P=separator)(?P<day1>\d{{1,2}})(?!\d)"
    rf"|(?<![\d.-])(?P<year0>{_YEAR})(?P<month0>0[1-9]|1[0-2])(?P<day0>0[1-9]|[12]\d|3[01])(?!\.?\d)"
    rf"|(?<![\d./-])(?P<dayA>\d{{1,2}})\.(?P<monthA>\d{{1,2}})\.(?P<yearA>{_YEAR})(?!\.?\d)"
    rf"|(?<![\d./-])(?P<firstB>\d{{1,2}})/(?P<secondB>\d{{1,2}})/(?P<yearB>{_YEAR})(?![\d/])"
    rf"|(?<![\d./-])(?P<yearC>{_YEAR})[-/](?P<monthC>0?[1-9]|1[0-2])(?![\d/.-])"
    r"|(?<![\d-])(?P<month2>\d\d)-(?P<day2>\d\d)(?![\d-])"
    rf"|(?:(?P<year3>{_YEAR}) ?年 ?)?{_NOT_GLUED}(?P<month3>{_NUMERAL}) ?月"
    rf"(?:份|(?: ?(?P<day3>{_NUMERAL}) ?[日号])?)"
    rf"|{_NOT_GLUED}第? ?(?P<ordinal4>{_NUMERAL}) ?[日号]"
    rf"|\b(?P<month5>{_NAME}) ?(?:the )?(?P<day5>\d{{1,2}}){_TH}?\b(?:,? ?(?P<year5>{_YEAR}))?"
    rf"|\b(?P<day6>\d{{1,2}}){_TH}? ?(?:of )?(?P<month6>{_NAME})\b(?:,? ?(?P<year6>{_YEAR}))?"
    rf"|\b(?P<month7>{_NAME}),? ?(?P<year7>{_YEAR})\b"
    rf"|\b(?P<month9>{_NAME_ALONE})\b|(?:{_AS_MONTH}|(?<![\s\S])(?=\w+[\s?.!]*\Z))(?P<monthD>{'|'.join(_OTHER_WORDS)})\b"
    rf"|\b(?P<ordinal8>\d{{1,2}}){_TH}\b)",
    re.IGNORECASE,
)
_IN_NUMBERS = re.compile(r"\d(?:[-/.]\d|st|nd|rd|th|\d{7})", re.IGNORECASE)
_WEEKDAY = re.compile("(?<![个几两])(?:星期|礼拜)([一二三四五六日天])(?!共)")  # 三个星期一共 counts weeks
_SHORT_NAMES = tuple(name[:3] for name in _MONTH_NAMES)
_NAMED = late.pattern(rf"\b(?=[jfmasond]){_NAME}(?![^\W\d])")
# Other words as well, unless a time or another day stands beside them.
_SHORT_WEEKEND = late.pattern(r"(?:(?<=[-–/])|\b(?=S..(?:,? ?\d|[-–/])))(?:Sat(?!\w)|Sun(?!\w))")
_CHINESE_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0}


def _number(numeral: str) -> int:
    if numeral.isdigit():
        return int(numeral)
    tens, ten, units = numeral.partition("十")
    if not ten:
        return int("".join(str(_CHINESE_DIGITS[digit]) for digit in numeral))
    return _CHINESE_DIGITS.get(tens, 1) * 10 + _CHINESE_DIGITS.get(units, 0)


def _terms(match: re.Match[str], with_parts: bool) -> list[str]:
    found = {name[:-1]: value for name, value in match.groupdict().items() if value}
    if "ordinal" in found:
        return [f"{_number(found['ordinal'])}号"]
    year = [found["year"]] if "year" in found else []
    if "first" in found:  # 5/2/2026: the day or the month may come first
        numbers = int(found["first"]), int(found["second"])
        days = dict.fromkeys(term for order in (numbers, numbers[::-1]) for term in _day_terms(*order, with_parts))
        return [*days, *year] if days else []
    month = _MONTHS.get(found["month"].rstrip(".").lower()) or _number(found["month"])
    day = _number(found["day"]) if "day" in found else 0
    if not 1 <= month <= 12:
        return []
    terms = _day_terms(month, day, with_parts) if "day" in found else [f"{month}月"]
    return [*terms, *year] if terms else []


def _day_terms(month: int, day: int, with_parts: bool) -> list[str]:
    """Return the terms of a day, none if the calendar has no such day."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return []
    return [f"{month:02}-{day:02}", *([f"{month}月", f"{day}号"] if with_parts else [])]


def _may_hold_dates(text: str) -> bool:
    if "月" in text or "号" in text or "日" in text or _IN_NUMBERS.search(text):
        return True
    low = text.lower()
    return any(name in low for name in _SHORT_NAMES) and _NAMED.search(low) is not None


def fold_weekdays(text: str) -> str:
    """Return a text in which 星期五 and 礼拜五 are written as 周五, and "Sat" and "Sun" in full where they are days."""
    if "Sat" in text or "Sun" in text:
        text = _SHORT_WEEKEND.sub(lambda match: "Saturday" if match[0] == "Sat" else "Sunday", text)
    if "星期" not in text and "礼拜" not in text:
        return text
    return _WEEKDAY.sub(lambda match: "周" + ("日" if match[1] == "天" else match[1]), text)


def take_dates(text: str, with_parts: bool) -> tuple[str, list[str]]:
    """Return the text without its dates and ordinals, and the terms that stand for them.

    A day is `05-02` (month first), a month `5月`, an ordinal or a day without a month `2号`, a year its
    digits. `with_parts` gives the month and the day of a date too. The text's width has to be folded already.
    """
    found: list[str] = []
    if not _may_hold_dates(text):
        return text, found

    def take(match: re.Match[str]) -> str:
        terms = _terms(match, with_parts)
        found.extend(terms)
        return " " if terms else match[0]

    return _DATE.sub(take, text), found
