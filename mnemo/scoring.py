"""The scoring formula, in pure functions; the specification's numbers stand here.

Spec: fact-retrieval, length-penalty.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from mnemo import text
from mnemo.lexicon import Concept

FTS_WEIGHT = 0.5
JACCARD_WEIGHT = 0.5
PENALTY_FREE_LENGTH = 300  # characters
SCORE_PLACES = 4
BM25_K1 = 1.0
BM25_B = 0.4  # less than usual: jaccard and the length penalty tell lengths apart as well
MOST_OFTEN = 2  # times that a term is counted in one document
UNCOUNTED_SHARE = 0.1  # of the documents, assumed to hold what is not worth counting: single characters
SECONDS_PER_DAY = 86_400
NOTHING: Mapping[int, float] = MappingProxyType({})


class Document(NamedTuple):
    """The terms of one fact as the index holds them, each behind a space, how many there are, and how many differ.

    Stop words and single characters of a run can be found but are counted in neither number.
    """

    text: str
    length: int
    distinct: int

    @classmethod
    def of(cls, terms: Sequence[str]) -> "Document":
        """Count the terms of a text."""
        counted = list(filter(text.is_counted, terms))
        return cls(" ".join(["", *terms]), len(counted), len(set(counted)))

    @property
    def content_terms(self) -> set[str]:
        """Return the different terms that are counted."""
        return set(filter(text.is_counted, self.text.split()))


@dataclass(frozen=True)
class Corpus:
    """What BM25 needs to know of the whole memory."""

    documents: int
    average_length: float
    document_frequencies: Mapping[str, int]  # by concept term: how many documents hold any alternative

    def rarity(self, term: str) -> float:
        """Return how much a concept tells by how few documents hold it: BM25's inverse document frequency, above 0."""
        holders = self.document_frequencies.get(term, self.documents * UNCOUNTED_SHARE)
        return math.log(1 + (self.documents - holders + 0.5) / (holders + 0.5))


class Likeness(NamedTuple):
    """What a document has of a query: BM25 (0 or more), Jaccard (in [0, 1]), and how often it holds which concepts."""

    bm25: float
    jaccard: float
    frequencies: Mapping[int, float]  # by the concept's place: the highest weighted one of its alternatives


class Wanted:
    """The concepts of a query, and what a document that holds them has of it."""

    def __init__(self, concepts: Sequence[Concept], corpus: Corpus) -> None:
        """Weigh the concepts by how rare they are in this memory."""
        self._concepts = concepts
        self._finds = [concept.finds for concept in concepts]
        self._asked = sum(self._finds)
        self._in_common = [concept.finds and not text.is_stop(concept.term) for concept in concepts]
        self._gains = [one.telling * corpus.rarity(one.term) * (BM25_K1 + 1) for one in concepts]
        self._norm = BM25_K1 * (1 - BM25_B)
        self._norm_per_term = BM25_K1 * BM25_B / max(corpus.average_length, 1.0)

    def holding(self, frequencies: Mapping[int, float]) -> "Holding":
        """Return what is the same for all documents that hold these concepts that often."""
        gains: list[tuple[float, float]] = []
        matched = common = 0
        for place, frequency in frequencies.items():
            gains.append((self._gains[place] * frequency, frequency))
            matched += self._finds[place]
            common += self._in_common[place]
        return Holding(frequencies, gains, matched, common)

    def measures(self, holding: "Holding", length: float, distinct: int) -> tuple[float, float]:
        """Return BM25 and Jaccard of a document with so many terms, and so many different ones.

        A concept counts like one term. What it adds to BM25 depends on its rarity in the memory and in its language.
        For Jaccard, the share of terms in common, it is one term of the query and one of each document that holds it;
        concepts that find nothing by themselves are left out.
        """
        _, gains, matched, common = holding
        norm = self._norm + self._norm_per_term * length
        bm25 = 0.0
        for gain, frequency in gains:
            bm25 += gain / (frequency + norm)
        jaccard = matched / (self._asked + max(distinct - common, 0)) if matched else 0.0
        return bm25, jaccard

    def read(self, document: Document, sought: "Sought", known: Mapping[int, float] = NOTHING) -> Likeness:
        """Return what a document has of the query: what is sought in it, and what is `known` of other concepts."""
        held = self.holding(sought.frequencies(document.text, known))
        return Likeness(*self.measures(held, document.length, document.distinct), held.frequencies)

    @cached_property
    def every(self) -> "Sought":
        """Return all concepts, to be looked for in documents."""
        return Sought(enumerate(self._concepts))

    def untold(self, cut: Container[int]) -> "Sought":
        """Return the concepts of which the index does not tell how often a document holds them.

        These are single Chinese characters, all that finds nothing by itself, and those at the `cut` places of the
        query, of which not all holders are known.
        """
        return Sought(
            (place, one)
            for place, one in enumerate(self._concepts)
            if place in cut or not one.finds or text.is_character(one.term)
        )


