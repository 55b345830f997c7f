"""The index of terms follows the facts, and a search reads a bounded part of it."""

import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from mnemo import index, lexicon, places, schema
from mnemo.derived import entity_index
from mnemo.errors import MemoryBusyError, MemoryFileError
from mnemo.facts import FactChange, FactFilter, NewFact
from mnemo.retrieval_log import RetrievalLog
from mnemo.retriever import Retriever
from mnemo.search import alike, candidates, postings
from mnemo.search.readings import Readings
from mnemo.storage import database
from mnemo.storage.connections import begin_at_once
from mnemo.storage.database import Database
from mnemo.store import FactStore
from tests.conftest import ORIGINAL_LAYOUT

ANY = FactFilter()


@pytest.fixture
def store(opened: Database) -> FactStore:
    return FactStore(opened)


def add(store: FactStore, *contents: str, category: str = "general") -> list[int]:
    return [added.fact_id for added in store.add([NewFact(content, category) for content in contents])]


def found(store: FactStore, query: str, wanted: FactFilter = ANY, limit: int = 10) -> list[int]:
    return [scored.fact.fact_id for scored in Retriever(store).search(query, wanted, limit, refine=False).facts]


def foreign(opened: Database, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(opened.path)) as connection, connection:
        connection.execute(statement, values)


def indexed(opened: Database, term: str) -> list[int]:
    with opened.reading() as connection:
        rows = connection.execute(
            "SELECT rowid FROM index_terms WHERE index_terms MATCH ? ORDER BY rowid", (f'"{term}"',)
        )
        return [places.fact_at(row[0]) for row in rows]


def totals(opened: Database) -> tuple[int, int]:
    with opened.reading() as connection:
        documents, terms = connection.execute("SELECT total(documents), total(terms) FROM index_ranks").fetchone()
    return int(documents), int(terms)


@pytest.mark.parametrize(("fact_id", "rank"), [(0, 0), (1, 7), (places.LARGEST_ID, 3), (12, places.LARGEST_RANK)])
def test_place_tells_fact_and_rank(fact_id: int, rank: int) -> None:
    place = places.place_of(fact_id, rank)
    assert (places.fact_at(place), places.rank_at(place)) == (fact_id, rank)


def test_shorter_facts_stand_first_and_newer_before_older_among_equals(opened: Database, store: FactStore) -> None:
    long, older, newer = add(store, "lagoon crane whale anchor", "lagoon crane", "lagoon whale")
    assert indexed(opened, "lagoon") == [newer, older, long]


def test_changed_and_removed_facts_leave_nothing_behind(opened: Database, store: FactStore) -> None:
    kept, changed, removed = add(store, "lagoon crane", "lagoon whale whale", "lagoon anchor")
    store.update(changed, FactChange(content="mountain goat"))
    store.remove([removed])
    assert indexed(opened, "lagoon") == [kept]
    assert indexed(opened, "whale") == indexed(opened, "whale" + index.TWICE) == []
    assert indexed(opened, "goat") == [changed]
    assert totals(opened) == (2, 4)


def test_repeated_terms_are_marked(opened: Database, store: FactStore) -> None:
    once, twice = add(store, "whale lagoon", "whale meets whale")
    assert sorted(indexed(opened, "whale")) == [once, twice]
    assert indexed(opened, "whale" + index.TWICE) == [twice]


def test_single_characters_find_every_term_that_starts_with_them(opened: Database, store: FactStore) -> None:
    (fact_id,) = add(store, "深色主题")
    assert [indexed(opened, character) for character in "深色主题"] == [[fact_id]] * 4


def test_facts_of_another_program_are_found_at_once(opened: Database, store: FactStore) -> None:
    add(store, "lagoon crane")
    foreign(opened, "INSERT INTO facts(content) VALUES ('lighthouse keeper')")
    assert len(found(store, "lighthouse")) == 1
    foreign(opened, "UPDATE facts SET content = 'mill wheel' WHERE content = 'lighthouse keeper'")
    assert found(store, "lighthouse") == []
    assert len(found(store, "mill")) == 1
    foreign(opened, "DELETE FROM facts WHERE content = 'mill wheel'")
    assert found(store, "mill") == []


