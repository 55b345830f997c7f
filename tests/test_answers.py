"""The form of answers: compact text, warnings, cuts at whole facts, and what they say of what was left out."""

import json
from typing import Any

import pytest

from mnemo import answers
from mnemo.errors import FactNotFoundError
from mnemo.facts import Fact


def fact(content: str, summary: str | None = None) -> Fact:
    return Fact(7, content, summary, "workflow", "ui", 0.5, 3, 1, None, "2026-01-02 03:04:05", None)


def test_text_is_compact_and_keeps_chinese() -> None:
    assert (
        answers.answer_text({"content": "深色 主题", "tags": ["a", "b"]}) == '{"content":"深色 主题","tags":["a","b"]}'
    )


def test_error_is_one_sentence() -> None:
    answer = answers.error_answer(FactNotFoundError(99))
    assert list(answer) == ["error"]
    assert answer["error"].startswith("fact_id 99 not found; ")


def test_warnings_are_added_behind_those_that_are_there() -> None:
    assert answers.with_warnings({"a": 1}, []) == {"a": 1}
    assert answers.with_warnings({"a": 1}, ["x"]) == {"a": 1, "warnings": ["x"]}
    assert answers.with_warnings({"warnings": ["x"]}, ["y"]) == {"warnings": ["x", "y"]}


@pytest.mark.parametrize(
    ("length", "summary", "warns"),
    [(500, None, False), (501, None, True), (501, "short", False), (501, " \n", True), (501, "", True)],
)
def test_long_content_without_a_summary_is_warned_of(length: int, summary: str | None, warns: bool) -> None:
    expected = [answers.LONG_CONTENT_WARNING] if warns else []
    assert answers.length_warnings("鲸" * length, summary) == expected


def test_fact_is_shown_whole_with_its_marks() -> None:
    whole = answers.fact(fact("whale"), brief=False, marks=["careful"])
    assert whole == {**fact("whale").as_dict(), "warnings": ["careful"]}
    assert "warnings" not in answers.fact(fact("whale"), brief=False)


@pytest.mark.parametrize(
    ("content", "shown"),
    [("x" * 200, "x" * 200), ("x" * 201, "x" * 199 + "…"), ("鲸" * 900, "鲸" * 199 + "…")],
)
def test_brief_fact_is_its_match_text_up_to_200_characters(content: str, shown: str) -> None:
    expected = {"fact_id": 7, "category": "workflow", "text": shown}
    assert answers.fact(fact(content), brief=True) == expected
    assert answers.fact(fact("other", summary=content), brief=True) == expected
    assert answers.fact(fact(content), brief=True, marks=["careful"]) == {**expected, "warnings": ["careful"]}


def test_similar_facts_are_cut_and_marked() -> None:
    assert answers.similar([(fact("x" * 900), 0.75)], {7: ["careful"]}) == [
        {"fact_id": 7, "content": "x" * 199 + "…", "similarity": 0.75, "warnings": ["careful"]}
    ]
    assert answers.similar([(fact("short"), 0.9)], {}) == [{"fact_id": 7, "content": "short", "similarity": 0.9}]


# --- size ---


def items(*lengths: int) -> list[dict[str, Any]]:
    """Return items whose texts, with the comma between them, have these lengths."""
    return [{"c": "x" * (length - len('{"c":""},'))} for length in lengths]


@pytest.mark.parametrize(
    ("lengths", "fit"),
    [
        ((), 0),
        ((100, 100), 2),
        ((12_000, 12_000), 2),
        ((12_000, 12_001), 1),
        ((12_000, 12_000, 20), 2),
        ((30_000,), 1),
        ((30_000, 20), 1),
        ((20, 30_000, 20), 1),
    ],
)
def test_items_fit_up_to_24000_characters(lengths: tuple[int, ...], fit: int) -> None:
    assert answers.fitting(items(*lengths), whole=False) == fit
    assert answers.fitting(items(*lengths), whole=True) == len(lengths)


def test_what_was_left_out_is_said_with_how_to_get_it() -> None:
    assert answers.notes(items(100, 100), 2, whole=False) == {}
    left = answers.notes(items(*[100] * 6), 1, whole=False)
    assert left["omitted"] == 5
    for way in ("5 more", "brief=true", "limit", "get by fact_id"):
        assert way in left["note"]


def test_first_item_that_is_too_long_is_said_with_how_to_get_it_short() -> None:
    giant = items(30_000, 100)
    said = answers.notes(giant, 1, whole=False, shorter=answers.SHORTER)
    assert said["omitted"] == 1
    assert said["note"].startswith(
        "the first is longer than an answer should be, and whole: brief=true cuts it to 200 characters; 1 more"
    )
    assert answers.notes(giant[:1], 1, whole=False) == {
        "note": "the first is longer than an answer should be, and whole"
    }
    assert answers.notes(giant, 2, whole=True, shorter=answers.SHORTER) == {}


def test_batch_names_similar_facts_while_there_is_room() -> None:
    def entry(number: int) -> dict[str, Any]:
        return {"fact_id": number, "status": "added", "similar": [{"content": "x" * 200}] * 20}

    small = answers.batch([entry(1), {"error": "no"}])
    assert small == {"results": [entry(1), {"error": "no"}]}
    large = answers.batch([entry(number) for number in range(100)])
    named = [one for one in large["results"] if "similar" in one]
    assert [one["fact_id"] for one in large["results"]] == list(range(100))
    assert 0 < len(named) < 100
    assert large["omitted"] == 20 * (100 - len(named))
    assert large["note"] == f"{large['omitted']} similar facts were left out to keep the answer short"
    assert len(json.dumps(large)) < answers.DEFAULT_ANSWER + 1000
