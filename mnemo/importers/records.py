"""Facts as records with named values: our own JSONL and CSV, and what every reader makes of a record."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from mnemo import clock
from mnemo.facts import CATEGORIES, DEFAULT_CATEGORY, MAX_CONTENT, split_tags, storable
from mnemo.portable import PortableFact

CONFLICT_MARKER = re.compile(r"(<{7}|>{7}|\|{7})( .*)?|={7}")  # as git leaves them; both sides are merged
NEVER = "never"
_MILLISECONDS_FROM = 1e11  # a greater number of "seconds" counts milliseconds
_FOREIGN_CATEGORIES = {
    **dict.fromkeys(("user_pref", "user", "身份", "用户", "用户身份"), "identity"),
    **dict.fromkeys(("style", "代码风格", "编码风格", "代码规范", "编码规范"), "coding_style"),
    **dict.fromkeys(("tool", "tools", "工具", "工具偏好"), "tool_pref"),
    **dict.fromkeys(("project", "工作流", "工作流程", "流程", "项目"), "workflow"),
    **dict.fromkeys(("其他", "其它", "一般", "通用"), "general"),
}


_LINE_END = re.compile(r"\r\n|\r|\n")
_decode = json.JSONDecoder().raw_decode


class Item(NamedTuple):
    """What stands at a line of the source (a number from 1): a fact, what is wrong with it, or what cannot be one."""

    line: int
    fact: PortableFact | None = None
    error: str | None = None
    is_passed_over: bool = False


def lines_of(text: str) -> list[str]:
    """Return the lines of a text: other signs that Python takes for an end of one, such as U+2028, are part of it."""
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def read_jsonl(text: str) -> Iterator[Item]:
    """Yield the facts of a JSONL export, one a line; a git conflict's markers are passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped and not CONFLICT_MARKER.fullmatch(stripped):
            yield _parsed(number, stripped)


def _parsed(number: int, line: str) -> Item:
    try:
        value, end = _decode(line)  # the line is stripped, which spares the search for white space around it
        if end < len(line):
            value = json.loads(line)  # which says what is wrong
    except (ValueError, RecursionError) as error:
        return Item(number, error=f"no JSON: {error}")
    return item(number, value)


_END = "\ufdd0"  # no text holds this character: a line of it tells whether the last field of all ended


def read_csv(text: str) -> Iterator[Item]:
    """Yield the facts of a CSV file whose first line names the columns; a record's line is its first."""
    csv.field_size_limit(max(MAX_CONTENT * 4, 131_072))
    head = next((line for line in lines_of(text) if line.strip()), "")
    lines = chain(io.StringIO(text, newline=""), (_END,))
    reader = csv.reader(lines, delimiter=delimiter_of(head))
    names: list[str] | None = None
    number = 1
    try:
        for row in reader:
            if row == [_END]:
                break
            if row and row[-1].endswith(_END):
                raise csv.Error("a field does not end")
            if names is None:
                names = [column_name(name) for name in row]
                if "content" not in names:
                    break
            elif row:
                given = dict(zip(names, row))  # noqa: B905 - a row may be shorter or longer than the head
                yield item(number, {name: given.get(name) or None for name in names if name})
            number = reader.line_num + 1
    except csv.Error as error:
        yield Item(number, error=f"no CSV from here on: {error}; look for a quote that is not closed")
    if "content" not in (names or ()):
        yield Item(1, error="its first line names no column content; others may be category, tags and summary")


def delimiter_of(head: str) -> str:
    """Return what stands between the columns of a CSV file, by its first line: a comma, else a semicolon or a tab."""
    return next((sign for sign in (",", ";", "\t") if sign in head), ",")


def column_name(written: str) -> str:
    """Return the name of a column, however its head is written."""
    return written.strip().lower()


def item(number: int, value: Any) -> Item:
    """Return what a record says, as a fact or as an error."""
    try:
        return Item(number, fact=fact_of(value))
    except ValueError as error:
        return Item(number, error=str(error))


