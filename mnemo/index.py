"""The index of terms, kept in step with the facts whoever writes them.

Each fact has a place in the index: facts of fewer different terms stand first, newer before older among equals. So the
holders of a common word can be read best first, and only as many as are needed.

Spec: fact-summary (FTS5 indexes summary when present), fact-retrieval.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from mnemo import schema, text
from mnemo.derived import derive, entity_index, marks, taught
from mnemo.derived.derive import Derived, Texts
from mnemo.facts import Fact
from mnemo.places import LARGEST_ID, place_of, rank_at
from mnemo.scoring import Document

TWICE = derive.TWICE
CHUNK = 2_000  # facts that a refresh holds in memory at once
MANY = 200  # facts, whose part of the index is worth a merge of its own
LARGE = 400_000  # facts: sixteen times sixteen batches, which would be merged at once, are more
_MERGED_PARTS = 4  # from which on FTS5 merges, unless it is told otherwise
_MERGED_PAGES = 2_000  # at most: some 50,000 facts, or a fraction of a second
_BESIDE_FACTS = ("index_documents", "fact_entities", "own_links", "fact_marks", "taught_words")


def needs_refresh(connection: sqlite3.Connection) -> bool:
    """Tell whether facts were written since the index was last brought up to date."""
    return bool(
        connection.execute(
            "SELECT EXISTS (SELECT 1 FROM index_notes WHERE fact_id BETWEEN 0 AND ?) "
            "OR (SELECT tokenizer FROM index_state) <> ?",
            (LARGEST_ID, text.TOKENIZER_VERSION),
        ).fetchone()[0]
    )


def open_snapshot(connection: sqlite3.Connection) -> None:
    """Fix the state that a read transaction sees, which is that of its first read."""
    connection.execute("SELECT tokenizer FROM index_state").fetchone()


def refresh(
    connection: sqlite3.Connection,
    known: Mapping[Texts, Derived] | None = None,
    written: Mapping[int, Texts] | None = None,
) -> list[int]:
    """Index each fact that the triggers noted, drop those that are gone, and return the ids that were noted.

    The caller's write transaction holds all of it. An index that another tokenizer made is built anew. A fact whose
    id has no place (negative or beyond 2^32) stays noted, and is read as it is at each search. `known` is what was
    derived from facts' texts before, `written` the texts of facts that this transaction wrote.
    """
    tokenizer, is_noted = connection.execute(
        "SELECT tokenizer, EXISTS (SELECT 1 FROM index_notes WHERE fact_id BETWEEN 0 AND ?) FROM index_state",
        (LARGEST_ID,),
    ).fetchone()
    if tokenizer != text.TOKENIZER_VERSION:
        schema.empty_index(connection, text.TOKENIZER_VERSION)
    elif not is_noted:
        return []
    every: list[int] = []
    while True:
        rows = connection.execute(
            "SELECT fact_id FROM index_notes WHERE fact_id BETWEEN 0 AND ? ORDER BY fact_id LIMIT ?",
            (LARGEST_ID, CHUNK),
        )
        chunk = [row[0] for row in rows]
        if not chunk:
            return every
        found = derive.of_all(_texts(connection, chunk, written or {}), known or {})
        indexed = chunk if _may_be_indexed(connection, chunk) else []
        entity_index.relink(connection, indexed, {fact_id: one.names for fact_id, one in found.items()})
        marks.mark(connection, indexed, {fact_id: one.warnings for fact_id, one in found.items()})
        taught.teach(connection, indexed, {fact_id: one.pairs for fact_id, one in found.items()})
        _index_chunk(connection, indexed, found)
        connection.execute("DELETE FROM index_notes WHERE fact_id BETWEEN 0 AND ?", (chunk[-1],))
        every += chunk
        if len(chunk) < CHUNK:
            return every


@contextmanager
def rare_merges(connection: sqlite3.Connection, count: int) -> Iterator[None]:
    """Let what the block indexes of `count` facts wait to be merged with the rest until many such parts can be at once.

    Otherwise FTS5 goes on with a merge at each write, and writes every word more often. The caller's write transaction
    holds all of it, so that no other write finds FTS5 set like this. Of a large memory one such merge would take long.
    """
    highest: int = connection.execute("SELECT coalesce(max(fact_id), 0) FROM facts").fetchone()[0]
    if count < MANY or highest > LARGE:
        yield
        return
    _merge_at(connection, 0)
    yield
    connection.execute("SAVEPOINT indexed")  # FTS5 writes here what it holds in memory
    _merge_at(connection, _MERGED_PARTS)
    connection.execute("RELEASE indexed")


def _merge_at(connection: sqlite3.Connection, parts: int) -> None:
    for table in ("facts_fts", "index_terms"):
        connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('automerge', ?)", (parts,))


def merge_parts(connection: sqlite3.Connection) -> None:
    """Merge what `rare_merges` left in many parts, each of which a search looks its words up in."""
    for table in ("facts_fts", "index_terms"):
        connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('merge', ?)", (_MERGED_PAGES,))


def note(connection: sqlite3.Connection, fact_ids: Sequence[int]) -> None:
    """Note facts as not indexed yet, as the triggers do."""
    connection.execute(
        "INSERT OR IGNORE INTO index_notes SELECT value FROM json_each(?) ORDER BY value", (json.dumps(fact_ids),)
    )


def _may_be_indexed(connection: sqlite3.Connection, fact_ids: Sequence[int]) -> bool:
    """Tell whether anything is kept beside one of these facts; new ones, which most are, are spared the questions."""
    kept = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE fact_id BETWEEN ?1 AND ?2)" for table in _BESIDE_FACTS)
    return bool(connection.execute(f"SELECT {kept}", (fact_ids[0], fact_ids[-1])).fetchone()[0])


def _texts(connection: sqlite3.Connection, fact_ids: Sequence[int], written: Mapping[int, Texts]) -> dict[int, Texts]:
    """Return the texts of those of these facts that are there, in the order of their ids."""
    unread = [fact_id for fact_id in fact_ids if fact_id not in written]
    read = {}
    if unread:
        rows = connection.execute(
            "SELECT fact_id, content, tags, summary FROM facts WHERE fact_id IN (SELECT value FROM json_each(?))",
            (json.dumps(unread),),
        )
        read = {fact_id: Texts.of(*texts) for fact_id, *texts in rows}
    every = ((fact_id, written.get(fact_id) or read.get(fact_id)) for fact_id in fact_ids)
    return {fact_id: texts for fact_id, texts in every if texts is not None}


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the index holds of one fact; `content`, `tags` and `summary` are its terms there, with repeats."""

    fact_id: int
    place: int
    fingerprint: int
    length: int
    content: str
    tags: str
    summary: str

    @property
    def posted(self) -> str:
        return derive.posted(Counter(f"{self.content} {self.tags} {self.summary}".split()))


