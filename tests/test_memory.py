"""Both tools as plain functions: the whole answer of each action, and the exact words of each refusal."""

import json
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo import arguments, copies, usage
from mnemo.actions import MAX_NAMES
from mnemo.answers import LONG_CONTENT_WARNING, REMINDER
from mnemo.errors import InvalidArgumentError, MemoryBusyError, MemoryFileError, MnemoError
from mnemo.facts import MAX_CONTENT
from mnemo.memory import MOST_LEFT, Memory
from mnemo.query import SKIPPED
from mnemo.storage import database
from tests.conftest import rows

NOW = "2026-05-08 14:30:00"
LATER = "2026-05-09 09:00:00"


@pytest.fixture(autouse=True)
def frozen() -> Iterator[None]:
    with freeze_time(NOW):
        yield


def call(memory: Memory, action: str, **given: Any) -> dict[str, Any]:
    return memory.fact_store({"action": action, **given})


def rate(memory: Memory, action: str, **given: Any) -> dict[str, Any]:
    return memory.fact_feedback({"action": action, **given})


def refusal(memory: Memory, given: dict[str, Any]) -> str:
    with pytest.raises(MnemoError) as caught:
        memory.fact_store(given)
    return str(caught.value)


def add(memory: Memory, content: str, **given: Any) -> int:
    answer = call(memory, "add", content=content, **given)
    assert answer["status"] == "added"
    return int(answer["fact_id"])


def shown(fact_id: int, content: str, **different: Any) -> dict[str, Any]:
    """Return a fact as answers show it that was just added."""
    fact = {
        "fact_id": fact_id,
        "content": content,
        "summary": None,
        "category": "general",
        "tags": "",
        "trust_score": 0.5,
        "retrieval_count": 0,
        "helpful_count": 0,
        "last_retrieved_at": None,
        "created_at": NOW,
        "updated_at": NOW,
    }
    assert set(different) <= set(fact)
    return fact | different


def found(memory: Memory, query: str, **given: Any) -> list[int]:
    return [result["fact_id"] for result in call(memory, "search", query=query, **given)["results"]]


def listed(memory: Memory, **given: Any) -> list[int]:
    return [fact["fact_id"] for fact in call(memory, "list", **given)["facts"]]


# --- add ---


def test_add_answers_id_status_and_category(memory: Memory) -> None:
    assert call(memory, "add", content="Whales sleep at sea") == {
        "fact_id": 1,
        "status": "added",
        "category": "general",
    }
    assert call(
        memory, "add", content="用户偏好深色主题", category="tool_pref", tags=" ui，theme,ui", summary="深色"
    ) == {
        "fact_id": 2,
        "status": "added",
        "category": "tool_pref",
    }
    assert call(memory, "get", fact_ids=[1, 2]) == {
        "facts": [
            shown(1, "Whales sleep at sea"),
            shown(2, "用户偏好深色主题", category="tool_pref", tags="ui,theme", summary="深色"),
        ],
        "count": 2,
        "missing": [],
    }


def test_content_is_kept_character_for_character(memory: Memory) -> None:
    content = "  第一行\n\tsecond line 🐳 \r\n" + "长" * 2000
    add(memory, content, summary="several lines")
    assert call(memory, "get", fact_id=1)["facts"] == [shown(1, content, summary="several lines")]


@pytest.mark.parametrize("content", ["Tea is served at four", "  TEA is\nserved at ｆｏｕｒ. "])
def test_duplicate_changes_nothing_of_the_first(memory: Memory, path: Path, content: str) -> None:
    add(memory, "Tea is served at four", category="workflow")
    rate(memory, "helpful", fact_id=1)
    before = rows(path, "SELECT * FROM facts")
    answer = call(memory, "add", content=content, category="general", tags="x", summary="tea")
    assert answer == {"fact_id": 1, "status": "duplicate", "category": "workflow"}
    assert rows(path, "SELECT * FROM facts") == before


def test_similar_fact_is_stored_and_named(memory: Memory) -> None:
    add(memory, "The staging cluster of the billing team runs Redis 7.1")
    answer = call(memory, "add", content="The staging cluster of the billing team runs Redis 7.2")
    (similar,) = answer.pop("similar")
    assert answer == {"fact_id": 2, "status": "added", "category": "general"}
    assert 0.6 <= similar.pop("similarity") < 1
    assert similar == {"fact_id": 1, "content": "The staging cluster of the billing team runs Redis 7.1"}


