"""The candidates of a query: the facts that may win, each with what it has in common with the query.

Where every place of every word was read, the places tell all that a score needs to know of the texts: which words a
fact holds, and whether more than once. Elsewhere the terms of the most promising facts are read.

Spec: fact-retrieval.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import merge, nlargest
from itertools import chain, groupby, islice, takewhile
from typing import NamedTuple

from mnemo import scoring
from mnemo.facts import FactFilter
from mnemo.lexicon import Concept
from mnemo.places import fact_at, places_by_fact, rank_at
from mnemo.scoring import Corpus, Likeness, Sought, Wanted
from mnemo.search import postings
from mnemo.search.postings import Found
from mnemo.search.readings import Readings

FEW = 300  # facts of which the trust of each decides
LOOKED_UP = 40  # of more facts, those whose trust is looked up at once
MOST_LOOKED_UP = 1_500
LEAST_READ = 60  # facts of which the terms are read, where places do not tell enough
LEAST_READ_BESIDE = 40  # where they tell all but single characters, which seldom turn the order
FEW_WORDS = 6
READ_PER_WORD = 10  # more of them for each word of a longer query
SLACK = 0.98  # of a score: a promise is made with an estimated length
BEST_BY_TEXT = 8  # facts kept for their BM25 alone, by which that of the others is divided


class Candidate(NamedTuple):
    """A fact that may answer a query: `weight` is its trust times its length penalty."""

    fact_id: int
    weight: float
    likeness: Likeness

    def score(self, best: float) -> float:
        """Return its score beside others, before its age is weighed; `best` is the highest BM25 among them."""
        return _score(self.likeness.bm25, self.likeness.jaccard, self.weight, best)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Facts that may answer a query, the figures of the memory that BM25 needs, and what compares others."""

    corpus: Corpus
    wanted: Wanted
    facts: list[Candidate]


def choose(readings: Readings, concepts: Sequence[Concept], only: FactFilter, limit: int) -> Candidates:
    """Return those facts that pass the filter and may be the best for these concepts, at least `limit` if so many do.

    What a fact has in common with the query does not depend on the limit.
    """
    found = postings.find(readings, concepts, limit)
    wanted = Wanted(concepts, found.corpus)
    cut = found.cut
    sought = wanted.untold(cut)
    enough = max(limit, _least_read(concepts, found)) if sought else limit
    look_up = _LookUp(readings, found, wanted, only)
    seen = _look_up_best(found, look_up, enough, readings)
    if len(seen) < enough and cut:
        # The filter took most of what was read: let it choose first, however many places that takes.
        postings.find_more(readings, found, only)
        seen = _look_up_best(found, look_up, enough, readings)
    chosen = look_up.candidates(seen, seen.most_promising(enough))
    if sought:
        chosen = _read(readings, chosen, wanted, sought)
    return Candidates(found.corpus, wanted, chosen)


def _least_read(concepts: Sequence[Concept], found: Found) -> int:
    """Return of how many facts the terms are read: of all, if these are few, where a lone character finds them."""
    if found.cut:
        return LEAST_READ + READ_PER_WORD * max(sum(concept.finds for concept in concepts) - FEW_WORDS, 0)
    if any(word.has_character and concepts[word.concept].term in word.match for word in found.words):
        return FEW
    return LEAST_READ_BESIDE


@dataclass(slots=True)
class _Seen:
    """The figures of facts that were looked up, in columns: most of them are only compared."""

    places: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    bm25: list[float] = field(default_factory=list)
    jaccard: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.places)

    def __iadd__(self, more: "_Seen") -> "_Seen":
        self.places += more.places
        self.weights += more.weights
        self.bm25 += more.bm25
        self.jaccard += more.jaccard
        return self

    def scores(self, best: float) -> list[float]:
        """Return the scores beside others, before age is weighed; `best` is the highest BM25 among them."""
        return [_score(*figures, best) for figures in zip(self.bm25, self.jaccard, self.weights, strict=True)]

    def most_promising(self, limit: int) -> Iterable[int]:
        """Return which facts have the `limit` highest scores, as far as these are known, or the few highest BM25."""
        if len(self) <= limit:
            return range(len(self))
        by_text = nlargest(BEST_BY_TEXT, range(len(self)), key=self.bm25.__getitem__)
        scores = self.scores(self.bm25[by_text[0]] or 1.0)
        least = scoring.least_shown(scores, limit)  # the order of equally good ones is decided later
        return dict.fromkeys([*(number for number, score in enumerate(scores) if score >= least), *by_text])


def _score(bm25: float, jaccard: float, weight: float, best: float) -> float:
    return scoring.relevance(bm25 / best, jaccard) * weight