def _index_chunk(connection: sqlite3.Connection, indexed: Sequence[int], found: Mapping[int, Derived]) -> None:
    """Take the entries of facts that may be indexed out of the index, and put in those of the facts that are there.

    Each full-text table gets its rows in the order of their places: FTS5 starts a new segment whenever they go back.
    """
    among, given = "fact_id IN (SELECT value FROM json_each(?))", (json.dumps(indexed),)
    columns = "fact_id, place, fingerprint, length, content, tags, summary"
    rows = connection.execute(f"SELECT {columns} FROM index_documents WHERE {among}", given) if indexed else ()
    old = [_Entry(*row) for row in rows]
    if old:
        connection.executemany(
            "INSERT INTO facts_fts(facts_fts, rowid, content, tags, summary) VALUES ('delete', ?, ?, ?, ?)",
            [(entry.fact_id, entry.content, entry.tags, entry.summary) for entry in old],
        )
        connection.executemany(
            "INSERT INTO index_terms(index_terms, rowid, terms) VALUES ('delete', ?, ?)",
            sorted((entry.place, entry.posted) for entry in old),
        )
        connection.execute(f"DELETE FROM index_documents WHERE {among}", given)
    new = [(fact_id, place_of(fact_id, one.rank), one) for fact_id, one in found.items()]
    connection.executemany(
        "INSERT INTO index_documents VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (fact_id, place, one.fingerprint, one.length, one.content, one.tags, one.summary)
            for fact_id, place, one in new
        ],
    )
    connection.executemany(
        "INSERT INTO facts_fts(rowid, content, tags, summary) VALUES (?, ?, ?, ?)",
        [(fact_id, one.content, one.tags, one.summary) for fact_id, _, one in new],
    )
    connection.executemany(
        "INSERT INTO index_terms(rowid, terms) VALUES (?, ?)", sorted((place, one.posted) for _, place, one in new)
    )
    _count_ranks(connection, [(e.place, e.length) for e in old], [(place, one.length) for _, place, one in new])


def _count_ranks(
    connection: sqlite3.Connection, old: Iterable[tuple[int, int]], new: Iterable[tuple[int, int]]
) -> None:
    """Count how many facts and terms of each rank there are; `old` and `new` are (place, length)."""
    documents: Counter[int] = Counter()
    terms: Counter[int] = Counter()
    for sign, entries in ((-1, old), (1, new)):
        for place, length in entries:
            documents[rank_at(place)] += sign
            terms[rank_at(place)] += sign * length
    connection.executemany(
        "INSERT INTO index_ranks VALUES (?, ?, ?) ON CONFLICT (rank) DO UPDATE SET "
        "documents = documents + excluded.documents, terms = terms + excluded.terms",
        [(rank, documents[rank], terms[rank]) for rank in documents],
    )


def quoted(term: str, mark: str = "") -> str:
    """Return a term for MATCH."""
    return '"' + (term + mark).replace('"', '""') + '"'


def holding(connection: sqlite3.Connection, terms: Iterable[str]) -> set[int]:
    """Return the ids of facts whose searchable text holds all of these terms; none for no term."""
    wanted = " AND ".join(map(quoted, dict.fromkeys(terms)))
    if not wanted:
        return set()
    return {row[0] for row in connection.execute("SELECT rowid FROM facts_fts WHERE facts_fts MATCH ?", (wanted,))}


def documents(connection: sqlite3.Connection, fact_ids: Iterable[int]) -> dict[int, Document]:
    """Return the terms of indexed facts, by id."""
    rows = connection.execute(
        "SELECT fact_id, ' ' || content || ' ' || tags || ' ' || summary, length, place FROM index_documents "
        "WHERE fact_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(fact_ids)),),
    )
    return {fact_id: Document(terms, length, rank_at(place)) for fact_id, terms, length, place in rows}


def noted(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of facts that were written since the index was last brought up to date."""
    return [row[0] for row in connection.execute("SELECT fact_id FROM index_notes")]


def document_of(fact: Fact) -> Document:
    """Return the terms of a fact as the index would hold them."""
    return Document.of(text.terms(fact.match_text) + text.terms(fact.tags))