def fact_of(value: Any) -> PortableFact:
    """Return the fact that a record with our names describes.

    Raises:
        ValueError: it has no usable content, or a value of a wrong type.
    """
    if not isinstance(value, Mapping):
        raise ValueError("no JSON object with a content")  # noqa: TRY004
    summary, uid = value.get("summary"), value.get("uid")
    category, tags = value.get("category"), tags_of(value.get("tags"))
    if uid:  # out of a memory, which may have categories of another program
        category = category or DEFAULT_CATEGORY
    else:
        category, tags = foreign_category(category, tags)
    trust = _number(value, "trust_score")
    return PortableFact(
        content=content_of(value.get("content")),
        summary=storable(summary) if isinstance(summary, str) and summary.strip() else None,
        category=storable(str(category)),
        tags=storable(tags),
        trust_score=None if trust is None else min(1.0, max(0.0, trust)),
        retrieval_count=max(0, int(_number(value, "retrieval_count") or 0)),
        helpful_count=max(0, int(_number(value, "helpful_count") or 0)),
        last_retrieved_at=time_of(value.get("last_retrieved_at")),
        created_at=time_of(value.get("created_at")),
        updated_at=time_of(value.get("updated_at")) or time_of(value.get("created_at")),
        expires_at=_expiry(value["expires_at"]) if "expires_at" in value else None,
        superseded_by=_successor(value["superseded_by"]) if "superseded_by" in value else None,
        uid=storable(value["uid"]) if isinstance(value.get("uid"), str) and value["uid"] else None,
        fact_id=_id(value.get("fact_id")),
        unknown=tuple([name for name in ("summary", "category", "tags") if name not in value]),
    )


def foreign_category(name: object, tags: str) -> tuple[str, str]:
    """Return our category for another program's, and the tags with that one's name where it is not ours."""
    given = storable(str(name or DEFAULT_CATEGORY)).strip()
    if given in CATEGORIES:
        return given, tags
    return known_category(given) or DEFAULT_CATEGORY, tags_of([*split_tags(tags), given])


def known_category(name: str) -> str | None:
    """Return our category for a name that people and other programs give it, None where no such name is known."""
    wanted = name.strip().lower()
    return wanted if wanted in CATEGORIES else _FOREIGN_CATEGORIES.get(wanted)


def content_of(value: object) -> str:
    """Return a content as it can be stored.

    Raises:
        ValueError: it is no text, empty or too long.
    """
    if not isinstance(value, str):
        raise ValueError("no content")  # noqa: TRY004
    if not value.strip():
        raise ValueError("the content is empty")
    if len(value) > MAX_CONTENT:
        raise ValueError(f"the content has {len(value)} characters, at most {MAX_CONTENT} are stored")
    return storable(value)


def tags_of(value: object) -> str:
    """Return tags from a text or a list, separated by commas."""
    if isinstance(value, list | tuple):
        each = (storable(str(tag)) for tag in value if tag)
        return ",".join(dict.fromkeys(" ".join(split_tags(tag)) for tag in each if tag.strip()))
    return _tags_of_text(storable(value)) if isinstance(value, str) and value else ""


@lru_cache(maxsize=1024)  # many facts share their tags
def _tags_of_text(written: str) -> str:
    return ",".join(split_tags(written))


def time_of(value: object) -> str | None:
    """Return a time as stored (UTC) from a text in ISO 8601 or seconds or milliseconds since 1970, else None."""
    if value is None:
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) > _MILLISECONDS_FROM else value
            return clock.timestamp(datetime.fromtimestamp(seconds, UTC))
        return _time_of_text(str(value)) if value else None
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(maxsize=1024)  # facts that were added together share their times
def _time_of_text(written: str) -> str:
    moment = datetime.fromisoformat(written.strip())
    return clock.timestamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def row_name(number: int) -> str:
    """Return what a fact without a uid is called by the others of its file, by its id there."""
    return f"row {number}"


def _successor(value: object) -> str:
    """Return the name of the fact that took the place of one: a uid, or in a file without uids from an id."""
    number = _id(value)
    if number is not None and not isinstance(value, str):
        return row_name(number)
    return storable(value) if isinstance(value, str) else ""


def _expiry(value: object) -> str:
    if value in (None, "", NEVER):
        return ""
    moment = time_of(value)
    if moment is None:  # taken for "never", it would stay for ever without a word
        raise ValueError(
            f"expires_at is no time: {str(value)[:40]}; write YYYY-MM-DD HH:MM:SS in UTC, or nothing for never"
        )
    return moment


def _id(value: object) -> int | None:
    """Return an id, None where it is none that can be kept: the fact then gets one of its own."""
    given = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
    return given if isinstance(given, int) and not isinstance(given, bool) and 0 < given < 2**63 else None


def _number(value: Mapping[str, Any], name: str) -> float | None:
    given = value.get(name)
    if given is None:
        return None
    try:
        number = float(given) if not isinstance(given, bool) else float("nan")
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not abs(number) < 2**63:
        raise ValueError(f"{name} is no number: {str(given)[:40]}")
    return number
