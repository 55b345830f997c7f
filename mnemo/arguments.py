"""The parameters of both tools, declared once: for the schemas that clients see, and for reading what they send.

Spec: fact-store (A null argument is one not given; Numbers and booleans may come as text; Limits are checked).
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from mnemo import clock
from mnemo.errors import SHOWN, InvalidArgumentError
from mnemo.facts import CATEGORIES, split_tags, storable

# In the order in which a reader meets them.
ACTIONS = (
    "add",
    "search",
    "get",
    "update",
    "remove",
    "list",
    "probe",
    "related",
    "reason",
    "contradict",
    "history",
    "restore",
    "learn",
    "audit",
)
BATCHES = ("contents", "fact_ids")  # their items are served one by one
_PAGED = frozenset(("limit", "offset", "brief"))
_CHOOSING = frozenset(("category", "tags", "after", "before", "min_trust", "include_superseded")) | _PAGED
_STORED = frozenset(("content", "summary", "category", "tags", "supersedes", "expires_at"))
# What each action heeds; the action itself comes on top.
HEEDED: Mapping[str, frozenset[str]] = {
    "add": _STORED | {"contents"},
    "search": _CHOOSING | {"query", "explain", "refine"},
    "get": frozenset(("fact_id", "fact_ids", "brief")),
    "update": _STORED | {"fact_id", "trust_delta"},
    "remove": frozenset(("fact_id", "fact_ids")),
    "list": _CHOOSING,
    "probe": _CHOOSING | {"entity"},
    "related": _CHOOSING | {"entity"},
    "reason": _CHOOSING | {"entities"},
    "contradict": frozenset(("category", "limit")),
    "history": frozenset(("fact_id", "limit")),
    "restore": frozenset(("fact_id", "version")),
    "learn": frozenset(("limit",)),
    "audit": frozenset(("limit",)),
}
RATINGS = ("helpful", "unhelpful")
MAX_LIMIT = 1000
MAX_OFFSET = 1_000_000
MAX_ITEMS = 1000  # of one batch
LEAST_WHOLE, MOST_WHOLE = -(2**63), 2**63 - 1  # what a column of SQLite holds
_MOST_EXACT = 2**53  # beyond which a number with a fraction may have been another whole number
_TOO_MANY_DIGITS = 20  # so that the first of them alone are more than a column holds
_WHOLE = re.compile(r"([+-]?)0*([1-9]\d*|0)(?:\.0*)?", re.ASCII)
_FRACTION = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_RELATIVE_TIME = re.compile(r"(\d{1,6})\s*([hdw])", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-?\d\d-?\d\d(?:[Tt ].+)?")  # fromisoformat takes any sign between date and time
_HOURS = {"h": 1, "d": 24, "w": 168}
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool: its JSON type (`item` is that of an array's items), choices, range and description."""

    name: str
    type: str
    description: str = ""
    item: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    def schema(self) -> dict[str, Any]:
        """Return the parameter's JSON schema: one plain type, so that every client understands it."""
        schema: dict[str, Any] = {"type": self.type}
        if self.item:
            schema["items"] = {"type": self.item}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.description:
            schema["description"] = self.description
        return schema


FACT_STORE = (
    Parameter("action", "string", choices=ACTIONS),
    Parameter("content", "string"),
    Parameter("contents", "array", item="string"),
    Parameter("query", "string"),
    Parameter("fact_id", "integer"),
    Parameter("fact_ids", "array", item="integer"),
    Parameter("summary", "string", "of long content, searched instead"),
    Parameter("category", "string", choices=CATEGORIES),
    Parameter("tags", "string", "comma-separated"),
    Parameter("supersedes", "integer", "replaced id"),
    Parameter("expires_at", "string", "date or 30d"),
    Parameter("include_superseded", "boolean"),
    Parameter("version", "integer"),
    Parameter("entity", "string"),
    Parameter("entities", "array", item="string"),
    Parameter("after", "string"),
    Parameter("before", "string"),
    Parameter("min_trust", "number", minimum=0, maximum=1),
    Parameter("trust_delta", "number", minimum=-1, maximum=1),
    Parameter("limit", "integer"),
    Parameter("offset", "integer", minimum=0),
    Parameter("explain", "boolean"),
    Parameter("brief", "boolean"),
    Parameter("refine", "boolean"),
)
FACT_FEEDBACK = (
    Parameter("action", "string", choices=RATINGS),
    Parameter("fact_id", "integer"),
)


