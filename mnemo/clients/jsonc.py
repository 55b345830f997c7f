"""Change one place of a JSON file, with comments or without, and keep every other character as it is.

The libraries that edit such files print the whole file anew, or need Node or a newer Python than ours; so this reads
where each value stands, and cuts and pastes text.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from mnemo.clients.lines import line_end_of

DEFAULT_INDENT = "  "
_GAP = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


class JsonError(ValueError):
    """The text is not JSON, also not with comments; the message names the line."""


@dataclass(slots=True)
class Node:
    """A value and where it stands in the text; `members` are those of an object or an array, in order."""

    start: int
    end: int = 0
    value: Any = None
    members: list["Member"] = field(default_factory=list)

    def find(self, key: str) -> "Member | None":
        """Return the member of an object by its key, the last one if there are several, as readers of JSON do."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(slots=True)
class Member:
    """A member of an object or, with an empty key, of an array: from `start` to the end of its value, and its comma."""

    key: str
    start: int
    node: Node
    comma: int = -1  # where the comma behind it stands; -1 if there is none


def parse(text: str) -> Node:
    """Return the value of a text, an empty object for an empty one.

    Raises:
        JsonError: the text is not JSON with comments.
    """
    reader = _Reader(text)
    start = reader.gap(0)
    if start == len(text):
        return Node(start, start, {})
    try:
        root = reader.value(start)
    except RecursionError:
        raise JsonError("it is nested too deeply") from None
    end = reader.gap(root.end)
    if end < len(text):
        reader.fail(end, "something stands behind the end")
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def fail(self, at: int, what: str) -> NoReturn:
        raise JsonError(f"line {self.text.count(chr(10), 0, at) + 1}: {what}")

    def gap(self, at: int) -> int:
        match = _GAP.match(self.text, at)
        end = match.end() if match else at
        if self.text.startswith("/*", end):
            self.fail(end, "a comment does not end")
        return end

    def value(self, at: int) -> Node:
        opening = self.text[at : at + 1]
        if opening in ("{", "["):
            return self.container(at, is_object=opening == "{")
        match = (_STRING if opening == '"' else _SCALAR).match(self.text, at)
        if not match:
            self.fail(at, "a value is missing" if opening in ("", "}", "]", ",") else f"unexpected {opening!r}")
        return Node(at, match.end(), self.scalar(at, match[0]))

    def scalar(self, at: int, found: str) -> Any:
        try:
            return json.loads(found)
        except ValueError:
            self.fail(at, "a text is not written as JSON")

    def container(self, at: int, *, is_object: bool) -> Node:
        node, closing = Node(at), "}" if is_object else "]"
        at = self.gap(at + 1)
        while self.text[at : at + 1] != closing:
            if node.members and node.members[-1].comma < 0:
                self.fail(at, f"a comma or {closing} is missing")
            member = self.member(at, is_object=is_object)
            node.members.append(member)
            at = self.gap(member.node.end)
            if self.text[at : at + 1] == ",":
                member.comma = at
                at = self.gap(at + 1)
        node.end = at + 1
        values = [(member.key, member.node.value) for member in node.members]
        node.value = dict(values) if is_object else [value for _, value in values]
        return node

    def member(self, at: int, *, is_object: bool) -> Member:
        if not is_object:
            return Member("", at, self.value(at))
        match = _STRING.match(self.text, at)
        if not match:
            self.fail(at, "a name in double quotes is missing")
        colon = self.gap(match.end())
        if self.text[colon : colon + 1] != ":":
            self.fail(colon, "a colon is missing")
        return Member(self.scalar(at, match[0]), at, self.value(self.gap(colon + 1)))


def at(text: str, path: Sequence[str | int]) -> Any:
    """Return the value at a path of keys and places in arrays; None if there is none.

    Raises:
        JsonError: the text is not JSON.
    """
    node = _at(parse(text), path)
    return None if node is None else node.value


def put(text: str, path: Sequence[str | int], value: Any) -> str:
    """Return the text with a value at a path of keys and places; objects on the way are made where they are missing.

    Raises:
        JsonError: the text is not JSON, or something other than an object stands on the way.
    """
    root = parse(text)
    if root.start == root.end:
        line_end = line_end_of(text)
        ending = line_end if text and not text.endswith("\n") else ""
        return text + ending + _dump(_nested(path, value), DEFAULT_INDENT, "", line_end) + line_end
    node = root
    for position, key in enumerate(path):
        found = _at(node, [key])
        if found is None:
            if not isinstance(node.value, dict) or isinstance(key, int):
                raise JsonError(f"{'.'.join(map(str, path[:position])) or 'the whole'} is not an object")
            return _insert(text, root, node, key, _nested(path[position + 1 :], value))
        node = found
    if node.value == value:
        return text
    return text[: node.start] + _written(text, root, node.start, value) + text[node.end :]


