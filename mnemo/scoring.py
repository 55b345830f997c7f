"""The scoring formula, one pure function for each factor; the specification's numbers stand here.

Spec: fact-retrieval, length-penalty.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

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
    """The concepts of a query, arranged so that a document is read once, whatever the number of alternatives."""

    def __init__(self, concepts: Sequence[Concept], corpus: Corpus) -> None:
        """Arrange the alternatives by what is looked up in a document: terms, first terms of phrases, characters."""
        self._finds = [concept.finds for concept in concepts]
        self._asked = sum(self._finds)
        self._gains = [one.telling * corpus.rarity(one.term) * (BM25_K1 + 1) for one in concepts]
        self._norm = BM25_K1 * (1 - BM25_B)
        self._norm_per_term = BM25_K1 * BM25_B / max(corpus.average_length, 1.0)
        self._terms: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        self._phrases: defaultdict[str, list[tuple[list[str], int, float]]] = defaultdict(list)
        self._characters: list[tuple[str, int, float]] = []
        looked_up: set[str] = set()
        finding: set[str] = set()
        for place, concept in enumerate(concepts):
            for alternative, weight in concept.alternatives:
                if text.is_character(alternative):
                    self._characters.append((" " + alternative, place, weight))
                elif " " in alternative:
                    first, *others = alternative.split(" ")
                    self._phrases[first].append((others, place, weight))
                    looked_up.update((first, *others))
                else:
                    self._terms[alternative].append((place, weight))
                    looked_up.add(alternative)
                    if concept.finds:
                        finding.add(alternative)
        self._looked_up = frozenset(looked_up)
        self._common = frozenset(filter(text.is_counted, finding))

    def likeness(self, terms: str, length: int, distinct: int) -> Likeness:
        """Return what a document with these terms has of the query.

        A concept counts like one term. For BM25 its frequency is the highest weighted one among its alternatives, and
        what it tells depends on its rarity in the memory and in its language. For Jaccard, the share of terms in
        common, it is one term of the query, in common if the document holds any of its alternatives; concepts that
        find nothing by themselves are left out.
        """
        every = terms.split()
        held = self._looked_up.intersection(every)
        frequencies: dict[int, float] = {}
        for term in held:
            for place, weight in self._terms.get(term, ()):
                frequency = weight * every.count(term)
                if frequency > frequencies.get(place, 0.0):
                    frequencies[place] = frequency
        common: Set[str] = held & self._common
        if self._phrases:
            common = common | self._take_phrases(every, held, frequencies)
        for start, place, weight in self._characters:
            frequency = weight * terms.count(start)
            if frequency > frequencies.get(place, 0.0):
                frequencies[place] = frequency
        norm = self._norm + self._norm_per_term * length
        bm25, matched = 0.0, 0
        for place, frequency in sorted(frequencies.items()):  # in one order, for a sum of fractions depends on it
            bm25 += self._gains[place] * frequency / (frequency + norm)
            matched += self._finds[place]
        jaccard = matched / (self._asked + distinct - len(common)) if matched else 0.0
        return Likeness(bm25, jaccard, frequencies)

    def _take_phrases(self, every: Sequence[str], held: frozenset[str], frequencies: dict[int, float]) -> Set[str]:
        """Add the phrases that are there, which is when all their terms are, and return their terms in common."""
        common: set[str] = set()
        for first in held & self._phrases.keys():
            for others, place, weight in self._phrases[first]:
                if held.issuperset(others):
                    frequency = weight * min(map(every.count, (first, *others)))
                    if frequency > frequencies.get(place, 0.0):
                        frequencies[place] = frequency
                    if self._finds[place]:
                        common.update(filter(text.is_counted, (first, *others)))
        return common


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
        """Return what the query and the fact have in common, in [0, 1]."""
        return relevance(self.fts, self.jaccard)

    @property
    def score(self) -> float:
        """Multiply relevance with trust, decay and length penalty, rounded as it is shown and logged."""
        return round(self.relevance * self.trust * self.decay * self.length_penalty, SCORE_PLACES)


def relevance(fts: float, jaccard: float) -> float:
    """Weigh both measures of likeness the same, whatever the query's length.

    Spec: fact-retrieval (fixed search weights).
    """
    return FTS_WEIGHT * fts + JACCARD_WEIGHT * jaccard


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


def overlap(terms: frozenset[str], other: Document) -> float:
    """Return the share, in [0, 1], of counted terms that a text with these terms and a document have in common."""
    common = len(terms.intersection(other.text.split()))
    return common / (len(terms) + other.distinct - common) if common else 0.0
