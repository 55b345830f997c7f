"""Places in the index of terms: where the fact of an id and a rank stands, and which fact stands at a place.

Spec: fact-retrieval.
"""

from collections.abc import Iterable

LARGEST_ID = (1 << 32) - 1
RANK_BITS = 15
LARGEST_RANK = (1 << RANK_BITS) - 1
ID_BITS = 32


def place_of(fact_id: int, rank: int) -> int:
    """Return where a fact stands in the index: by its number of different terms, then newest first."""
    return min(rank, LARGEST_RANK) << ID_BITS | (LARGEST_ID - fact_id)


def fact_at(place: int) -> int:
    """Return the id of the fact at a place."""
    return LARGEST_ID - (place & LARGEST_ID)


def places_by_fact(places: Iterable[int]) -> dict[int, int]:
    """Return places by the id of the fact that stands there."""
    return {LARGEST_ID - (place & LARGEST_ID): place for place in places}  # hundreds a search: no call for each


def rank_at(place: int) -> int:
    """Return the number of different terms (stop words aside) of the fact at a place."""
    return place >> ID_BITS
