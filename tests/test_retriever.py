"""A score says the same whatever the number of results that are wanted."""

import pytest

from mnemo import candidates, postings
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


WORDS = (
    *("harbour", "crane", "boat", "lamp", "editor", "sea", "port", "test", "release", "note"),
    *("灯塔", "码头", "深色", "编辑器", "船", "灯", "修", "海", "港口", "的", "什么"),
)
QUERIES = ("boat", "lamp at the port", "灯塔", "灯塔的船", "editor 深色", "港口什么 release", "sea sea crane", "船")


def test_places_tell_what_the_texts_do(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = [
        " ".join(
            [str(number), *(WORDS[(number * 5 + place * (number % 7)) % len(WORDS)] for place in range(number % 9))]
        )
        for number in range(1, 251)
    ]
    memory.fact_store({"action": "add", "contents": contents[:100]})
    memory.fact_store({"action": "add", "contents": contents[100:200]})
    memory.fact_store({"action": "add", "contents": contents[200:]})

    def every() -> list[list[tuple[int, float]]]:
        answers = [memory.fact_store({"action": "search", "query": query, "limit": 50}) for query in QUERIES]
        return [[(result["fact_id"], result["score"]) for result in answer["results"]] for answer in answers]

    monkeypatch.setattr(candidates, "LEAST_READ", 10**6)
    by_places = every()
    monkeypatch.setattr(postings.Found, "is_whole", False)  # so that all texts are read
    assert by_places == every()
    assert all(by_places)
