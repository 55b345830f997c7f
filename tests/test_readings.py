"""What a search remembers for the next one is right, whoever writes between them, and takes bounded memory."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from unittest.mock import Mock

import pytest
from freezegun import freeze_time

from mnemo import index
from mnemo.errors import MemoryFileError
from mnemo.facts import FactChange, FactFilter, NewFact
from mnemo.memory import Memory
from mnemo.retrieval_log import RetrievalLog
from mnemo.retriever import Retriever
from mnemo.search import readings
from mnemo.search.readings import Readings
from mnemo.storage.database import Database
from mnemo.store import FactStore

ANY = FactFilter()


def add(store: FactStore, *contents: str) -> list[int]:
    return [added.fact_id for added in store.add([NewFact(content) for content in contents])]


def found(store: FactStore, query: str, wanted: FactFilter = ANY, limit: int = 10) -> list[tuple[int, float]]:
    scored = Retriever(store).search(query, wanted, limit, refine=False).facts
    return [(one.fact.fact_id, one.score) for one in scored]


def foreign(database: Database, *statements: str) -> None:
    with closing(sqlite3.connect(database.path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def read(database: Database) -> Iterator[Readings]:
    with database.reading() as connection:
        yield Readings(connection)


def test_a_repeated_search_reads_nothing_of_the_index(database: Database, store: FactStore) -> None:
    add(store, "lantern harbour lantern", "harbour crane", "灯塔在港口")
    asked: list[str] = []
    log, first = RetrievalLog(database), found(store, "lantern harbour 灯塔")
    log.add("lantern harbour 灯塔", first)
    database._reader.set_trace_callback(asked.append)
    assert found(store, "lantern harbour 灯塔") == first
    assert [statement for statement in asked if "index_" in statement] == []


def test_words_that_no_fact_repeats_are_looked_up_together(database: Database, store: FactStore) -> None:
    add(store, "lantern harbour", "harbour crane willow")
    asked: list[str] = []
    database._reader.set_trace_callback(asked.append)
    found(store, "lantern harbour crane willow")
    assert len([statement for statement in asked if index.TWICE in statement]) == 1


CHANGES: dict[str, Callable[[Database, FactStore], object]] = {
    "a fact is added": lambda _, store: add(store, "lantern oil"),
    "a fact is changed": lambda _, store: store.update(1, FactChange(content="harbour at night")),
    "tags are changed": lambda _, store: store.update(2, FactChange(tags="lantern")),
    "a fact is removed": lambda _, store: store.remove([1]),
    "a fact is rated": lambda _, store: store.rate(2, is_helpful=True),
    "trust is moved": lambda _, store: store.update(1, FactChange(trust_delta=-0.4)),
    "a fact is superseded": lambda _, store: store.update(2, FactChange(supersedes=1)),
    "a fact expires": lambda _, store: store.update(1, FactChange(expires_at="2001-01-01 00:00:00")),
    "words are taught": lambda _, store: add(store, "项目叫灯笼计划（lantern）"),
    "another program adds": lambda database, _: foreign(database, "INSERT INTO facts(content) VALUES ('lantern oil')"),
    "another program changes": lambda database, _: foreign(
        database, "UPDATE facts SET content = 'harbour ' || fact_id"
    ),
    "another program removes": lambda database, _: foreign(database, "DELETE FROM facts WHERE fact_id = 1"),
    "another program rates": lambda database, _: foreign(database, "UPDATE facts SET trust_score = 1 / fact_id"),
    "another program adds without triggers": lambda database, _: foreign(
        database, "DROP TRIGGER facts_ai", "INSERT INTO facts(content) VALUES ('lantern oil')"
    ),
    "another program adds a fact beyond the index": lambda database, _: foreign(
        database, "INSERT INTO facts(fact_id, content) VALUES (-7, 'lantern oil')"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_repeated_search_sees_every_change(
    database: Database, store: FactStore, change: Callable[[Database, FactStore], object]
) -> None:
    add(store, "lantern harbour lantern", "harbour crane 灯笼", "crane willow")
    queries = ("lantern harbour", "harbour", "灯笼", "crane")
    before = [found(store, query) for query in queries]
    change(database, store)
    after = [found(store, query) for query in queries]
    with closing(Database(database.path)) as anew:
        assert after == [found(FactStore(anew), query) for query in queries]
    assert after != before


def test_an_index_that_was_made_anew_is_read_anew(database: Database, store: FactStore) -> None:
    add(store, "lantern harbour", "harbour crane")
    before = found(store, "harbour")
    foreign(database, "DROP TABLE index_documents")
    asked: list[str] = []
    database._reader.set_trace_callback(asked.append)
    assert found(store, "harbour") == before
    assert any("index_terms MATCH" in statement for statement in asked)


@pytest.mark.parametrize(
    "event",
    [
        "UPDATE OF retrieval_count ON Facts WHEN new.retrieval_count > 1",
        "INSERT ON retrieval_log WHEN new.id > 1",
    ],
)
def test_a_trigger_of_another_program_may_change_facts_when_a_search_is_logged(
    database: Database, store: FactStore, event: str
) -> None:
    low, high = add(store, "lantern harbour", "lantern willow")
    foreign(
        database,
        f"CREATE TRIGGER seldom AFTER {event} BEGIN UPDATE facts SET expires_at = '2001-01-01' WHERE fact_id = 1; END",
    )
    log = RetrievalLog(database)
    store.rate(low, is_helpful=True)
    for _ in range(2):
        assert [fact_id for fact_id, _ in found(store, "lantern")] == [low, high]
        log.add("lantern", [(high, 0.5)])
    assert [fact_id for fact_id, _ in found(store, "lantern")] == [high]


def test_a_fact_is_found_until_it_expires_and_again_by_a_clock_that_was_put_back(store: FactStore) -> None:
    with freeze_time("2026-03-01 12:00:00"):
        store.add([NewFact("lantern harbour", expires_at="2026-03-01 13:00:00"), NewFact("lantern willow")])
    seen = []
    for moment in ("12:00:00", "12:59:59", "13:00:00", "14:00:00", "12:30:00"):
        with freeze_time(f"2026-03-01 {moment}"):
            seen.append([fact_id for fact_id, _ in found(store, "lantern")])
    assert seen == [[1, 2], [1, 2], [2], [2], [1, 2]]


def test_a_fact_that_was_first_looked_at_after_it_expired_shows_by_a_clock_that_was_put_back(store: FactStore) -> None:
    with freeze_time("2026-03-01 11:00:00"):
        store.add([NewFact("willow"), NewFact("lantern harbour", expires_at="2026-03-01 12:30:00"), NewFact("lantern")])
    seen = []
    for moment, query in (("12:00:00", "willow"), ("13:00:00", "lantern"), ("12:15:00", "lantern")):
        with freeze_time(f"2026-03-01 {moment}"):
            seen.append(sorted(fact_id for fact_id, _ in found(store, query)))
    assert seen == [[1], [3], [2, 3]]


def test_a_read_that_failed_is_not_remembered(store: FactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    (fact_id,) = add(store, "lantern harbour")
    with monkeypatch.context() as failing:
        failing.setattr(Readings, "_weigh", Mock(side_effect=sqlite3.OperationalError("disk I/O error")))
        with pytest.raises(MemoryFileError):
            found(store, "lantern")
    assert [found_id for found_id, _ in found(store, "lantern")] == [fact_id]


def test_texts_of_one_search_that_are_too_long_are_not_remembered(
    store: FactStore, read: Readings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = add(store, "lantern harbour", "lantern willow")
    monkeypatch.setattr(readings, "MOST_CHARACTERS", 20)
    assert read.documents(ids).keys() == set(ids)
    assert read._documents == {}


def test_a_memory_at_work_answers_like_one_that_was_just_opened(memory: Memory) -> None:
    chosen = random.Random(20)  # noqa: S311 - the same steps each time
    memory.fact_store({"action": "add", "content": "lantern"})
    words = ["lantern", "harbour", "crane", "willow", "灯笼", "港口", "夜里", "oil"]

    def text() -> str:
        return " ".join(chosen.choices(words, k=chosen.randint(1, 6)))

    def other(*statement: Any) -> None:
        with closing(sqlite3.connect(memory.path)) as connection, connection:
            connection.execute(*statement)

    steps: list[Callable[[], object]] = [
        lambda: memory.fact_store({"action": "add", "contents": [text() for _ in range(chosen.randint(1, 5))]}),
        lambda: other("UPDATE facts SET trust_score = ? WHERE fact_id = ?", (chosen.random(), chosen.randint(1, 40))),
        lambda: other("INSERT OR IGNORE INTO facts(content) VALUES (?)", (text(),)),
        lambda: other("UPDATE OR IGNORE facts SET content = ? WHERE fact_id = ?", (text(), chosen.randint(1, 40))),
        lambda: other("DELETE FROM facts WHERE fact_id = ?", (chosen.randint(1, 40),)),
        lambda: other("UPDATE facts SET superseded_by = ? WHERE fact_id = ?", chosen.sample(range(1, 40), 2)),
        lambda: None,
    ]
    for _ in range(150):
        chosen.choice(steps)()
        asked = {"action": "search", "query": text(), "limit": chosen.choice([1, 3, 20])}
        if chosen.random() < 0.3:
            asked["min_trust"] = 0.6
        answers = []
        copied = memory.path.with_name("copy.db")  # the searches of a second memory on the same file would be noticed
        with closing(sqlite3.connect(memory.path)) as here, closing(sqlite3.connect(copied)) as there:
            here.backup(there)
        with closing(Memory(copied)) as anew:
            for one in (memory, anew):
                results = one.fact_store(asked)["results"]
                answers.append([(result["content"], result["score"]) for result in results])
        assert answers[0] == answers[1], asked


def test_fewer_places_than_are_known_are_not_read_again(store: FactStore, read: Readings) -> None:
    add(store, *(f"lantern {number}" for number in range(9)))
    three = read.places('"lantern"', 3)
    assert read.places('"lantern"', 2) == three[:2]
    assert len(read.places('"lantern"', 50)) == 9
    assert read.places('"lantern"', 3) == three


def test_words_are_ruled_out_only_where_none_is_found(store: FactStore, read: Readings) -> None:
    add(store, "lantern harbour")
    read.rule_out(['"willow"', '"lantern"'])
    assert read.places('"willow"', 5) == []
    assert len(read.places('"lantern"', 5)) == 1
    read.rule_out(['"willow"', '"crane"', '"poplar"'])
    assert read.places('"crane"', 5) == read.places('"poplar"', 5) == ()


def test_places_that_were_read_first_are_forgotten_first(
    store: FactStore, read: Readings, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"lantern{number}" for number in range(6)]
    add(store, *(f"{word} {number}" for word in words for number in range(10)))
    monkeypatch.setattr(readings, "MOST_PLACES", 3 * (10 + readings.MATCH_SIZE))
    for word in words:
        assert len(read.places(f'"{word}"', 50)) == 10
    assert list(read._places) == [f'"{word}"' for word in words[-3:]]
    assert read._size == readings.MOST_PLACES
    assert len(read.places(f'"{words[-1]}"', 5)) == 5
    assert len(read.places(f'"{words[0]}"', 50)) == 10


def test_one_word_with_more_places_than_are_remembered_is_remembered_alone(
    store: FactStore, read: Readings, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, *(f"lantern {number}" for number in range(9)), "harbour")
    monkeypatch.setattr(readings, "MOST_PLACES", 5)
    read.places('"harbour"', 50)
    assert len(read.places('"lantern"', 50)) == 9
    assert list(read._places) == ['"lantern"']


def test_facts_texts_and_counts_that_are_remembered_are_bounded(
    store: FactStore, read: Readings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = add(store, *(f"lantern {number}" for number in range(9)))
    monkeypatch.setattr(readings, "MOST_FACTS", 4)
    monkeypatch.setattr(readings, "MOST_CHARACTERS", 40)
    monkeypatch.setattr(readings, "MOST_COUNTS", 2)
    for fact_id in ids:
        assert read.weighed([fact_id], ANY)[fact_id] == (0.5, 2)
        assert read.documents([fact_id])[fact_id].distinct == 2
        assert read.count('"lantern"', "rowid >= ?", fact_id, 100) == len(ids) - ids.index(fact_id)
    assert len(read._weighed) <= 5
    assert len(read._documents) <= 5
    assert len(read._counts) <= 2


def test_facts_that_do_not_pass_the_filter_are_known_as_such(store: FactStore, read: Readings) -> None:
    (kept,) = add(store, "lantern harbour")
    trusted = FactFilter(min_trust=0.9)
    assert read.weighed([kept, 99], ANY) == {kept: (0.5, 2), 99: None}
    assert read.weighed([kept], trusted) == {kept: None}
    assert read.weighed([kept], ANY) == {kept: (0.5, 2)}
    assert read.weighed_above([kept], ANY, 0.4) == {kept: (0.5, 2)}
    assert read.weighed_above([kept], ANY, 0.5) == {}
