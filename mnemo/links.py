"""What the names in facts connect: read-only questions to the entity graph.

Spec: entity-graph.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from mnemo import index, text
from mnemo.derived import entity_index
from mnemo.entities import entity_key
from mnemo.scoring import Document
from mnemo.storage.database import Database

MENTIONS = 1000  # facts that are looked at for one name
LONGEST_CLOSED = 3  # characters; so short a name means something else when it is written apart
_JOINT = r"[.\-_\s'’]{0,2}"


@dataclass(frozen=True, slots=True)
class Portrait:
    """One fact as the comparison of facts sees it."""

    fact_id: int
    content: str
    names: dict[int, str]
    document: Document


class LinkStore:
    """The entity graph of one memory file.

    Every method may raise `MemoryFileError`.
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database

    def facts_about(self, name: str) -> set[int]:
        """Return the ids of facts that name an entity, however it is spelled, or mention it in their match text."""
        terms = text.content_terms(name)
        with self._database.reading() as connection:
            found = entity_index.facts_with(connection, name)
            for fact_id, matched in entity_index.holders(connection, terms, MENTIONS):
                if fact_id not in found and mentions(matched, name):
                    found.add(fact_id)
        return found

    def neighbours(self, fact_ids: Iterable[int], limit: int) -> list[int]:
        """Return facts that share an entity with one of these, without these, those that share most first."""
        with self._database.reading() as connection:
            return entity_index.neighbours(connection, fact_ids, limit)

    def portraits(self, category: str | None) -> list[Portrait]:
        """Return every fact (of a category) with its names and terms."""
        with self._database.reading() as connection:
            names = entity_index.names_of(connection)
            contents = entity_index.contents(connection, category)
            documents = index.documents(connection, contents)
        return [
            Portrait(fact_id, content, names.get(fact_id, {}), documents[fact_id])
            for fact_id, content in contents.items()
            if fact_id in documents
        ]


def mentions(content: str, name: str) -> bool:
    """Tell whether a text holds a name as a whole word, whatever its case, width, spaces and hyphens."""
    plain, key = text.normalise(name).strip(), entity_key(name)
    if not plain:
        return False
    searched = text.normalise(content)
    if _whole_word(re.escape(plain), plain).search(searched):
        return True
    return len(key) > LONGEST_CLOSED and _whole_word(_spaced(key), key).search(searched) is not None


def _whole_word(pattern: str, spelling: str) -> re.Pattern[str]:
    before = r"(?<![a-z0-9_])" if spelling[0].isascii() else ""
    after = r"(?![a-z0-9_])" if spelling[-1].isascii() else ""
    return re.compile(before + pattern + after)


def _spaced(key: str) -> str:
    """Return a pattern for a name's key with the signs that spellings may have inside it, but not between digits."""
    if "/" in key or "\\" in key:
        return re.escape(key)
    parts = [re.escape(key[0])]
    for left, right in pairwise(key):
        parts.append("" if left.isdigit() and right.isdigit() else _JOINT)
        parts.append(re.escape(right))
    return "".join(parts)
