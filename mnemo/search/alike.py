"""Facts that have most of their terms in common with a text.

Spec: fact-store (Add stores a fact), batches (Nothing is merged silently).
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from mnemo.places import ID_BITS, fact_at, rank_at
from mnemo.search.postings import quoted

POSTINGS = 40  # of each word that is read by itself
PAIR_POSTINGS = 100  # of each pair of words
MOST_PAIRS = 8  # of a text: long ones have rare words
MOST_AT_ONCE = 100  # words of one question
MOST_WORDS = 10_000  # of which it is known how many facts hold them
_PLACES = "SELECT rowid FROM index_terms WHERE index_terms MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?"


class AlikeFacts:
    """Looks for facts much like a text, and remembers about how many facts hold a word, so as to ask for rare ones.

    What it remembers may be wrong by now. Where few facts hold the rarest words that costs time, not an answer; of
    words that are all common it decides which of their places are read.
    """

    def __init__(self) -> None:
        """Begin without knowing any word."""
        self._holders: dict[str, int] = {}

    def find(self, connection: sqlite3.Connection, terms: Sequence[str], share: float, limit: int) -> list[int]:
        """Return up to `limit` facts that may have at least `share` of all terms in common with these, likeliest first.

        Such a fact lacks so few of the terms that it is among the holders of any few of them. Where few facts hold one
        of the rarest, these are all that may.
        """
        wanted = _Wanted(terms, share)
        rarest_first = sorted(terms, key=lambda term: self._holders.get(term, 0))
        rarest = rarest_first[: len(terms) - wanted.least + 1]
        if terms and len(rarest) <= MOST_AT_ONCE and sum(self._holders.get(term, 0) for term in rarest) <= limit:
            places = wanted.places(connection, " OR ".join(map(quoted, rarest)), limit + 1)
            if len(places) <= limit:
                return list(map(fact_at, places))
        if len(self._holders) > MOST_WORDS:
            self._holders.clear()
        for term in rarest_first:
            self._holders[term] = wanted.read(connection, term)
            if wanted.is_whole:
                break
        likely = wanted.likely()
        if not wanted.is_whole or len(likely) > limit:
            wanted.read_pairs(connection, rarest_first)
            likely = wanted.likeliest(limit)
        return list(map(fact_at, likely))


class _Wanted:
    """What a fact has to hold that is much like a text, and which places were found to hold how much of it.

    It has about as many terms as the text, at least `least`. Of a common word only some places are read; a pair of
    words that rarely meet costs a look through the places of both.
    """

    def __init__(self, terms: Sequence[str], share: float) -> None:
        self.least = math.ceil(share * len(terms) - 1e-9)
        self._bounds = self.least << ID_BITS, (int(len(terms) / share) + 1 << ID_BITS) - 1
        self._count = len(terms)
        self._common = share / (1 + share)  # of the terms of both together, where they have that share of all in common
        self._held: Counter[int] = Counter()  # how many of the terms a place holds, and of those read whole
        self._surely: Counter[int] = Counter()
        self._unsure = len(terms)  # how many other terms there are

    def places(self, connection: sqlite3.Connection, match: str, most: int) -> list[int]:
        """Return up to so many places of facts of about as many terms."""
        return [row[0] for row in connection.execute(_PLACES, (match, *self._bounds, most))]

    def read(self, connection: sqlite3.Connection, term: str) -> int:
        """Read the places of a term, and return how many there are, at most `POSTINGS`."""
        places = self.places(connection, quoted(term), POSTINGS)
        self._held.update(places)
        if len(places) < POSTINGS:
            self._surely.update(places)
            self._unsure -= 1
        return len(places)

    @property
    def is_whole(self) -> bool:
        """Tell whether every fact that qualifies is among the holders of what was read whole."""
        return self._unsure < self.least

    def read_pairs(self, connection: sqlite3.Connection, rarest_first: Sequence[str]) -> None:
        """Read the places of the first pairs of terms, a rare one with a common one: what qualifies holds one."""
        held: Counter[int] = Counter()
        for pair in _pairs(rarest_first):
            for place in self.places(connection, " AND ".join(map(quoted, pair)), PAIR_POSTINGS):
                held[place] += len(pair)
        self._held |= held

    def likely(self) -> list[int]:
        """Return the places found that may hold enough."""
        return [place for place in self._held if self._surely[place] + self._unsure >= self._enough(place)]

    def likeliest(self, limit: int) -> list[int]:
        """Return up to `limit` of these: what is known to hold most, and, in turn, what holds most rare terms."""
        likely = self.likely()
        if len(likely) <= limit:
            return likely
        held, surely = self._held, self._surely
        most = sorted(likely, key=lambda place: (held[place] >= self._enough(place), held[place]), reverse=True)
        rarest = sorted(likely, key=lambda place: (surely[place], held[place]), reverse=True)
        return list(dict.fromkeys(chain.from_iterable(zip(most, rarest, strict=True))))[:limit]

    def _enough(self, place: int) -> float:
        return self._common * (self._count + rank_at(place)) - 1e-9


def _pairs(terms: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the first with the last, the second with the one before that, and so on, the one in the middle alone."""
    half = len(terms) // 2
    yield from zip(terms[: min(half, MOST_PAIRS)], reversed(terms), strict=False)
    if len(terms) % 2:
        yield [terms[half]]
