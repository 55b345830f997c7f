"""The scoring formula, one pure function for each factor; the specification's numbers stand here.

Spec: fact-retrieval, length-penalty.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from mnemo import text
from mnemo.lexicon import Concept

FTS_WEIGHT = 0.5
JACCARD_WEIGHT = 0.5
PENALTY_FREE_LENGTH = 300  # characters
SCORE_PLACES = 4
BM25_K1 = 1.0
BM25_B = 0.4  # less than usual: jaccard and the length penalty tell lengths apart as well
UNCOUNTED_SHARE = 0.1  # of the documents, assumed to hold what is not worth counting: single characters
SECONDS_PER_DAY = 86_400


@dataclass(frozen=True)
class Document:
    """The terms of one fact as the index holds them: how often each occurs, and how many there are."""

    frequencies: Mapping[str, int]
    length: int

    @classmethod
    def of(cls, terms: Sequence[str]) -> "Document":
        """Count the terms of a text; stop words and single characters can be found but add nothing to its length."""
        frequencies = Counter(terms)
        return cls(frequencies, sum(count for term, count in frequencies.items() if text.is_counted(term)))

    @cached_property
    def content_terms(self) -> frozenset[str]:
        """Return the different terms that are neither stop words nor single characters of a run."""
        return frozenset(filter(text.is_counted, self.frequencies))

    @cached_property
    def _characters(self) -> Mapping[str, int]:
        characters: Counter[str] = Counter()
        for term, count in self.frequencies.items():
            if not term.isascii():
                characters[term[0]] += count
        return characters

    def frequency(self, alternative: str) -> int:
        """Return how often an alternative of a concept occurs: a term, a phrase or a single character."""
        if alternative in self.frequencies and not text.is_character(alternative):
            return self.frequencies[alternative]
        if " " in alternative:
            return min(self.frequencies.get(term, 0) for term in alternative.split(" "))
        return self._characters.get(alternative, 0) if len(alternative) == 1 else 0


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

    A concept counts as one term of the query, and as common if the document holds any of its alternatives. Concepts
    that find nothing by themselves are left out.
    """
    asked = matched = 0
    matched_terms: set[str] = set()
    for concept in concepts:
        if concept.finds:
            present = [term for term, _ in concept.alternatives if document.frequency(term)]
            asked += 1
            matched += bool(present)
            matched_terms.update(*(term.split(" ") for term in present))
    others = len(document.content_terms - matched_terms)
    return matched / (asked + others) if matched else 0.0


def bm25(concepts: Sequence[Concept], document: Document, corpus: Corpus) -> float:
    """Return the BM25 score (0 or more) of a document for the concepts of a query.

    A concept counts like one term: its frequency is the highest weighted one among its alternatives. What it tells
    depends on its rarity in the memory and in its language.
    """
    norm = BM25_K1 * (1 - BM25_B + BM25_B * document.length / max(corpus.average_length, 1.0))
    total = 0.0
    for concept in concepts:
        frequency = max(weight * document.frequency(term) for term, weight in concept.alternatives)
        if frequency:
            holders = corpus.document_frequencies.get(concept.term, corpus.documents * UNCOUNTED_SHARE)
            rarity = math.log(1 + (corpus.documents - holders + 0.5) / (holders + 0.5))
            total += concept.telling * rarity * frequency * (BM25_K1 + 1) / (frequency + norm)
    return total
