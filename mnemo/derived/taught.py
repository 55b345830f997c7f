"""The word pairs that facts teach: found when a fact is indexed, used by every search.

Spec: bilingual-retrieval (Taught pairs stand for each other).
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence

from mnemo.facts import content_in


def teach(
    connection: sqlite3.Connection, teaching: Sequence[int], found: Mapping[int, Sequence[tuple[str, str]]]
) -> None:
    """Keep the pairs that facts teach, by id, and forget earlier ones of facts that may teach any.

    The caller's write transaction holds it.
    """
    if teaching:
        connection.execute(
            "DELETE FROM taught_words WHERE fact_id IN (SELECT value FROM json_each(?))", (json.dumps(teaching),)
        )
    rows = [
        (phrase, meaning, fact_id)
        for fact_id, pairs in found.items()
        for pair in pairs
        for phrase, meaning in (pair, pair[::-1])
    ]
    if rows:
        connection.executemany("INSERT OR IGNORE INTO taught_words(phrase, meaning, fact_id) VALUES (?, ?, ?)", rows)


def meanings(connection: sqlite3.Connection, phrases: Sequence[str]) -> dict[str, list[str]]:
    """Return what the facts say that phrases mean: only those that some fact teaches."""
    found: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT DISTINCT phrase, meaning FROM taught_words WHERE phrase IN (SELECT value FROM json_each(?)) "
        "ORDER BY phrase, meaning",
        (json.dumps(phrases),),
    )
    for phrase, meaning in rows:
        found.setdefault(phrase, []).append(content_in(meaning))
    return found
