"""The Markdown that mnemo itself exports: made to be read by people, and read back as well as it can be."""

import re
from collections.abc import Iterator

from mnemo.facts import CATEGORIES
from mnemo.importers.records import Item, content_of, foreign_category
from mnemo.transfer import PortableFact

TITLE = "# Facts"
_CATEGORY = re.compile(r"## (?P<name>\S.*)")
_SUMMARY = re.compile(r"  - summary: (?P<text>.*)")
_TAGS = re.compile(r"(?P<text>.*?)  `(?P<tags>[^`]+)`", re.DOTALL)


def is_exported(text: str) -> bool:
    """Tell whether a text looks like such an export: its title, and below it headings for categories, ours or more."""
    first, *rest = [line for line in text.splitlines() if line.strip()] or [""]
    headings = [_CATEGORY.fullmatch(line) for line in rest if line.startswith("#")]
    return first == TITLE and all(headings) and any(one["name"] in CATEGORIES for one in headings if one is not None)


def read_exported(text: str) -> Iterator[Item]:
    """Yield the facts of an export, with category, tags and summary; trust, counts and times are not in it."""
    category = ""
    number, lines, summary = 0, list[str](), None
    for at, line in enumerate(text.splitlines(), 1):
        found = _SUMMARY.fullmatch(line)
        if found is not None and lines:
            summary = found["text"]
        elif line.startswith("  ") and lines:
            lines.append(line[2:])
        else:
            if lines:
                yield _item(number, lines, summary, category)
            heading = _CATEGORY.fullmatch(line)
            category = heading["name"] if heading is not None else category
            number, lines, summary = at, [line[2:]] if line.startswith("- ") else [], None
    if lines:
        yield _item(number, lines, summary, category)


def _item(number: int, lines: list[str], summary: str | None, category: str) -> Item:
    content = "\n".join(lines)
    tagged = _TAGS.fullmatch(content)
    tags = "" if tagged is None else tagged["tags"]
    try:
        said = content_of(content if tagged is None else tagged["text"])
    except ValueError as error:
        return Item(number, error=str(error))
    ours, more_tags = foreign_category(category, tags)
    return Item(number, fact=PortableFact(said, summary, ours, more_tags))
