"""The index of terms: kept in step with the facts, and asked for the candidates of a query.

Spec: fact-summary (FTS5 indexes summary when present), fact-retrieval.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from mnemo import entity_index, marks, schema, taught, text
from mnemo.facts import Fact, FactFilter, duplicate_key, fingerprint
from mnemo.lexicon import Concept
from mnemo.scoring import Corpus, Document, match_text

TRUST_TOLERANCE = 1e-9
_DATED = "datetime(coalesce(facts.updated_at, facts.created_at))"


def filter_condition(wanted: FactFilter) -> tuple[str, list[object]]:
    """Return the filter as an SQL condition on the columns of `facts`, and its parameters."""
    conditions = ["coalesce(facts.trust_score, 0.5) >= ?"]
    parameters: list[object] = [wanted.min_trust - TRUST_TOLERANCE]
    if wanted.category is not None:
        conditions.append("coalesce(facts.category, 'general') = ?")
        parameters.append(wanted.category)
    for tag in wanted.tags:
        conditions.append("has_tag(facts.tags, ?)")
        parameters.append(tag)
    if wanted.after is not None:
        conditions.append(f"{_DATED} >= datetime(?)")
        parameters.append(wanted.after)
    if wanted.before is not None:
        conditions.append(f"{_DATED} < datetime(?)")
        parameters.append(wanted.before)
    return " AND ".join(conditions), parameters


def needs_refresh(connection: sqlite3.Connection) -> bool:
    """Tell whether facts were written since the index was last brought up to date."""
    return bool(
        connection.execute(
            "SELECT EXISTS (SELECT 1 FROM index_notes) OR (SELECT tokenizer FROM index_state) <> ?",
            (text.TOKENIZER_VERSION,),
        ).fetchone()[0]
    )


def refresh(connection: sqlite3.Connection) -> list[int]:
    """Index each fact that the triggers noted, drop those that are gone, and return the ids that were noted.

    The caller's write transaction holds all of it. An index that another tokenizer made is built anew.
    """
    if connection.execute("SELECT tokenizer FROM index_state").fetchone()[0] != text.TOKENIZER_VERSION:
        schema.empty_index(connection, text.TOKENIZER_VERSION)
    noted = [row[0] for row in connection.execute("SELECT fact_id FROM index_notes ORDER BY fact_id")]
    documents = terms = 0
    entity_index.relink(connection, noted)
    marks.mark(connection, noted)
    taught.teach(connection, noted)
    for fact_id in noted:
        removed, removed_terms = _forget(connection, fact_id)
        added, added_terms = _learn(connection, fact_id)
        documents += added - removed
        terms += added_terms - removed_terms
    if noted:
        connection.execute(
            "UPDATE index_state SET documents = max(0, documents + ?), terms = max(0, terms + ?)", (documents, terms)
        )
        connection.execute("DELETE FROM index_notes WHERE fact_id <= ?", (noted[-1],))
    return noted


def _forget(connection: sqlite3.Connection, fact_id: int) -> tuple[int, int]:
    row = connection.execute("SELECT length FROM index_documents WHERE fact_id = ?", (fact_id,)).fetchone()
    if row is None:
        return 0, 0
    connection.execute("DELETE FROM facts_fts WHERE rowid = ?", (fact_id,))
    connection.execute("DELETE FROM index_documents WHERE fact_id = ?", (fact_id,))
    return 1, row[0]


def _learn(connection: sqlite3.Connection, fact_id: int) -> tuple[int, int]:
    row = connection.execute("SELECT content, tags, summary FROM facts WHERE fact_id = ?", (fact_id,)).fetchone()
    if row is None:
        return 0, 0
    content, tags, summary = (value if isinstance(value, str) else "" for value in row)
    matched = match_text(content, summary)
    match_terms, tag_terms = text.terms(matched), text.terms(tags)
    columns = {"content": "", "summary": ""}
    columns["content" if matched == content else "summary"] = " ".join(match_terms)
    length = sum(map(text.is_counted, match_terms + tag_terms))
    connection.execute(
        "INSERT INTO facts_fts(rowid, content, tags, summary) VALUES (?, ?, ?, ?)",
        (fact_id, columns["content"], " ".join(tag_terms), columns["summary"]),
    )
    connection.execute("INSERT INTO index_documents VALUES (?, ?, ?)", (fact_id, fingerprint(content), length))
    return 1, length


def same_fingerprint(connection: sqlite3.Connection, content: str) -> list[int]:
    """Return the ids of indexed facts whose content is the same but for case, width, spacing or final punctuation."""
    rows = connection.execute(
        "SELECT fact_id, facts.content FROM index_documents JOIN facts USING (fact_id) WHERE fingerprint = ? ORDER BY fact_id",
        (fingerprint(content),),
    )
    key = duplicate_key(content)
    return [fact_id for fact_id, other in rows if duplicate_key(other) == key]


def corpus(connection: sqlite3.Connection, concepts: Sequence[Concept]) -> Corpus:
    """Return what BM25 needs to know of the whole memory for these concepts."""
    documents, terms = connection.execute("SELECT documents, terms FROM index_state").fetchone()
    alternatives = {term for concept in concepts if concept.finds for term, _ in concept.alternatives}
    holders = _holders(connection, alternatives)
    frequencies = {
        concept.term: min(documents, sum(holders[term] for term, _ in concept.alternatives))
        for concept in concepts
        if concept.finds
    }
    return Corpus(documents, terms / documents if documents else 0.0, frequencies)


def _holders(connection: sqlite3.Connection, alternatives: Iterable[str]) -> dict[str, int]:
    """Return in how many documents each alternative is; for a phrase, at most how many."""
    words = {alternative: alternative.split(" ") for alternative in alternatives}
    rows = connection.execute(
        "SELECT term, doc FROM facts_terms WHERE term IN (SELECT value FROM json_each(?))",
        (json.dumps([word for parts in words.values() for word in parts]),),
    )
    counts = dict(rows.fetchall())
    holders = {alternative: min(counts.get(part, 0) for part in parts) for alternative, parts in words.items()}
    for character in filter(text.is_character, words):
        row = connection.execute(
            "SELECT total(doc) FROM facts_terms WHERE term >= ? AND term < ?", (character, chr(ord(character) + 1))
        ).fetchone()
        holders[character] = int(row[0])
    return holders


def candidates(
    connection: sqlite3.Connection, concepts: Sequence[Concept], wanted: FactFilter, limit: int
) -> list[int]:
    """Return the ids of up to `limit` facts that hold a term of the query and pass the filter, best ranked first."""
    alternatives = dict.fromkeys(term for concept in concepts if concept.finds for term, _ in concept.alternatives)
    if not alternatives:
        return []
    condition, parameters = filter_condition(wanted)
    rows = connection.execute(
        "SELECT facts_fts.rowid FROM facts_fts JOIN facts ON facts.fact_id = facts_fts.rowid "  # noqa: S608
        f"WHERE facts_fts MATCH ? AND {condition} ORDER BY facts_fts.rank LIMIT ?",
        [" OR ".join(_quoted(term) for term in alternatives), *parameters, limit],
    )
    return [row[0] for row in rows]


def _quoted(term: str) -> str:
    # A phrase stays one string, whose terms must be neighbours; a character is the start of a term.
    return '"' + term.replace('"', '""') + '"' + ("*" if text.is_character(term) else "")


def documents(connection: sqlite3.Connection, fact_ids: Iterable[int]) -> dict[int, Document]:
    """Return the terms of indexed facts, by id."""
    rows = connection.execute(
        "SELECT rowid, content, tags, summary FROM facts_fts WHERE rowid IN (SELECT value FROM json_each(?))",
        (json.dumps(list(fact_ids)),),
    )
    return {row[0]: Document.of(" ".join(row[1:]).split()) for row in rows}


def noted(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of facts that were written since the index was last brought up to date."""
    return [row[0] for row in connection.execute("SELECT fact_id FROM index_notes")]


def document_of(fact: Fact) -> Document:
    """Return the terms of a fact as the index would hold them."""
    return Document.of(text.terms(fact.match_text) + text.terms(fact.tags))


def known_fingerprints(connection: sqlite3.Connection, contents: Iterable[str]) -> set[int]:
    """Return the fingerprints of these contents that indexed facts have."""
    rows = connection.execute(
        "SELECT fingerprint FROM index_documents WHERE fingerprint IN (SELECT value FROM json_each(?))",
        (json.dumps([fingerprint(content) for content in contents]),),
    )
    return {row[0] for row in rows}