class Holding(NamedTuple):
    """How often a document holds which concepts, what each adds to BM25 at most, and how many find or are in common."""

    frequencies: Mapping[int, float]
    gains: Sequence[tuple[float, float]]
    matched: int
    common: int


class Sought:
    """Concepts to be looked for in the terms of documents."""

    def __init__(self, concepts: Iterable[tuple[int, Concept]]) -> None:
        """Arrange the alternatives of concepts, each of which comes with its place in the query."""
        # A term between spaces or the start of terms behind one, and what it counts once and more often.
        self._alone: list[tuple[str, int, float, float]] = []
        self._phrases: list[tuple[list[str], int, float]] = []
        self._places: set[int] = set()
        for place, concept in concepts:
            self._places.add(place)
            for alternative, weight in concept.alternatives:
                repeated = weight * MOST_OFTEN
                if not text.is_character(alternative):
                    terms = [f" {term} " for term in alternative.split(" ")]
                    if len(terms) == 1:
                        self._alone.append((terms[0], place, weight, repeated))
                    else:
                        self._phrases.append((terms, place, weight))
                elif alternative == concept.term:
                    self._alone.append((f" {alternative}", place, weight, repeated))
                else:  # the index tells only whether a fact has it
                    self._alone.append((f" {alternative}", place, weight, weight))

    def __bool__(self) -> bool:
        """Tell whether anything is looked for."""
        return bool(self._alone or self._phrases)

    def frequencies(self, terms: str, known: Mapping[int, float] = NOTHING) -> Mapping[int, float]:
        """Return how often a document with these terms holds which concepts, in the order of the query.

        That is the highest weighted frequency of a concept's alternatives; of concepts that are not sought, what is
        `known`. More than twice counts as twice: what repeats a word is no better answer for each time that it does. A
        character that translates a word counts once. A phrase is there when all its terms are.
        """
        padded = f"{terms} "
        found = {place: frequency for place, frequency in known.items() if place not in self._places}
        for wanted, place, weight, repeated in self._alone:
            if wanted in padded:
                frequency = repeated if repeated > weight and _is_twice(wanted, padded) else weight
                found[place] = max(frequency, found.get(place, 0.0))
        for each, place, weight in self._phrases:
            if all(wanted in padded for wanted in each):
                frequency = weight * MOST_OFTEN if all(_is_twice(wanted, padded) for wanted in each) else weight
                found[place] = max(frequency, found.get(place, 0.0))
        return dict(sorted(found.items()))  # a sum of fractions depends on the order


def _is_twice(wanted: str, padded: str) -> bool:
    behind = padded.index(wanted) + len(wanted) - 1  # the space behind a term is the one before the next
    return padded.find(wanted, behind) >= 0


class Factors(NamedTuple):
    """The factors of one result's score, as `explain` shows them."""

    fts: float
    jaccard: float
    trust: float
    decay: float
    length_penalty: float

    @property
    def relevance(self) -> float:
        """Return what the query and the fact have in common, in [0, 1]."""
        return relevance(self.fts, self.jaccard)

    @property
    def score(self) -> float:
        """Multiply relevance with trust, decay and length penalty, rounded as it is shown and logged."""
        return round(self.relevance * self.trust * self.decay * self.length_penalty, SCORE_PLACES)


def relevance(fts: float, jaccard: float) -> float:
    """Weigh both measures of likeness the same, whatever the query's length.

    Spec: fact-retrieval (Static FTS/Jaccard weighting).
    """
    return FTS_WEIGHT * fts + JACCARD_WEIGHT * jaccard


def least_shown(scores: Iterable[float], limit: int) -> float:
    """Return the score from which one may be among the `limit` best, all that rounding may make equal to the last too.

    Spec: fact-retrieval (Results are ranked by score).
    """
    return min(sorted(scores)[-limit:], default=0.0) - 10.0**-SCORE_PLACES


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


def overlap(terms: frozenset[str], other: Document) -> float:
    """Return the share, in [0, 1], of counted terms that a text with these terms and a document have in common."""
    common = len(terms.intersection(other.text.split()))
    return common / (len(terms) + other.distinct - common) if common else 0.0