@pytest.mark.parametrize(
    ("content", "summary", "is_warned"),
    [
        ("x" * 500, None, False),
        ("x" * 501, None, True),
        ("鲸" * 500, None, False),
        ("鲸" * 501, None, True),
        ("🐳" * 500, None, False),
        ("🐳" * 501, None, True),
        ("x" * 501, " \u3000", True),
        ("x" * 600, "核心摘要", False),
        ("x" * 600, "x" * 600, False),
    ],
)
def test_long_content_without_summary_is_stored_with_a_warning(
    memory: Memory, content: str, summary: str | None, is_warned: bool
) -> None:
    expected: dict[str, Any] = {"fact_id": 1, "status": "added", "category": "general"}
    if is_warned:
        expected["warnings"] = ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]
    assert call(memory, "add", content=content, summary=summary) == expected
    assert call(memory, "list")["facts"][0]["content"] == content


def test_batch_answers_each_item_in_its_place(memory: Memory) -> None:
    add(memory, "Tea is served at four")
    answer = call(
        memory,
        "add",
        contents=["会议室有两块白板", " ", "Tea is served at four.", None, "x" * 501, "会议室有两块白板"],
        category="workflow",
    )
    empty = {"error": "content is empty; give the fact as a text"}
    assert answer == {
        "results": [
            {"fact_id": 2, "status": "added", "category": "workflow"},
            empty,
            {"fact_id": 1, "status": "duplicate", "category": "general"},
            empty,
            {"fact_id": 3, "status": "added", "category": "workflow", "warnings": [LONG_CONTENT_WARNING]},
            {"fact_id": 2, "status": "duplicate", "category": "workflow"},
        ]
    }
    assert call(memory, "list")["total"] == 3


def test_empty_list_of_contents_does_not_swallow_the_content(memory: Memory) -> None:
    assert call(memory, "add", content="Tea is served at four", contents=[])["status"] == "added"
    assert call(memory, "list")["count"] == 1


def test_content_beside_contents_is_refused_rather_than_lost(memory: Memory) -> None:
    message = refusal(memory, {"action": "add", "content": "one", "contents": ["two"]})
    assert message == "Give content or contents, not both; nothing was stored"
    assert call(memory, "list")["total"] == 0
    assert call(memory, "add", content=" ", contents=["two"])["results"][0]["status"] == "added"


def test_content_of_a_million_characters_is_the_most(memory: Memory) -> None:
    most = MAX_CONTENT
    assert refusal(memory, {"action": "add", "content": "x" * (most + 1)}) == (
        f"content has {most + 1} characters, at most {most} are stored; split it into several facts"
    )


def test_names_of_a_thousand_characters_are_the_most_that_a_call_looks_for(memory: Memory) -> None:
    add(memory, "Kasper maintains the ferry " + "e" * MAX_NAMES)
    assert call(memory, "probe", entity="e" * MAX_NAMES)["count"] == 1
    for action in ("probe", "related"):
        assert refusal(memory, {"action": action, "entity": "e" * (MAX_NAMES + 1)}) == (
            f"entity has {MAX_NAMES + 1} characters, at most {MAX_NAMES} are looked for; give names alone"
        )
    message = refusal(memory, {"action": "reason", "entities": ["Kasper", "e" * (MAX_NAMES - 5)]})
    assert message.startswith(f"entities has {MAX_NAMES + 1} characters")


# --- search ---


def test_search_answers_whole_facts_with_scores(memory: Memory, path: Path) -> None:
    add(memory, "Whales sleep at sea")
    add(memory, "Harbours open at six")
    answer = call(memory, "search", query="whales")
    score = answer["results"][0].pop("score")
    assert 0 < score <= 0.5
    assert answer == {"results": [shown(1, "Whales sleep at sea")], "count": 1, "reminder": REMINDER}
    assert rows(path, "SELECT query, results, timestamp FROM retrieval_log") == [
        ("whales", f'[{{"id":1,"score":{score}}}]', NOW)
    ]
    assert rows(path, "SELECT fact_id, retrieval_count, last_retrieved_at FROM facts") == [(1, 1, NOW), (2, 0, None)]


def test_explanation_multiplies_to_the_score(memory: Memory) -> None:
    add(memory, "whale " * 150)
    rate(memory, "helpful", fact_id=1)
    (result,) = call(memory, "search", query="whale", explain=True)["results"]
    explained = result["explain"]
    assert list(explained) == ["fts", "jaccard", "relevance", "trust", "decay", "length_penalty"]
    assert (explained["trust"], explained["decay"], explained["length_penalty"]) == (0.55, 1.0, 0.3333)
    assert explained["relevance"] == pytest.approx(0.5 * explained["fts"] + 0.5 * explained["jaccard"], abs=2e-4)
    assert result["score"] == pytest.approx(explained["relevance"] * 0.55 / 3, abs=2e-4)


def test_brief_results_show_the_match_text_cut_at_200_characters(memory: Memory) -> None:
    add(memory, "whale " + "x" * 200)
    add(memory, "long story", summary="whale in short", category="workflow")
    results = {r.pop("fact_id"): r for r in call(memory, "search", query="whale", brief=True)["results"]}
    assert all(0 < result.pop("score") < 1 for result in results.values())
    assert results == {
        1: {"category": "general", "text": "whale " + "x" * 193 + "…"},
        2: {"category": "workflow", "text": "whale in short"},
    }


