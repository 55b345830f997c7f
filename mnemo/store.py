"""The facts: add, update, remove, list, rate. The only writer of facts' texts.

Spec: fact-store, fact-summary.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from mnemo import clock, conditions, duplicates, index, lexicon, retrieval_log, succession
from mnemo.additions import new_id
from mnemo.derived import marks, taught
from mnemo.derived.derive import Texts
from mnemo.errors import DuplicateContentError, FactNotFoundError, InvalidArgumentError
from mnemo.facts import (
    DEFAULT_CATEGORY,
    DEFAULT_TRUST,
    TRUST_PLACES,
    Fact,
    FactChange,
    FactFilter,
    NewFact,
    content_in,
    duplicate_key,
    moment_in,
    number_in,
    text_in,
    time_in,
)
from mnemo.lexicon import Concept
from mnemo.scoring import Document, length_penalty
from mnemo.search.alike import AlikeFacts
from mnemo.search.candidates import Candidate, Candidates, choose
from mnemo.search.readings import Readings
from mnemo.storage.connections import expect_one
from mnemo.storage.database import Database
from mnemo.versions import Change, recording, remove_fact

HELPFUL_STEP = 0.05
UNHELPFUL_STEP = -0.10
RANKED_AT_ONCE = 250  # facts
_BEST_FIRST = f"coalesce(facts.trust_score, ?) DESC, {conditions.DATED} DESC, facts.fact_id"
_COLUMNS = (
    "facts.fact_id, facts.content, facts.summary, facts.category, facts.tags, facts.trust_score, "
    "facts.retrieval_count, facts.helpful_count, facts.last_retrieved_at, facts.created_at, facts.updated_at, "
    "(SELECT newer.fact_id FROM facts AS newer WHERE newer.fact_id = facts.superseded_by), facts.expires_at"
)


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one fact to be added: its id, or that of the fact that already says the same.

    Of a fact that is hidden, `superseded_by` is the one that took its place, `expired_at` the moment when it expired.
    """

    fact_id: int
    category: str
    is_duplicate: bool
    superseded_by: int | None = None
    expired_at: str | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """What one feedback did."""

    fact_id: int
    old_trust: float
    new_trust: float
    helpful_count: int


