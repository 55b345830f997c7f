"""The Markdown that mnemo itself exports: made to be read by people, and read back as well as it can be."""

import re
from collections.abc import Iterator

from mnemo.facts import CATEGORIES
from mnemo.importers.records import Item, content_of, foreign_category
from mnemo.transfer import PortableFact

TITLE = "# Facts"
_CATEGORY = re.compile(r"## (?P<name>\S.*)")
_SUMMARY = re.compile(r"- summary: (?P<text>.*)")
_TAGS = re.compile(r"(?P<text>.*\S)  `(?P<tags>[^\n]+)`", re.DOTALL)


def is_exported(text: str) -> bool:
    """Tell whether a text looks like such an export: its title, and below it headings for categories, ours or more."""
    first, *rest = [line for line in text.splitlines() if line.strip()] or [""]
    headings = [_CATEGORY.fullmatch(line) for line in rest if line.startswith("#")]
    is_all_ours = all(line.startswith(("## ", "- ", "  ")) for line in rest)
    return first == TITLE and is_all_ours and any(one["name"] in CATEGORIES for one in headings if one is not None)


def read_exported(text: str) -> Iterator[Item]:
    """Yield the facts of an export, with category, tags and summary; trust, counts and times are not in it."""
    category = ""
    number, lines = 0, list[str]()
    for at, line in enumerate(text.splitlines(), 1):
        heading = _CATEGORY.fullmatch(line)
        if heading is None and not line.startswith("- "):
            lines += [line[2:]] if lines else []  # an editor may have taken the spaces of an empty line
            continue
        if lines:
            yield _item(number, lines, category)
        category = heading["name"] if heading is not None else category
        number, lines = at, [] if heading is not None else [line[2:]]
    if lines:
        yield _item(number, lines, category)


def _item(number: int, lines: list[str], category: str) -> Item:
    while len(lines) > 1 and not lines[-1]:
        lines.pop()  # what stands before the next heading
    summarised = _SUMMARY.fullmatch(lines[-1]) if len(lines) > 1 else None
    summary = None if summarised is None else summarised["text"]
    content = "\n".join(lines if summarised is None else lines[:-1])
    tagged = _TAGS.fullmatch(content)
    tags = "" if tagged is None else tagged["tags"]
    try:
        said = content_of(content if tagged is None else tagged["text"])
    except ValueError as error:
        return Item(number, error=str(error))
    ours, more_tags = foreign_category(category, tags)
    return Item(number, fact=PortableFact(said, summary, ours, more_tags))