@pytest.mark.parametrize("query", ["%", "*", "!!", '"', "( OR"])
def test_query_without_a_word_finds_nothing_and_is_logged(memory: Memory, path: Path, query: str) -> None:
    add(memory, "100 % of the tests pass!!")
    assert call(memory, "search", query=query) == {"results": [], "count": 0}
    assert rows(path, "SELECT query, results FROM retrieval_log") == [(query, "[]")]


def test_operation_is_skipped_and_not_logged(memory: Memory, path: Path) -> None:
    add(memory, "运行测试用 make check")
    assert call(memory, "search", query="运行测试") == {"results": [], "count": 0, "skipped": SKIPPED}
    assert rows(path, "SELECT count(*) FROM retrieval_log") == [(0,)]
    assert found(memory, "运行测试", refine=False) == [1]
    assert rows(path, "SELECT query FROM retrieval_log") == [("运行测试",)]


def test_query_is_logged_as_it_came_and_searched_up_to_10000_characters(memory: Memory, path: Path) -> None:
    add(memory, "Whales sleep at sea")
    query = "whales" + " " * 10_000 + "harbours"
    answer = call(memory, "search", query=query)
    assert answer["warnings"] == ["only the first 10000 characters were searched"]
    assert answer["count"] == 1
    assert rows(path, "SELECT query FROM retrieval_log") == [(query,)]


def test_filters_choose_before_the_limit(memory: Memory) -> None:
    for n in range(12):
        add(memory, f"whale number {n}")
    rare = add(memory, "In the harbour there was a whale once", category="workflow", tags="Sea，trip")
    rate(memory, "unhelpful", fact_id=rare)
    rate(memory, "unhelpful", fact_id=rare)
    with freeze_time(LATER):
        call(memory, "update", fact_id=3, tags="Sea")
    assert len(found(memory, "whale")) == 10
    assert found(memory, "whale", limit=1, category="workflow") == [rare]
    assert sorted(found(memory, "whale", limit=5, tags="sea")) == [3, rare]
    assert found(memory, "whale", limit=5, tags=["sea", "trip"]) == [rare]
    assert found(memory, "whale", after="2026-05-09", limit=5) == [3]
    assert rare not in found(memory, "whale", before="2026-05-09", limit=12, min_trust=0.31)
    assert rare in found(memory, "whale", before="2026-05-09", limit=13)
    assert found(memory, "whale", before=NOW) == []


def test_trust_of_exactly_the_minimum_is_found(memory: Memory, path: Path) -> None:
    for trust in (0.3, 0.2999, 0.8):
        fact_id = add(memory, f"whale with {trust}")
        rows(path, "UPDATE facts SET trust_score = ? WHERE fact_id = ?", trust, fact_id)
    assert sorted(found(memory, "whale")) == [1, 3]
    assert found(memory, "whale", min_trust=0.8) == [3]
    assert sorted(found(memory, "whale", min_trust=0)) == [1, 2, 3]


