"""The scoring formula, one pure function for each factor; the specification's numbers stand here.

Spec: fact-retrieval, length-penalty.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemo import text
from mnemo.lexicon import Concept

FTS_WEIGHT = 0.5
JACCARD_WEIGHT = 0.5
PENALTY_FREE_LENGTH = 300  # characters
SCORE_PLACES = 4
BM25_K1 = 1.2
BM25_B = 0.75
SECONDS_PER_DAY = 86_400


@dataclass(frozen=True)
class Document:
    """The terms of one fact as the index holds them: how often each occurs, and how many there are."""

    frequencies: Mapping[str, int]
    length: int

    @classmethod
    def of(cls, terms: Sequence[str]) -> "Document":
        """Count the terms of a text; stop words can be found but add nothing to its length."""
        frequencies = Counter(terms)
        return cls(frequencies, sum(count for term, count in frequencies.items() if not text.is_stop(term)))

    @property
    def content_terms(self) -> set[str]:
        """Return the different terms that are no stop words."""
        return {term for term in self.frequencies if not text.is_stop(term)}


@dataclass(frozen=True)
class Corpus:
    """What BM25 needs to know of the whole memory."""

    documents: int
    average_length: float
    document_frequencies: Mapping[str, int]  # by concept term: how many documents hold any alternative


@dataclass(frozen=True)
class Factors:
    """The factors of one result's score, as `explain` shows them."""

    fts: float
    jaccard: float
    trust: float
    decay: float
    length_penalty: float

    @property
    def relevance(self) -> float:
        """Weigh both measures of likeness the same, whatever the query's length."""
        return FTS_WEIGHT * self.fts + JACCARD_WEIGHT * self.jaccard

    @property
    def score(self) -> float:
        """Multiply relevance with trust, decay and length penalty, rounded as it is shown and logged."""
        return round(self.relevance * self.trust * self.decay * self.length_penalty, SCORE_PLACES)


def match_text(content: str, summary: str | None) -> str:
    """Return the text that stands for a fact in retrieval: the summary if it holds anything, else the content.

    Spec: fact-summary.
    """
    return summary if summary is not None and summary.strip() else content


def length_penalty(characters: int) -> float:
    """Return the factor in (0, 1] for a match text of that many characters: 1 up to 300, then 300 / length.

    Spec: length-penalty.
    """
    return min(1.0, PENALTY_FREE_LENGTH / max(characters, 1))


def time_decay(updated_at: datetime | None, moment: datetime, half_life_days: float) -> float:
    """Return the factor in (0, 1] for a fact's age; 1 where no half-life is set (0) or the age is not known."""
    if half_life_days <= 0 or updated_at is None:
        return 1.0
    age_days = max(0.0, (moment - updated_at).total_seconds() / SECONDS_PER_DAY)
    return float(0.5 ** (age_days / half_life_days))


def jaccard(concepts: Sequence[Concept], document: Document) -> float:
    """Return the share, in [0, 1], of query and document terms that they have in common.

    A concept counts as one term of the query, and as common if the document holds any of its alternatives.
    """
    matched = 0
    matched_terms: set[str] = set()
    for concept in concepts:
        present = [term for term, _ in concept.alternatives if term in document.frequencies]
        matched += bool(present)
        matched_terms.update(present)
    others = len(document.content_terms - matched_terms)
    return matched / (len(concepts) + others) if matched else 0.0


def bm25(concepts: Sequence[Concept], document: Document, corpus: Corpus) -> float:
    """Return the BM25 score (0 or more) of a document for the concepts of a query.

    A concept counts like one term: its frequency is the highest weighted one among its alternatives.
    """
    norm = BM25_K1 * (1 - BM25_B + BM25_B * document.length / max(corpus.average_length, 1.0))
    total = 0.0
    for concept in concepts:
        frequency = max(weight * document.frequencies.get(term, 0) for term, weight in concept.alternatives)
        if frequency:
            holders = corpus.document_frequencies.get(concept.term, 0)
            rarity = math.log(1 + (corpus.documents - holders + 0.5) / (holders + 0.5))
            total += rarity * frequency * (BM25_K1 + 1) / (frequency + norm)
    return total
