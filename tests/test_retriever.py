"""A score says the same whatever the number of results that are wanted."""

import pytest

from mnemo.memory import Memory


@pytest.fixture
def crowded(memory: Memory) -> Memory:
    plain = [f"zebra a{i} b{i} c{i} d{i} e{i}" for i in range(80)]
    doubled = [f"zebra zebra k{i}" for i in range(10)]
    memory.fact_store({"action": "add", "contents": [*plain, *doubled, "zebra " * 12 + "kk"]})
    return memory


def scores(memory: Memory, limit: int) -> list[tuple[int, float]]:
    answer = memory.fact_store({"action": "search", "query": "zebra", "limit": limit})
    return [(result["fact_id"], result["score"]) for result in answer["results"]]


@pytest.mark.parametrize("limit", [1, 10, 60, 90])
def test_scores_and_order_do_not_depend_on_the_limit(crowded: Memory, limit: int) -> None:
    every = scores(crowded, 91)
    assert len(every) == 91
    assert scores(crowded, limit) == every[:limit]