class _LookUp:
    """What looks up the facts at places."""

    def __init__(self, readings: Readings, found: Found, wanted: Wanted, only: FactFilter) -> None:
        self._readings = readings
        self._wanted = wanted
        self._found = found
        self._only = only
        self._holding = cache(lambda bits: wanted.holding(found.frequencies(bits)))

    def __call__(self, places: Iterable[int], above: float = 0.0) -> _Seen:
        """Return the figures of the facts at these places: of those that pass the filter, of a trust `above`."""
        by_id = places_by_fact(places)
        if above:
            weighed = self._readings.weighed_above(by_id, self._only, above)
        else:
            weighed = self._readings.weighed(by_id, self._only)
        seen = _Seen()
        words, holding, length_by_rank = self._found.places, self._holding, self._found.length_by_rank
        for fact_id, place in by_id.items():
            figures = weighed.get(fact_id)
            if figures is None:
                continue
            weight, length = figures
            rank = rank_at(place)
            bm25, jaccard = self._wanted.measures(
                holding(words[place]), rank * length_by_rank if length is None else length, rank
            )
            seen.places.append(place)
            seen.weights.append(weight)
            seen.bm25.append(bm25)
            seen.jaccard.append(jaccard)
        return seen

    def candidates(self, seen: _Seen, numbers: Iterable[int]) -> list[Candidate]:
        """Return candidates with what the places of these facts tell."""
        words = self._found.places
        return [
            Candidate(
                fact_at(place := seen.places[number]),
                seen.weights[number],
                Likeness(seen.bm25[number], seen.jaccard[number], self._holding(words[place]).frequencies),
            )
            for number in numbers
        ]

    def promise(self, bits: int, rank: int) -> tuple[float, float]:
        """Return BM25 and Jaccard of a fact that holds these words and has the usual length for its rank."""
        return self._wanted.measures(self._holding(bits), rank * self._found.length_by_rank, rank)


def _look_up_best(found: Found, look_up: _LookUp, limit: int, readings: Readings) -> _Seen:
    """Look up the facts found that promise the highest scores and pass the filter, at least `limit` or all."""
    if len(found.places) <= FEW:
        return look_up(found.places)
    by_words: defaultdict[int, list[int]] = defaultdict(list)
    for place, bits in found.places.items():
        by_words[bits].append(place)
    by_text = _best_first(by_words, lambda bits, rank: look_up.promise(bits, rank)[0])
    seen = look_up(place for _, place in islice(by_text, BEST_BY_TEXT))
    while not seen and (pairs := list(islice(by_text, LOOKED_UP))):
        seen = look_up(place for _, place in pairs)
    if not seen:
        return seen
    best = max(seen.bm25) or 1.0

    def relevance(bits: int, rank: int) -> float:
        bm25, jaccard = look_up.promise(bits, rank)
        return scoring.relevance(bm25 / best, jaccard)

    known = set(seen.places)
    by_score = (pair for pair in _best_first(by_words, relevance) if pair[1] not in known)
    scores = seen.scores(best)
    while pairs := list(islice(by_score, LOOKED_UP)):
        if len(scores) >= limit:
            # No fact of these is likely to be among the best, unless it has a higher trust than all before.
            last = sorted(scores)[-limit]
            likeliest = pairs[0][0] * max(seen.weights)
            if len(scores) >= MOST_LOOKED_UP or likeliest < SLACK * last:
                highest = readings.highest_trust
                if pairs[0][0] * highest > last:
                    rest = _that_promise(last / highest, chain(pairs, by_score))
                    seen += look_up(islice(rest, MOST_LOOKED_UP), SLACK * last / pairs[0][0])
                break
        more = look_up(place for _, place in pairs)
        scores += more.scores(best)
        seen += more
    return seen


def _that_promise(least: float, in_order: Iterable[tuple[float, int]]) -> Iterator[int]:
    """Yield the places that are worth more than the least."""
    return (place for _, place in takewhile(lambda pair: pair[0] > least, in_order))


def _best_first(by_words: Mapping[int, list[int]], worth: Callable[[int, int], float]) -> Iterator[tuple[float, int]]:
    """Yield each place, and what one with these words and this rank is worth, which falls as the rank grows."""

    def of_same_words(bits: int) -> Iterator[tuple[float, int]]:
        for rank, places in groupby(sorted(by_words[bits]), rank_at):
            same = -worth(bits, rank)
            for place in places:
                yield same, place

    for negative, place in merge(*map(of_same_words, by_words)):
        yield -negative, place


def _read(readings: Readings, chosen: Sequence[Candidate], wanted: Wanted, sought: Sought) -> list[Candidate]:
    """Look in the terms of facts for concepts that their places do not tell, or not surely."""
    documents = readings.documents([one.fact_id for one in chosen])
    read: list[Candidate] = []
    for one in chosen:
        document, known = documents.get(one.fact_id), one.likeness.frequencies
        likeness = wanted.read(document, sought, known) if document else one.likeness
        read.append(Candidate(one.fact_id, one.weight, likeness))
    return read