def test_half_life_lets_old_facts_count_less(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_HALF_LIFE_DAYS", "10")
    with closing(Memory(path)) as memory:
        add(memory, "Whales sleep at sea")
        with freeze_time("2026-05-18 14:30:00"):
            (result,) = call(memory, "search", query="whales", explain=True)["results"]
    assert result["explain"]["decay"] == 0.5


def test_age_decides_among_all_facts_that_a_small_memory_has(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_HALF_LIFE_DAYS", "1")
    with closing(Memory(path)) as memory:
        for number in range(150):
            add(memory, f"whale harbour number {number}")
        with freeze_time("2026-08-01"):
            add(memory, "A whale, seen from the pier on a long walk beside the lighthouse in the fog")
            assert found(memory, "whale harbour", limit=1) == [151]


@pytest.mark.parametrize("setting", ["soon", "-1", "nan", "inf"])
def test_wrong_half_life_stops_each_call_before_it_does_anything(
    path: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.setenv("MNEMO_HALF_LIFE_DAYS", setting)
    memory = Memory(path)
    assert refusal(memory, {"action": "add", "content": "Whales sleep at sea"}) == (
        f"MNEMO_HALF_LIFE_DAYS must be a number of days, 0 for no decay, not {setting!r}"
    )
    monkeypatch.setenv("MNEMO_HALF_LIFE_DAYS", "0")
    with closing(memory):
        assert call(memory, "list") == {"facts": [], "count": 0, "total": 0}


# --- get, list, update, remove ---


def test_get_keeps_the_order_and_names_what_is_missing(memory: Memory, path: Path) -> None:
    for content in ("one", "two", "three"):
        add(memory, content)
    assert call(memory, "get", fact_ids=[3, 99, 1, 3, -4]) == {
        "facts": [shown(3, "three"), shown(1, "one")],
        "count": 2,
        "missing": [99, -4],
    }
    assert call(memory, "get", fact_id=7) == {"facts": [], "count": 0, "missing": [7]}
    assert rows(path, "SELECT sum(retrieval_count) FROM facts") == [(0,)]


def test_list_is_a_page_by_trust_then_newness(memory: Memory) -> None:
    for content in ("one", "two", "three"):
        add(memory, content)
    rate(memory, "helpful", fact_id=2)
    with freeze_time(LATER):
        add(memory, "four", category="workflow")
    assert call(memory, "list", limit=2) == {
        "facts": [
            shown(2, "two", trust_score=0.55, helpful_count=1),
            shown(4, "four", category="workflow", created_at=LATER, updated_at=LATER),
        ],
        "count": 2,
        "total": 4,
    }
    assert listed(memory, limit=2, offset=2) == [1, 3]
    assert listed(memory, offset=9) == []
    assert listed(memory, category="workflow") == [4]
    assert listed(memory, min_trust=0.55) == [2]
    assert listed(memory, after="2026-05-09") == [4]
    assert call(memory, "list", category="identity") == {"facts": [], "count": 0, "total": 0}


def test_list_shows_distrusted_facts(memory: Memory, path: Path) -> None:
    add(memory, "one")
    rows(path, "UPDATE facts SET trust_score = 0")
    assert listed(memory) == [1]


def test_update_changes_what_is_named_and_keeps_the_rest(memory: Memory) -> None:
    add(memory, "one", category="workflow", tags="a,b", summary="short")
    with freeze_time(LATER):
        assert call(memory, "update", fact_id=1, content="uno") == {"fact_id": 1, "updated": True}
        assert call(memory, "update", fact_id=1, trust_delta=0.2) == {"fact_id": 1, "updated": True}
        expected = shown(1, "uno", category="workflow", tags="a,b", summary="short", trust_score=0.7, updated_at=LATER)
        assert call(memory, "get", fact_id=1)["facts"] == [expected]
        call(memory, "update", fact_id=1, summary="", tags="", category="identity")
        expected |= {"summary": None, "tags": "", "category": "identity"}
        assert call(memory, "get", fact_id=1)["facts"] == [expected]


@pytest.mark.parametrize(("delta", "trust"), [(0.6, 1.0), (-0.6, 0.0), (0.05, 0.55), (-0.1, 0.4), (0, 0.5)])
def test_trust_moves_within_0_and_1(memory: Memory, delta: float, trust: float) -> None:
    add(memory, "one")
    call(memory, "update", fact_id=1, trust_delta=delta)
    assert call(memory, "list")["facts"][0]["trust_score"] == trust


def test_any_update_warns_of_a_long_content_that_still_has_no_summary(memory: Memory) -> None:
    add(memory, "x" * 501, summary="short")
    warned = {"fact_id": 1, "updated": True, "warnings": [LONG_CONTENT_WARNING]}
    silent = {"fact_id": 1, "updated": True}
    assert call(memory, "update", fact_id=1, content="y" * 501) == silent
    assert call(memory, "update", fact_id=1, summary=" ") == warned
    assert call(memory, "update", fact_id=1, tags="x") == warned
    assert call(memory, "update", fact_id=1, content="z" * 501) == warned
    assert call(memory, "update", fact_id=1, content="z" * 500) == silent


def test_update_to_the_content_of_another_fact_is_refused(memory: Memory) -> None:
    add(memory, "one")
    add(memory, "two")
    assert refusal(memory, {"action": "update", "fact_id": 2, "content": "one"}) == (
        "fact 1 already has exactly this content; update or remove that one, or change the text"
    )
    assert call(memory, "update", fact_id=2, content="two") == {"fact_id": 2, "updated": True}


def test_index_follows_updates_and_removals(memory: Memory) -> None:
    add(memory, "打卡机放在门厅西侧")
    call(memory, "update", fact_id=1, content="打卡机搬到了二楼走廊")
    assert (found(memory, "门厅"), found(memory, "走廊")) == ([], [1])
    call(memory, "update", fact_id=1, summary="time clock")
    assert (found(memory, "走廊"), found(memory, "clock")) == ([], [1])
    call(memory, "remove", fact_id=1)
    assert found(memory, "clock") == []


def test_remove_tells_what_was_there(memory: Memory) -> None:
    for content in ("one", "two", "three"):
        add(memory, content)
    assert call(memory, "remove", fact_id=1) == {"fact_id": 1, "removed": True}
    assert call(memory, "remove", fact_id=1) == {"fact_id": 1, "removed": False}
    assert call(memory, "remove", fact_ids=[3, 1, 3, 9]) == {"removed": [3], "missing": [1, 9]}
    assert call(memory, "remove", fact_id=2, fact_ids=[]) == {"fact_id": 2, "removed": True}
    assert call(memory, "add", content="four")["fact_id"] == 4


# --- feedback, learn, audit ---


def test_feedback_moves_trust_and_counts_helpful_ratings(memory: Memory) -> None:
    add(memory, "one")
    assert rate(memory, "helpful", fact_id=1) == {
        "fact_id": 1,
        "old_trust": 0.5,
        "new_trust": 0.55,
        "helpful_count": 1,
    }
    assert rate(memory, "unhelpful", fact_id=1) == {
        "fact_id": 1,
        "old_trust": 0.55,
        "new_trust": 0.45,
        "helpful_count": 1,
    }


def test_feedback_keeps_trust_within_0_and_1(memory: Memory) -> None:
    add(memory, "one")
    trusts = [rate(memory, "unhelpful", fact_id=1)["new_trust"] for _ in range(6)]
    assert trusts == [0.4, 0.3, 0.2, 0.1, 0.0, 0.0]
    call(memory, "update", fact_id=1, trust_delta=0.98)
    assert [rate(memory, "helpful", fact_id=1)["new_trust"] for _ in range(2)] == [1.0, 1.0]


def test_learn_and_audit_take_a_limit(memory: Memory) -> None:
    call(memory, "add", contents=[f"{n} " + "x" * 501 for n in range(3)])
    assert len(call(memory, "learn")["long_facts"]) == 3
    assert len(call(memory, "learn", limit=2)["long_facts"]) == 2
    assert len(call(memory, "audit", limit=1)["long_without_summary"]) == 1
    assert call(memory, "audit")["statistics"]["index"] == "current"


def test_start_brings_the_index_up_to_date_and_learns(memory: Memory, path: Path) -> None:
    add(memory, "one")
    rows(path, "INSERT INTO facts(content, last_retrieved_at) VALUES ('two', '2026-01-01 00:00:00')")
    assert memory.learn_at_startup() == {"promoted": 0, "demoted": 0, "aged": 1, "unchanged": 1}
    assert rows(path, "SELECT count(*) FROM index_notes") == [(0,)]


@pytest.mark.parametrize("is_large", [False, True], ids=["small file", "large file"])
def test_search_while_the_start_learns_is_counted(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch, *, is_large: bool
) -> None:
    monkeypatch.setattr(database, "LARGE_FILE", 0 if is_large else 1 << 40)
    add(memory, "The ferry leaves pier three")
    memory.parts.store.refresh()
    adjustment, counted = usage._adjustment, []
    searching = threading.Thread(target=lambda: counted.append(call(memory, "search", query="ferry")["count"]))

    def begin_and_wait(*given: Any) -> Any:
        searching.start()
        searching.join(5 if is_large else 0.2)
        assert counted == ([1] if is_large else [])  # a short pass is waited for, a long one is not
        return adjustment(*given)

    monkeypatch.setattr(usage, "_adjustment", begin_and_wait)
    memory.learn_at_startup()
    searching.join()
    assert rows(path, "SELECT retrieval_count FROM facts") == [(1,)]


# --- refusals ---


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "Missing required argument: action"),
        ({"action": ""}, "Missing required argument: action"),
        ({"action": None}, "Missing required argument: action"),
        ({"action": "dance"}, f"Unknown action: dance; use one of {', '.join(arguments.ACTIONS)}"),
        ({"action": "x" * 99}, f"Unknown action: {'x' * 80}; use one of {', '.join(arguments.ACTIONS)}"),
        ({"action": "add"}, "Missing required argument: content"),
        ({"action": "add", "content": " \n"}, "Missing required argument: content"),
        ({"action": "add", "contents": []}, "Missing required argument: content"),
        ({"action": "search"}, "Missing required argument: query"),
        ({"action": "search", "query": " "}, "Missing required argument: query"),
        ({"action": "search", "query": "x", "limit": 0}, "limit must be 1 or more, not 0; leave it out for 10"),
        ({"action": "search", "query": "x", "min_trust": 2}, "min_trust must be between 0 and 1, not 2"),
        ({"action": "list", "limit": -1}, "limit must be 1 or more, not -1; leave it out for 10"),
        ({"action": "list", "offset": -1}, "offset must be 0 or more, not -1"),
        ({"action": "learn", "limit": 0}, "limit must be 1 or more, not 0; leave it out for 50"),
        ({"action": "get"}, "Missing required argument: fact_id"),
        ({"action": "remove"}, "Missing required argument: fact_id"),
        ({"action": "update"}, "Missing required argument: fact_id"),
        (
            {"action": "update", "fact_id": 1},
            "Nothing to update: name at least one of content, summary, tags, category, trust_delta, supersedes, "
            "expires_at",
        ),
        ({"action": "update", "fact_id": 1, "content": " "}, "content is empty; give the fact as a text"),
        (
            {"action": "update", "fact_id": 99, "tags": "x"},
            "fact_id 99 not found; use action=search or action=list to see the ids that exist",
        ),
        ({"action": "probe"}, "Missing required argument: entity"),
        ({"action": "related"}, "Missing required argument: entity"),
        ({"action": "reason"}, "Missing required argument: entities"),
    ],
)
def test_wrong_calls_are_refused_in_exact_words(memory: Memory, given: dict[str, Any], message: str) -> None:
    assert refusal(memory, given) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "Missing required argument: action"),
        ({"action": "helpful"}, "Missing required argument: fact_id"),
        ({"action": "great", "fact_id": 1}, "Unknown action: great; use one of helpful, unhelpful"),
        (
            {"action": "helpful", "fact_id": 99},
            "fact_id 99 not found; use action=search or action=list to see the ids that exist",
        ),
        ({"action": "helpful", "fact_id": "one"}, 'fact_id must be a whole number, not "one"'),
    ],
)
def test_wrong_ratings_are_refused_in_exact_words(memory: Memory, given: dict[str, Any], message: str) -> None:
    with pytest.raises(MnemoError) as caught:
        memory.fact_feedback(given)
    assert str(caught.value) == message


