"""Facts that have most of their terms in common with a text.

Spec: fact-store (a similar fact is stored and named).
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence

from mnemo.index import ID_BITS, fact_at, rank_at
from mnemo.postings import quoted

POSTINGS = 40  # of each word that is read by itself
MOST_WORDS = 10_000  # of which it is known how many facts hold them
_PLACES = "SELECT rowid FROM index_terms WHERE index_terms MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?"


class AlikeFacts:
    """Looks for facts much like a text, and remembers about how many facts hold a word, so as to ask for rare ones.

    What it remembers may be wrong by now: it decides what is read first, not what is found.
    """

    def __init__(self) -> None:
        """Begin without knowing any word."""
        self._holders: dict[str, int] = {}

    def find(self, connection: sqlite3.Connection, terms: Sequence[str], share: float, limit: int) -> list[int]:
        """Return up to `limit` facts that may have at least `share` of all terms in common with these, likeliest first.

        Such a fact lacks so few of the terms that it is among the holders of any few of them, and has about as many
        terms itself. Where few facts hold one of the rarest, these are all.
        """
        least = math.ceil(share * len(terms) - 1e-9)
        bounds = least << ID_BITS, (int(len(terms) / share) + 1 << ID_BITS) - 1
        needed = len(terms) - least + 1  # one of so many terms is in every fact that qualifies
        rarest_first = sorted(terms, key=lambda term: self._holders.get(term, 0))
        rarest = rarest_first[:needed]
        if sum(self._holders.get(term, 0) for term in rarest) <= limit:
            match = " OR ".join(map(quoted, rarest))
            rows = connection.execute(_PLACES, (match, *bounds, limit + 1)).fetchall() if terms else []
            if len(rows) <= limit:
                return [fact_at(place) for (place,) in rows]
        likely = self._one_by_one(connection, rarest_first, share, bounds, limit)
        return [fact_at(place) for place in likely[:limit]]

    def _one_by_one(
        self, connection: sqlite3.Connection, terms: Sequence[str], share: float, bounds: tuple[int, int], limit: int
    ) -> list[int]:
        """Return the places between the bounds that may hold enough of the terms, likeliest first.

        As many terms are read as it takes to leave `limit` places, if they do. Words that many such facts hold say
        little, and only a few of their places are read, so that the work stays bounded.
        """
        unsure = len(terms) - (bounds[0] >> ID_BITS) + 1  # read as many, and no fact that qualifies is missed
        held: Counter[int] = Counter()  # how many of the terms a place holds, and of those that were read whole
        held_surely: Counter[int] = Counter()
        unknown = len(terms)  # how many others there are
        likely: list[int] = []
        if len(self._holders) > MOST_WORDS:
            self._holders.clear()
        for term in terms:
            places = [row[0] for row in connection.execute(_PLACES, (quoted(term), *bounds, POSTINGS))]
            self._holders[term] = len(places)
            held.update(places)
            if len(places) < POSTINGS:
                held_surely.update(places)
                unknown -= 1
                unsure -= 1
            if unsure <= 0 or term is terms[-1]:
                likely = [
                    place
                    for place in held
                    if held_surely[place] + unknown >= _least_common(share, len(terms), rank_at(place))
                ]
                if len(likely) <= limit:
                    break
        return sorted(likely, key=lambda place: (held_surely[place], held[place]), reverse=True)


def _least_common(share: float, one: int, other: int) -> float:
    """Return how many terms two texts have in common, of so many each, that share this part of all."""
    return share / (1 + share) * (one + other) - 1e-9