def input_schema(parameters: Sequence[Parameter], required: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a tool: a flat object of plain types."""
    properties = {parameter.name: parameter.schema() for parameter in parameters}
    return {"type": "object", "properties": properties, "required": list(required)}


@dataclass(frozen=True, slots=True)
class Refused:
    """An item of a batch that cannot be read, in its place; the others are not kept from being served."""

    message: str


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of one call, read: only those that were given, and warnings about those that nobody knows."""

    values: Mapping[str, Any]
    warnings: tuple[str, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:
        """Return an argument's value, or the default where it was not given."""
        return self.values.get(name, default)

    def has(self, name: str) -> bool:
        """Tell whether an argument was given."""
        return name in self.values

    def asks(self, name: str) -> bool:
        """Tell whether an argument asks for anything: false, 0 and empty texts do not, for some clients give every one.

        Spec: answer-size (An argument without effect is said).
        """
        value = self.values.get(name)
        return bool(value.strip() if isinstance(value, str) else value)

    def require(self, name: str) -> Any:
        """Return an argument's value.

        Raises:
            InvalidArgumentError: it was not given, or is an empty text.
        """
        value = self.values.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            raise InvalidArgumentError(f"Missing required argument: {name}")
        return value


def read(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> Given:
    """Read the arguments of a call as clients send them: `null` is "not given", numbers and lists may come as text.

    Raises:
        InvalidArgumentError: a value has no plain meaning for its parameter, or is out of its range.
    """
    known = {parameter.name: parameter for parameter in parameters}
    values, warnings = {}, []
    for name, value in arguments.items():
        if value is None:
            continue
        if name in known:
            values[name] = _read_one(known[name], value)
        else:
            warnings.append(_unknown(name, known))
    return Given({name: value for name, value in values.items() if value is not None}, tuple(warnings))


def unheeded(action: str, given: Given) -> list[str]:
    """Return a warning that names the arguments which this action passes over, if there are any."""
    names = [name for name in given.values if given.asks(name) and name not in HEEDED[action] | {"action"}]
    return [f"no effect on {action}: {', '.join(names)}"] if names else []


def _unknown(name: str, known: Mapping[str, Parameter]) -> str:
    name = storable(name)[:SHOWN]
    import difflib  # wanted so rarely that no start should pay for it

    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"Unknown argument ignored: {name}{hint}"


def _read_one(parameter: Parameter, value: Any) -> Any:
    if parameter.type == "array":
        return _read_array(parameter, value)
    read_value = _read_scalar(parameter, parameter.type, value)
    if parameter.name == "action" or read_value is None:
        return read_value  # an unknown action has an error text of its own
    if parameter.choices and read_value not in parameter.choices:
        if not read_value.strip():
            return None
        raise _refused(parameter, value, "one of " + ", ".join(parameter.choices))
    if parameter.minimum is not None and read_value < parameter.minimum:
        raise _refused(parameter, value, _range(parameter))
    if parameter.maximum is not None and read_value > parameter.maximum:
        raise _refused(parameter, value, _range(parameter))
    return read_value


def _range(parameter: Parameter) -> str:
    if parameter.maximum is None:
        return f"{parameter.minimum:g} or more"
    return f"between {parameter.minimum:g} and {parameter.maximum:g}"


def _refused(parameter: Parameter, value: Any, wanted: str) -> InvalidArgumentError:
    try:
        shown = json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace").decode()
    except (ValueError, RecursionError):  # a number of thousands of digits, a list in a list in a list ...
        shown = f"this {type(value).__name__}"
    return InvalidArgumentError(f"{parameter.name} must be {wanted}, not {shown[:SHOWN]}")


def _read_scalar(parameter: Parameter, kind: str, value: Any) -> Any:
    if kind == "string":
        return _read_text(parameter, value)
    if kind == "boolean":
        return _read_boolean(parameter, value)
    if isinstance(value, str) and not value.strip():
        return None
    number = _read_number(value)
    if parameter.name == "limit" and (number or 0) > MAX_LIMIT:
        return MAX_LIMIT  # however much more, even what no integer of the file could hold
    if number is None or (kind == "integer" and isinstance(number, float) and not number.is_integer()):
        raise _refused(parameter, value, "a whole number" if kind == "integer" else "a number")
    if kind == "number":
        return float(max(LEAST_WHOLE, min(number, MOST_WHOLE)))  # far out of any range
    if not LEAST_WHOLE <= number <= MOST_WHOLE:
        raise _refused(parameter, value, "a whole number of at most 64 bits")
    if isinstance(number, float) and abs(number) > _MOST_EXACT:  # it may stand for another fact's id
        raise _refused(parameter, value, "a whole number without point and exponent, where it is that large")
    return int(number)


def _read_number(value: Any) -> int | float | None:
    """Return a finite number, a whole one exactly, however it is written in ASCII; None where it is none."""
    if isinstance(value, str):
        value = value.strip()
        whole = _WHOLE.fullmatch(value)
        if whole is not None:
            return int(whole[1] + whole[2][:_TOO_MANY_DIGITS])
        value = float(value) if _FRACTION.fullmatch(value) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and (isinstance(value, int) or math.isfinite(value)) else None


def _read_boolean(parameter: Parameter, value: Any) -> bool | None:
    if isinstance(value, str) and not value.strip():
        return None
    truth = _TRUTH.get(str(value).strip().lower()) if isinstance(value, bool | int | str) else None
    if truth is None:
        raise _refused(parameter, value, "true or false")
    return truth


def _read_text(parameter: Parameter, value: Any) -> str:
    if parameter.name == "tags":
        listed = _parse_list(value) if isinstance(value, str) else value
        if isinstance(listed, list):
            return ",".join(_plain_text(parameter, tag) for tag in listed if tag is not None)
    return _plain_text(parameter, value)


def _plain_text(parameter: Parameter, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _refused(parameter, value, "a text")
    try:
        return storable(str(value))
    except ValueError as error:  # a whole number of thousands of digits
        raise _refused(parameter, value, "a text") from error


def _parse_list(value: str) -> list[Any] | None:
    """Return the list that a text holds as JSON, None if it holds none."""
    if not value.strip().startswith("["):
        return None
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, list) else None


def _read_array(parameter: Parameter, value: Any) -> list[Any] | None:
    if isinstance(value, str):
        value = _split_text(parameter, value)
        if value is None:
            return None
    items = value if isinstance(value, list) else [value]
    if len(items) > MAX_ITEMS:
        raise InvalidArgumentError(
            f"{parameter.name} holds {len(items)} items, at most {MAX_ITEMS} are taken at once; send them in parts"
        )
    if isinstance(value, list) and parameter.name in BATCHES:
        read_items = [_read_item(parameter, item, position) for position, item in enumerate(items, start=1)]
    else:
        read_items = [_read_scalar(parameter, parameter.item, "" if item is None else item) for item in items]
    return [item for item in read_items if item is not None] or None  # an empty list is "not given"


def _read_item(parameter: Parameter, item: Any, position: int) -> Any:
    """Read one item of a batch, which succeeds or fails by itself."""
    named = replace(parameter, name=f"item {position} of {parameter.name}")
    try:
        return _read_scalar(named, parameter.item, "" if item is None else item)
    except InvalidArgumentError as error:
        return Refused(str(error))


def _split_text(parameter: Parameter, value: str) -> list[Any] | None:
    """Read an array that came as text: JSON, numbers or names between commas, or a single item."""
    stripped = value.strip()
    if not stripped:
        return None
    parsed = _parse_list(stripped)
    if parsed is not None:
        return parsed
    if parameter.item == "integer":
        return split_tags(stripped.strip("[]"))
    return split_tags(value) if parameter.name == "entities" else [value]


def read_limit(given: Given, default: int) -> int:
    """Return how many results are wanted: 1 to 1000; more is cut to 1000.

    Raises:
        InvalidArgumentError: the limit is 0 or less.
    """
    return checked_limit(given.get("limit", default), default)


def checked_limit(limit: int, default: object) -> int:
    """Return a limit of at most 1000.

    Raises:
        InvalidArgumentError: the limit is 0 or less; the message names the default.
    """
    if limit < 1:
        raise InvalidArgumentError(f"limit must be 1 or more, not {limit}; leave it out for {default}")
    return min(limit, MAX_LIMIT)


def read_offset(given: Given) -> int:
    """Return how many results come before the wanted ones; beyond a million no memory has any."""
    return min(int(given.get("offset", 0)), MAX_OFFSET)


def read_time(given: Given, name: str) -> str | None:
    """Return a time filter in UTC as stored times are, or None: from a date, a time, or an age (`12h`, `7d`, `2w`).

    Raises:
        InvalidArgumentError: the text is none of these.
    """
    value = str(given.get(name, "")).strip()
    return _moment(name, value, past=True) if value else None


def read_expiry(given: Given) -> str | None:
    """Return when a fact expires, in UTC: from a date, a time, or a span from now on (`12h`, `30d`, `2w`).

    None is "not given", an empty text "never".

    Raises:
        InvalidArgumentError: the text is none of these.
    """
    value = given.get("expires_at")
    if value is None or not value.strip():
        return None if value is None else ""
    return _moment("expires_at", value.strip(), past=False)


def _moment(name: str, value: str, *, past: bool) -> str:
    relative = _RELATIVE_TIME.fullmatch(value)
    try:
        if relative is not None:
            span = timedelta(hours=int(relative[1]) * _HOURS[relative[2].lower()])
            return clock.timestamp(clock.now() - span if past else clock.now() + span)
        if not _DATE.fullmatch(value):
            raise ValueError("no date")
        moment = datetime.fromisoformat(value)
        return clock.timestamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError) as error:
        raise InvalidArgumentError(
            f"{name} must be a date (2026-05-08), a time (2026-05-08 14:30:00, in UTC) or "
            f"{'an age' if past else 'a span'} (12h, 7d, 2w), not {value[:40]!r}"
        ) from error