def test_unknown_arguments_are_ignored_with_a_warning(memory: Memory) -> None:
    assert call(memory, "list", lmiit=3) == {
        "facts": [],
        "count": 0,
        "total": 0,
        "warnings": ["Unknown argument ignored: lmiit; did you mean limit?"],
    }
    assert call(memory, "add", content="x" * 501, mood="good")["warnings"] == [
        LONG_CONTENT_WARNING,
        "Unknown argument ignored: mood",
    ]
    assert rate(memory, "helpful", fact_id=1, because="it helped")["warnings"] == ["Unknown argument ignored: because"]


# --- rows of other programs, other writers, the end ---


def test_rows_with_nothing_but_content_trip_nothing(memory: Memory, path: Path) -> None:
    call(memory, "list")
    rows(
        path,
        "INSERT INTO facts(content, category, tags, trust_score, retrieval_count, helpful_count) "
        "VALUES ('Whales sleep at sea', NULL, NULL, NULL, NULL, NULL)",
    )
    fact = shown(1, "Whales sleep at sea", created_at=None, updated_at=None)
    assert call(memory, "list")["facts"] == [fact]
    assert call(memory, "list", category="general", min_trust=0.5)["count"] == 1
    assert listed(memory, tags="sea") == listed(memory, after="2020-01-01") == []
    result = call(memory, "search", query="whales")["results"][0]
    assert result.pop("score") > 0
    assert result == fact
    assert rate(memory, "helpful", fact_id=1)["new_trust"] == 0.55
    call(memory, "update", fact_id=1, tags="sea")
    assert call(memory, "probe", entity="Whales")["count"] in (0, 1)
    assert call(memory, "contradict") == {"results": [], "count": 0}
    assert call(memory, "learn")["unchanged"] == 1
    assert call(memory, "audit")["statistics"]["categories"] == {"general": 1}


