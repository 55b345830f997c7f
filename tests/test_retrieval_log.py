"""The search log: what it keeps, the counters beside it, and what waits while another program writes."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from freezegun import freeze_time

from mnemo import retrieval_log
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.retrieval_log import LOG_CAPACITY, RetrievalLog
from mnemo.storage.database import Database
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
def log(database: Database) -> RetrievalLog:
    return RetrievalLog(database)


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


def test_search_is_logged_with_its_results_in_order(log: RetrievalLog, path: Path) -> None:
    with freeze_time(NOW):
        log.add("找 whales ", [(3, 0.45), (1, 0.0312)])
    assert rows(path, "SELECT * FROM retrieval_log") == [
        (1, "找 whales ", '[{"id":3,"score":0.45},{"id":1,"score":0.0312}]', NOW)
    ]


def test_only_what_was_returned_counts_as_retrieved(log: RetrievalLog, path: Path) -> None:
    rows(path, "UPDATE facts SET trust_score = 0.8, updated_at = '2026-01-01 00:00:00', retrieval_count = NULL")
    with freeze_time(NOW):
        log.add("whales", [(3, 0.45), (1, 0.03)])
        log.add("cranes", [(3, 0.45)])
    assert rows(
        path, "SELECT fact_id, retrieval_count, last_retrieved_at, trust_score, updated_at FROM facts ORDER BY 1"
    ) == [
        (1, 1, NOW, 0.8, "2026-01-01 00:00:00"),
        (2, None, None, 0.8, "2026-01-01 00:00:00"),
        (3, 2, NOW, 0.8, "2026-01-01 00:00:00"),
    ]


def test_search_without_results_is_logged(log: RetrievalLog, path: Path) -> None:
    log.add("nothing", [])
    assert rows(path, "SELECT query, results FROM retrieval_log") == [("nothing", "[]")]
    assert rows(path, "SELECT sum(retrieval_count) FROM facts") == [(0,)]


@pytest.mark.parametrize(
    ("before", "after"),
    [(4999, (5000, 1, 5000)), (5000, (5000, 2, 5001)), (5001, (5000, 3, 5002)), (6000, (5000, 1002, 6001))],
)
def test_log_keeps_its_newest_5000(log: RetrievalLog, path: Path, before: int, after: tuple[int, ...]) -> None:
    fill_log(path, before)
    log.add("newest", [])
    assert span(path) == after
    assert rows(path, "SELECT query FROM retrieval_log ORDER BY id DESC LIMIT 1") == [("newest",)]


def test_the_size_of_the_log_is_counted_again_after_others_wrote(log: RetrievalLog, path: Path) -> None:
    fill_log(path, LOG_CAPACITY)
    log.add("one more", [])
    log.add("and one", [])
    assert span(path) == (LOG_CAPACITY, 3, LOG_CAPACITY + 2)
    rows(path, "DELETE FROM retrieval_log WHERE id BETWEEN 100 AND 109")
    for number in range(10):
        log.add(f"within the gap {number}", [])
    assert span(path) == (LOG_CAPACITY, 3, LOG_CAPACITY + 12)
    log.add("beyond it", [])
    assert span(path) == (LOG_CAPACITY, 4, LOG_CAPACITY + 13)


def test_log_with_gaps_is_cut_by_number_of_entries_not_by_id(log: RetrievalLog, path: Path) -> None:
    fill_log(path, 10)
    rows(path, "UPDATE retrieval_log SET id = id * 10000")
    log.add("newest", [])
    assert span(path) == (11, 10000, 100001)


@pytest.mark.parametrize(
    ("entries", "after"), [(5000, (5000, 1, 5000)), (6000, (5000, 1001, 6000)), (0, (0, None, None))]
)
def test_log_filled_by_another_program_is_pruned(
    log: RetrievalLog, path: Path, entries: int, after: tuple[object, ...]
) -> None:
    log.flush()
    if entries:
        fill_log(path, entries)
    with closing(Database(path)) as database, database.writing() as connection:
        retrieval_log.prune(connection)
    assert span(path) == after


def test_log_of_a_removed_fact_stays(log: RetrievalLog, path: Path) -> None:
    log.add("whales", [(1, 0.5)])
    rows(path, "DELETE FROM facts WHERE fact_id = 1")
    assert json.loads(str(rows(path, "SELECT results FROM retrieval_log")[0][0])) == [{"id": 1, "score": 0.5}]


# --- other writers ---


def test_entry_waits_while_another_program_writes_and_follows(log: RetrievalLog, path: Path) -> None:
    with locked(path):
        with freeze_time(NOW):
            log.add("early", [(1, 0.5)])
        log.flush()
    assert rows(path, "SELECT count(*) FROM retrieval_log") == [(0,)]
    with freeze_time("2026-05-08 15:00:00"):
        log.add("late", [(2, 0.5)])
    assert rows(path, "SELECT query, timestamp FROM retrieval_log ORDER BY id") == [
        ("early", NOW),
        ("late", "2026-05-08 15:00:00"),
    ]
    assert rows(path, "SELECT fact_id, retrieval_count, last_retrieved_at FROM facts ORDER BY 1") == [
        (1, 1, NOW),
        (2, 1, "2026-05-08 15:00:00"),
        (3, 0, None),
    ]


def test_waiting_flush_writes_or_says_why_not(log: RetrievalLog, path: Path) -> None:
    with locked(path):
        log.add("early", [])
        with pytest.raises(MemoryBusyError):
            log.flush(wait=True)
    log.flush(wait=True)
    log.flush(wait=True)
    log.flush()
    assert rows(path, "SELECT query FROM retrieval_log") == [("early",)]


def test_search_does_not_fail_where_the_file_takes_no_entry(
    log: RetrievalLog, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(retrieval_log, "_write_log", full)
        log.add("whales", [(1, 0.5)])
        with pytest.raises(MemoryFileError, match="full; nothing was changed"):
            log.flush()
    log.flush()
    assert rows(path, "SELECT query FROM retrieval_log") == [("whales",)]


def test_no_more_entries_wait_than_the_log_keeps(log: RetrievalLog, path: Path) -> None:
    with locked(path):
        for n in range(LOG_CAPACITY + 2):
            log._pending.append(retrieval_log.LoggedSearch(f"q{n}", (), NOW))
    log.flush()
    assert rows(path, "SELECT count(*), min(id), max(id) FROM retrieval_log") == [(5000, 1, 5000)]
    assert rows(path, "SELECT query FROM retrieval_log WHERE id = 1") == [("q2",)]
