"""The bracket language of the scenarios, `[900 characters about whale]`, and how values are compared.

A value in brackets stands for a text that would be too long to read, for a time, or for what only the
run knows. Everything else in a step is meant as it stands.
"""

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from mnemo.conformance import samples
from mnemo.conformance.driver import STORED_TIME_SHAPE, as_moment, as_text

TOLERANCE = 1e-9
MOST_LINES = 40  # of a shown difference
LONGEST_LINE = 200  # characters
TIME_TOLERANCE = timedelta(seconds=60)
ENGLISH_FILLER = "pebbles gather quietly under mossy wooden bridges "
CHINESE_FILLER = "山间小路旁长满青苔和野草"
AROUND = "  "
ABOVE_ZERO = "a number above 0"
SECTION_END = " 🙂\n"  # a line break and a character of four bytes, every few words
SECTION = 97  # characters
FIRST_EMOJI = 0x1F300

_BRACKETS = re.compile(r"\[(?P<inside>[^\[\]\"]+)\]")
_TEXT = re.compile(
    r"(?P<length>\d+)(?P<chinese> Chinese)? characters about (?P<topic>.+?)"
    r"(?P<wild> with line breaks and emoji)?(?P<spaced> with spaces around it)?"
)
_EMOJI = re.compile(r"(?P<count>\d+) emoji")
_AGO = re.compile(r"(?P<days>\d+) days(?: (?P<sign>and|less) (?P<number>\d+) (?P<unit>second|minute|hour)s?)? ago")
_OF_FACT = re.compile(r"(?P<what>id|content) of (?P<label>.+)")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}


class Known(Protocol):
    """What the run knows: the time, and the facts that have a label."""

    def now(self) -> str:
        """Return the server's time."""

    def id_of(self, label: str) -> int:
        """Return the id of a labelled fact."""

    def content_of(self, label: str) -> str:
        """Return the content that was given to a labelled fact."""


@dataclass(frozen=True)
class Anything:
    """Matches every value, or every object."""

    only_objects: bool = False

    def __repr__(self) -> str:
        """Return what the scenario says."""
        return "[any object]" if self.only_objects else "[any]"


@dataclass(frozen=True)
class AboveZero:
    """Matches every number above 0."""

    def __repr__(self) -> str:
        """Return what the scenario says."""
        return f"[{ABOVE_ZERO}]"


@dataclass(frozen=True)
class AboutTime:
    """Matches a stored time that lies within a minute of this one."""

    text: str

    def __repr__(self) -> str:
        """Return the time that is wanted."""
        return f"[about {self.text}]"


def long_text(length: int, topic: str, *, chinese: bool = False, wild: bool = False) -> str:
    """Return a text of exactly so many characters that begins with its topic and goes on about nothing."""
    filler = CHINESE_FILLER if chinese else ENGLISH_FILLER
    text = topic + ("" if chinese else " ")
    if length < len(topic):
        raise ValueError(f"{length} characters are too few for {topic!r}")
    text += filler * (length // len(filler) + 1)
    if wild:
        text = SECTION_END.join(text[start : start + SECTION] for start in range(0, len(text), SECTION))
    # No text ends with a space, which a server may well cut off.
    return text[: length - 1] + (CHINESE_FILLER[-1] if chinese else "x") if length > len(topic) else topic


def given(value: Any, known: Known) -> Any:
    """Return a value as it is sent or stored: brackets become the text, time, id or null they stand for."""
    return _replaced(value, known, expected=False)


def expected(value: Any, known: Known) -> Any:
    """Return a value to compare with: brackets may also become `Anything`, `AboveZero` or `AboutTime`."""
    return _replaced(value, known, expected=True)


def _replaced(value: Any, known: Known, *, expected: bool) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(item, known, expected=expected) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, known, expected=expected) for item in value]
    if isinstance(value, str) and (found := _BRACKETS.fullmatch(value)):
        return _bracket(found["inside"], known, expected=expected)
    return value


def _bracket(inside: str, known: Known, *, expected: bool) -> Any:
    if inside == "none":
        return None
    if inside == "empty":
        return ""
    if inside in ("any", "any object") and expected:
        return Anything(only_objects=inside == "any object")
    if inside == ABOVE_ZERO and expected:
        return AboveZero()
    if (sample := samples.text(inside)) is not None:
        return sample
    if found := _TEXT.fullmatch(inside):
        around = AROUND if found["spaced"] else ""
        length = int(found["length"]) - 2 * len(around)
        inner = long_text(length, found["topic"], chinese=bool(found["chinese"]), wild=bool(found["wild"]))
        return f"{around}{inner}{around}"
    if found := _EMOJI.fullmatch(inside):
        return "".join(chr(FIRST_EMOJI + number % 256) for number in range(int(found["count"])))
    if found := _OF_FACT.fullmatch(inside):
        return known.id_of(found["label"]) if found["what"] == "id" else known.content_of(found["label"])
    if inside == "now" or _AGO.fullmatch(inside):
        text = _time(inside, known.now())
        return AboutTime(text) if expected else text
    raise ValueError(f"[{inside}] stands for nothing that the scenarios know")


