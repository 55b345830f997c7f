"""Which facts look like a secret or like an instruction: found when a fact is indexed, shown with every result.

Spec: content-safety.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from mnemo.derived.derive import Texts, warnings_of

UNREADABLE = "its warnings cannot be read"


def mark(connection: sqlite3.Connection, marked: Sequence[int], found: Mapping[int, Sequence[str]]) -> None:
    """Keep the warnings found in facts, by id, and forget earlier ones of facts that may have any.

    The caller's write transaction holds it.
    """
    if marked:
        connection.execute(
            "DELETE FROM fact_marks WHERE fact_id IN (SELECT value FROM json_each(?))", (json.dumps(marked),)
        )
    rows = [(fact_id, json.dumps(warnings, ensure_ascii=False)) for fact_id, warnings in found.items() if warnings]
    if rows:
        connection.executemany("INSERT INTO fact_marks(fact_id, warnings) VALUES (?, ?)", rows)


def marks_of(connection: sqlite3.Connection, fact_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the warnings of those of these facts that have any, by id."""
    wanted = json.dumps(list(fact_ids))
    rows = connection.execute(
        "SELECT fact_id, warnings FROM fact_marks WHERE fact_id IN (SELECT value FROM json_each(?))", (wanted,)
    )
    known = {fact_id: _read(warnings) for fact_id, warnings in rows}
    # What another program wrote a moment ago is shown before it is indexed, and must not be shown unmarked.
    written = connection.execute(
        "SELECT fact_id, content, tags, summary FROM facts WHERE fact_id IN (SELECT fact_id FROM index_notes) "
        "AND fact_id IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    known |= {fact_id: list(warnings_of(Texts.of(*texts))) for fact_id, *texts in written}
    return {fact_id: warnings for fact_id, warnings in known.items() if warnings}


def _read(warnings: object) -> list[str]:
    """Return kept warnings; another program may have put there what is no list of texts."""
    try:
        found = json.loads(warnings if isinstance(warnings, str) else "")
    except ValueError:
        found = None
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else [UNREADABLE]
