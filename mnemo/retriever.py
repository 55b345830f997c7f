"""Search: from a query to scored facts.

Spec: fact-retrieval, length-penalty, query-refinement.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from mnemo import clock, lexicon, query, scoring, text
from mnemo.facts import Fact, FactFilter
from mnemo.scoring import Factors
from mnemo.search.candidates import Candidate
from mnemo.store import FactStore

CANDIDATES_PER_RESULT = 3
AGEING_CANDIDATES_PER_RESULT = 10  # their age, which changes the order, is not known before
LEAST_AGEING_CANDIDATES = 300
SIMILARITY_THRESHOLD = 0.6
SIMILAR_CANDIDATES = 20
FACTOR_PLACES = 4


class ScoredFact(NamedTuple):
    """One result of a search: the fact, and the factors of its score."""

    fact: Fact
    factors: Factors

    @property
    def score(self) -> float:
        """Return the score as it is shown and logged: 4 places."""
        return self.factors.score

    def explanation(self) -> dict[str, float]:
        """Return the factors of the score, rounded to 4 places."""
        factors = self.factors
        named = {
            "fts": factors.fts,
            "jaccard": factors.jaccard,
            "relevance": factors.relevance,
            "trust": factors.trust,
            "decay": factors.decay,
            "length_penalty": factors.length_penalty,
        }
        return {name: round(value, FACTOR_PLACES) for name, value in named.items()}


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a query: facts, best first, or the reason why it was not searched."""

    facts: list[ScoredFact]
    skipped: str | None = None


class Retriever:
    """Search over one memory."""

    def __init__(self, store: FactStore, half_life_days: float = 0.0) -> None:
        """Search this store; a half-life above 0 lets old facts count less."""
        self._store = store
        self._half_life_days = half_life_days

    def search(
        self, asked: str, wanted: FactFilter, limit: int, *, offset: int = 0, refine: bool = True
    ) -> SearchResult:
        """Return up to `limit` facts for a query, best first, after the first `offset`.

        With `refine`, a bare operation is not searched.

        Raises:
            MemoryFileError: the memory file cannot be read.
        """
        searched = asked
        if refine:
            refined = query.refine(asked)
            if refined.skipped is not None:
                return SearchResult([], refined.skipped)
            searched = refined.text
        with self._store.snapshot():
            return SearchResult(self._ranked(searched, wanted, limit + offset)[offset:])

    def similar(self, content: str, *, excluding: int | None = None) -> list[tuple[Fact, float]]:
        """Return facts whose terms are nearly those of a text, with their likeness in [0.6, 1], most alike first."""
        terms = list(dict.fromkeys(text.counted(text.terms(content))))
        with self._store.rereading():
            found = self._store.alike(terms, SIMILARITY_THRESHOLD, SIMILAR_CANDIDATES)
            shares = {fact_id: scoring.overlap(frozenset(terms), document) for fact_id, document in found.items()}
            close = [fact_id for fact_id, share in shares.items() if share >= SIMILARITY_THRESHOLD]
            facts, _ = self._store.get([one for one in close if one != excluding], FactFilter())
        likeness = [(fact, round(shares[fact.fact_id], FACTOR_PLACES)) for fact in facts]
        return sorted(likeness, key=lambda pair: (-pair[1], pair[0].fact_id))

    def _ranked(self, searched: str, wanted: FactFilter, limit: int) -> list[ScoredFact]:
        concepts = lexicon.concepts(searched, self._store.meanings(searched))
        if not concepts:
            return []
        if self._half_life_days:
            enough = max(AGEING_CANDIDATES_PER_RESULT * limit, LEAST_AGEING_CANDIDATES)
        else:
            enough = CANDIDATES_PER_RESULT * limit
        candidates = self._store.candidates(concepts, wanted, enough)
        found = [one for one in candidates.facts if one.likeness.bm25 > 0]
        best = max((one.likeness.bm25 for one in found), default=0.0)
        if not self._half_life_days:  # else the age of each decides, which only the whole fact tells
            found = _may_be_shown(found, best, limit)
        likeness = {one.fact_id: (one.likeness.bm25 / best, one.likeness.jaccard) for one in found}
        facts, _ = self._store.get([*likeness])
        moment = clock.now()
        return sorted((self._scored(fact, *likeness[fact.fact_id], moment) for fact in facts), key=_rank)[:limit]

    def _scored(self, fact: Fact, fts: float, jaccard: float, moment: datetime) -> ScoredFact:
        factors = Factors(
            fts=fts,
            jaccard=jaccard,
            trust=fact.trust_score,
            decay=self._decay(fact.updated_at or fact.created_at, moment),
            length_penalty=scoring.length_penalty(len(fact.match_text)),
        )
        return ScoredFact(fact, factors)

    def _decay(self, dated: str | None, moment: datetime) -> float:
        if not self._half_life_days:
            return 1.0
        return scoring.time_decay(_moment(dated), moment, self._half_life_days)


def _may_be_shown(found: Sequence[Candidate], best: float, limit: int) -> list[Candidate]:
    """Return the candidates of the highest scores, and all that rounding may make equal to the last of them."""
    scores = [one.score(best) for one in found]
    least = scoring.least_shown(scores, limit)
    return [one for one, score in zip(found, scores, strict=True) if score >= least]


def _rank(scored: ScoredFact) -> tuple[float, float, float, int]:
    fact = scored.fact
    newness = _moment(fact.updated_at or fact.created_at)
    return (-scored.score, -fact.trust_score, -newness.timestamp() if newness else math.inf, fact.fact_id)


def _moment(stored: str | None) -> datetime | None:
    """Read a stored time, which another program may have written; None where it cannot be read."""
    try:
        moment = datetime.fromisoformat(stored or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
