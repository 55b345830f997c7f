"""What the names in facts connect: read-only questions to the entity graph.

Spec: entity-graph.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from mnemo import index, text
from mnemo.derived import entity_index
from mnemo.entities import entity_key
from mnemo.scoring import Document
from mnemo.storage.database import Database

LONGEST_CLOSED = 3  # characters; so short a name means something else when it is written apart
_JOINT = r"[.\-_\s'’]{0,2}"


@dataclass(frozen=True, slots=True)
class Portrait:
    """One fact as the comparison of facts sees it."""

    fact_id: int
    content: str
    names: dict[int, str]
    document: Document


@dataclass(frozen=True, slots=True)
class _Named:
    """A name, the facts that are linked to it, and those that hold all its terms."""

    spelling: "_Spelling"
    linked: Set[int]
    holders: Set[int]


class About:
    """The facts that may be about all of some names. Which of them are is told by their texts, one by one."""

    def __init__(self, names: Sequence[_Named]) -> None:
        """Keep what all of these names have in common."""
        self._names = names
        self.likely: Set[int] = set.intersection(*({*one.linked, *one.holders} for one in names)) if names else set()

    def holds(self, fact_id: int, match_text: str) -> bool:
        """Tell whether a likely fact is linked to each name or mentions it in its match text."""
        unlinked = [one.spelling for one in self._names if fact_id not in one.linked]
        if not unlinked:
            return True
        searched = text.normalise(match_text)
        return all(spelling.is_in(searched) for spelling in unlinked)


class LinkStore:
    """The entity graph of one memory file.

    Every method may raise `MemoryFileError`.
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database

    def about(self, names: Iterable[str]) -> About:
        """Return the facts that are linked to each of these names, however it is spelled, or hold all its terms."""
        with self._database.reading() as connection:
            return About(
                [
                    _Named(
                        _Spelling(name),
                        entity_index.facts_with(connection, name),
                        index.holding(connection, text.content_terms(name)),
                    )
                    for name in names
                ]
            )

    def facts_about(self, name: str) -> set[int]:
        """Return the ids of facts that name an entity, however it is spelled, or mention it in their match text."""
        about = self.about([name])
        with self._database.reading() as connection:
            texts = entity_index.match_texts(connection, about.likely)
            return {fact_id for fact_id, matched in texts if about.holds(fact_id, matched)}

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
    return _Spelling(name).is_in(text.normalise(content))


class _Spelling:
    """The ways to write one name."""

    def __init__(self, name: str) -> None:
        plain, key = text.normalise(name).strip(), entity_key(name)
        self._patterns = [_whole_word(re.escape(plain), plain)] if plain else []
        if plain and len(key) > LONGEST_CLOSED:
            self._patterns.append(_whole_word(_spaced(key), key))

    def is_in(self, searched: str) -> bool:
        """Tell whether a text that is normalised holds the name as a whole word."""
        return any(pattern.search(searched) for pattern in self._patterns)


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
