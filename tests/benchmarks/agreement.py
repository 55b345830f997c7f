"""How many of the ten best facts a bounded search gives, beside scoring every fact that holds a word of the query."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from mnemo.facts import SEARCH_MIN_TRUST, FactFilter
from mnemo.memory import Memory
from mnemo.search import postings

BEST = 10
_NO_LIMIT = 10**9


@contextmanager
def _exhaustive() -> Iterator[None]:
    with (
        patch.object(postings, "POSTINGS", _NO_LIMIT),
        patch.object(postings, "MOST_POSTINGS", _NO_LIMIT),
    ):
        yield


def agreement(memory: Memory, queries: list[str]) -> float:
    """Return the share of true best facts among the results; one that scores no less than the tenth is as good."""
    same = wanted = 0
    search = memory.parts.retriever.search
    for query in queries:
        found = search(query, FactFilter(min_trust=SEARCH_MIN_TRUST), BEST, refine=False).facts
        with _exhaustive():
            every = search(query, FactFilter(min_trust=SEARCH_MIN_TRUST), _NO_LIMIT, refine=False).facts
        scores = {scored.fact.fact_id: scored.score for scored in every}
        best = every[:BEST]
        wanted += len(best)
        same += sum(scores.get(scored.fact.fact_id, 0.0) >= best[-1].score for scored in found)
    return same / wanted if wanted else 1.0
