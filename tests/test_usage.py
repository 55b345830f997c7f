"""What the use of facts tells: statistics over all of a memory, and reports that name the worst first."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.conditions import HAS_SUMMARY, MATCH_LENGTH
from mnemo.facts import match_text
from mnemo.retrieval_log import RetrievalLog
from mnemo.storage.database import Database
from mnemo.usage import UsageStore
from tests.conftest import rows


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    database = Database(path, wait_seconds=0.1)
    with database.writing() as connection:
        connection.execute("INSERT INTO facts(content) VALUES ('one'), ('two'), ('three')")
    yield database
    database.close()


@pytest.fixture
def usage(database: Database) -> UsageStore:
    return UsageStore(database)


def test_statistics_of_an_empty_memory(path: Path) -> None:
    with closing(Database(path)) as database:
        statistics = UsageStore(database).statistics()
    assert statistics.pop("file_bytes") > 0
    assert statistics == {
        "total_facts": 0,
        "categories": {},
        "average_trust": 0.0,
        "share_retrieved": 0.0,
        "share_rated_helpful": 0.0,
        "logged_searches": 0,
        "share_empty_searches": 0.0,
        "index": "current",
    }


def test_statistics_count_use_and_categories(database: Database, usage: UsageStore, path: Path) -> None:
    rows(path, "UPDATE facts SET trust_score = 0.9, retrieval_count = 4, helpful_count = 1 WHERE fact_id = 1")
    rows(path, "UPDATE facts SET trust_score = NULL, category = NULL, helpful_count = NULL WHERE fact_id = 2")
    rows(path, "UPDATE facts SET category = 'workflow' WHERE fact_id = 3")
    log = RetrievalLog(database)
    log.add("one", [(1, 0.5)])
    for _ in range(2):
        log.add("none", [])
    statistics = usage.statistics()
    assert statistics.pop("file_bytes") == path.stat().st_size
    assert statistics == {
        "total_facts": 3,
        "categories": {"general": 2, "workflow": 1},
        "average_trust": 0.6333,
        "share_retrieved": 0.3333,
        "share_rated_helpful": 0.3333,
        "logged_searches": 3,
        "share_empty_searches": 0.6667,
        "index": "3 facts to index",
    }


def test_reports_name_the_worst_first_and_stop_at_the_limit(usage: UsageStore, path: Path) -> None:
    rows(path, "UPDATE facts SET content = printf('%.*c', 500 + fact_id, 'x'), retrieval_count = 50")
    rows(path, "UPDATE facts SET helpful_count = 3 - fact_id, last_retrieved_at = '2026-01-0' || (4 - fact_id)")
    assert usage.long_without_summary(501, 10) == [(3, 503), (2, 502)]
    assert usage.long_without_summary(500, 1) == [(3, 503)]
    assert usage.low_rates(30, 0.04, 10) == [(3, 0.0, 50, 0), (2, 0.02, 50, 1)]
    assert usage.low_rates(30, 0.05, 1) == [(3, 0.0, 50, 0)]
    assert usage.stale("2026-01-03 00:00:00", 10) == [(3, "2026-01-01"), (2, "2026-01-02")]
    assert usage.stale("2026-01-04 00:00:00", 1) == [(3, "2026-01-01")]
    assert usage.long_facts(501, 2) == [
        {"fact_id": 3, "content_length": 503, "match_length": 503, "has_summary": 0},
        {"fact_id": 2, "content_length": 502, "match_length": 502, "has_summary": 0},
    ]


@given(
    summary=st.none() | st.text(st.sampled_from("a \t\n\r\x0b\x0c\x1c\x85\xa0\u2003\u2028\u3000字🐳"), max_size=4),
    content=st.text(st.sampled_from("ab 字🐳\n"), min_size=1, max_size=9),
)
def test_reports_measure_the_same_match_text_as_searches(summary: str | None, content: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        found = connection.execute(
            f"SELECT {MATCH_LENGTH}, {HAS_SUMMARY} FROM (SELECT ? AS content, ? AS summary) AS facts",
            (content, summary),
        ).fetchone()
    assert found == (len(match_text(content, summary)), bool(summary and summary.strip()))