def _time(inside: str, now: str) -> str:
    if not (found := _AGO.fullmatch(inside)):
        return now
    ago = timedelta(days=int(found["days"]))
    if found["sign"]:
        more = timedelta(seconds=int(found["number"]) * _SECONDS[found["unit"]])
        ago = ago + more if found["sign"] == "and" else ago - more
    return as_text(as_moment(now) - ago)


def cell(text: str) -> Any:
    """Return a table's cell as a value: a number if it looks like one, else the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def difference(wanted: Any, got: Any, *, exact: bool = False, place: str = "", tolerance: float = TOLERANCE) -> str:
    """Return in words where a value differs from the wanted one, or an empty text.

    Objects may hold more keys than are wanted, unless `exact`; lists must agree in length and order.
    """
    here = place or "the value"
    problem = f"{here}: wanted {shown(wanted)}, got {shown(got)}"
    match wanted:
        case Anything():
            return problem if wanted.only_objects and not isinstance(got, Mapping) else ""
        case AboveZero():
            return "" if isinstance(got, int | float) and not isinstance(got, bool) and got > 0 else problem
        case AboutTime():
            return "" if _is_about(wanted, got) else problem
        case dict():
            if not isinstance(got, Mapping):
                return problem
            if exact and got.keys() - wanted.keys():
                return f"{here}: holds {', '.join(sorted(got.keys() - wanted.keys()))} besides what is wanted"
            for key, item in wanted.items():
                if key not in got:
                    return f"{here}: has no {key!r}: {shown(got)}"
                if found := difference(
                    item, got[key], exact=exact, place=f"{place}.{key}".strip("."), tolerance=tolerance
                ):
                    return found
            return ""
        case list():
            if not isinstance(got, list) or len(got) != len(wanted):
                return problem
            pairs = enumerate(zip(wanted, got, strict=True))
            problems = (
                difference(a, b, exact=exact, place=f"{place}[{i}]", tolerance=tolerance) for i, (a, b) in pairs
            )
            return next((text for text in problems if text), "")
        case bool() | None | str():
            return "" if type(got) is type(wanted) and got == wanted else problem
    is_number = isinstance(got, int | float) and not isinstance(got, bool)
    return "" if is_number and abs(got - wanted) <= tolerance else problem


def comparison(wanted: Any, got: Any, *, exact: bool = False, place: str = "") -> str:
    """Return where a value differs from the wanted one, and both as a line-by-line difference, or an empty text."""
    problem = difference(wanted, got, exact=exact, place=place)
    if not problem or not isinstance(wanted, dict | list) or type(got) is not type(wanted):
        return problem
    before, after = (_lines(value) for value in _alike(wanted, got, exact=exact))
    changes = [line for line in difflib.ndiff(before, after) if not line.startswith("?")]
    if len(changes) > MOST_LINES:
        changes = [line for line in changes if not line.startswith(" ")][:MOST_LINES]
    return "\n".join([problem, "- wanted, + came:", *changes])


def _lines(value: Any) -> list[str]:
    """Return a value as indented JSON; what matches everything stands in brackets."""
    text = json.dumps(value, ensure_ascii=False, indent=1, default=repr)
    lines = [line.removesuffix(",") for line in text.splitlines()]  # the comma before what is missing differs too
    return [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} …" for line in lines]


def _alike(wanted: Any, got: Any, *, exact: bool) -> tuple[Any, Any]:
    """Return both values without the differences that do not count: other keys, what matches, the order of keys."""
    if not difference(wanted, got, exact=exact):
        return wanted, wanted
    if isinstance(wanted, dict) and isinstance(got, Mapping):
        keys = [key for key in wanted if key in got]
        pairs = {key: _alike(wanted[key], got[key], exact=exact) for key in keys}
        more = {key: got[key] for key in got if exact and key not in wanted}
        left = {key: pairs[key][0] if key in pairs else wanted[key] for key in wanted}
        return left, {key: pairs[key][1] for key in keys} | more
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        pairs_in_order = [_alike(a, b, exact=exact) for a, b in zip(wanted, got, strict=True)]
        return [pair[0] for pair in pairs_in_order], [pair[1] for pair in pairs_in_order]
    return wanted, got


def _is_about(wanted: AboutTime, got: Any) -> bool:
    if not isinstance(got, str) or not STORED_TIME_SHAPE.fullmatch(got):
        return False
    return abs(as_moment(got) - as_moment(wanted.text)) <= TIME_TOLERANCE


def shown(value: Any) -> str:
    """Return a value for the text of a failure, cut where it is very long."""
    text = repr(value)
    return text if len(text) <= 600 else f"{text[:400]} … {text[-100:]}"
