"""The places of a query's words in the index of terms: a bounded number, best first.

Whatever the size of the memory, a search reads a few thousand places. A word with fewer holders is read whole. Of a
more common one the shortest facts are read, and the facts that hold it together with another word of the query are
looked up as such, for those beat any that holds just one.

Spec: fact-retrieval.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from mnemo import index, text
from mnemo.facts import FactFilter
from mnemo.index import TWICE
from mnemo.lexicon import Concept
from mnemo.scoring import MOST_OFTEN, Corpus
from mnemo.search.readings import Readings

POSTINGS = 5_000
MOST_POSTINGS = 1_500  # of one word
LEAST_POSTINGS = 100  # of each word, however many the query has
PAIR_POSTINGS = 300  # of each combination of words
PAIRED_WORDS = 4
ENDS = (1_000, 4_000)  # oldest facts, and newest: among them the holders of a common word are counted, all of them
ENOUGH_HOLDERS = 250  # counted among the fewer, which then are taken for all facts


@dataclass(slots=True)
class Word:
    """Those alternatives of a concept that weigh the same, with as many of their places as were read.

    `concept` is the concept's place in the query. A place has `bit` where the word stands, and `twice_bit` as well
    where it stands more than once.
    """

    concept: int
    weight: float
    match: str
    twice: str
    has_character: bool
    bit: int
    twice_bit: int
    places: Sequence[int] = ()
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """The places of the words of a query, each with the bits of those words, and the figures of the memory."""

    places: dict[int, int]
    words: list[Word]
    corpus: Corpus
    length_by_rank: float  # terms of a fact for each different one, on the average

    @property
    def cut(self) -> set[int]:
        """Return the concepts that have more places than were read."""
        return {word.concept for word in self.words if not word.is_whole}

    def frequencies(self, bits: int) -> dict[int, float]:
        """Return how often a fact whose place has these bits holds which concepts; alternatives may weigh less."""
        best: dict[int, float] = {}
        for word in self.words:
            if bits & word.bit:
                frequency = word.weight * MOST_OFTEN if bits & word.twice_bit else word.weight
                if frequency > best.get(word.concept, 0.0):
                    best[word.concept] = frequency
        return best


def find(readings: Readings, concepts: Sequence[Concept], limit: int) -> Found:
    """Return the best places of the concepts' words, at least `limit` of each that has so many."""
    ranks = readings.ranks
    words = list(_words(concepts))
    share = POSTINGS // max(sum(concept.finds for concept in concepts), 1)
    most = max(min(MOST_POSTINGS, share), LEAST_POSTINGS, limit)
    places: dict[int, int] = {}
    left = max(POSTINGS, most)
    for word in words:
        allowed = min(most, max(left, LEAST_POSTINGS, limit))
        word.places = readings.places(word.match, allowed)
        word.is_whole = len(word.places) < allowed
        left -= len(word.places)
        _mark(places, word.places, word.bit)
    frequencies = _frequencies(readings, concepts, words)
    average_length = ranks.terms / ranks.documents if ranks.documents else 0.0
    corpus = Corpus(ranks.documents, average_length, frequencies)
    held = [word for word in words if word.places]
    found = Found(places, held, corpus, ranks.terms / max(ranks.different_terms, 1))
    if found.cut:
        _mark_combinations(readings, found, [frequencies.get(concept.term, 0) for concept in concepts])
    repeated = [word for word in held if word.twice]
    readings.rule_out(word.twice for word in repeated)
    for word in repeated:
        _mark(places, readings.places(word.twice, most), word.twice_bit)
    return found


def find_more(readings: Readings, found: Found, wanted: FactFilter) -> None:
    """Add places of facts that pass a filter, however many others have to be passed over."""
    for word in found.words:
        if not word.is_whole:
            _mark(found.places, readings.places_passing(word.match, len(word.places), wanted), word.bit)


def _words(concepts: Sequence[Concept]) -> Iterator[Word]:
    bit = 1
    for position, concept in enumerate(concepts):
        if not concept.finds:
            continue
        by_weight: dict[float, list[str]] = {}
        for term, weight in concept.alternatives:
            by_weight.setdefault(weight, []).append(term)
        for weight, terms in by_weight.items():
            match = " OR ".join(map(quoted, terms))
            twice = " OR ".join(quoted(term, TWICE) for term in terms if not text.is_character(term))
            yield Word(position, weight, match, twice, any(map(text.is_character, terms)), bit, bit << 1)
            bit <<= 2


def quoted(alternative: str, mark: str = "") -> str:
    """Return a term or an alternative for MATCH; the terms of a phrase must all be there."""
    terms = [index.quoted(term, mark) for term in alternative.split(" ")]
    return terms[0] if len(terms) == 1 else f"({' AND '.join(terms)})"


def _mark(found: dict[int, int], places: Iterable[int], bits: int) -> None:
    if not found:
        found.update(dict.fromkeys(places, bits))
        return
    get = found.get
    for place in places:
        found[place] = get(place, 0) | bits


def _frequencies(readings: Readings, concepts: Sequence[Concept], words: Sequence[Word]) -> dict[str, int]:
    """Return how many facts hold each concept: counted, or estimated where not all of them were read."""
    frequencies: dict[str, int] = {}
    for position, concept in enumerate(concepts):
        if not concept.finds:
            continue
        own = [word for word in words if word.concept == position and word.places]
        if all(word.is_whole for word in own):
            holders = len(own[0].places) if len(own) == 1 else len(set().union(*(word.places for word in own)))
        else:
            holders = sum(_holders(readings, word) for word in own)
        frequencies[concept.term] = min(holders, readings.ranks.documents)
    return frequencies


def _holders(readings: Readings, word: Word) -> int:
    ranks = readings.ranks
    if word.is_whole:
        return len(word.places)
    if word.has_character:  # which facts_fts has in longer terms only
        return max(len(word.places), ranks.holders(word.places))
    share, most = 1.0, 2 * ENDS[-1]
    for facts in ENDS:
        if 2 * facts >= ranks.documents:
            return readings.count(word.match, "rowid >= ?", 0, most)
        oldest, newest = ranks.ends(facts)
        held = readings.count(word.match, "rowid <= ?", oldest, most)
        # In any other order it would pass over all holders before the newest facts.
        held += readings.count(word.match, "rowid >= ? ORDER BY rowid DESC", newest, most)
        share = held / (2 * facts)
        if held >= ENOUGH_HOLDERS:
            break
    return max(len(word.places), int(share * ranks.documents))


def _mark_combinations(readings: Readings, found: Found, holders: Sequence[int]) -> None:
    """Find the facts that hold several concepts of which not all holders were read."""
    cut = found.cut
    held = (concept for concept, count in enumerate(holders) if count)
    rarest = sorted(held, key=holders.__getitem__)[:PAIRED_WORDS]
    groups: list[tuple[int, ...]] = [pair for pair in combinations(rarest, 2) if not cut.isdisjoint(pair)]
    if len(rarest) > 2 and not cut.isdisjoint(rarest):
        groups.append(tuple(rarest))
    for group in groups:
        own = [[word for word in found.words if word.concept == concept] for concept in group]
        match = " AND ".join("(" + " OR ".join(word.match for word in of_one) + ")" for of_one in own)
        _mark(found.places, readings.places(match, PAIR_POSTINGS), sum(of_one[0].bit for of_one in own))
