"""The word pairs that facts teach: found when a fact is indexed, used by every search.

Spec: bilingual-retrieval (taught pairs).
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from mnemo import lexicon


def teach(connection: sqlite3.Connection, fact_ids: Iterable[int]) -> None:
    """Keep the pairs that each fact teaches and forget others; the caller's transaction holds all of it."""
    for fact_id in fact_ids:
        connection.execute("DELETE FROM taught_words WHERE fact_id = ?", (fact_id,))
        row = connection.execute("SELECT content FROM facts WHERE fact_id = ?", (fact_id,)).fetchone()
        if row is None or not isinstance(row[0], str):
            continue
        for first, second in lexicon.taught_pairs(row[0]):
            connection.executemany(
                "INSERT OR IGNORE INTO taught_words(phrase, meaning, fact_id) VALUES (?, ?, ?)",
                [(first, second, fact_id), (second, first, fact_id)],
            )


def meanings(connection: sqlite3.Connection, phrases: Sequence[str]) -> dict[str, list[str]]:
    """Return what the facts say that phrases mean: only those that some fact teaches."""
    found: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT DISTINCT phrase, meaning FROM taught_words WHERE phrase IN (SELECT value FROM json_each(?)) "
        "ORDER BY phrase, meaning",
        (json.dumps(phrases),),
    )
    for phrase, meaning in rows:
        found.setdefault(phrase, []).append(meaning)
    return found
