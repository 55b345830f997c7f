"""What searches read of one state of the memory, remembered: the next one often asks for the same words and facts.

Spec: fact-retrieval (A search is never behind).
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from mnemo import clock, index
from mnemo.conditions import MATCH_LENGTH, filter_condition
from mnemo.facts import DEFAULT_TRUST, FactFilter
from mnemo.places import LARGEST_ID, fact_at, rank_at
from mnemo.scoring import PENALTY_FREE_LENGTH, Document

MOST_PLACES = 50_000  # remembered
MATCH_SIZE = 20  # places that take about as much as what stands around those of one word
MOST_FACTS = 10_000
MOST_CHARACTERS = 1_000_000  # of the terms of facts
MOST_COUNTS = 1_000
MOST_COMPARED = 100_000  # facts of which the highest trust is looked for
SAMPLED_IDS = 500
_WEIGHT = (  # trust times length penalty; another program may have stored anything as trust
    "iif(typeof(facts.trust_score) IN ('integer', 'real') AND abs(facts.trust_score) < 9e99, facts.trust_score, "
    f"{DEFAULT_TRUST}) * min(1.0, {float(PENALTY_FREE_LENGTH)} / max(1, {MATCH_LENGTH}))"
)
_ALWAYS = "9999-12-31 23:59:59"  # the last moment that SQLite knows

Weighed = tuple[float, int | None]  # the trust of a fact times its length penalty, and its number of terms if indexed


class Readings:
    """What was read of one state of the memory, as much of it as is worth to be remembered.

    Whoever asks holds a read transaction that sees this very state.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read through this connection what is not known yet."""
        self._connection = connection
        self._places: dict[str, tuple[Sequence[int], int]] = {}  # as many as were asked for
        self._size = 0
        self._counts: dict[tuple[str, str, int, int], int] = {}
        self._only: FactFilter | None = None
        self._since = self._until = ""  # while no fact that was weighed expires
        self._weighed: dict[int, Weighed | None] = {}
        self._documents: dict[int, Document] = {}
        self._characters = 0

    @cached_property
    def is_indexed(self) -> bool:
        """Tell whether the index is up to date."""
        return not index.needs_refresh(self._connection)

    @cached_property
    def noted(self) -> Sequence[int]:
        """The ids of facts that the index does not know."""
        return index.noted(self._connection)

    @cached_property
    def are_words_taught(self) -> bool:
        """Tell whether any fact teaches what a word means."""
        return bool(self._connection.execute("SELECT EXISTS (SELECT 1 FROM taught_words)").fetchone()[0])

    @cached_property
    def highest_trust(self) -> float:
        """The highest trust of any fact; 1 of very many."""
        few = "SELECT coalesce(max(fact_id), 0) <= ? FROM facts"
        if not self._connection.execute(few, (MOST_COMPARED,)).fetchone()[0]:
            return 1.0
        highest: float | None = self._connection.execute(
            "SELECT max(trust_score) FROM facts WHERE typeof(trust_score) IN ('integer', 'real')"
        ).fetchone()[0]
        return max(highest or 0.0, DEFAULT_TRUST)

    @cached_property
    def ranks(self) -> "Ranks":
        """How many facts there are at each rank."""
        return Ranks(self._connection)

    def places(self, match: str, limit: int) -> Sequence[int]:
        """Return the first places in the index that match."""
        known, asked = self._places.get(match, ((), 0))
        if limit > asked and len(known) == asked:
            rows = self._connection.execute(
                "SELECT rowid FROM index_terms WHERE index_terms MATCH ? ORDER BY rowid LIMIT ?", (match, limit)
            )
            known = [place for (place,) in rows.fetchall()]
            self._remember(match, known, limit)
        return known if len(known) <= limit else known[:limit]

    def rule_out(self, matches: Iterable[str]) -> None:
        """Ask in one question whether anything matches any of these, which of the words of most queries nothing does.

        If so, that is remembered of each.
        """
        unknown = [match for match in matches if match not in self._places]
        if unknown:
            either = "SELECT 1 FROM index_terms WHERE index_terms MATCH ? LIMIT 1"
            if self._connection.execute(either, (" OR ".join(unknown),)).fetchone() is None:
                for match in unknown:
                    self._remember(match, (), 1)

    def places_passing(self, match: str, limit: int, only: FactFilter) -> Sequence[int]:
        """Return the first places that match and whose facts pass a filter, however many have to be passed over."""
        condition, parameters = filter_condition(only)
        rows = self._connection.execute(
            "SELECT index_terms.rowid FROM index_terms "
            f"CROSS JOIN facts ON facts.fact_id = {LARGEST_ID} - (index_terms.rowid & {LARGEST_ID}) "
            f"WHERE index_terms MATCH ? AND {condition} ORDER BY index_terms.rowid LIMIT ?",
            (match, *parameters, limit),
        )
        return [place for (place,) in rows.fetchall()]

    def count(self, match: str, where: str, fact_id: int, most: int) -> int:
        """Return how many facts match and stand `where` the id tells, up to so many as are counted at most."""
        asked = match, where, fact_id, most
        if asked not in self._counts:
            if len(self._counts) >= MOST_COUNTS:
                self._counts.clear()
            sql = f"SELECT count(*) FROM (SELECT 1 FROM facts_fts WHERE facts_fts MATCH ? AND {where} LIMIT ?)"
            self._counts[asked] = self._connection.execute(sql, (match, fact_id, most)).fetchone()[0]
        return self._counts[asked]

    def weighed(self, fact_ids: Collection[int], only: FactFilter) -> Mapping[int, Weighed | None]:
        """Return trust times length penalty, and the number of terms, of these facts and maybe others, by id.

        Those that do not pass the filter have None.
        """
        now = clock.timestamp(clock.now())
        if only != self._only or not self._since <= now < self._until or len(self._weighed) > MOST_FACTS:
            self._only, self._since, self._until, self._weighed = only, now, _ALWAYS, {}
        known = self._weighed
        unknown = [fact_id for fact_id in fact_ids if fact_id not in known]
        if unknown:
            rows = self._weigh(unknown, only)
            self._since = clock.timestamp(clock.now())  # those that have expired may show by an earlier clock
            known.update(dict.fromkeys(unknown))
            for fact_id, weight, length, expires_at in rows:
                known[fact_id] = weight, length
                if expires_at is not None:
                    self._until = min(self._until, expires_at)
        return known

    def weighed_above(self, fact_ids: Collection[int], only: FactFilter, trust: float) -> Mapping[int, Weighed | None]:
        """Return the same of those of these facts that have more than so much trust: of so many that few may do."""
        return {fact_id: (weight, length) for fact_id, weight, length, _ in self._weigh(fact_ids, only, trust)}

    def _weigh(
        self, fact_ids: Collection[int], only: FactFilter, above: float | None = None
    ) -> Iterable[tuple[int, float, int | None, str | None]]:
        condition, parameters = filter_condition(only)
        if above is not None:
            condition, parameters = f"facts.trust_score > ? AND {condition}", [above, *parameters]
        return self._connection.execute(
            f"SELECT fact_id, {_WEIGHT}, (SELECT length FROM index_documents WHERE fact_id = facts.fact_id), "
            f"datetime(facts.expires_at) FROM facts WHERE fact_id IN (SELECT value FROM json_each(?)) AND {condition}",
            (json.dumps(list(fact_ids)), *parameters),
        ).fetchall()

    def documents(self, fact_ids: Collection[int]) -> Mapping[int, Document]:
        """Return the terms of these facts, as far as they are indexed, and maybe of others, by id."""
        known = self._documents
        unknown = [fact_id for fact_id in fact_ids if fact_id not in known]
        if unknown:
            read = index.documents(self._connection, unknown)
            known |= read
            self._characters += sum(len(document.text) for document in read.values())
            if self._characters > MOST_CHARACTERS:
                self._documents, self._characters = {}, 0  # the caller alone has them
        return known

    def _remember(self, match: str, places: Sequence[int], asked: int) -> None:
        """Remember the places of a word instead of those that were remembered first."""
        self._size += MATCH_SIZE + len(places) - self._forget(match)
        self._places[match] = places, asked
        while self._size > MOST_PLACES and len(self._places) > 1:
            self._size -= self._forget(next(iter(self._places)))

    def _forget(self, match: str) -> int:
        if match not in self._places:
            return 0
        return MATCH_SIZE + len(self._places.pop(match)[0])


class Ranks:
    """How many facts the memory holds at each rank, which is their number of different terms."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read the totals."""
        self._connection = connection
        self._ends: dict[int, tuple[int, int]] = {}
        totals: tuple[int, int, int] = connection.execute(
            "SELECT coalesce(sum(documents), 0), coalesce(sum(terms), 0), coalesce(sum(rank * documents), 0) "
            "FROM index_ranks"
        ).fetchone()
        self.documents, self.terms, self.different_terms = totals

    @cached_property
    def _by_rank(self) -> Mapping[int, int]:
        rows = self._connection.execute("SELECT rank, documents FROM index_ranks WHERE documents > 0")
        return dict(rows.fetchall())

    def holders(self, places: Sequence[int]) -> int:
        """Estimate how many facts hold a word of which the first places are known.

        It is taken to be as frequent among the terms of all facts as among those of the facts that were passed.
        """
        last = rank_at(places[-1])
        passed = float(sum(rank * count for rank, count in self._by_rank.items() if rank < last))
        passed += last * self._by_rank.get(last, 0) * self._share_from(fact_at(places[-1]))  # the newer stand first
        return int(len(places) * self.different_terms / max(passed, 1))

    def _share_from(self, fact_id: int) -> float:
        """Return the share of the facts with this id or a higher one, however the ids are spread."""
        # In the order of their fingerprints facts stand as if shuffled.
        passed, sampled = self._connection.execute(
            "SELECT total(fact_id >= ?), count(*) FROM "
            "(SELECT fact_id FROM index_documents ORDER BY fingerprint LIMIT ?)",
            (fact_id, SAMPLED_IDS),
        ).fetchone()
        return float(passed / max(sampled, 1))

    def ends(self, facts: int) -> tuple[int, int]:
        """Return up to which id the oldest facts reach, and from which the newest, so many of each."""
        if facts not in self._ends:
            # The narrowest table with a row for each fact: 4,000 of them are some ten pages.
            self._ends[facts] = self._connection.execute(
                "SELECT (SELECT id FROM facts_fts_docsize ORDER BY id LIMIT 1 OFFSET ?1), "
                "(SELECT id FROM facts_fts_docsize ORDER BY id DESC LIMIT 1 OFFSET ?1)",
                (facts - 1,),
            ).fetchone()
        return self._ends[facts]
