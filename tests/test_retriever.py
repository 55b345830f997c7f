"""A score says the same whatever the number of results that are wanted."""

from typing import Any

import pytest

from mnemo.memory import Memory
from mnemo.search import candidates, postings, readings


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


def searched(memory: Memory, query: str, **given: Any) -> list[tuple[int, float]]:
    answer = memory.fact_store({"action": "search", "query": query, **given})
    return [(result["fact_id"], result["score"]) for result in answer["results"]]


@pytest.mark.parametrize("most_compared", [100_000, 100], ids=["highest trust known", "highest trust assumed"])
@pytest.mark.parametrize("limit", [1, 10, 100])
def test_the_most_trusted_of_hundreds_comes_first_whatever_the_limit(
    memory: Memory, limit: int, most_compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "MOST_COMPARED", most_compared)
    for start in range(0, 600, 100):
        contents = [f"zebra stripe{number:03d}" for number in range(start, start + 100)]
        memory.fact_store({"action": "add", "contents": contents})
    assert searched(memory, "zebra", limit=limit)[0][0] != 6
    memory.fact_feedback({"action": "helpful", "fact_id": 6})
    assert searched(memory, "zebra", limit=limit)[0][0] == 6
    pages = [fact for offset in range(0, 200, 10) for fact in searched(memory, "zebra", limit=10, offset=offset)]
    assert len(set(pages)) == 200


@pytest.mark.parametrize("limit", [1, 3, 20])
def test_facts_that_rounding_makes_equally_good_stand_in_their_order_whatever_the_limit(
    memory: Memory, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "FEW", 10)
    # The later a fact, the better by a hair.
    contents = [f"zebra n{number:02d}{'x' * (9_000 - number)}" for number in range(60)]
    memory.fact_store({"action": "add", "contents": contents})
    every = searched(memory, "zebra", limit=60)
    assert [score for _, score in every[:12]] == [every[0][1]] * 12
    assert every == sorted(every, key=lambda one: (-one[1], one[0]))
    assert searched(memory, "zebra", limit=limit) == every[:limit]


WORDS = (
    *("harbour", "crane", "boat", "lamp", "editor", "sea", "port", "test", "release", "note"),
    *("灯塔", "码头", "深色", "编辑器", "船", "灯", "修", "海", "港口", "的", "什么"),
)
LONG_QUERIES = (
    "harbour crane boat lamp editor sea port test 灯塔 码头",
    "the note of the release test at the port: sea, lamp, boat, crane, editor, whale and the harbour of 海 船",
    "灯塔 码头 深色 编辑器 船 灯 修 海 港口 什么 release note",
)


@pytest.mark.parametrize("query", range(len(LONG_QUERIES)))
def test_long_queries_answer_the_same_for_each_limit_up_to_20(
    memory: Memory, query: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "POSTINGS", 500)  # as if the memory were ten times as large
    for start in range(0, 1_200, 100):
        contents = []
        for number in range(start, start + 100):
            held = ((number * 7919 + place * 31) * 104729 % 1009 % len(WORDS) for place in range(1 + number % 13))
            contents.append(" ".join([f"n{number}", *(WORDS[place] for place in held)]))
        memory.fact_store({"action": "add", "contents": contents})
    for fact_id in range(1, 1_200, 50):
        memory.fact_feedback({"action": "helpful", "fact_id": fact_id})
    twenty = searched(memory, LONG_QUERIES[query], limit=20, refine=False)
    assert len(twenty) == 20
    for limit in (1, 3, 10):
        assert searched(memory, LONG_QUERIES[query], limit=limit, refine=False) == twenty[:limit]
    assert searched(memory, LONG_QUERIES[query], limit=10, offset=10, refine=False) == twenty[10:]


def test_a_translation_of_both_words_comes_before_a_half_of_them(memory: Memory) -> None:
    for content in (
        "数据库每天凌晨三点备份",
        "Production database listens on port 5433",
        "会议室在三楼",
        "Lunch is at noon",
    ):
        memory.fact_store({"action": "add", "content": content})
    answer = memory.fact_store({"action": "search", "query": "数据库端口"})
    assert [fact["fact_id"] for fact in answer["results"]] == [2, 1]


@pytest.mark.parametrize("limit", [1, 10, 100])
def test_a_lone_character_counts_in_every_fact_that_it_finds(memory: Memory, limit: int) -> None:
    memory.fact_store({"action": "add", "contents": [f"北京路{number}号" for number in range(100)]})
    for start in (100, 200):
        contents = [f"南京 w{n} u{n} v{n} t{n} 东京京都京" for n in range(start, start + 100)]
        memory.fact_store({"action": "add", "contents": contents})
    assert searched(memory, "京", limit=limit) == searched(memory, "京", limit=300)[:limit]


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
        return [searched(memory, query, limit=50) for query in QUERIES]

    monkeypatch.setattr(candidates, "LEAST_READ", 10**6)
    monkeypatch.setattr(candidates, "LEAST_READ_BESIDE", 10**6)
    by_places = every()
    monkeypatch.setattr(postings.Found, "cut", set(range(20)))  # so that all texts are read for all words
    assert by_places == every()
    assert all(by_places)
