"""New facts where the file is not as usual: triggers of other programs, ids at their ends, what a file says wrongly."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from mnemo import additions, index, places
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.memory import Memory
from tests.conftest import imported

MANY = additions.FEW + 50


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "facts.db"
    memory = Memory(path)
    memory.fact_store({"action": "add", "content": "The harbour tariff is due in May"})
    memory.close()
    return path


def change(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def told(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def added(path: Path, content: str) -> dict[str, Any]:
    memory = Memory(path)
    try:
        return memory.fact_store({"action": "add", "content": content})
    finally:
        memory.close()


def crates(count: int) -> list[dict[str, Any]]:
    return [{"content": f"Crate {number} holds rope"} for number in range(count)]


@pytest.mark.parametrize("count", [3, MANY])
@pytest.mark.parametrize(
    ("trigger", "left", "expected"),
    [
        (
            "AFTER INSERT ON facts BEGIN INSERT OR IGNORE INTO seen VALUES (new.category, 1); END",
            "SELECT count(*) FROM seen",
            lambda _: 1,
        ),
        (
            "AFTER INSERT ON facts BEGIN INSERT OR REPLACE INTO seen VALUES (new.category, new.fact_id); END",
            "SELECT number FROM seen",
            lambda count: count + 1,
        ),
        (
            "AFTER INSERT ON facts WHEN new.content = 'Crate 1 holds rope' "
            "BEGIN INSERT INTO facts(content) VALUES ('A zebra came along'); END",
            "SELECT count(*) FROM facts",
            lambda count: count + 2,
        ),
        (
            "AFTER INSERT ON facts WHEN new.content = 'Crate 1 holds rope' "
            "BEGIN INSERT INTO facts(fact_id, content) VALUES (9000, 'A zebra came along'); END",
            "SELECT count(*) FROM facts",
            lambda count: count + 2,
        ),
    ],
    ids=["ignores", "replaces", "adds", "adds-with-an-id"],
)
def test_a_trigger_of_another_program_does_at_an_import_what_it_does_at_adds(
    file: Path, count: int, trigger: str, left: str, expected: Callable[[int], int]
) -> None:
    change(file, f"CREATE TABLE seen(category PRIMARY KEY, number); CREATE TRIGGER other {trigger}")
    assert imported(file, crates(count)).added == count
    assert told(file, left) == [(expected(count),)]
    assert told(file, "SELECT count(*) FROM sqlite_master WHERE name = 'other'") == [(1,)]
    facts = told(file, "SELECT count(*) FROM facts")
    assert told(file, "SELECT count(*) FROM fact_versions WHERE kind = 'add'") == facts
    memory = Memory(file)
    found = memory.fact_store({"action": "search", "query": "zebra"})["results"]
    assert len(found) == ("zebra" in trigger)
    assert told(file, "SELECT count(*) FROM index_documents") == facts
    memory.close()


def test_a_fact_that_a_trigger_refuses_is_an_error_and_nothing_is_changed(file: Path) -> None:
    change(
        file,
        "CREATE TRIGGER other BEFORE INSERT ON facts WHEN new.content LIKE 'Crate 7%' BEGIN SELECT RAISE(IGNORE); END",
    )
    for work in (lambda: imported(file, crates(20)), lambda: added(file, "Crate 7 is empty")):
        with pytest.raises(MemoryFileError, match="trigger of another program"):
            work()
    assert told(file, "SELECT count(*) FROM facts") == [(1,)]
    assert added(file, "Crate 8 is empty")["fact_id"] == 2


@pytest.mark.parametrize("event", ["UPDATE", "DELETE"])
def test_a_fact_that_a_trigger_keeps_as_it_is_is_an_error_and_nothing_is_changed(file: Path, event: str) -> None:
    memory = Memory(file)
    memory.fact_store({"action": "add", "contents": ["Crate 7 is empty", "Crate 8 is full"]})
    memory.fact_store({"action": "update", "fact_id": 1, "content": "Crate 1 is full"})
    change(file, f"CREATE TRIGGER other BEFORE {event} ON facts BEGIN SELECT RAISE(IGNORE); END")
    before = told(file, "SELECT * FROM facts ORDER BY fact_id")
    calls: dict[str, list[Callable[[], object]]] = {
        "UPDATE": [
            lambda: memory.fact_store({"action": "update", "fact_id": 1, "content": "Crate 1 is blue"}),
            lambda: memory.fact_store({"action": "add", "content": "Crate 9 is red", "supersedes": 1}),
            lambda: memory.fact_feedback({"action": "helpful", "fact_id": 1}),
            lambda: memory.parts.history.undo(),
        ],
        "DELETE": [
            lambda: memory.fact_store({"action": "remove", "fact_ids": [1, 2]}),
            lambda: memory.parts.history.purge([2]),
        ],
    }
    for call in calls[event]:
        with pytest.raises(MemoryFileError, match="trigger of another program"):
            call()
    memory.close()
    assert told(file, "SELECT * FROM facts ORDER BY fact_id") == before
    assert told(file, "SELECT count(*) FROM fact_versions WHERE fact_id = 2") == [(1,)]


def test_an_id_that_is_wanted_is_kept_beside_a_trigger_if_it_is_free(file: Path) -> None:
    change(file, "CREATE TABLE seen(x); CREATE TRIGGER other AFTER INSERT ON facts BEGIN DELETE FROM seen; END")
    facts = [{**fact, "fact_id": wanted} for fact, wanted in zip(crates(3), (1, 7, 7), strict=True)]
    assert imported(file, facts).added == 3
    assert told(file, "SELECT fact_id FROM facts ORDER BY fact_id") == [(1,), (2,), (7,), (8,)]


@pytest.mark.parametrize("problem", [MemoryBusyError("locked"), MemoryFileError("full")])
def test_an_import_is_done_though_its_index_could_not_be_merged(
    file: Path, monkeypatch: pytest.MonkeyPatch, problem: MemoryFileError
) -> None:
    monkeypatch.setattr(index, "merge_parts", Mock(side_effect=problem))
    facts = crates(MANY)
    facts[0] = {**facts[0], "uid": "old", "superseded_by": "new"}
    facts[-1] = {**facts[-1], "uid": "new"}
    assert imported(file, facts).added == MANY
    assert told(file, "SELECT content, superseded_by FROM facts WHERE superseded_by IS NOT NULL") == [
        ("Crate 0 holds rope", MANY + 1)
    ]


@pytest.mark.parametrize(("sequence", "first"), [("'7'", 8), ("'many'", 2), ("3.7", 4), ("NULL", 2)])
def test_whatever_the_sequence_says_a_fact_gets_an_id(file: Path, sequence: str, first: int) -> None:
    change(file, f"UPDATE sqlite_sequence SET seq = {sequence} WHERE name = 'facts'")
    assert imported(file, crates(3)).added == 3
    assert told(file, "SELECT min(fact_id) FROM facts WHERE content LIKE 'Crate%'") == [(first,)]


@pytest.mark.parametrize("work", [lambda file: imported(file, crates(1)), lambda file: added(file, "Crate 1 is empty")])
def test_where_no_id_is_left_the_error_says_so(file: Path, work: Callable[[Path], object]) -> None:
    change(file, f"INSERT INTO facts(fact_id, content) VALUES ({additions.HIGHEST_ID}, 'The last crate')")
    with pytest.raises(MemoryFileError, match=f"No id is left .* {additions.HIGHEST_ID}, is or was there"):
        work(file)
    assert told(file, "SELECT count(*) FROM facts") == [(2,)]


def test_what_the_disk_refuses_is_no_want_of_ids(file: Path) -> None:
    memory = Memory(file)
    memory.fact_store({"action": "list"})
    memory.parts.database._writer.execute("PRAGMA max_page_count = 1")
    with pytest.raises(MemoryFileError, match="is full"):
        memory.fact_store({"action": "add", "contents": [str(number) * 3_000 for number in range(10)]})
    memory.close()


@pytest.mark.parametrize(
    "odd",
    [
        {"fact_id": 2**63},
        {"fact_id": "9" * 30},
        {"superseded_by": "\ud83d"},
        {"superseded_by": 2**70, "updated_at": "2026-02-01"},
        {"uid": "\udc00", "superseded_by": "\udc00"},
    ],
)
def test_what_a_file_says_oddly_beside_a_content_loses_no_fact(file: Path, odd: dict[str, Any]) -> None:
    report = imported(file, [{"content": "Crate 1 holds rope", "uid": "a", **odd}, *crates(1)])
    assert (report.added, report.errors) == (2, [])


def test_a_count_that_is_no_number_is_an_error_of_its_line(file: Path) -> None:
    report = imported(file, [{**crates(1)[0], "retrieval_count": 10**400}, *crates(2)])
    assert (report.added, [error["line"] for error in report.errors]) == (2, [1])


@pytest.mark.parametrize("fact_id", [-3, places.LARGEST_ID + 1])
def test_a_fact_of_an_id_beyond_the_index_is_there_for_an_import(file: Path, fact_id: int) -> None:
    change(file, f"INSERT INTO facts(fact_id, content) VALUES ({fact_id}, 'Crate 1 holds rope')")
    report = imported(file, crates(3))
    assert (report.added, report.unchanged) == (2, 1)
