"""The candidates of a query: the facts that may win, each with what it has in common with the query.

Where every place of every word was read, the places tell all that a score needs to know of the texts: which words a
fact holds, and whether more than once. Elsewhere the terms of the most promising facts are read.

Spec: fact-retrieval.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import merge, nlargest
from itertools import chain, groupby, islice, takewhile
from typing import NamedTuple

from mnemo import index, postings, scoring
from mnemo.facts import DEFAULT_TRUST, FactFilter
from mnemo.index import MATCH_LENGTH, fact_at, filter_condition, rank_at
from mnemo.lexicon import Concept
from mnemo.postings import Found
from mnemo.scoring import PENALTY_FREE_LENGTH, Corpus, Likeness, Sought, Wanted

FEW = 300  # facts of which the trust of each decides
LOOKED_UP = 40  # of more facts, those whose trust is looked up at once
MOST_LOOKED_UP = 1_500
LEAST_READ = 60  # facts of which the terms are read, where places do not tell enough
FEW_WORDS = 6
READ_PER_WORD = 10  # more of them for each word of a longer query
SLACK = 0.98  # of a score: a promise is made with an estimated length
BEST_BY_TEXT = 8  # facts kept for their BM25 alone, by which that of the others is divided
WEIGHT = (  # trust times length penalty; another program may have stored anything as trust
    "iif(typeof(facts.trust_score) IN ('integer', 'real') AND abs(facts.trust_score) < 9e99, facts.trust_score, "
    f"{DEFAULT_TRUST}) * min(1.0, {float(PENALTY_FREE_LENGTH)} / max(1, {MATCH_LENGTH}))"
)


class Candidate(NamedTuple):
    """A fact that may answer a query: `weight` is its trust times its length penalty."""

    fact_id: int
    weight: float
    likeness: Likeness

    def score(self, best: float) -> float:
        """Return its score beside others, before its age is weighed; `best` is the highest BM25 among them."""
        return scoring.relevance(self.likeness.bm25 / best, self.likeness.jaccard) * self.weight


@dataclass(frozen=True, slots=True)
class Candidates:
    """Facts that may answer a query, the figures of the memory that BM25 needs, and what compares others."""

    corpus: Corpus
    wanted: Wanted
    facts: list[Candidate]


def choose(
    connection: sqlite3.Connection,
    concepts: Sequence[Concept],
    only: FactFilter,
    limit: int,
    highest_trust: Callable[[], float] = lambda: 1.0,
) -> Candidates:
    """Return those facts that pass the filter and may be the best for these concepts, at least `limit` if so many do.

    `highest_trust` tells the highest trust of any fact, or 1.0 where that would take long.
    What a fact has in common with the query does not depend on the limit.
    """
    found = postings.find(connection, concepts, limit)
    wanted = Wanted(concepts, found.corpus)
    sought = wanted.beside if found.is_whole else wanted.every
    enough = max(limit, _least_read(concepts, found)) if sought else limit
    look_up = _LookUp(connection, found, wanted, only)
    chosen = _choose(found, look_up, enough, highest_trust)
    if len(chosen) < enough and not found.is_whole:
        # The filter took most of what was read: let it choose first, however many places that takes.
        postings.find_more(connection, found, only)
        chosen = _choose(found, look_up, enough, highest_trust)
    if sought:
        chosen = _read(connection, _most_promising(chosen, enough), wanted, sought)
    return Candidates(found.corpus, wanted, chosen)


def _least_read(concepts: Sequence[Concept], found: Found) -> int:
    """Return of how many facts the terms are read: of all, if these are few, where a lone character finds them."""
    if found.is_whole and any(word.has_character and concepts[word.concept].term in word.match for word in found.words):
        return max(LEAST_READ, FEW)
    return LEAST_READ + READ_PER_WORD * max(len(concepts) - FEW_WORDS, 0)


class _LookUp:
    """What makes candidates of the facts at places."""

    def __init__(self, connection: sqlite3.Connection, found: Found, wanted: Wanted, only: FactFilter) -> None:
        self._wanted = wanted
        self._connection = connection
        self._found = found
        self._condition, self._parameters = filter_condition(only)
        self._holding = cache(lambda bits: wanted.holding(found.frequencies(bits)))

    def __call__(self, places: Iterable[int], above: float = 0.0) -> list[Candidate]:
        """Return the candidates among the facts at these places: those that pass the filter, of a trust `above`."""
        by_id = {fact_at(place): place for place in places}
        condition, parameters = self._condition, self._parameters
        if above:
            condition, parameters = f"facts.trust_score > ? AND {condition}", [above, *parameters]
        rows = self._connection.execute(
            f"SELECT fact_id, {WEIGHT}, (SELECT length FROM index_documents WHERE fact_id = facts.fact_id) "
            f"FROM facts WHERE fact_id IN (SELECT value FROM json_each(?)) AND {condition}",
            (json.dumps(list(by_id)), *parameters),
        )
        candidates: list[Candidate] = []
        words, likeness, length_by_rank = self._found.places, self._wanted.likeness, self._found.length_by_rank
        for fact_id, weight, length in rows.fetchall():
            place = by_id[fact_id]
            holding, rank = self._holding(words[place]), rank_at(place)
            alike = likeness(holding, rank * length_by_rank if length is None else length, rank)
            candidates.append(Candidate(fact_id, weight, alike))
        return candidates

    def promise(self, bits: int, rank: int) -> Likeness:
        """Return the likeness of a fact that holds these words and has the usual length for its rank."""
        return self._wanted.likeness(self._holding(bits), rank * self._found.length_by_rank, rank)


def _choose(found: Found, look_up: _LookUp, limit: int, highest_trust: Callable[[], float]) -> list[Candidate]:
    """Return facts found that pass the filter, at least `limit` or all: those that promise the highest scores."""
    if len(found.places) <= FEW:
        return look_up(found.places)
    by_words: defaultdict[int, list[int]] = defaultdict(list)
    for place, bits in found.places.items():
        by_words[bits].append(place)
    by_text = _best_first(by_words, lambda bits, rank: look_up.promise(bits, rank).bm25)
    chosen = look_up(place for _, place in islice(by_text, BEST_BY_TEXT))
    while not chosen and (pairs := list(islice(by_text, LOOKED_UP))):
        chosen = look_up(place for _, place in pairs)
    if not chosen:
        return []
    best = max(one.likeness.bm25 for one in chosen) or 1.0

    def relevance(bits: int, rank: int) -> float:
        likeness = look_up.promise(bits, rank)
        return scoring.relevance(likeness.bm25 / best, likeness.jaccard)

    by_score = _best_first(by_words, relevance)
    scores: list[float] = []
    while pairs := list(islice(by_score, LOOKED_UP)):
        if len(scores) >= limit:
            # No fact of these is likely to be among the best, unless it has a higher trust than all before.
            last = nlargest(limit, scores)[-1]
            likeliest = pairs[0][0] * max(one.weight for one in chosen)
            if len(scores) >= MOST_LOOKED_UP or likeliest < SLACK * last:
                highest = highest_trust()
                if pairs[0][0] * highest > last:
                    rest = _that_promise(last / highest, chain(pairs, by_score))
                    chosen += look_up(islice(rest, MOST_LOOKED_UP), SLACK * last / pairs[0][0])
                break
        more = look_up(place for _, place in pairs)
        scores += [one.score(best) for one in more]
        chosen += more
    return _most_promising(list({one.fact_id: one for one in chosen}.values()), limit)


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


def _most_promising(passing: list[Candidate], limit: int) -> list[Candidate]:
    """Return `limit` facts of the highest scores, as far as these are known, and the few of the highest BM25."""
    if len(passing) <= limit:
        return passing
    by_text = nlargest(BEST_BY_TEXT, passing, key=lambda one: one.likeness.bm25)
    best = by_text[0].likeness.bm25 or 1.0
    promises = [one.score(best) for one in passing]
    last = nlargest(limit, promises)[-1]  # of equally good ones none is left out: their order is decided later
    chosen = {one.fact_id: one for one, promise in zip(passing, promises, strict=True) if promise >= last}
    return list((chosen | {one.fact_id: one for one in by_text}).values())


def _read(
    connection: sqlite3.Connection, chosen: Sequence[Candidate], wanted: Wanted, sought: Sought
) -> list[Candidate]:
    """Look in the terms of facts for concepts that their places do not tell, or not surely."""
    documents = index.documents(connection, (one.fact_id for one in chosen))
    read: list[Candidate] = []
    for one in chosen:
        document, known = documents.get(one.fact_id), one.likeness.frequencies
        likeness = wanted.read(document, sought, known) if document else one.likeness
        read.append(Candidate(one.fact_id, one.weight, likeness))
    return read
