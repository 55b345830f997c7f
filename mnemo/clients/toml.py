"""Change one table of a TOML file and keep the rest as it is, comments too."""

from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.clients.lines import line_end_of


class TomlError(ValueError):
    """The text is not TOML; the message names the line."""


def parse(text: str) -> dict[str, Any]:
    """Return the values of a text.

    Raises:
        TomlError: the text is not TOML.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from None


def put(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """Return the text with these values in the table at a path; other values of the table stay.

    Raises:
        TomlError: the text is not TOML, or something other than a table stands on the way.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import InlineTable

    if _at(parse(text), path) is None and not _is_closed(text, path):
        return text + _separator(text) + _header(path, values, line_end_of(text))
    try:
        document = tomlkit.parse(text)
        table: Any = document
        for key in path:
            if key not in table:
                table[key] = tomlkit.inline_table() if isinstance(table, InlineTable) else tomlkit.table()
            table = table[key]
        for name, value in values.items():
            if table.get(name) != value:
                table[name] = value
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise TomlError(str(error)) from None


def _at(values: Any, path: Sequence[str]) -> Any:
    for position, key in enumerate(path):
        if key not in values:
            return None
        values = values[key]
        if not isinstance(values, Mapping):
            raise TomlError(f"{'.'.join(path[: position + 1])} is not a table")
    return values


def _is_closed(text: str, path: Sequence[str]) -> bool:
    """Tell whether a table on the way is written in one line, so that no header can add to it."""
    try:
        parse(text + _separator(text) + _header(path, {}, line_end_of(text)))
    except TomlError:
        return True
    return False


def _separator(text: str) -> str:
    line_end = line_end_of(text)
    if not text.strip():
        return ""
    return line_end if text.endswith("\n") else 2 * line_end


def _header(path: Sequence[str], values: Mapping[str, Any], line_end: str) -> str:
    import tomlkit

    pairs = (f"{tomlkit.key(name).as_string()} = {_item(value).as_string()}" for name, value in values.items())
    lines = [f"[{'.'.join(path)}]", *pairs]
    return line_end.join([*lines, ""])


def _item(value: Any) -> Any:
    """Return a value as it stands on one line, tables too."""
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update({name: _item(one) for name, one in value.items()})
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(_item(one) for one in value)
        return array
    return tomlkit.item(value)


def remove(text: str, path: Sequence[str]) -> str:
    """Return the text without the table at a path, and without the tables on the way if nothing else is in them.

    Raises:
        TomlError: the text is not TOML.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    own = line_end_of(text) + _header(path, _at(parse(text), path) or {}, line_end_of(text))
    if text.endswith(own):  # as `put` wrote it
        return text.removesuffix(own)
    try:
        document = tomlkit.parse(text)
        tables: list[Any] = [document]
        for key in path[:-1]:
            inner = tables[-1].get(key)
            if not isinstance(inner, Mapping):
                return text
            tables.append(inner)
        if path[-1] not in tables[-1]:
            return text
        for table, key in zip(reversed(tables), reversed(path), strict=True):
            if key == path[-1] or not table[key]:
                del table[key]
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise TomlError(str(error)) from None
