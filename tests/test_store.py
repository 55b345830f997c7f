"""The store by itself: transactions, several writers at once, and candidates while others write."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from freezegun import freeze_time

from mnemo import lexicon
from mnemo.errors import DuplicateContentError, FactNotFoundError
from mnemo.facts import FactChange, FactFilter, NewFact
from mnemo.memory import Memory
from mnemo.retriever import Retriever
from mnemo.storage.database import Database
from mnemo.store import Added, FactStore, Rating
from tests.conftest import rows


def note(content: str, summary: str | None = None) -> NewFact:
    return NewFact(content, "general", "", summary)


def contents(store: FactStore) -> list[str]:
    facts, _ = store.list(FactFilter(), 1000)
    return sorted(fact.content for fact in facts)


def candidates(store: FactStore, query: str) -> list[int]:
    with store.snapshot():
        found = store.candidates(lexicon.concepts(query), FactFilter(), 10).facts
    return sorted(one.fact_id for one in found)


def test_a_snapshot_is_one_state_with_an_index_that_is_up_to_date(store: FactStore, path: Path) -> None:
    rows(path, "INSERT INTO facts(content) VALUES ('whales sleep')")  # another program: noted, not indexed
    with store.snapshot():
        assert rows(path, "SELECT count(*) FROM index_notes") == [(0,)]
        rows(path, "INSERT INTO facts(content) VALUES ('whales sing')")
        with store.snapshot():
            assert contents(store) == ["whales sleep"]
            assert store.candidates(lexicon.concepts("whales"), FactFilter(), 10).corpus.documents == 1
    assert candidates(store, "whales") == [1, 2]


@pytest.mark.parametrize("trust", ["'high'", "9e999", "NULL", "x'00'"])
def test_a_trust_that_is_no_number_weighs_like_that_of_a_new_fact(store: FactStore, path: Path, trust: str) -> None:
    store.add([note("whales sleep")])
    rows(path, f"UPDATE facts SET trust_score = {trust}")
    (one,) = store.candidates(lexicon.concepts("whales"), FactFilter(), 10).facts
    assert one.weight == 0.5


def test_several_facts_are_added_in_order_with_their_duplicates(store: FactStore) -> None:
    added = store.add([note("one"), note("ONE."), note("two", summary=" ")])
    assert added == [Added(1, "general", False), Added(1, "general", True), Added(2, "general", False)]
    assert store.get([2])[0][0].summary is None
    assert store.add([]) == []


def test_a_batch_that_fails_leaves_nothing(store: FactStore, path: Path) -> None:
    rows(
        path,
        "CREATE TRIGGER refuse BEFORE INSERT ON facts WHEN new.content = 'two' BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    with pytest.raises(Exception, match="SQLITE_CONSTRAINT"):
        store.add([note("one"), note("two")])
    assert contents(store) == []
    assert store.add([note("three")])[0].fact_id == 1


def test_failed_update_leaves_the_fact_as_it_was(store: FactStore, path: Path) -> None:
    store.add([note("one"), note("two")])
    before = rows(path, "SELECT * FROM facts")
    with pytest.raises(DuplicateContentError) as caught:
        store.update(2, FactChange(content="one", tags="x"))
    assert caught.value.fact_id == 1
    with pytest.raises(FactNotFoundError) as missing:
        store.update(3, FactChange(tags="x"))
    assert missing.value.fact_id == 3
    assert rows(path, "SELECT * FROM facts") == before


def test_update_returns_the_fact_as_it_is_now(store: FactStore) -> None:
    with freeze_time("2026-05-08 14:30:00"):
        store.add([note("one")])
    with freeze_time("2026-05-09 09:00:00"):
        fact = store.update(1, FactChange(summary="s", tags="t", category="workflow", trust_delta=0.125))
    assert fact.as_dict() == {
        "fact_id": 1,
        "content": "one",
        "summary": "s",
        "category": "workflow",
        "tags": "t",
        "trust_score": 0.625,
        "retrieval_count": 0,
        "helpful_count": 0,
        "last_retrieved_at": None,
        "created_at": "2026-05-08 14:30:00",
        "updated_at": "2026-05-09 09:00:00",
    }


def test_rating_changes_neither_text_nor_times(store: FactStore, path: Path) -> None:
    with freeze_time("2026-05-08 14:30:00"):
        store.add([note("one")])
    assert store.rate(1, is_helpful=True) == Rating(1, 0.5, 0.55, 1)
    assert store.rate(1, is_helpful=False) == Rating(1, 0.55, 0.45, 1)
    assert rows(path, "SELECT content, updated_at, last_retrieved_at FROM facts") == [
        ("one", "2026-05-08 14:30:00", None)
    ]
    with pytest.raises(FactNotFoundError):
        store.rate(2, is_helpful=True)


def test_threads_lose_no_fact_and_no_rating(store: FactStore) -> None:
    store.add([note("shared")])

    def work(worker: int) -> None:
        for n in range(10):
            store.add([note(f"worker {worker} fact {n}")])
            store.rate(1, is_helpful=True)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(contents(store)) == 41
    assert store.get([1])[0][0].helpful_count == 40


def test_one_content_from_many_threads_is_stored_once(store: FactStore) -> None:
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(lambda _: store.add([note("the same")])[0], range(8)))
    assert sum(not one.is_duplicate for one in added) == 1
    assert {one.fact_id for one in added} == {1}


def test_two_stores_of_one_file_see_each_other(store: FactStore, path: Path) -> None:
    with closing(Database(path)) as other_database:
        other = FactStore(other_database)
        store.add([note("Whales sleep at sea")])
        assert candidates(other, "whales") == [1]
        other.update(1, FactChange(content="Cranes are yellow"))
        assert (candidates(store, "whales"), candidates(store, "cranes")) == ([], [1])
        store.remove([1])
        assert candidates(other, "cranes") == []


def test_ids_of_removed_facts_are_not_given_again(store: FactStore) -> None:
    store.add([note("one"), note("two")])
    assert store.remove([2, 2, 9]) == ([2], [9])
    assert store.add([note("three")])[0].fact_id == 3


def test_what_others_wrote_is_found_right_while_yet_another_writes(store: FactStore, path: Path) -> None:
    store.add([note("Whales sleep at sea"), note("Whales sing at night"), note("Harbours open at six")])
    rows(path, "UPDATE facts SET content = 'Cranes are yellow' WHERE fact_id = 1")
    rows(path, "DELETE FROM facts WHERE fact_id = 2")
    rows(path, "INSERT INTO facts(content) VALUES ('Whales are mammals')")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        results = Retriever(store).search("whales", FactFilter(), 10).facts
        assert [scored.fact.fact_id for scored in results] == [4]
        assert [s.fact.fact_id for s in Retriever(store).search("cranes", FactFilter(), 10).facts] == [1]
        other.execute("ROLLBACK")
    assert candidates(store, "whales") == [4]


def test_refresh_indexes_what_others_wrote(store: FactStore, path: Path) -> None:
    rows(path, "INSERT INTO facts(content) VALUES ('Whales sleep at sea')")
    assert rows(path, "SELECT count(*) FROM index_notes") == [(1,)]
    store.refresh()
    store.refresh()
    assert rows(path, "SELECT count(*) FROM index_notes") == [(0,)]


def test_equal_scores_rank_by_trust_then_newness_then_id(store: FactStore, path: Path) -> None:
    store.add([note(f"whale {letter}") for letter in "pqrst"])
    rows(path, "UPDATE facts SET trust_score = 0.5, updated_at = '2026-05-08 14:30:00'")
    rows(path, "UPDATE facts SET updated_at = '2026-05-09 14:30:00' WHERE fact_id = 4")
    rows(path, "UPDATE facts SET updated_at = NULL, created_at = NULL WHERE fact_id = 1")
    rows(path, "UPDATE facts SET updated_at = 'no time' WHERE fact_id = 2")
    rows(path, "UPDATE facts SET updated_at = '2026-05-08T14:30:00Z' WHERE fact_id = 5")
    found = Retriever(store).search("whale", FactFilter(), 10).facts
    assert len({scored.score for scored in found}) == 1
    assert [scored.fact.fact_id for scored in found] == [4, 3, 5, 1, 2]


def test_values_of_odd_types_that_others_wrote_trip_nothing(path: Path) -> None:
    rows(
        path,
        "CREATE TABLE facts (fact_id INTEGER PRIMARY KEY, content TEXT, category TEXT, tags TEXT, trust_score REAL, "
        "retrieval_count INTEGER, helpful_count INTEGER, created_at TIMESTAMP, updated_at TIMESTAMP)",
    )
    rows(path, "INSERT INTO facts VALUES (1, 'whale one', x'00ff', x'00ff', 'high', 'often', 2.0, 1700000000, x'00')")
    rows(path, "INSERT INTO facts VALUES (2, 'whale two', 3, 4, '0.75', '7', NULL, 20231114, 1700000000.5)")
    rows(path, "INSERT INTO facts VALUES (3, x'00ff', NULL, NULL, NULL, NULL, NULL, NULL, NULL)")
    with closing(Memory(path)) as memory:
        facts = memory.fact_store({"action": "list"})["facts"]
        numbers = ("trust_score", "retrieval_count", "helpful_count")
        assert {fact["fact_id"]: [fact[name] for name in numbers] for fact in facts} == {
            1: [0.5, 0, 2],
            2: [0.75, 7, 0],
            3: [0.5, 0, 0],
        }
        texts = ("category", "tags", "created_at")
        assert {fact["fact_id"]: [fact[name] for name in texts] for fact in facts} == {
            1: ["general", "", "1700000000"],
            2: ["3", "4", "20231114"],
            3: ["general", "", None],
        }
        for call in (
            {"action": "search", "query": "whale"},
            {"action": "list"},
            {"action": "get", "fact_ids": [1, 2, 3]},
            {"action": "learn"},
            {"action": "audit"},
            {"action": "probe", "entity": "whale"},
            {"action": "contradict"},
            {"action": "update", "fact_id": 1, "tags": "sea"},
        ):
            json.dumps(memory.fact_store(call)).encode()
        assert memory.fact_store({"action": "search", "query": "whale"})["count"] == 2
        assert memory.learn_at_startup()["unchanged"] == 3


def test_facts_are_ordered_by_time_however_it_is_written(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "list"})
    for content, changed in (
        ("Redis on pier nine", "2026-05-08T01:00:00Z"),
        ("Redis on pier two", "2026-05-08 12:00:00"),
        ("Redis on pier six", "2026-05-08T12:00:00+08:00"),
        ("Redis on pier ten", "some day"),
    ):
        rows(path, "INSERT INTO facts(content, updated_at) VALUES (?, ?)", content, changed)
    for action, given in (("list", {}), ("probe", {"entity": "Redis"}), ("search", {"query": "redis"})):
        answer = memory.fact_store({"action": action, **given})
        facts = answer.get("facts") or answer["results"]
        assert [fact["fact_id"] for fact in facts] == [2, 3, 1, 4], action
