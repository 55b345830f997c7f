"""Facts out of other programs' files: knowledge graphs, JSON exports, databases."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mnemo.facts import split_tags
from mnemo.importers.records import Item, content_of, fact_of, foreign_category, item, lines_of, tags_of, time_of
from mnemo.portable import PortableFact
from mnemo.storage.foreign import read_database_rows

_LISTS = ("results", "memories", "facts", "items", "data")
_PAIR = re.compile(r"[一-鿿]{2}")
_LEAST_PAIRS = 2  # in the order of the content; fewer may well be somebody's own tags
NO_ENTRIES = "no list of facts is in it"
_TEXT_KEYS = ("memory", "content", "text", "data", "fact")


def kind_of_json(value: Any) -> str | None:
    """Return the format of a whole JSON document, None where it is none that we know."""
    entries = _entries(value)
    first = next((entry for entry in entries if isinstance(entry, Mapping)), None)
    if first is not None and "memory" in first:
        return "mem0"
    if isinstance(value, Mapping) and not entries and ("entities" in value or "relations" in value):
        return "server-memory"
    return "json" if entries or isinstance(value, list) else None


def _entries(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping):
        for name in _LISTS:
            if isinstance(value.get(name), list):
                return list(value[name])
        if "content" in value or "memory" in value:
            return [value]
    return []


def _has_entries(value: Any) -> bool:
    return isinstance(value, list) or bool(_entries(value))


def _loaded(text: str) -> tuple[Any, str | None]:
    try:
        return json.loads(text), None
    except (ValueError, RecursionError) as error:
        return None, f"no JSON: {error}"


def read_json(text: str) -> Iterator[Item]:
    """Yield the facts of a JSON document: a list of objects or of texts; the entry's number stands for the line."""
    value, error = _loaded(text)
    if error is not None or not _has_entries(value):
        yield Item(1, error=error or NO_ENTRIES)
    for number, entry in enumerate(_entries(value), 1):
        yield item(number, {"content": entry} if isinstance(entry, str) else entry)


def read_mem0(text: str) -> Iterator[Item]:
    """Yield the memories of a mem0 export, in one document or one a line; an entry's number stands for its line.

    Categories become tags.
    """
    value, error = _loaded(text)
    lines = [line for line in lines_of(text) if line.strip()]
    if error is None and not _has_entries(value):
        yield Item(1, error=NO_ENTRIES)
    entries = [_loaded(line) for line in lines] if error else [(entry, None) for entry in _entries(value)]
    for number, (entry, problem) in enumerate(entries, 1):
        try:
            yield Item(number, error=problem) if problem else Item(number, fact=_memory(entry))
        except ValueError as wrong:
            yield Item(number, error=str(wrong))


def _memory(entry: Any) -> PortableFact:
    if isinstance(entry, str):
        return PortableFact(content_of(entry))
    if not isinstance(entry, Mapping):
        raise ValueError("no memory object")  # noqa: TRY004
    text = next((entry[key] for key in _TEXT_KEYS if isinstance(entry.get(key), str)), None)
    metadata = entry.get("metadata")
    named = metadata.get("category") if isinstance(metadata, Mapping) else None
    tags = tags_of(entry.get("categories"))
    category, tags = foreign_category(named, tags) if isinstance(named, str) else ("general", tags)
    return PortableFact(content_of(text), category=category, tags=tags, created_at=time_of(entry.get("created_at")))


def read_server_memory(text: str) -> Iterator[Item]:
    """Yield the facts of the official server-memory's graph: each observation, and each relation, is one.

    An observation carries its entity's name, so that it is found by it; the entity's type becomes a tag.
    """
    whole, error = _loaded(text)
    if error is None and isinstance(whole, Mapping) and "type" not in whole:
        lists = [("entity", whole.get("entities")), ("relation", whole.get("relations"))]
        found = ((kind, node) for kind, nodes in lists for node in _listed(nodes) if isinstance(node, Mapping))
        nodes = [{**node, "type": kind} for kind, node in found]
        for number, node in enumerate(nodes, 1):
            yield from _node(number, node)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            node, problem = _loaded(line)
            if problem is not None:
                yield Item(number, error=problem)
            else:
                yield from _node(number, node)


def _node(number: int, node: Any) -> Iterator[Item]:
    kind = node.get("type") if isinstance(node, Mapping) else None
    if kind == "entity" and isinstance(node.get("name"), str):
        name, tags = node["name"].strip(), tags_of([node.get("entityType") or ""])
        observations = [text for text in _listed(node.get("observations")) if isinstance(text, str) and text.strip()]
        for text in observations or [f"{name} ({node.get('entityType') or 'entity'})"]:
            is_named = name.replace("_", " ").casefold() in text.replace("_", " ").casefold()
            yield item_of(number, text if is_named else f"{name}: {text}", tags)
    elif kind == "relation" and all(isinstance(node.get(key), str) for key in ("from", "to", "relationType")):
        yield item_of(number, f"{node['from']} {node['relationType'].replace('_', ' ')} {node['to']}", "relation")
    else:
        yield Item(number, error="neither an entity with a name nor a relation with from, to and relationType")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def item_of(number: int, content: str, tags: str = "", category: str = "general") -> Item:
    """Return a fact that is nothing but a text, with tags, or what is wrong with it."""
    try:
        return Item(number, fact=PortableFact(content_of(content), tags=tags, category=category))
    except ValueError as error:
        return Item(number, error=str(error))


def read_database(path: Path) -> Iterator[Item]:
    """Yield the facts of another memory's database with a table `facts`; the fact's id stands for the line.

    Raises:
        MemoryFileError: the file cannot be read, or has no such table.
    """
    for row in read_database_rows(path):
        number = row.get("fact_id") if isinstance(row.get("fact_id"), int) else 0
        try:
            fact = fact_of({**row, "fact_id": None})
            if "keywords" in row:
                fact = fact._replace(tags=_own_tags(fact))
        except ValueError as error:
            yield Item(int(number or 0), error=str(error))
            continue
        category, tags = foreign_category(row.get("category"), fact.tags)
        yield Item(int(number or 0), fact=fact._replace(category=category, tags=tags))


def _own_tags(fact: PortableFact) -> str:
    """Return the tags that somebody gave: later versions of the original add each pair of the content's characters."""
    tags = split_tags(fact.tags)
    given, at = len(tags), len(fact.content)
    while given and _PAIR.fullmatch(tags[given - 1]):
        at = fact.content.rfind(tags[given - 1], 0, at + 1)
        if at < 0:
            break
        given -= 1
    return tags_of(tags[:given]) if len(tags) - given >= _LEAST_PAIRS else fact.tags
