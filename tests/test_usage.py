"""What use leaves behind: the log, the counters, and what waits while another program writes."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from mnemo import index
from mnemo import usage as usage_module
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.facts import match_text
from mnemo.storage.database import Database
from mnemo.usage import LOG_CAPACITY, UsageStore
from tests.conftest import rows

NOW = "2026-05-08 14:30:00"


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


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the write lock as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def fill_log(path: Path, entries: int) -> None:
    rows(
        path,
        "INSERT INTO retrieval_log(query, results) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        "WHERE i < ?) SELECT 'q' || i, '[]' FROM n",
        entries,
    )


def span(path: Path) -> tuple[object, ...]:
    return rows(path, "SELECT count(*), min(id), max(id) FROM retrieval_log")[0]


# --- log and counters ---


def test_search_is_logged_with_its_results_in_order(usage: UsageStore, path: Path) -> None:
    with freeze_time(NOW):
        usage.log_search("找 whales ", [(3, 0.45), (1, 0.0312)])
    assert rows(path, "SELECT * FROM retrieval_log") == [
        (1, "找 whales ", '[{"id":3,"score":0.45},{"id":1,"score":0.0312}]', NOW)
    ]


def test_only_what_was_returned_counts_as_retrieved(usage: UsageStore, path: Path) -> None:
    rows(path, "UPDATE facts SET trust_score = 0.8, updated_at = '2026-01-01 00:00:00', retrieval_count = NULL")
    with freeze_time(NOW):
        usage.log_search("whales", [(3, 0.45), (1, 0.03)])
        usage.log_search("cranes", [(3, 0.45)])
    assert rows(
        path, "SELECT fact_id, retrieval_count, last_retrieved_at, trust_score, updated_at FROM facts ORDER BY 1"
    ) == [
        (1, 1, NOW, 0.8, "2026-01-01 00:00:00"),
        (2, None, None, 0.8, "2026-01-01 00:00:00"),
        (3, 2, NOW, 0.8, "2026-01-01 00:00:00"),
    ]


def test_search_without_results_is_logged(usage: UsageStore, path: Path) -> None:
    usage.log_search("nothing", [])
    assert rows(path, "SELECT query, results FROM retrieval_log") == [("nothing", "[]")]
    assert rows(path, "SELECT sum(retrieval_count) FROM facts") == [(0,)]


@pytest.mark.parametrize(
    ("before", "after"),
    [(4999, (5000, 1, 5000)), (5000, (5000, 2, 5001)), (5001, (5000, 3, 5002)), (6000, (5000, 1002, 6001))],
)
def test_log_keeps_its_newest_5000(usage: UsageStore, path: Path, before: int, after: tuple[int, ...]) -> None:
    fill_log(path, before)
    usage.log_search("newest", [])
    assert span(path) == after
    assert rows(path, "SELECT query FROM retrieval_log ORDER BY id DESC LIMIT 1") == [("newest",)]


def test_the_size_of_the_log_is_counted_again_after_others_wrote(usage: UsageStore, path: Path) -> None:
    fill_log(path, LOG_CAPACITY)
    usage.log_search("one more", [])
    usage.log_search("and one", [])
    assert span(path) == (LOG_CAPACITY, 3, LOG_CAPACITY + 2)
    rows(path, "DELETE FROM retrieval_log WHERE id BETWEEN 100 AND 109")
    for number in range(10):
        usage.log_search(f"within the gap {number}", [])
    assert span(path) == (LOG_CAPACITY, 3, LOG_CAPACITY + 12)
    usage.log_search("beyond it", [])
    assert span(path) == (LOG_CAPACITY, 4, LOG_CAPACITY + 13)


def test_log_with_gaps_is_cut_by_number_of_entries_not_by_id(usage: UsageStore, path: Path) -> None:
    fill_log(path, 10)
    rows(path, "UPDATE retrieval_log SET id = id * 10000")
    usage.log_search("newest", [])
    assert span(path) == (11, 10000, 100001)


@pytest.mark.parametrize(
    ("entries", "after"), [(5000, (5000, 1, 5000)), (6000, (5000, 1001, 6000)), (0, (0, None, None))]
)
def test_log_filled_by_another_program_is_pruned(
    usage: UsageStore, path: Path, entries: int, after: tuple[object, ...]
) -> None:
    usage.flush()
    if entries:
        fill_log(path, entries)
    with closing(Database(path)) as database, database.writing() as connection:
        usage_module.prune(connection)
    assert span(path) == after


# --- other writers ---


def test_entry_waits_while_another_program_writes_and_follows(usage: UsageStore, path: Path) -> None:
    with locked(path):
        with freeze_time(NOW):
            usage.log_search("early", [(1, 0.5)])
        usage.flush()
    assert rows(path, "SELECT count(*) FROM retrieval_log") == [(0,)]
    with freeze_time("2026-05-08 15:00:00"):
        usage.log_search("late", [(2, 0.5)])
    assert rows(path, "SELECT query, timestamp FROM retrieval_log ORDER BY id") == [
        ("early", NOW),
        ("late", "2026-05-08 15:00:00"),
    ]
    assert rows(path, "SELECT fact_id, retrieval_count, last_retrieved_at FROM facts ORDER BY 1") == [
        (1, 1, NOW),
        (2, 1, "2026-05-08 15:00:00"),
        (3, 0, None),
    ]


def test_waiting_flush_writes_or_says_why_not(usage: UsageStore, path: Path) -> None:
    with locked(path):
        usage.log_search("early", [])
        with pytest.raises(MemoryBusyError):
            usage.flush(wait=True)
    usage.flush(wait=True)
    usage.flush(wait=True)
    usage.flush()
    assert rows(path, "SELECT query FROM retrieval_log") == [("early",)]


def test_search_does_not_fail_where_the_file_takes_no_entry(
    usage: UsageStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(usage_module, "_write_log", full)
        usage.log_search("whales", [(1, 0.5)])
        with pytest.raises(MemoryFileError, match="full; nothing was changed"):
            usage.flush()
    usage.flush()
    assert rows(path, "SELECT query FROM retrieval_log") == [("whales",)]


def test_no_more_entries_wait_than_the_log_keeps(usage: UsageStore, path: Path) -> None:
    with locked(path):
        for n in range(LOG_CAPACITY + 2):
            usage._pending.append(usage_module.LoggedSearch(f"q{n}", (), NOW))
    usage.flush()
    assert rows(path, "SELECT count(*), min(id), max(id) FROM retrieval_log") == [(5000, 1, 5000)]
    assert rows(path, "SELECT query FROM retrieval_log WHERE id = 1") == [("q2",)]


# --- reports ---


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


def test_statistics_count_use_and_categories(usage: UsageStore, path: Path) -> None:
    rows(path, "UPDATE facts SET trust_score = 0.9, retrieval_count = 4, helpful_count = 1 WHERE fact_id = 1")
    rows(path, "UPDATE facts SET trust_score = NULL, category = NULL, helpful_count = NULL WHERE fact_id = 2")
    rows(path, "UPDATE facts SET category = 'workflow' WHERE fact_id = 3")
    usage.log_search("one", [(1, 0.5)])
    for _ in range(2):
        usage.log_search("none", [])
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
            f"SELECT {index.MATCH_LENGTH}, {index.HAS_SUMMARY} FROM (SELECT ? AS content, ? AS summary) AS facts",
            (content, summary),
        ).fetchone()
    assert found == (len(match_text(content, summary)), bool(summary and summary.strip()))


def test_log_of_a_removed_fact_stays(usage: UsageStore, path: Path) -> None:
    usage.log_search("whales", [(1, 0.5)])
    rows(path, "DELETE FROM facts WHERE fact_id = 1")
    assert json.loads(str(rows(path, "SELECT results FROM retrieval_log")[0][0])) == [{"id": 1, "score": 0.5}]