def test_search_goes_on_beside_a_lock_and_its_entry_follows(memory: Memory, path: Path) -> None:
    add(memory, "Whales sleep at sea")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO facts(content) VALUES ('Whales sing')")
        assert found(memory, "whales") == [1]
        assert call(memory, "get", fact_id=1)["count"] == call(memory, "list")["count"] == 1
        with pytest.raises(MemoryBusyError) as caught:
            call(memory, "add", content="too early")
        assert str(caught.value) == (
            f"Another program keeps the memory file {path} locked; nothing was changed. Try again in a moment."
        )
        memory.flush()
        other.execute("COMMIT")
    memory.flush()
    assert rows(path, "SELECT query FROM retrieval_log") == [("whales",)]
    assert sorted(found(memory, "whales")) == [1, 2]


def test_facts_written_by_others_are_found_while_yet_another_writes(memory: Memory, path: Path) -> None:
    add(memory, "Whales sleep at sea")
    rows(path, "INSERT INTO facts(content, trust_score) VALUES ('Whales sing', 0.9)")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert sorted(found(memory, "whales")) == [1, 2]
        other.execute("ROLLBACK")


def test_end_writes_what_waits_or_says_that_it_is_lost(path: Path) -> None:
    memory = Memory(path, wait_seconds=0.1)
    add(memory, "Whales sleep at sea")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        found(memory, "whales")
        with pytest.raises(MemoryBusyError):
            memory.close()
        other.execute("ROLLBACK")
    memory.close()
    assert rows(path, "SELECT count(*) FROM retrieval_log") == [(0,)]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        found(memory, "whales")
        other.execute("ROLLBACK")
    memory.close()
    assert rows(path, "SELECT query FROM retrieval_log") == [("whales",)]


def test_memory_that_was_never_used_makes_no_file(path: Path) -> None:
    memory = Memory(path)
    memory.flush()
    memory.close()
    assert not path.exists()


