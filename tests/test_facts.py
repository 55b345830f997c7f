"""What makes a fact's text, its tags and its duplicates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.facts import Fact, duplicate_key, fingerprint, has_tags, moment_in, split_tags, time_in


def fact(content: str, summary: str | None) -> Fact:
    return Fact(4, content, summary, "general", "", 0.5, 0, 0, None, None, None)


def test_answer_shows_every_column() -> None:
    shown = fact("Whales sleep at sea", None).as_dict()
    assert shown == {
        "fact_id": 4,
        "content": "Whales sleep at sea",
        "summary": None,
        "category": "general",
        "tags": "",
        "trust_score": 0.5,
        "retrieval_count": 0,
        "helpful_count": 0,
        "last_retrieved_at": None,
        "created_at": None,
        "updated_at": None,
    }


@pytest.mark.parametrize(
    ("summary", "expected"), [(None, "whole"), ("", "whole"), (" \n\u3000", "whole"), ("short", "short")]
)
def test_match_text_is_the_summary_if_it_holds_anything(summary: str | None, expected: str) -> None:
    assert fact("whole", summary).match_text == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (None, []),
        ("", []),
        (" , ,", []),
        ("ui", ["ui"]),
        (" ui , dark mode,ui", ["ui", "dark mode"]),
        ("前端，界面、深色", ["前端", "界面", "深色"]),
    ],
)
def test_tags_are_split_at_commas_of_both_languages(tags: str | None, expected: list[str]) -> None:
    assert split_tags(tags) == expected


@pytest.mark.parametrize(
    ("tags", "wanted", "holds"),
    [
        ("UI,theme", "ui", True),
        ("ｕｉ", "UI", True),
        ("前端，界面", "界面", True),
        ("ui", " ui ", True),
        ("ui-kit", "ui", False),
        (None, "ui", False),
        ("", "ui", False),
    ],
)
def test_tag_is_found_whole_whatever_its_case_and_width(tags: str | None, wanted: str, holds: bool) -> None:
    assert has_tags(tags, wanted) is holds


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tea is served at four", "  TEA is\n served at ｆｏｕｒ. "),
        ("用户偏好深色主题", "用户偏好深色主题。"),
        ("用戶偏好深色主題", "用户偏好深色主题"),
    ],
)
def test_duplicates_share_key_and_fingerprint(one: str, other: str) -> None:
    assert duplicate_key(one) == duplicate_key(other)
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Redis 7.1", "Redis 7.2"),
        ("六月21日", "六月22日"),
        ("use C++", "use C"),
        ("use C#", "use C"),
        ("is it so?", "is it so"),
        ("10⁶ rows", "106 rows"),
        ("面积上限 10² 平米", "面积上限 102 平米"),
        ("H₂O", "H2O"),
        ("10⁻⁶ m", "10-6 m"),
        ("rm -rf .", "rm -rf"),
        ("cd ..", "cd"),
    ],
)
def test_a_small_difference_is_no_duplicate(one: str, other: str) -> None:
    assert duplicate_key(one) != duplicate_key(other)
    assert fingerprint(one) != fingerprint(other)


def test_punctuation_behind_a_space_is_punctuation_still() -> None:
    assert duplicate_key("Bonjour !") == duplicate_key("bonjour") == duplicate_key("Bonjour 。")


@given(st.text())
def test_fingerprint_fits_a_column_and_follows_the_key(content: str) -> None:
    assert -(2**63) <= fingerprint(content) < 2**63
    assert fingerprint(content) == fingerprint(duplicate_key(content))


@pytest.mark.parametrize(
    ("stored", "time", "moment"),
    [
        ("2026-05-08 01:00:00", "2026-05-08 01:00:00", "2026-05-08 01:00:00"),
        ("2026-05-08T01:00:00Z", "2026-05-08 01:00:00", "2026-05-08 01:00:00"),
        ("2026-05-08T01:00:00.5+08:00", "2026-05-07 17:00:00", "2026-05-07 17:00:00"),
        (b"2026-05-08", "2026-05-08 00:00:00", "2026-05-08 00:00:00"),
        ("yesterday", "yesterday", None),
        ("2026-13-08 01:00", "2026-13-08 01:00", None),
        (7, "7", None),
        (None, None, None),
    ],
)
def test_times_have_one_form_whoever_wrote_them(stored: object, time: str | None, moment: str | None) -> None:
    assert (time_in(stored), moment_in(stored)) == (time, moment)
