"""The scoring formula, one pure function for each factor; the specification's numbers stand here.

Spec: fact-retrieval, length-penalty.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
    def frequencies(self) -> Mapping[str, int]:
        """Return how often each term occurs."""
        return Counter(self.text.split())

    @property
    def content_terms(self) -> set[str]:
        """Return the different terms that are counted."""
        return set(filter(text.is_counted, self.text.split()))


class Match(NamedTuple):
    """What a document has of a query: the frequency of each concept that it holds, and the terms in common."""

    wanted: "Wanted"
    document: Document
    frequencies: Mapping[int, float]  # by the concept's place: the highest weighted one of its alternatives
    common_terms: int


class Wanted:
    """The concepts of a query, arranged so that a document is read once, whatever the number of alternatives."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        """Arrange the alternatives by what is looked up in a document: terms, first terms of phrases, characters."""
        self.concepts = list(concepts)
        self.asked = sum(concept.finds for concept in self.concepts)
        self._terms: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        self._phrases: defaultdict[str, list[tuple[list[str], int, float]]] = defaultdict(list)
        self._characters: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        looked_up: set[str] = set()
        for place, concept in enumerate(self.concepts):
            for alternative, weight in concept.alternatives:
                if text.is_character(alternative):
                    self._characters[" " + alternative].append((place, weight))
                elif " " in alternative:
                    first, *others = alternative.split(" ")
                    self._phrases[first].append((others, place, weight))
                    looked_up.update((first, *others))
                else:
                    self._terms[alternative].append((place, weight))
                    looked_up.add(alternative)
        self._looked_up = frozenset(looked_up)

    def match(self, document: Document) -> Match:
        """Return what the document has of the query.

        A phrase is there if all its terms are, a single character if a term starts with it.
        """
        terms = document.text.split()
        held = self._looked_up.intersection(terms)
        best: dict[int, float] = {}
        common: set[str] = set()
        for term in held:
            for place, weight in self._terms.get(term, ()):
                self._take(best, common, place, weight * terms.count(term), (term,))
            for others, place, weight in self._phrases.get(term, ()):
                if held.issuperset(others):
                    frequency = min(map(terms.count, (term, *others)))
                    self._take(best, common, place, weight * frequency, (term, *others))
        for start, wanted_by in self._characters.items():
            count = document.text.count(start)
            if count:
                for place, weight in wanted_by:
                    self._take(best, common, place, weight * count, ())
        return Match(self, document, best, sum(map(text.is_counted, common)))

    def _take(
        self, best: dict[int, float], common: set[str], place: int, frequency: float, terms: Iterable[str]
    ) -> None:
        if frequency > best.get(place, 0.0):
            best[place] = frequency
        if self.concepts[place].finds:
            common.update(terms)


@dataclass(frozen=True)
class Corpus:
    """What BM25 needs to know of the whole memory."""

    documents: int
    average_length: float
    document_frequencies: Mapping[str, int]  # by concept term: how many documents hold any alternative
    _rarities: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def rarity(self, term: str) -> float:
        """Return how much a concept tells by how few documents hold it: BM25's inverse document frequency, above 0."""
        known = self._rarities.get(term)
        if known is None:
            holders = self.document_frequencies.get(term, self.documents * UNCOUNTED_SHARE)
            known = self._rarities[term] = math.log(1 + (self.documents - holders + 0.5) / (holders + 0.5))
        return known


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


def jaccard(match: Match) -> float:
    """Return the share, in [0, 1], of query and document terms that they have in common.

    A concept counts as one term of the query, and as common if the document holds any of its alternatives. Concepts
    that find nothing by themselves are left out.
    """
    matched = sum(match.wanted.concepts[place].finds for place in match.frequencies)
    others = match.document.distinct - match.common_terms
    return matched / (match.wanted.asked + others) if matched else 0.0


def bm25(match: Match, corpus: Corpus) -> float:
    """Return the BM25 score (0 or more) of a document for the concepts of a query.

    A concept counts like one term: its frequency is the highest weighted one among its alternatives. What it tells
    depends on its rarity in the memory and in its language.
    """
    norm = BM25_K1 * (1 - BM25_B + BM25_B * match.document.length / max(corpus.average_length, 1.0))
    total = 0.0
    for place, frequency in match.frequencies.items():
        concept = match.wanted.concepts[place]
        total += concept.telling * corpus.rarity(concept.term) * frequency * (BM25_K1 + 1) / (frequency + norm)
    return total