class FactStore:
    """The facts of one memory file.

    Every method may raise `MemoryFileError` (and `MemoryBusyError` where it writes).
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database
        self._readings: tuple[object, Readings] | None = None  # and the state that was read
        self._alike = AlikeFacts()

    def add(self, facts: Sequence[NewFact]) -> list[Added]:
        """Store facts in one transaction and return, in order, what became of each; a duplicate changes nothing."""
        batch = _Batch(clock.timestamp(clock.now()))
        with self._writing("add", batch.written) as connection:
            return [_add(connection, fact, batch) for fact in facts]

    def update(self, fact_id: int, change: FactChange) -> Fact:
        """Change what is named, keep the rest, and return the fact as it is now.

        Raises:
            FactNotFoundError: there is no such fact.
            DuplicateContentError: another fact already has exactly the new content.
        """
        with self._writing("update") as connection:
            fact = _require(connection, fact_id)
            if change.content is not None and change.content != fact.content:
                other = duplicates.other_with_content(connection, change.content, fact_id)
                if other is not None:
                    raise DuplicateContentError(other)
            summary = change.summary if change.summary and change.summary.strip() else None
            trust = None if change.trust_delta is None else _moved(fact.trust_score, change.trust_delta)
            cursor = connection.execute(
                "UPDATE facts SET content = coalesce(?, content), summary = iif(?, summary, ?), "
                "tags = coalesce(?, tags), category = coalesce(?, category), trust_score = coalesce(?, trust_score), "
                "expires_at = iif(?, expires_at, ?), updated_at = ? WHERE fact_id = ?",
                (
                    change.content,
                    change.summary is None,
                    summary,
                    change.tags,
                    change.category,
                    trust,
                    change.expires_at is None,
                    change.expires_at or None,
                    clock.timestamp(clock.now()),
                    fact_id,
                ),
            )
            expect_one(cursor)
            if change.supersedes is not None:
                _supersede(connection, fact_id, change.supersedes)
            return _require(connection, fact_id)

    def remove(self, fact_ids: Sequence[int]) -> tuple[list[int], list[int]]:
        """Remove facts in one transaction; return the ids that were removed and those that were not there."""
        removed: list[int] = []
        missing: list[int] = []
        with self._writing("remove") as connection:
            for fact_id in dict.fromkeys(fact_ids):
                (removed if remove_fact(connection, fact_id) else missing).append(fact_id)
        return removed, missing

    def rate(self, fact_id: int, *, is_helpful: bool) -> Rating:
        """Move a fact's trust by +0.05 or -0.10 within [0, 1], and count a helpful rating.

        Raises:
            FactNotFoundError: there is no such fact.
        """
        with self._writing("feedback") as connection:
            fact = _require(connection, fact_id)
            trust = _moved(fact.trust_score, HELPFUL_STEP if is_helpful else UNHELPFUL_STEP)
            helpful_count = fact.helpful_count + int(is_helpful)
            cursor = connection.execute(
                "UPDATE facts SET trust_score = ?, helpful_count = ? WHERE fact_id = ?", (trust, helpful_count, fact_id)
            )
            expect_one(cursor)
        return Rating(fact_id, fact.trust_score, trust, helpful_count)

    def get(self, fact_ids: Sequence[int], only: FactFilter | None = None) -> tuple[list[Fact], list[int]]:
        """Return the facts with these ids (that pass a filter), in the order asked for, and the ids that are not there.

        Without a filter, facts that are superseded or expired are there too.
        """
        wanted = list(dict.fromkeys(fact_ids))
        if not wanted:
            return [], []
        with self._database.reading() as connection:
            found = _facts(connection, wanted, only)
        return [found[i] for i in wanted if i in found], [i for i in wanted if i not in found]

    def list(self, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[list[Fact], int]:
        """Return one page of the facts that pass the filter, most trusted and then newest first, and how many pass."""
        condition, parameters = conditions.filter_condition(wanted)
        with self._database.reading() as connection:
            total = connection.execute(f"SELECT count(*) FROM facts WHERE {condition}", parameters).fetchone()[0]
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM facts WHERE {condition} ORDER BY {_BEST_FIRST} LIMIT ? OFFSET ?",
                [*parameters, DEFAULT_TRUST, limit, offset],
            )
            return [_fact(row) for row in rows], total

    def ranked(self, fact_ids: Iterable[int], wanted: FactFilter) -> Iterator[Fact]:
        """Yield those of these facts that pass the filter, in the order of `list`; texts are read as they are taken."""
        condition, parameters = conditions.filter_condition(wanted)
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT fact_id FROM facts WHERE fact_id IN (SELECT value FROM json_each(?)) AND {condition} "
                f"ORDER BY {_BEST_FIRST}",
                [json.dumps(list(fact_ids)), *parameters, DEFAULT_TRUST],
            )
            in_order = [row[0] for row in rows]
        for start in range(0, len(in_order), RANKED_AT_ONCE):
            facts, _ = self.get(in_order[start : start + RANKED_AT_ONCE])
            yield from facts

    def twins(self, fact: Fact) -> Sequence[int]:
        """Return the ids of other facts whose content is the same but for case, width, spacing and final punctuation.

        Spec: fact-store (Normalised duplicates are recognised); superseded and expired facts are left out.
        """
        with self._database.reading() as connection:
            same = duplicates.same_fingerprint(connection, fact.content)
            return [fact_id for fact_id in _facts(connection, same, FactFilter()) if fact_id != fact.fact_id]

    def marks(self, fact_ids: Iterable[int]) -> Mapping[int, Sequence[str]]:
        """Return the warnings that go with these facts, by id; most have none. Spec: content-safety."""
        with self._database.reading() as connection:
            return marks.marks_of(connection, fact_ids)

    def meanings(self, query: str) -> Mapping[str, Sequence[str]]:
        """Return what the facts teach that phrases of a query mean, such as 逆向（reverse engineering）.

        Spec: bilingual-retrieval (Taught pairs stand for each other).
        """
        with self._database.reading() as connection:
            if not self._readings_of(connection).are_words_taught:
                return {}
            return taught.meanings(connection, lexicon.phrases(query))

    def candidates(self, concepts: Sequence[Concept], only: FactFilter, limit: int) -> Candidates:
        """Return the facts that pass the filter and may answer a query, at least `limit` if so many hold a term of it.

        Facts that the index does not know yet, because another program is writing just now, are read as they are.
        """
        with self._database.reading() as connection:
            readings = self._readings_of(connection)
            chosen = choose(readings, concepts, only, limit)
            noted = readings.noted
            if not noted:
                return chosen
            found = {one.fact_id: one for one in chosen.facts}
            for fact in _facts(connection, noted, only).values():
                weight = fact.trust_score * length_penalty(len(fact.match_text))
                document = index.document_of(fact)
                likeness = chosen.wanted.read(document, chosen.wanted.every)
                found[fact.fact_id] = Candidate(fact.fact_id, weight, likeness)
        return replace(chosen, facts=list(found.values()))

    def alike(self, terms: Sequence[str], share: float, limit: int) -> Mapping[int, Document]:
        """Return up to `limit` facts that may have at least `share` of all their terms in common with these, by id.

        Facts that are superseded or expired are among them.
        """
        with self._database.reading() as connection:
            likely = self._alike.find(connection, terms, share, limit)
            return index.documents(connection, likely) if likely else {}

    def refresh(self) -> None:
        """Bring the index up to date with all facts, whoever wrote them."""
        with self._database.reading() as connection:
            is_current = not index.needs_refresh(connection)
        if not is_current:
            with self._writing("refresh"):
                return

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all that is read within the block see the same state of the memory, and its index up to date.

        The index stays behind where another program is writing just now: that is never waited for.
        """
        if self._database.is_reading:
            yield
            return
        with ExitStack() as reading:
            connection = reading.enter_context(self._database.reading())
            if not self._readings_of(connection).is_indexed:
                reading.close()
                with self._database.writing_at_once() as writer:
                    if writer is not None:
                        index.refresh(writer)
                index.open_snapshot(reading.enter_context(self._database.reading()))
            yield

    @contextmanager
    def rereading(self) -> Iterator[None]:
        """Let all that is read within the block, right after a write, see the same state of the memory."""
        with self._database.rereading():
            yield

    def _readings_of(self, connection: sqlite3.Connection) -> Readings:
        """Return what was read of the state of the memory that a transaction sees."""
        state = self._database.state(connection)
        if state is None:
            return Readings(connection)
        if self._readings is None or self._readings[0] != state:
            self._readings = state, Readings(connection)
        return self._readings[1]

    @contextmanager
    def _writing(self, action: str, written: Mapping[int, Texts] | None = None) -> Iterator[sqlite3.Connection]:
        """Give a write transaction that starts and ends with an index that is up to date, and leaves the log cut.

        `written` may be filled meanwhile with the texts of facts that the transaction writes.
        """
        with recording(self._database, Change(action)) as connection:
            index.refresh(connection)
            yield connection
            index.refresh(connection, written=written)
            retrieval_log.prune(connection)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What one transaction adds: the ids by what duplicates share, and the texts, which the index gets at the end."""

    stored_at: str
    fresh: dict[str, int] = field(default_factory=dict)
    written: dict[int, Texts] = field(default_factory=dict)


def _add(connection: sqlite3.Connection, fact: NewFact, batch: _Batch) -> Added:
    key = duplicate_key(fact.content)
    present = duplicates.same_content(connection, fact.content, key)
    if present is None:
        present = batch.fresh.get(key)
    if present is not None:
        if fact.supersedes not in (None, present):
            _supersede(connection, present, fact.supersedes)
        existing = _require(connection, present)  # which may show again by now
        expiry = moment_in(existing.expires_at)
        return Added(
            present,
            existing.category,
            is_duplicate=True,
            superseded_by=existing.superseded_by,
            expired_at=expiry if expiry is not None and expiry <= batch.stored_at else None,
        )
    summary = fact.summary if fact.summary and fact.summary.strip() else None
    fact_id = new_id(
        connection,
        "INSERT INTO facts(content, category, tags, summary, trust_score, retrieval_count, helpful_count, created_at, "
        "updated_at, expires_at) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?, ?)",
        (
            fact.content,
            fact.category,
            fact.tags,
            summary,
            DEFAULT_TRUST,
            batch.stored_at,
            batch.stored_at,
            fact.expires_at or None,
        ),
    )
    batch.fresh[key] = fact_id
    batch.written[fact_id] = Texts(fact.content, fact.tags, summary)
    if fact.supersedes is not None:
        _supersede(connection, fact_id, fact.supersedes)
    return Added(fact_id, fact.category, is_duplicate=False)


def _supersede(connection: sqlite3.Connection, newer: int, older: int) -> None:
    """Link a fact to the one that takes its place; if the other way round was said before, the last word holds."""
    if newer == older:
        raise InvalidArgumentError(f"fact {newer} cannot supersede itself")
    _require(connection, older)
    said_at = clock.timestamp(clock.now())  # both are changed, so that other memories know who spoke last
    if succession.leads_to(connection, newer, older):
        succession.change(connection, newer, None, said_at)
    succession.change(connection, older, newer, said_at)


def _moved(trust: float, delta: float) -> float:
    return round(min(1.0, max(0.0, trust + delta)), TRUST_PLACES)


def _require(connection: sqlite3.Connection, fact_id: int) -> Fact:
    found = _facts(connection, [fact_id])
    if fact_id not in found:
        raise FactNotFoundError(fact_id)
    return found[fact_id]


def _facts(
    connection: sqlite3.Connection, fact_ids: Iterable[int], wanted: FactFilter | None = None
) -> dict[int, Fact]:
    condition, parameters = conditions.filter_condition(wanted) if wanted else ("1", [])
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM facts WHERE fact_id IN (SELECT value FROM json_each(?)) AND {condition}",
        [json.dumps(list(fact_ids)), *parameters],
    )
    return {row[0]: _fact(row) for row in rows}


def _fact(row: Sequence[Any]) -> Fact:
    """Make a fact of a row in the order of `_COLUMNS`; what is NULL or of another type gets the table's default."""
    fact_id, content, summary, category, tags, trust, retrievals, helpful, *times, newer, expiry = row
    retrieved, created, updated = map(time_in, times)
    return Fact(
        fact_id,
        content_in(content),
        summary if isinstance(summary, str) else None,
        text_in(category, "") or DEFAULT_CATEGORY,
        text_in(tags, ""),
        float(number_in(trust, DEFAULT_TRUST)),
        int(number_in(retrievals, 0)),
        int(number_in(helpful, 0)),
        retrieved,
        created,
        updated,
        newer if isinstance(newer, int) else None,
        time_in(expiry),
    )
