"""What an add asks of the file and finds like the new fact, whatever else the memory holds."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from mnemo import index, safety, text
from mnemo.facts import NewFact
from mnemo.language import recent
from mnemo.memory import Memory
from mnemo.search import alike
from mnemo.storage.connections import connect
from mnemo.storage.database import LOG_PAGES, LONGEST_LOG, Database
from mnemo.store import FactStore
from tests.conftest import rows

PAGE = 4_096 + 24  # bytes of a page in the write-ahead log
WORDS = "amber basalt cedar dune ember fjord garnet heron islet jetty"


def similar(memory: Memory, content: str) -> list[tuple[int, float]]:
    answer = memory.fact_store({"action": "add", "content": content})
    return [(other["fact_id"], other["similarity"]) for other in answer.get("similar", [])]


def test_exact_duplicate_is_named_before_one_that_is_only_alike(store: FactStore, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.executemany("INSERT INTO facts(content) VALUES (?)", [("The pier closes.",), ("the pier closes",)])
    (exact, alike) = store.add([NewFact("the pier closes"), NewFact("THE PIER closes")])
    assert (exact.fact_id, exact.is_duplicate) == (2, True)
    assert (alike.fact_id, alike.is_duplicate) == (1, True)


def test_duplicates_within_one_batch_are_found(store: FactStore) -> None:
    first, same, alike = store.add(
        [NewFact("The pier closes"), NewFact("The pier closes"), NewFact("the pier  closes!")]
    )
    assert not first.is_duplicate
    assert [(one.fact_id, one.is_duplicate) for one in (same, alike)] == [(first.fact_id, True)] * 2


def test_fact_whose_id_has_no_place_is_a_duplicate_too(store: FactStore, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("INSERT INTO facts(fact_id, content) VALUES (-4, 'the pier closes')")
    assert store.add([NewFact("the pier closes")])[0].fact_id == -4


def test_what_is_left_beside_an_id_goes_when_a_fact_takes_it(store: FactStore, path: Path) -> None:
    """Another program may leave links, warnings and pairs of facts that never were."""
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("INSERT INTO fact_marks VALUES (1, '[\"old\"]')")
        other.execute("INSERT INTO taught_words VALUES ('pier', '栈桥', 1)")
    (added,) = store.add([NewFact("The pier closes")])
    assert added.fact_id == 1
    assert store.marks([1]) == {}
    assert rows(path, "SELECT count(*) FROM taught_words") == [(0,)]


@pytest.mark.parametrize(
    ("content", "likeness"),
    [
        (f"{WORDS} kelp", round(10 / 11, 4)),
        (" ".join(WORDS.split()[:6]), 0.6),
        (" ".join(WORDS.split()[:5]), None),
        (f"{WORDS} kelp lagoon mesa nectar opal pylon", round(10 / 16, 4)),
        (f"{WORDS} kelp lagoon mesa nectar opal pylon quartz", None),
        ("kelp lagoon mesa nectar opal pylon", None),
    ],
)
def test_similar_facts_are_found_up_to_the_bound(memory: Memory, content: str, likeness: float | None) -> None:
    similar(memory, WORDS)
    assert similar(memory, content) == ([] if likeness is None else [(1, likeness)])


def test_similar_fact_is_found_among_holders_of_common_words(memory: Memory) -> None:
    common = WORDS.split()[:6]
    facts = [f"{' '.join(common)} a{i} b{i} c{i} d{i}" for i in range(alike.POSTINGS + 10)]
    memory.fact_store({"action": "add", "contents": facts})
    assert similar(memory, f"{' '.join(common)} a7 b7 c7 k7") == [(8, round(9 / 11, 4))]


def test_fact_is_compared_with_those_that_others_wrote_before(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "list"})
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("INSERT INTO facts(content) VALUES (?)", (WORDS,))
    assert similar(memory, f"{WORDS} kelp") == [(1, round(10 / 11, 4))]


def test_reading_right_after_a_write_sees_one_state_of_the_memory(database: Database, path: Path) -> None:
    count = "SELECT count(*) FROM facts"
    with database.rereading() as connection:
        assert database.is_reading
        assert connection.execute(count).fetchone() == (0,)
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("INSERT INTO facts(content) VALUES ('The pier closes')")
        with database.reading() as nested:
            assert nested is connection
            assert nested.execute(count).fetchone() == (0,)
    assert not database.is_reading
    with database.reading() as reader:
        assert reader is not connection
        assert reader.execute(count).fetchone() == (1,)


def test_others_search_while_one_reads_what_it_wrote(database: Database) -> None:
    seen = []

    def search() -> None:
        with database.reading() as connection:
            seen.append(connection.execute("SELECT count(*) FROM facts").fetchone())

    with database.rereading():
        thread = Thread(target=search)
        thread.start()
        thread.join(10)
        assert seen == [(0,)]


def test_index_that_nothing_was_noted_for_is_left_alone(database: Database, store: FactStore) -> None:
    store.add([NewFact("The pier closes")])
    with database.writing() as connection:
        assert index.refresh(connection) == []


def test_index_is_refreshed_in_chunks(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "CHUNK", 2)
    with database.writing() as connection:
        connection.executemany("INSERT INTO facts(content) VALUES (?)", [(f"pier {i}",) for i in range(4)])
        assert index.refresh(connection) == [1, 2, 3, 4]
        connection.execute("INSERT INTO facts(content) VALUES ('pier 5')")
        assert index.refresh(connection) == [5]


def test_what_is_asked_for_again_is_the_same_however_long_the_text_is() -> None:
    for count in (1, recent.LONGEST):
        said = "password: Xk29!qPz " + "pier " * count
        for _ in range(2):
            assert text.terms(said)[-count:] == ("pier",) * count
            assert safety.warnings_for(said) == ("looks like a secret: password",)
            assert text.fold_plainly(said) == said


def test_log_of_writes_is_shorter_than_what_is_shortened_beside_the_requests(database: Database, path: Path) -> None:
    assert LOG_PAGES * PAGE < LONGEST_LOG
    store, log = FactStore(database), path.with_name(path.name + "-wal")
    for number in range(160):
        store.add([NewFact(f"The pier {number} closes {'late ' * 300}")])
    assert log.stat().st_size < LONGEST_LOG


def test_deleted_rows_are_overwritten_whatever_sqlite_was_built_with(path: Path) -> None:
    with closing(connect(path, 1)) as connection:
        assert connection.execute("PRAGMA secure_delete").fetchone() == (2,)  # where that costs no further page


def test_erasing_leaves_the_setting_as_it_was(database: Database) -> None:
    with database.erasing() as connection:
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
    with database.writing() as connection:
        assert connection.execute("PRAGMA secure_delete").fetchone() == (2,)


def test_version_without_a_change_is_not_in_the_index_of_changes(memory: Memory, path: Path) -> None:
    """There it would stand on a page of its own, which each add would write twice."""
    memory.fact_store({"action": "add", "content": WORDS})
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("INSERT INTO facts(content) VALUES ('The pier closes')")
    assert rows(path, "SELECT count(*), count(change_id) FROM fact_versions") == [(2, 1)]
    unsigned = "SELECT count(*) FROM fact_versions INDEXED BY fact_versions_change WHERE change_id IS NULL"
    with pytest.raises(sqlite3.OperationalError, match="no query solution"):
        rows(path, unsigned)


def test_facts_of_a_change_are_found_by_its_index(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "add", "content": WORDS})
    asked: list[str] = []
    memory.parts.database._writer.set_trace_callback(asked.append)
    memory.parts.history.undo()
    (of_a_change,) = {statement for statement in asked if "DISTINCT fact_id" in statement}
    assert any("fact_versions_change" in str(step[-1]) for step in rows(path, f"EXPLAIN QUERY PLAN {of_a_change}"))
