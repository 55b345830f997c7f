"""The learning rules to the letter, at both sides of each boundary, and the gentler run at a start."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from mnemo import clock
from mnemo.learner import Learner
from mnemo.storage.database import Database
from mnemo.usage import UsageStore
from tests.conftest import rows

NOW = datetime(2026, 5, 8, 14, 30, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def learner(path: Path) -> Iterator[Learner]:
    with freeze_time(NOW), closing(Database(path)) as database:
        yield Learner(UsageStore(database))


def put(path: Path, **values: object) -> int:
    """Write one fact as another program would, with these columns, and return its id."""
    values.setdefault("content", f"fact {rows(path, 'SELECT count(*) FROM facts')[0][0]}")
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    statement = f"INSERT INTO facts({names}) VALUES ({marks}) RETURNING fact_id"
    return int(str(rows(path, statement, *values.values())[0][0]))


def ago(age: timedelta) -> str:
    return clock.timestamp(NOW - age)


def trust(path: Path) -> list[object]:
    return [row[0] for row in rows(path, "SELECT trust_score FROM facts ORDER BY fact_id")]


def counts(promoted: int = 0, demoted: int = 0, aged: int = 0, unchanged: int = 0) -> dict[str, int]:
    return {"promoted": promoted, "demoted": demoted, "aged": aged, "unchanged": unchanged}


def learned(learner: Learner) -> dict[str, Any]:
    answer = learner.learn()
    assert answer.pop("long_facts") == []
    return answer


# --- the three rules ---


@pytest.mark.parametrize(
    ("retrievals", "helpful", "before", "after", "moved"),
    [
        # demotion: more than 30 retrievals, rate below 0.05
        (100, 2, 0.5, 0.45, counts(demoted=1)),
        (30, 0, 0.5, 0.5, counts(unchanged=1)),
        (31, 0, 0.5, 0.45, counts(demoted=1)),
        (100, 5, 0.5, 0.5, counts(unchanged=1)),  # a rate of exactly 0.05
        (101, 5, 0.5, 0.45, counts(demoted=1)),
        (40, 2, 0.5, 0.5, counts(unchanged=1)),  # exactly 0.05 again
        (100, 0, 1.0, 0.9, counts(demoted=1)),
        (100, 0, 0.1, 0.09, counts(demoted=1)),
        (100, 0, 0.0, 0.0, counts(unchanged=1)),
        # promotion: more than 30 retrievals, rate above 0.3
        (50, 20, 0.5, 0.55, counts(promoted=1)),
        (30, 30, 0.5, 0.5, counts(unchanged=1)),
        (31, 10, 0.5, 0.55, counts(promoted=1)),
        (40, 12, 0.5, 0.5, counts(unchanged=1)),  # a rate of exactly 0.3
        (40, 13, 0.5, 0.55, counts(promoted=1)),
        (50, 50, 0.0, 0.05, counts(promoted=1)),
        (50, 20, 0.95, 1.0, counts(promoted=1)),
        (50, 20, 0.98, 1.0, counts(promoted=1)),
        (50, 20, 1.0, 1.0, counts(unchanged=1)),
        (50, 80, 0.5, 0.55, counts(promoted=1)),  # rated more often than found
        # in between, and seldom found
        (100, 20, 0.5, 0.5, counts(unchanged=1)),
        (10, 0, 0.5, 0.5, counts(unchanged=1)),
        (10, 10, 0.5, 0.5, counts(unchanged=1)),
        (0, 0, 0.5, 0.5, counts(unchanged=1)),
    ],
)
def test_rate_moves_trust_of_facts_that_are_found_often(
    learner: Learner, path: Path, retrievals: int, helpful: int, before: float, after: float, moved: dict[str, int]
) -> None:
    put(path, retrieval_count=retrievals, helpful_count=helpful, trust_score=before, last_retrieved_at=ago(DAY))
    assert learned(learner) == moved
    assert trust(path) == [after]


@pytest.mark.parametrize(
    ("last", "after"),
    [
        (ago(61 * DAY), 0.475),
        (ago(60 * DAY + SECOND), 0.475),
        (ago(60 * DAY), 0.5),
        (ago(60 * DAY - SECOND), 0.5),
        (ago(10 * DAY), 0.5),
        (ago(-DAY), 0.5),
        (None, 0.5),
        ("", 0.5),
        ("long ago", 0.5),
        ("2026-01-01", 0.475),  # forms that other programs write
        ("2026-01-01T09:00:00.000Z", 0.475),
        ("2026-05-01T09:00:00+08:00", 0.5),
    ],
)
def test_fact_ages_when_it_was_found_more_than_60_days_ago(
    learner: Learner, path: Path, last: str | None, after: float
) -> None:
    put(path, last_retrieved_at=last, created_at=ago(400 * DAY))
    aged = int(after < 0.5)
    assert learned(learner) == counts(aged=aged, unchanged=1 - aged)
    assert trust(path) == [after]


def test_fact_can_be_demoted_and_aged_at_once(learner: Learner, path: Path) -> None:
    put(path, retrieval_count=100, helpful_count=0, last_retrieved_at=ago(61 * DAY))
    assert learned(learner) == counts(demoted=1, aged=1)
    assert trust(path) == [0.5 * 0.9 * 0.95]


def test_fact_can_be_promoted_and_aged_at_once(learner: Learner, path: Path) -> None:
    put(path, retrieval_count=100, helpful_count=90, last_retrieved_at=ago(61 * DAY))
    assert learned(learner) == counts(promoted=1, aged=1)
    assert trust(path) == [0.5225]


def test_columns_that_other_programs_left_out_do_not_trip_the_rules(learner: Learner, path: Path) -> None:
    put(path, trust_score=None, retrieval_count=None, helpful_count=None)
    put(path, trust_score=None, retrieval_count=31, helpful_count=None)
    put(path, trust_score=None, retrieval_count=None, helpful_count=4, last_retrieved_at=ago(61 * DAY))
    assert learned(learner) == counts(demoted=1, aged=1, unchanged=1)
    assert trust(path) == [None, 0.45, 0.475]


def test_trust_out_of_range_comes_back_into_it_when_a_rule_moves_it(learner: Learner, path: Path) -> None:
    put(path, trust_score=1.5, retrieval_count=50, helpful_count=50)
    put(path, trust_score=1.5, retrieval_count=50, helpful_count=0)
    put(path, trust_score=-0.5, retrieval_count=50, helpful_count=50)
    assert learned(learner) == counts(promoted=1, demoted=1, unchanged=1)
    assert trust(path) == [1.5, 0.9, 0.05]


def test_each_run_applies_the_rules_again_and_deletes_nothing(learner: Learner, path: Path) -> None:
    put(path, trust_score=0.3, last_retrieved_at=ago(61 * DAY))
    before = rows(path, "SELECT content, retrieval_count, helpful_count, last_retrieved_at, updated_at FROM facts")
    for _ in range(200):
        learner.learn()
    assert 0 <= float(str(trust(path)[0])) < 0.001
    after = rows(path, "SELECT content, retrieval_count, helpful_count, last_retrieved_at, updated_at FROM facts")
    assert after == before


def test_counts_add_up_over_many_facts(learner: Learner, path: Path) -> None:
    put(path, retrieval_count=100, helpful_count=2)
    put(path, retrieval_count=50, helpful_count=20)
    put(path, retrieval_count=50, helpful_count=20, trust_score=1.0)
    put(path, last_retrieved_at=ago(90 * DAY))
    put(path, retrieval_count=100, last_retrieved_at=ago(90 * DAY))
    put(path)
    assert learned(learner) == counts(promoted=1, demoted=2, aged=2, unchanged=2)
    assert trust(path) == [0.45, 0.55, 1.0, 0.475, 0.4275, 0.5]


def test_empty_memory_learns_nothing(learner: Learner) -> None:
    assert learner.learn() == {**counts(), "long_facts": []}


# --- the report on long facts ---


def test_long_facts_are_listed_with_their_penalty_strongest_first(learner: Learner, path: Path) -> None:
    put(path, content="a" * 300)
    just_over = put(path, content="b" * 301)
    longest = put(path, content="鲸" * 3921)
    put(path, content="d" * 2000, summary="s" * 300)
    long_summary = put(path, content="e" * 2000, summary="s" * 600)
    blank_summary = put(path, content="f" * 900, summary=" \u3000\n")
    assert learner.learn()["long_facts"] == [
        {"id": longest, "content_length": 3921, "penalty": 0.077, "has_summary": False},
        {"id": blank_summary, "content_length": 900, "penalty": 0.333, "has_summary": False},
        {"id": long_summary, "content_length": 2000, "penalty": 0.5, "has_summary": True},
        {"id": just_over, "content_length": 301, "penalty": 0.997, "has_summary": False},
    ]


def test_long_facts_are_50_unless_another_limit_is_asked_for(learner: Learner, path: Path) -> None:
    for n in range(51):
        put(path, content=f"{n:03}" + "x" * 400)
    assert [fact["id"] for fact in learner.learn()["long_facts"]] == list(range(1, 51))
    assert len(learner.learn(limit=3)["long_facts"]) == 3
    assert len(learner.learn(limit=60)["long_facts"]) == 51


# --- the gentler run at a start ---


def test_start_applies_each_rule(learner: Learner, path: Path) -> None:
    put(path, retrieval_count=100, helpful_count=2)
    put(path, retrieval_count=50, helpful_count=20)
    put(path, last_retrieved_at=ago(61 * DAY))
    put(path)
    assert learner.learn_at_startup() == counts(promoted=1, demoted=1, aged=1, unchanged=1)
    assert trust(path) == [0.45, 0.55, 0.475, 0.5]


@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        ({"retrieval_count": 100, "helpful_count": 2}, 0.45, 0.405),
        ({"retrieval_count": 50, "helpful_count": 20}, 0.55, 0.6),
        ({"last_retrieved_at": ago(61 * DAY)}, 0.475, 0.45125),
    ],
)
def test_rule_rests_for_24_hours_after_a_start_applied_it(
    learner: Learner, path: Path, values: dict[str, object], first: float, second: float
) -> None:
    put(path, **values)
    learner.learn_at_startup()
    with freeze_time(NOW + DAY - SECOND):
        assert learner.learn_at_startup() == counts(unchanged=1)
    assert trust(path) == [first]
    with freeze_time(NOW + DAY):
        assert learner.learn_at_startup()["unchanged"] == 0
    assert trust(path) == [second]
    with freeze_time(NOW + 2 * DAY - SECOND):
        assert learner.learn_at_startup() == counts(unchanged=1)


def test_rest_is_one_rule_s_and_one_fact_s(learner: Learner, path: Path) -> None:
    one = put(path, last_retrieved_at=ago(61 * DAY))
    learner.learn_at_startup()
    rows(path, "UPDATE facts SET retrieval_count = 100 WHERE fact_id = ?", one)
    put(path, last_retrieved_at=ago(61 * DAY))
    assert learner.learn_at_startup() == counts(demoted=1, aged=1)
    assert trust(path) == [0.4275, 0.475]


def test_action_neither_rests_nor_makes_a_start_rest(learner: Learner, path: Path) -> None:
    put(path, last_retrieved_at=ago(61 * DAY))
    assert learned(learner) == counts(aged=1)
    assert learner.learn_at_startup() == counts(aged=1)
    assert learned(learner) == counts(aged=1)
    assert trust(path) == [pytest.approx(0.5 * 0.95**3)]


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (0.31, 0.3, counts(demoted=1)),
        (0.301, 0.3, counts(demoted=1)),
        (0.3, 0.3, counts(unchanged=1)),
        (0.2, 0.2, counts(unchanged=1)),
        (0.34, 0.3, counts(demoted=1, aged=1)),
        (0.36, 0.3078, counts(demoted=1, aged=1)),
    ],
)
def test_start_takes_no_fact_below_a_trust_of_0_3(
    learner: Learner, path: Path, before: float, after: float, moved: dict[str, int]
) -> None:
    put(path, trust_score=before, retrieval_count=100, last_retrieved_at=ago(61 * DAY))
    assert learner.learn_at_startup() == moved
    assert trust(path) == [after]


def test_start_promotes_a_fact_that_is_below_0_3(learner: Learner, path: Path) -> None:
    put(path, trust_score=0.1, retrieval_count=50, helpful_count=50)
    assert learner.learn_at_startup() == counts(promoted=1)
    assert trust(path) == [0.15]


def test_action_goes_below_0_3(learner: Learner, path: Path) -> None:
    put(path, trust_score=0.3, last_retrieved_at=ago(61 * DAY))
    assert learned(learner) == counts(aged=1)
    assert trust(path) == [0.285]


def test_ten_starts_keep_a_trusted_fact_that_nobody_asked_for_in_80_days(learner: Learner, path: Path) -> None:
    put(path, trust_score=0.9, last_retrieved_at=ago(80 * DAY))
    for day in range(10):
        with freeze_time(NOW + day * DAY):
            learner.learn_at_startup()
    assert trust(path) == [pytest.approx(0.9 * 0.95**10)]
    for day in range(10, 60):
        with freeze_time(NOW + day * DAY):
            learner.learn_at_startup()
    assert trust(path) == [0.3]


# --- the audit ---


def test_audit_names_each_kind_with_its_boundaries(learner: Learner, path: Path) -> None:
    long = put(path, content="a" * 501)
    put(path, content="b" * 500)
    put(path, content="c" * 501, summary="short")
    noisy = put(path, retrieval_count=31, helpful_count=1)
    put(path, retrieval_count=30)
    put(path, retrieval_count=100, helpful_count=5)
    stale = put(path, last_retrieved_at=ago(60 * DAY + SECOND))
    put(path, last_retrieved_at=ago(60 * DAY))
    put(path, created_at=ago(400 * DAY))
    audit = learner.audit()
    assert audit["statistics"].pop("file_bytes") > 0
    assert audit == {
        "total_facts": 9,
        "long_without_summary": [{"id": long, "content_length": 501}],
        "low_helpful_rate": [{"id": noisy, "rate": 0.0323, "retrieval_count": 31, "helpful_count": 1}],
        "aging_candidates": [{"id": stale, "last_retrieved_at": ago(60 * DAY + SECOND)}],
        "expired": [],
        "statistics": {
            "total_facts": 9,
            "categories": {"general": 9},
            "average_trust": 0.5,
            "share_retrieved": 0.3333,
            "share_rated_helpful": 0.2222,
            "logged_searches": 0,
            "share_empty_searches": 0.0,
            "index": "9 facts to index",
        },
    }


def test_audit_changes_nothing_and_holds_at_most_its_limit(learner: Learner, path: Path) -> None:
    for n in range(51):
        put(path, content=f"{n:03}" + "x" * 600, retrieval_count=40, last_retrieved_at=ago(61 * DAY))
    before = rows(path, "SELECT * FROM facts"), rows(path, "SELECT * FROM retrieval_log")
    lists = ("long_without_summary", "low_helpful_rate", "aging_candidates")
    assert [len(learner.audit()[name]) for name in lists] == [50, 50, 50]
    assert [len(learner.audit(limit=2)[name]) for name in lists] == [2, 2, 2]
    assert (rows(path, "SELECT * FROM facts"), rows(path, "SELECT * FROM retrieval_log")) == before


def test_audit_survives_columns_that_other_programs_left_out(learner: Learner, path: Path) -> None:
    put(path, category=None, tags=None, trust_score=None, retrieval_count=None, helpful_count=None)
    audit = learner.audit()
    assert (audit["total_facts"], audit["low_helpful_rate"]) == (1, [])