def test_default_memory_is_the_user_s(home: Path) -> None:
    with closing(Memory()) as memory:
        add(memory, "one")
    assert rows(home / ".mnemo" / "facts.db", "SELECT content FROM facts") == [("one",)]


def test_broken_file_is_an_answer_and_a_mended_one_works_again(path: Path) -> None:
    path.write_text("my diary " * 500)
    with closing(Memory(path)) as memory:
        for action in ("list", "learn", "audit"):
            with pytest.raises(MemoryFileError, match="damaged or no SQLite database"):
                call(memory, action)
        path.unlink()
        assert call(memory, "list") == {"facts": [], "count": 0, "total": 0}


def test_resource_shows_the_most_trusted_facts_of_a_category(memory: Memory) -> None:
    call(memory, "add", contents=["one", "two", "three"], category="identity")
    add(memory, "four")
    rate(memory, "helpful", fact_id=2)
    assert memory.most_trusted("identity", 2) == [
        {"fact_id": 2, "content": "two", "trust_score": 0.55},
        {"fact_id": 1, "content": "one", "trust_score": 0.5},
    ]


# --- whatever comes ---

texts = st.sampled_from(
    [
        "Whales sleep at sea",
        "whale",
        "用户偏好深色主题",
        "深色",
        "C++ and .NET",
        "",
        " ",
        "\ud83d",
        "a\0b",
        "*%",
        "'\";--",
        "🐳" * 40,
    ]
) | st.text(st.characters(), max_size=30)
numbers = st.sampled_from([0, 1, 2, 3, -1, 10, 0.3, 1e300, 2**70]) | st.text(max_size=3)
values = st.none() | st.booleans() | numbers | texts | st.lists(texts | numbers, max_size=3)
sensible: dict[str, st.SearchStrategy[Any]] = {
    "content": texts,
    "contents": st.lists(texts, max_size=3),
    "query": texts,
    "fact_id": st.integers(0, 4),
    "fact_ids": st.lists(st.integers(0, 4), max_size=3),
    "summary": texts,
    "category": st.sampled_from(["general", "workflow"]),
    "entities": st.lists(texts, max_size=2),
    "after": st.sampled_from(["7d", "2026-05-08"]),
    "min_trust": st.floats(0, 1),
    "trust_delta": st.floats(-1, 1),
    "limit": st.integers(1, 5),
}
calls = st.builds(
    lambda action, good, wild: {**good, **wild, "action": action},
    st.sampled_from(arguments.ACTIONS) | st.sampled_from(["helpful", "unhelpful", "dance"]),
    st.fixed_dictionaries({}, optional=sensible),
    st.dictionaries(st.sampled_from([parameter.name for parameter in arguments.FACT_STORE]), values, max_size=1),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), calls), min_size=1, max_size=8))