@pytest.mark.parametrize("raw", [b"\xc4\xe3\xba\xc3 kiwi", b"\xe9 kiwi", b"kiwi \xed\xa0\x80", b"kiwi \xf0\x9f"])
@pytest.mark.parametrize("column", ["content", "tags", "summary", "category", "created_at"])
def test_badly_encoded_text_stands_in_nobodys_way(opened: Database, store: FactStore, column: str, raw: bytes) -> None:
    kept, odd = add(store, "lagoon crane", "lagoon kiwi")
    foreign(opened, f"UPDATE facts SET {column} = CAST(? AS TEXT) WHERE fact_id = ?", raw, odd)
    assert sorted(found(store, "lagoon kiwi")) == [kept, odd]
    assert found(store, "crane", FactFilter(tags=("kiwi",))) == []
    assert store.list(ANY, 10)[1] == 2
    store.rate(odd, is_helpful=True)
    store.update(odd, FactChange(summary="kiwi"))
    assert store.remove([odd]) == ([odd], [])
    assert found(store, "kiwi") == []


def test_texts_that_differ_only_in_what_cannot_be_read_can_be_updated(opened: Database, store: FactStore) -> None:
    for raw in (b"kiwi \xe9", b"kiwi \xe8"):
        foreign(opened, "INSERT INTO facts(content) VALUES (CAST(? AS TEXT))", raw)
    assert store.update(2, FactChange(tags="fruit")).tags == "fruit"
    with opened.reading() as connection:
        assert connection.execute("SELECT hex(content) FROM facts WHERE fact_id = 2").fetchone() == ("6B69776920E8",)


DAMAGES = {
    "triggers dropped": "DROP TRIGGER facts_ai; DROP TRIGGER facts_ad; DROP TRIGGER facts_au",
    "history's triggers dropped": "DROP TRIGGER facts_history_ai; DROP TRIGGER facts_history_ad",
    "index dropped": "DROP TABLE facts_fts",
    "index's tables dropped": "DROP TABLE index_documents; DROP TABLE index_notes; DROP TABLE index_state",
    "names dropped": "DROP TABLE entity_keys; DROP TABLE fact_marks; DROP TABLE taught_words",
    "own links dropped": "DROP TABLE own_links",
    "versions dropped": "DROP TABLE fact_versions",
    "log dropped": "DROP TABLE retrieval_log",
    "index and triggers of the original": "DROP TRIGGER facts_ai; DROP TRIGGER facts_ad; DROP TRIGGER facts_au; "
    "DROP TABLE facts_fts; "
    + ORIGINAL_LAYOUT[ORIGINAL_LAYOUT.index("CREATE VIRTUAL TABLE") :]
    + "INSERT INTO facts_fts(facts_fts) VALUES ('rebuild')",
    "table of facts made anew": "CREATE TABLE copied (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "content TEXT NOT NULL UNIQUE); INSERT INTO copied SELECT fact_id, content FROM facts; DROP TABLE facts; "
    "ALTER TABLE copied RENAME TO facts",
}

WRITES_FAIL = {"index's tables dropped", "versions dropped"}  # of other programs, until mnemo has repaired them


