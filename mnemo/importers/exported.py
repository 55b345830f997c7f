"""The Markdown that mnemo itself exports: made to be read by people, and read back as well as it can be."""

import re
from collections.abc import Iterator

from mnemo.importers.records import Item, content_of, foreign_category, lines_of
from mnemo.portable import PortableFact

TITLE = "# Facts"
MARK = "<!-- `mnemo export` wrote this list, and `mnemo import` reads it back -->"  # a person's list may look alike
_CATEGORY = re.compile(r"## (?P<name>\S.*)")
_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)]) (?P<text>.*)")  # of ours the first kind, people add others
_SUMMARY = re.compile(r"- summary:(?: (?P<text>.*))?")  # an empty one says that the line above is of the content
_TAGS = re.compile(r"(?P<text>.*\S)  `(?P<tags>[^\n]+)`", re.DOTALL)


def is_exported(text: str) -> bool:
    """Tell whether a text is such an export: whether its mark stands before the first fact."""
    for line in lines_of(text):
        if line.strip() == MARK:
            return True
        if line.startswith("## ") or _BULLET.fullmatch(line):
            return False
    return False


def read_exported(text: str) -> Iterator[Item]:
    """Yield the facts of an export, with category, tags and summary; trust, counts and times are not in it.

    What people write between the facts (paragraphs, other headings) is passed over, as in any Markdown.
    """
    category = ""
    number, lines = 0, list[str]()
    for at, line in enumerate(lines_of(text), 1):
        heading = _CATEGORY.fullmatch(line)
        if heading is None and lines and _goes_on(line, lines):
            lines.append(line[2:] if line.startswith("  ") else line.strip())
            continue
        if lines:
            yield _item(number, lines, category)
        category = heading["name"] if heading is not None else category
        bullet = _BULLET.fullmatch(line)
        number, lines = at, [] if bullet is None else [bullet["text"]]
    if lines:
        yield _item(number, lines, category)


def _goes_on(line: str, lines: list[str]) -> bool:
    """Tell whether a line belongs to the fact above: it is indented, empty, or was wrapped by an editor."""
    if line.startswith(("#", "```")) or _BULLET.fullmatch(line):
        return False
    return line.startswith("  ") or not line.strip() or bool(lines[-1])


def _item(number: int, lines: list[str], category: str) -> Item:
    while len(lines) > 1 and not lines[-1]:
        lines.pop()  # what stands before the next heading
    summarised = _SUMMARY.fullmatch(lines[-1]) if len(lines) > 1 else None
    summary = summarised["text"] or None if summarised is not None else None
    content = "\n".join(lines if summarised is None else lines[:-1])
    tagged = _TAGS.fullmatch(content)
    tags = "" if tagged is None else tagged["tags"]
    try:
        said = content_of(content if tagged is None else tagged["text"])
    except ValueError as error:
        return Item(number, error=str(error))
    ours, more_tags = foreign_category(category, tags)
    return Item(number, fact=PortableFact(said, summary, ours, more_tags))