def append(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value at the end of the array at a path, which is made where it is missing.

    Raises:
        JsonError: the text is not JSON, or something else than an array stands there.
    """
    root = parse(text)
    node = _at(root, path)
    if node is None:
        return put(text, path, [value])
    if not isinstance(node.value, list):
        raise JsonError(f"{'.'.join(path)} is not a list")
    return _insert(text, root, node, "", value)


def remove(text: str, path: Sequence[str | int]) -> str:
    """Return the text without the member at a path of keys and places in arrays; as it is if there is none.

    Raises:
        JsonError: the text is not JSON.
    """
    node = _at(parse(text), path[:-1])
    last = path[-1]
    if node is None or isinstance(last, int) != isinstance(node.value, list):
        return text
    if isinstance(last, int):
        return _without(text, node, last) if last < len(node.members) else text
    gone = node.find(last)
    # One that stands twice goes twice: the other would come to count.
    return text if gone is None else remove(_without(text, node, node.members.index(gone)), path)


def _without(text: str, node: Node, place: int) -> str:
    """Return the text without one member of an object or array."""
    gone = node.members[place]
    start = len(text[: gone.start].rstrip())
    end = gone.comma + 1 if gone.comma >= 0 else gone.node.end
    if len(node.members) == 1 and not text[node.start + 1 : start].strip() and not text[end : node.end - 1].strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    kept = text[:start]
    if place and gone.comma < 0:  # the last one: the comma before it would stand at the end
        comma = node.members[place - 1].comma
        kept = text[:comma] + text[comma + 1 : start]
    before = node.members[place - 1].comma + 1 if place else node.start + 1
    comments = list(_COMMENT.finditer(text, before, gone.start))
    if comments and comments[-1][0].startswith("//") and text[end:].partition("\n")[0].strip():
        kept += line_end_of(text)  # else what follows on the line would become part of that comment
    return kept + text[end:]


def _at(root: Node, path: Sequence[str | int]) -> Node | None:
    node = root
    for key in path:
        if isinstance(key, int):
            found = node.members[key] if isinstance(node.value, list) and key < len(node.members) else None
        else:
            found = node.find(key) if isinstance(node.value, dict) else None
        if found is None:
            return None
        node = found.node
    return node


def _nested(path: Sequence[str | int], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _line_indent(text: str, at: int) -> str:
    """Return the white space at the start of the line on which a place is."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str, root: Node) -> str:
    """Return by what the file indents, judged by its first member."""
    if root.members and "\n" in text[root.start : root.members[0].start]:
        return _line_indent(text, root.members[0].start) or DEFAULT_INDENT
    return DEFAULT_INDENT


def _is_in_lines(text: str, root: Node) -> bool:
    return not root.members or "\n" in text[root.start : root.end]


def _written(text: str, root: Node, at: int, value: Any) -> str:
    if not _is_in_lines(text, root):
        return json.dumps(value, ensure_ascii=False)
    return _dump(value, _unit(text, root), _line_indent(text, at), line_end_of(text))


def _dump(value: Any, unit: str, indent: str, line_end: str) -> str:
    """Return a value as text: objects, and lists of them, over several lines; other lists on one."""
    inner = indent + unit
    if isinstance(value, dict) and value:
        lines = [f"{inner}{_quoted(key)}: {_dump(one, unit, inner, line_end)}" for key, one in value.items()]
        return "{" + line_end + f",{line_end}".join(lines) + line_end + indent + "}"
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        lines = [inner + _dump(one, unit, inner, line_end) for one in value]
        return "[" + line_end + f",{line_end}".join(lines) + line_end + indent + "]"
    return _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _insert(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    """Return the text with a new last member of an object or array."""
    inside = len(text[: node.end - 1].rstrip())  # behind the last member, its comma and its comments
    head = f"{_quoted(key)}: " if key else ""
    last = node.members[-1] if node.members else None
    if _is_in_lines(text, root):
        line_end, outer = line_end_of(text), _line_indent(text, node.start)
        indent = outer + _unit(text, root)
        if last is not None and not text[text.rfind("\n", 0, last.start) + 1 : last.start].strip():
            indent = _line_indent(text, last.start)
        piece = line_end + indent + head + _dump(value, _unit(text, root), indent, line_end)
        closing = "" if "\n" in text[inside : node.end - 1] else line_end + outer
    else:
        piece, closing = (" " if last else "") + head + _quoted(value), ""
    if last is None:
        return text[:inside] + piece + closing + text[inside:]
    if last.comma >= 0:
        return text[:inside] + piece + "," + closing + text[inside:]
    return text[: last.node.end] + "," + text[last.node.end : inside] + piece + closing + text[inside:]
