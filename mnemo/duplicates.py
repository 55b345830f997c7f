"""Facts whose content is that of another one: exactly, or but for case, width, spacing or final punctuation.

Spec: fact-store (Add stores a fact).
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from mnemo.facts import content_in, duplicate_key, fingerprint
from mnemo.places import LARGEST_ID


def beyond(connection: sqlite3.Connection, contents: Sequence[str]) -> set[str]:
    """Return those of these contents that facts have whose ids are too high or too low for the index."""
    is_any = "SELECT EXISTS (SELECT 1 FROM facts WHERE fact_id < 0) OR EXISTS (SELECT 1 FROM facts WHERE fact_id > ?)"
    if not connection.execute(is_any, (LARGEST_ID,)).fetchone()[0]:  # as nearly always: no content is looked up
        return set()
    rows = connection.execute(
        "SELECT content FROM facts WHERE (fact_id < 0 OR fact_id > ?) AND content IN (SELECT value FROM json_each(?))",
        (LARGEST_ID, json.dumps(contents)),
    )
    return {content for (content,) in rows}


def same_fingerprint(connection: sqlite3.Connection, content: str) -> list[int]:
    """Return the ids of indexed facts whose content is the same but for case, width, spacing or final punctuation."""
    rows = connection.execute(
        "SELECT fact_id, facts.content FROM index_documents JOIN facts USING (fact_id) "
        "WHERE fingerprint = ? ORDER BY fact_id",
        (fingerprint(content),),
    )
    key = duplicate_key(content)
    return [fact_id for fact_id, other in rows if duplicate_key(content_in(other)) == key]


def other_with_content(connection: sqlite3.Connection, content: object, fact_id: int) -> int | None:
    """Return the id of the fact, other than this one, that has exactly this content."""
    row = connection.execute(
        "SELECT fact_id FROM facts WHERE content = ? AND fact_id <> ?", (content, fact_id)
    ).fetchone()
    return None if row is None else int(row[0])


def same_content(connection: sqlite3.Connection, content: str, key: str) -> int | None:
    """Return the id of the fact with exactly this content, else of the first indexed one with its duplicate key."""
    rows = connection.execute(
        "SELECT 0, fact_id, content FROM facts WHERE content = ? UNION ALL "
        "SELECT 1, fact_id, facts.content FROM index_documents JOIN facts USING (fact_id) WHERE fingerprint = ? "
        "ORDER BY 1, 2",
        (content, fingerprint(content)),
    )
    return next(
        (fact_id for only_alike, fact_id, other in rows if not only_alike or duplicate_key(content_in(other)) == key),
        None,
    )


def known_fingerprints(connection: sqlite3.Connection, fingerprints: Iterable[int]) -> set[int]:
    """Return those of these fingerprints that the contents of indexed facts have."""
    rows = connection.execute(
        "SELECT fingerprint FROM index_documents WHERE fingerprint IN (SELECT value FROM json_each(?))",
        (json.dumps(list(fingerprints)),),
    )
    return {row[0] for row in rows}