@pytest.mark.parametrize("when", ["while it is open", "before it is opened"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_another_program_drops_or_replaces_is_made_anew(path: Path, damage: str, when: str) -> None:
    memory = Database(path)
    store = FactStore(memory)
    kept, changed, gone = add(store, "Lagoon crane of Nadia Okonkwo", "lagoon whale", "lagoon anchor")
    if when == "before it is opened":
        memory.close()
    with closing(sqlite3.connect(path)) as other:
        other.executescript(DAMAGES[damage])
        if damage not in WRITES_FAIL:
            other.execute("UPDATE facts SET content = 'lagoon goat' WHERE fact_id = ?", (changed,))
            other.execute("DELETE FROM facts WHERE fact_id = ?", (gone,))
            other.execute("INSERT INTO facts(content) VALUES ('lagoon seal')")
            other.commit()
            expected = ["goat", "seal"]
        else:
            expected = ["whale", "anchor"]
    if when == "before it is opened":
        memory = Database(path)
        store = FactStore(memory)
    for word in ("whale", "anchor", "goat", "seal"):
        assert len(found(store, word)) == (word in expected)
    assert found(store, "crane") == [kept]
    (late,) = add(store, "lagoon mill")
    assert found(store, "mill") == [late]
    store.update(late, FactChange(content="lagoon wheel"))
    assert found(store, "mill") == []
    assert store.remove([late]) == ([late], [])
    with memory.reading() as connection:
        assert entity_index.facts_with(connection, "Nadia Okonkwo") == {kept}
        assert schema.is_whole(connection)
    memory.close()


def test_a_repair_waits_for_no_other_writer(opened: Database, store: FactStore) -> None:
    add(store, "lagoon crane")
    with closing(sqlite3.connect(opened.path, isolation_level=None)) as other:
        other.execute("DROP TRIGGER facts_ai")
        other.execute("BEGIN IMMEDIATE")
        assert found(store, "lagoon") == [1]
        other.execute("INSERT INTO facts(content) VALUES ('lagoon goat')")
        other.execute("COMMIT")
    assert found(store, "goat") == [2]


def test_a_repair_is_not_left_out_for_a_write_that_ends_in_a_moment(
    opened: Database, store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, "harbour crane")
    foreign(opened, "DROP TRIGGER facts_ai")
    foreign(opened, "INSERT INTO facts(content) VALUES ('harbour goat')")
    refused = iter([True])

    def begin(connection: sqlite3.Connection, wait_milliseconds: int) -> None:
        if next(refused, False):
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        begin_at_once(connection, wait_milliseconds)

    monkeypatch.setattr(database, "begin_at_once", begin)
    assert found(store, "goat") == [2]


def test_a_repair_waits_for_a_short_write_of_our_own(opened: Database, store: FactStore) -> None:
    add(store, "lagoon crane")
    begun = threading.Event()

    def write() -> None:
        with opened.writing():
            begun.set()
            time.sleep(0.2)

    with closing(sqlite3.connect(opened.path)) as other:
        other.executescript("DROP TRIGGER facts_ai; INSERT INTO facts(content) VALUES ('lagoon goat')")
    with ThreadPoolExecutor() as others:
        others.submit(write)
        assert begun.wait(10)
        assert found(store, "goat") == [2]


def test_a_search_waits_once_for_a_slow_write_of_our_own_however_much_it_would_write(
    opened: Database, store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "OWN_WRITE_SECONDS", 0.5)
    add(store, "lagoon crane")
    begun, may_end = threading.Event(), threading.Event()

    def write() -> None:
        with opened.writing():
            begun.set()
            may_end.wait(10)

    with closing(sqlite3.connect(opened.path)) as other:
        other.execute("DROP TRIGGER facts_ai")
    with ThreadPoolExecutor() as others:
        others.submit(write)
        assert begun.wait(10)
        began = time.monotonic()
        assert found(store, "crane") == [1]
        with opened.writing_at_once(is_log=True) as connection:
            assert connection is None
        assert time.monotonic() - began < 2 * database.OWN_WRITE_SECONDS
        may_end.set()
    with opened.writing_at_once() as connection:
        assert connection is not None


@pytest.mark.parametrize(
    "table",
    ["index_terms", "index_documents", "index_ranks", "index_state", "index_notes", "taught_words"],
)
def test_what_is_dropped_under_a_lock_is_told_and_made_anew_afterwards(
    opened: Database, store: FactStore, table: str
) -> None:
    add(store, "lagoon crane")
    with closing(sqlite3.connect(opened.path, isolation_level=None)) as other:
        other.execute(f"DROP TABLE {table}")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(MemoryBusyError) as caught:
            found(store, "lagoon")
        assert str(caught.value) == (
            f"Another program dropped or replaced tables of the memory file {opened.path} and keeps it locked; they "
            "are made anew as soon as it lets go. Try again in a moment."
        )
        other.execute("ROLLBACK")
    assert found(store, "lagoon") == [1]


def test_no_lock_is_made_responsible_for_tables_that_are_there(opened: Database) -> None:
    with pytest.raises(MemoryFileError) as caught, opened.reading() as connection:
        connection.execute("SELECT nothing FROM facts")
    assert not isinstance(caught.value, MemoryBusyError)


def test_no_ghost_appears_while_another_program_holds_the_lock(opened: Database, store: FactStore) -> None:
    gone, changed = add(store, "lagoon crane", "lagoon whale")
    foreign(opened, "DELETE FROM facts WHERE fact_id = ?", gone)
    foreign(opened, "UPDATE facts SET content = 'mill wheel' WHERE fact_id = ?", changed)
    with closing(sqlite3.connect(opened.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert found(store, "lagoon") == []
        assert found(store, "mill") == [changed]


@pytest.mark.parametrize("fact_id", [-5, places.LARGEST_ID + 1])
def test_a_fact_whose_id_has_no_place_is_found_all_the_same(opened: Database, store: FactStore, fact_id: int) -> None:
    foreign(opened, "INSERT INTO facts(fact_id, content) VALUES (?, 'lighthouse keeper')", fact_id)
    assert found(store, "lighthouse") == [fact_id]
    store.refresh()
    assert found(store, "lighthouse") == [fact_id]
    with opened.reading() as connection:
        assert not index.needs_refresh(connection)


def test_filter_chooses_before_the_limit_among_very_many(opened: Database, store: FactStore) -> None:
    add(store, *(f"lagoon note {number}" for number in range(postings.MOST_POSTINGS + 500)))
    (wanted,) = add(store, "the lagoon of the old town has one crane that is painted green", category="tool_pref")
    assert found(store, "lagoon", FactFilter(category="tool_pref"), 3) == [wanted]
    foreign(opened, "UPDATE facts SET trust_score = 0.95 WHERE fact_id = ?", wanted)
    assert found(store, "lagoon", FactFilter(min_trust=0.9), 3) == [wanted]


def test_postings_read_are_bounded_whatever_the_size(store: FactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    add(store, *(f"lagoon crane {number} whale" for number in range(2 * postings.MOST_POSTINGS)))
    read: list[int] = []
    plain = Readings.places

    def counted(readings: Readings, match: str, limit: int) -> Sequence[int]:
        places = plain(readings, match, limit)
        read.append(len(places))
        return places

    monkeypatch.setattr(Readings, "places", counted)
    assert len(found(store, "lagoon whale")) == 10
    assert sum(read) <= 2 * postings.MOST_POSTINGS + postings.PAIR_POSTINGS
    assert max(read) == postings.MOST_POSTINGS


def test_facts_with_both_of_two_common_words_come_first(store: FactStore) -> None:
    add(store, *(f"{word} {number}" for word in ("lagoon", "whale") for number in range(postings.MOST_POSTINGS + 50)))
    (both,) = add(store, "whale watching starts at the lagoon")
    assert found(store, "lagoon whale", limit=3)[0] == both


def test_common_words_are_counted_about_right(opened: Database, store: FactStore) -> None:
    holders = 2 * postings.MOST_POSTINGS
    add(store, *(f"{'lagoon' if number % 2 else 'mountain'} {number}" for number in range(2 * holders)))
    with opened.reading() as connection:
        choice = candidates.choose(Readings(connection), lexicon.concepts("lagoon"), ANY, 10)
    assert choice.corpus.documents == 2 * holders
    assert choice.corpus.document_frequencies["lagoon"] == pytest.approx(holders, rel=0.05)


@pytest.mark.parametrize("lengths", [1, 7], ids=["all facts alike long", "facts of several lengths"])
def test_common_characters_are_counted_about_right(
    opened: Database, store: FactStore, lengths: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "MOST_POSTINGS", 150)
    contents = []
    for number in range(1_000):
        length = 1 + number % lengths  # the longer a fact, the likelier it holds the word
        word = "灯塔" if number * 7 % 10 < (1 + length) * 5 / lengths else "码头"
        contents.append(" ".join([word, f"note{number}", *(f"word{place}" for place in range(length))]))
    add(store, *contents)
    with opened.reading() as connection:
        choice = candidates.choose(Readings(connection), lexicon.concepts("灯"), ANY, 10)
    holders = sum("灯" in content for content in contents)
    assert choice.corpus.document_frequencies["灯"] == pytest.approx(holders, rel=0.2)


SPREADS = {
    "side by side": "SELECT 1",
    "one far off": f"UPDATE facts SET fact_id = {places.LARGEST_ID} WHERE fact_id = 500",
    "two clusters": "UPDATE facts SET fact_id = fact_id + 1000000000 WHERE fact_id > 250",
    "every second gone": "DELETE FROM facts WHERE fact_id % 2",
    "most of the old gone": "DELETE FROM facts WHERE fact_id BETWEEN 20 AND 500",
    "wide apart at the end": "UPDATE facts SET fact_id = fact_id * 100000 WHERE fact_id > 200",
}


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
def test_the_spread_of_ids_does_not_matter_for_how_common_words_are(
    opened: Database, store: FactStore, spread: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"lagoon": 60, "crane": 25, "timber": 14, "灯塔": 40}  # per cent of the facts that hold them

    def holds(number: int, place: int) -> bool:
        return (number * 7919 + place * 31) * 104729 % 1009 % 100 < list(words.values())[place]

    add(
        store,
        *(
            " ".join([f"note{number}", *(word for place, word in enumerate(words) if holds(number, place))])
            for number in range(1_000)
        ),
    )
    foreign(opened, spread)
    store.refresh()
    for name, value in (("MOST_POSTINGS", 60), ("LEAST_POSTINGS", 20), ("ENDS", (80, 150)), ("ENOUGH_HOLDERS", 50)):
        monkeypatch.setattr(postings, name, value)
    asked = lexicon.concepts("lagoon crane timber") + lexicon.concepts("灯")
    with opened.reading() as connection:
        choice = candidates.choose(Readings(connection), asked, ANY, 10)
        contents = [row[0] for row in connection.execute("SELECT content FROM facts")]
    frequencies = choice.corpus.document_frequencies
    for word in ("lagoon", "crane", "timber"):
        assert frequencies[word] == pytest.approx(sum(word in content for content in contents), rel=0.25), word
    assert frequencies["灯"] == pytest.approx(sum("灯" in content for content in contents), rel=0.5)


def test_alternatives_of_a_common_word_are_counted_with_it(
    opened: Database, store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "MOST_POSTINGS", 150)
    add(store, *(f"lagoon {number}" for number in range(300)), *(f"码头 {number}" for number in range(20)))
    lagoon = lexicon.Concept("lagoon", (("lagoon", 1.0), ("码头", 0.7)))
    with opened.reading() as connection:
        choice = candidates.choose(Readings(connection), [lagoon], ANY, 10)
    assert choice.corpus.document_frequencies["lagoon"] == pytest.approx(320, rel=0.1)


def test_facts_with_all_of_three_common_words_come_first(store: FactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "MOST_POSTINGS", 150)
    monkeypatch.setattr(postings, "PAIR_POSTINGS", 20)
    words = ("lagoon", "whale", "mountain")
    add(
        store,
        *(f"{one} {other} {n}" for n in range(200) for one, other in zip(words, words[1:] + words[:1], strict=True)),
    )
    (every,) = add(store, "whale watching from the mountain above the old lagoon of the northern town")
    assert every in found(store, "lagoon whale mountain", limit=3)


def test_words_with_few_holders_are_counted_exactly(opened: Database, store: FactStore) -> None:
    add(store, "lagoon crane", "lagoon whale", "mountain goat")
    with opened.reading() as connection:
        choice = candidates.choose(Readings(connection), lexicon.concepts("lagoon goat"), ANY, 10)
    assert choice.corpus.document_frequencies == {"lagoon": 2, "goat": 1}


def test_much_the_same_facts_are_found_among_many_that_share_words(store: FactStore) -> None:
    add(store, *(f"lagoon crane number {number} lifts timber" for number in range(alike.POSTINGS + 20)))
    (near,) = add(store, "the lighthouse keeper paints his door green in spring")
    found = Retriever(store).similar("the lighthouse keeper paints his door green in autumn")
    assert [fact.fact_id for fact, _ in found] == [near]


def test_a_batch_reports_its_own_duplicates(store: FactStore) -> None:
    first, again, other = store.add([NewFact("Lagoon crane"), NewFact("lagoon  crane."), NewFact("mill")])
    assert (again.fact_id, again.is_duplicate) == (first.fact_id, True)
    assert not other.is_duplicate


def test_searches_leave_the_disk_to_the_writer(
    opened: Database, store: FactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fact_id,) = add(store, "lagoon crane")
    log, file = RetrievalLog(opened), opened.path.with_name("facts.db-wal")
    opened.shorten_log()
    before = opened.path.read_bytes()
    while file.stat().st_size < 1_500 * 4_096:  # SQLite would move a log of 1000 pages by itself
        log.add("lagoon " * 500, [(fact_id, 0.5)])
    assert opened.path.read_bytes() == before
    monkeypatch.setattr(database, "LONGEST_LOG", 4_096)
    opened.shorten_log()
    assert opened.path.read_bytes() != before