def test_any_calls_in_any_order_are_answered_in_json_or_refused_in_words(
    session: list[tuple[bool, dict[str, Any]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, closing(Memory(Path(folder) / "facts.db")) as memory:
        for is_feedback, arguments_given in session:
            try:
                answer = (memory.fact_feedback if is_feedback else memory.fact_store)(arguments_given)
            except MnemoError as error:
                str(error).encode()
            else:
                json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
        trusts = rows(memory.path, "SELECT trust_score FROM facts") if memory.path.exists() else []
        assert all(0 <= float(str(trust)) <= 1 for (trust,) in trusts)
        with suppress(InvalidArgumentError):
            assert call(memory, "audit")["statistics"]["index"] == "current"


def contents_of(path: Path) -> list[str]:
    with closing(Memory(path)) as memory:
        return sorted(fact["content"] for fact in call(memory, "list", limit=100)["facts"])


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file can neither be moved nor removed")
@pytest.mark.parametrize("how", ["removed", "removed with its log", "moved", "replaced"])
def test_the_file_at_the_path_is_served_whatever_becomes_of_the_one_that_was_opened(path: Path, how: str) -> None:
    aside = path.with_name("aside.db")
    with closing(Memory(aside)) as other:
        call(other, "add", content="of the new file")
    with closing(Memory(path)) as memory:
        call(memory, "add", content="first")
        call(memory, "search", query="first")
        if how == "moved":
            path.rename(path.with_name("moved.db"))
        elif how == "replaced":
            aside.replace(path)
        else:
            for ending in ("", "-wal", "-shm") if how.endswith("log") else ("",):
                path.with_name(path.name + ending).unlink()
        assert call(memory, "search", query="first")["count"] == 0
        call(memory, "add", content="second")
        assert contents_of(path) == (["of the new file", "second"] if how == "replaced" else ["second"])
    assert contents_of(path) == (["of the new file", "second"] if how == "replaced" else ["second"])
    if how == "moved":
        assert contents_of(path.with_name("moved.db")) == ["first"], "with all that its log held"


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_a_folder_that_cannot_be_looked_into_for_a_while_is_no_move(
    path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(memory, "add", content="first")
    parts = memory.parts

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", refuse)
        assert memory.parts is parts
    assert memory.parts is parts


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file can neither be moved nor removed")
@pytest.mark.parametrize("how", ["moved", "moved and a copy put there", "removed"])
def test_servers_of_a_file_that_was_moved_come_together_on_the_one_at_the_path(path: Path, how: str) -> None:
    moved, copy = path.with_name("moved.db"), path.with_name("copy.db")
    with closing(Memory(path)) as one, closing(Memory(path)) as two:
        call(one, "add", contents=[f"old {number}" for number in range(30)])
        copies.backup(path, copy)
        call(two, "add", contents=[f"later {number}" for number in range(30)])
        path.unlink() if how == "removed" else path.rename(moved)
        if how.endswith("there"):
            shutil.copyfile(copy, path)
        call(one, "add", contents=[f"new {number}" for number in range(10)])
        assert call(two, "search", query="new")["count"] == 10
        call(two, "add", content="said last")
    old = [f"old {number}" for number in range(30)]
    later = [f"later {number}" for number in range(30)]
    new = [*(f"new {number}" for number in range(10)), "said last"]
    assert contents_of(path) == sorted([*new, *(old if how.endswith("there") else [])])
    if moved.exists():
        assert contents_of(moved) == sorted([*old, *later])


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file can neither be moved nor removed")
def test_a_moved_file_gets_its_log_though_another_program_reads_it(path: Path) -> None:
    moved = path.with_name("moved.db")
    with closing(Memory(path)) as memory, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        call(memory, "add", content="early")
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM facts").fetchall()
        call(memory, "add", content="late")
        path.rename(moved)
        call(memory, "add", content="new")
        reader.execute("COMMIT")
    assert (contents_of(moved), contents_of(path)) == (["early", "late"], ["new"])


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux lists open files")
def test_files_that_were_replaced_are_closed_after_a_while(path: Path) -> None:
    other = path.with_name("other.db")
    with closing(Memory(other)) as memory:
        call(memory, "add", content="of the other file")
    data = other.read_bytes()

    def replaced(memory: Memory) -> int:
        other.write_bytes(data)
        other.replace(path)
        assert call(memory, "list")["total"] == 1
        return len(list(Path("/proc/self/fd").iterdir()))

    with closing(Memory(path)) as memory:
        counts = [replaced(memory) for _ in range(8)]
        assert len(set(counts[-4:])) == 1, counts


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file can neither be moved nor removed")
@pytest.mark.parametrize("when", ["flush", "close"])
def test_searches_of_a_moved_file_are_logged_once_it_can_be_written(path: Path, when: str) -> None:
    moved = path.with_name("moved.db")
    memory = Memory(path, wait_seconds=0.1)
    call(memory, "add", content="Whales sleep at sea")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        call(memory, "search", query="whales")
        path.rename(moved)
        call(memory, "list")
        memory.flush()
        other.execute("ROLLBACK")
    getattr(memory, when)()
    memory.close()
    assert rows(moved, "SELECT query FROM retrieval_log") == [("whales",)]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file can neither be moved nor removed")
def test_searches_of_a_moved_file_that_stays_locked_are_told_of(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    memory = Memory(path, wait_seconds=0.05)
    with ExitStack() as others:
        for number in range(MOST_LEFT + 1):
            call(memory, "add", content="Whales sleep at sea")
            other = others.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
            other.execute("BEGIN IMMEDIATE")
            call(memory, "search", query="whales")
            path.rename(path.with_name(f"moved-{number}.db"))
        call(memory, "list")
        assert caplog.messages == [f"searches of {path}, which was moved and stayed locked, could not be logged"]
        with pytest.raises(MemoryBusyError):
            memory.close()
    memory.close()


def test_history_that_a_limit_cuts_says_so_and_blames_no_length(memory: Memory) -> None:
    memory.fact_store({"action": "add", "content": "berth 0"})
    for number in range(1, 6):
        memory.fact_store({"action": "update", "fact_id": 1, "content": f"berth {number}"})
    answer = memory.fact_store({"action": "history", "fact_id": 1, "limit": 2})
    assert (answer["omitted"], answer["note"]) == (4, "4 more are there: ask with a higher limit")


def test_what_holds_learning_back_goes_when_it_holds_nothing_back_any_more(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "add", "content": "Tea is served at four"})
    rows(path, "UPDATE facts SET retrieval_count = 99")
    with freeze_time("2026-05-08 14:30:00"):
        memory.learn_at_startup()
    assert rows(path, "SELECT fact_id, rule FROM startup_learning") == [(1, "demoted")]
    memory.fact_store({"action": "remove", "fact_id": 1})
    with freeze_time("2026-06-08 14:30:00"):
        memory.learn_at_startup()
    assert rows(path, "SELECT * FROM startup_learning") == []
