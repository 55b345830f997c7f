"""What facts were: kept whoever changes them, limited, taken back by whole changes, destroyed on demand."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo import versions
from mnemo.errors import (
    DuplicateContentError,
    FactNotFoundError,
    InvalidArgumentError,
    MemoryBusyError,
    MemoryFileError,
)
from mnemo.history import HistoryStore
from mnemo.memory import Memory
from mnemo.storage.database import Database
from tests.conftest import rows


@pytest.fixture
def history(memory: Memory) -> HistoryStore:
    return memory.parts.history


def add(memory: Memory, content: str, **more: Any) -> int:
    return int(memory.fact_store({"action": "add", "content": content, **more})["fact_id"])


def kinds(path: Path, fact_id: int) -> list[Any]:
    return [row[0] for row in rows(path, "SELECT kind FROM fact_versions WHERE fact_id = ? ORDER BY 1", fact_id)]


def update_and_wear_out(memory: Memory, path: Path) -> None:
    """Store a fact, change its text, and let it look often returned and never helpful: each start demotes it."""
    add(memory, "one")
    memory.fact_store({"action": "update", "fact_id": 1, "content": "two"})
    rows(path, "UPDATE facts SET retrieval_count = 40")


# --- what is kept ---


def test_an_update_that_changes_nothing_leaves_no_version(memory: Memory, path: Path) -> None:
    add(memory, "Whales sleep at sea")
    memory.fact_store({"action": "update", "fact_id": 1, "tags": ""})
    assert kinds(path, 1) == ["add"]


def test_a_rating_of_a_long_fact_keeps_no_text_again(memory: Memory, path: Path) -> None:
    add(memory, "x" * 100_000)
    memory.fact_feedback({"action": "helpful", "fact_id": 1})
    assert rows(path, "SELECT kind, size, content FROM fact_versions ORDER BY version_id") == [
        ("add", 200, None),
        ("use", 200, None),
    ]


def test_texts_of_a_rating_are_those_that_the_fact_had(memory: Memory, history: HistoryStore) -> None:
    add(memory, "Whales sleep at sea")
    memory.fact_feedback({"action": "helpful", "fact_id": 1})
    memory.fact_store({"action": "update", "fact_id": 1, "content": "Whales sleep upright"})
    states = [version.before and version.before["content"] for version in history.of(1).versions]
    assert states == ["Whales sleep at sea", "Whales sleep at sea", None]


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("INSERT OR IGNORE INTO facts(content) VALUES ('one')", ["add"]),
        ("INSERT OR REPLACE INTO facts(content, tags) VALUES ('one', 'b')", ["add", "remove"]),
        ("INSERT OR REPLACE INTO facts(fact_id, content) VALUES (1, 'two')", ["add", "add", "remove"]),
        ("UPDATE facts SET trust_score = 0.9", ["add", "use"]),
        ("UPDATE facts SET retrieval_count = 9, last_retrieved_at = '2026-01-01 00:00:00'", ["add"]),
        ("UPDATE facts SET fact_id = 5", ["add", "remove"]),
        ("DELETE FROM facts", ["add", "remove"]),
    ],
)
def test_each_way_of_another_program_is_kept(memory: Memory, path: Path, statement: str, left: list[str]) -> None:
    add(memory, "one")
    rows(path, statement)
    assert kinds(path, 1) == left


def test_an_ignored_row_leaves_nothing_for_a_later_one(memory: Memory, path: Path) -> None:
    add(memory, "one")
    rows(path, "INSERT OR IGNORE INTO facts(content) VALUES ('one')")
    rows(path, "DELETE FROM facts WHERE fact_id = 1")
    rows(path, "INSERT INTO facts(content) VALUES ('two')")
    assert kinds(path, 1) == ["add", "remove"]


def test_versions_are_signed(memory: Memory, path: Path) -> None:
    with freeze_time("2026-03-04 05:06:07"):
        add(memory, "one")
        rows(path, "UPDATE facts SET retrieval_count = 40")
        memory.learn_at_startup()
    signed = rows(path, "SELECT action, source, changed_at FROM fact_versions ORDER BY version_id")
    assert signed == [("add", "tool", "2026-03-04 05:06:07"), ("learn", "start-up", "2026-03-04 05:06:07")]


def test_a_failed_write_leaves_no_version(memory: Memory, path: Path) -> None:
    add(memory, "one")
    add(memory, "two")
    with pytest.raises(DuplicateContentError):
        memory.fact_store({"action": "update", "fact_id": 2, "content": "one"})
    assert rows(path, "SELECT count(*) FROM fact_versions") == [(2,)]


# --- limits ---


def fill(path: Path, ratings: int, changed_at: str = "2026-01-01 00:00:00") -> None:
    """Change fact 1 so often: its text first, then its trust."""
    rows(path, "UPDATE facts SET content = 'changed ' || content WHERE fact_id = 1")
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(ratings):
            connection.execute("UPDATE facts SET trust_score = ? WHERE fact_id = 1", (number / 1000,))
        connection.execute("UPDATE fact_versions SET changed_at = ?", (changed_at,))


@pytest.mark.parametrize(("most_bytes", "most_days"), [(0, 10_000), (10**9, 0)], ids=["size", "age"])
def test_the_newest_version_and_the_newest_text_stay(
    memory: Memory, path: Path, most_bytes: int, most_days: int
) -> None:
    add(memory, "one")
    add(memory, "two")
    fill(path, 10)
    with memory.parts.database.writing() as connection:
        versions.prune(connection, most_bytes, most_days)
    assert rows(path, "SELECT fact_id, kind FROM fact_versions ORDER BY version_id") == [
        (2, "add"),
        (1, "texts"),
        (1, "use"),  # which is not shown
        (1, "use"),
    ]
    found = memory.parts.history.of(1).versions
    assert [version.before and version.before["content"] for version in found] == ["changed one", "one"]


def test_the_size_is_that_of_the_newest_versions(memory: Memory, path: Path) -> None:
    add(memory, "one")
    fill(path, 10)
    with memory.parts.database.writing() as connection:
        versions.prune(connection, 5 * 200, 10_000)
    assert kinds(path, 1) == ["texts", *["use"] * 6]
    assert len(memory.parts.history.of(1).versions) == 6  # one is kept for what it tells of the text's change alone


def test_single_versions_are_kept_and_cost_no_adding_up(memory: Memory, path: Path) -> None:
    for number in range(3):
        add(memory, f"fact number {number}")
    asked: list[str] = []
    with memory.parts.database.writing() as connection:
        connection.set_trace_callback(asked.append)
        versions.prune(connection, 0, 0)
        connection.set_trace_callback(None)
    assert len(asked) == 1
    assert rows(path, "SELECT count(*) FROM fact_versions") == [(3,)]


def test_versions_are_too_old_up_to_the_first_that_is_not(memory: Memory, path: Path) -> None:
    add(memory, "one")
    fill(path, 6, "2001-01-01 00:00:00")
    rows(path, "UPDATE fact_versions SET changed_at = '2999-01-01 00:00:00' WHERE version_id = 5")
    with memory.parts.database.writing() as connection:
        versions.prune(connection)
    assert [one.version_id for one in memory.parts.history.of(1).versions] == [8, 7, 6, 5, 2]


def test_large_changes_are_limited_at_once(memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "prune", lambda connection: pruned.append(connection))
    pruned: list[object] = []
    add(memory, "a" * 100_000)
    memory.fact_store({"action": "update", "fact_id": 1, "content": "b"})
    assert len(pruned) == 1
    memory.fact_store({"action": "update", "fact_id": 1, "content": "c"})
    assert len(pruned) == 1


def test_a_start_forgets_what_is_too_old(memory: Memory, path: Path) -> None:
    add(memory, "one")
    fill(path, 3, "2001-01-01 00:00:00")
    memory.learn_at_startup()
    assert [one.before and one.before["content"] for one in memory.parts.history.of(1).versions] == [
        "changed one",
        "one",
    ]


# --- taking back ---


def test_learning_is_taken_back_as_a_whole(memory: Memory, history: HistoryStore, path: Path) -> None:
    for number in range(3):
        add(memory, f"fact number {number}")
    rows(path, "UPDATE facts SET retrieval_count = 40 WHERE fact_id < 3")
    memory.fact_store({"action": "learn"})
    undone = history.undo("learn")
    assert undone is not None
    assert (undone.action, undone.facts, undone.left) == ("learn", [1, 2], [])
    assert rows(path, "SELECT DISTINCT trust_score FROM facts") == [(0.5,)]


def test_start_up_is_passed_over_unless_learning_is_asked_for(
    memory: Memory, history: HistoryStore, path: Path
) -> None:
    add(memory, "one")
    rows(path, "UPDATE facts SET retrieval_count = 40")
    memory.learn_at_startup()
    last, learned = history.last_change(), history.last_change("learn")
    assert last is not None
    assert learned is not None
    assert (last.action, learned.source) == ("add", "start-up")


def test_a_change_under_a_later_one_is_taken_back_field_by_field(
    memory: Memory, history: HistoryStore, path: Path
) -> None:
    update_and_wear_out(memory, path)
    memory.learn_at_startup()
    undone = history.undo()
    assert undone is not None
    assert (undone.action, undone.facts) == ("update", [1])
    assert rows(path, "SELECT content, trust_score FROM facts") == [("one", 0.45)]


@pytest.mark.parametrize(
    ("later", "left"),
    [
        ("UPDATE facts SET trust_score = 0.7", [1]),
        ("DELETE FROM facts", [1]),
        ("UPDATE facts SET content = 'two'", []),
    ],
)
def test_what_was_changed_since_is_left(
    memory: Memory, history: HistoryStore, path: Path, later: str, left: list[int]
) -> None:
    add(memory, "one")
    rows(path, "UPDATE facts SET retrieval_count = 40")
    memory.fact_store({"action": "learn"})
    rows(path, later)
    undone = history.undo("learn")
    assert undone is not None
    assert undone.left == left


def test_a_removal_whose_text_is_taken_is_left(memory: Memory, history: HistoryStore, path: Path) -> None:
    add(memory, "one")
    memory.fact_store({"action": "remove", "fact_id": 1})
    rows(path, "INSERT INTO facts(content) VALUES ('one')")
    rows(path, "UPDATE fact_versions SET action = 'undo' WHERE fact_id = 2")  # as if that were no change to take back
    undone = history.undo()
    assert undone is not None
    assert (undone.action, undone.facts, undone.left) == ("remove", [], [1])


def test_another_program_s_change_is_taken_back(memory: Memory, history: HistoryStore, path: Path) -> None:
    add(memory, "one")
    rows(path, "DELETE FROM facts")
    undone = history.undo()
    assert undone is not None
    assert (undone.action, undone.source, undone.facts) == ("remove", "another program", [1])
    assert rows(path, "SELECT content FROM facts") == [("one",)]


OPERATIONS: list[Callable[[Memory, int], object]] = [
    lambda memory, n: add(memory, f"Olivia keeps note {n} (n{n}：笔记{n})"),
    lambda memory, n: memory.fact_store({"action": "update", "fact_id": n, "content": f"updated {n}", "tags": "t"}),
    lambda memory, n: memory.fact_store({"action": "update", "fact_id": n, "trust_delta": 0.1, "expires_at": "1d"}),
    lambda memory, n: memory.fact_store({"action": "update", "fact_id": n, "supersedes": n + 1}),
    lambda memory, n: memory.fact_store({"action": "remove", "fact_id": n}),
    lambda memory, n: memory.fact_feedback({"action": "unhelpful", "fact_id": n}),
    lambda memory, n: memory.fact_store({"action": "restore", "fact_id": n}),
    lambda memory, n: memory.fact_store({"action": "learn"}),
]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(1, 3)), max_size=12))
def test_any_changes_are_all_taken_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Callable[[Memory, int], object], int]]
) -> None:
    path = tmp_path_factory.mktemp("undone") / "facts.db"
    with closing(Memory(path)) as memory:
        for number in range(2):
            add(memory, f"first {number}")
        memory.fact_store({"action": "remove", "fact_id": 2})
        fields = "fact_id, content, summary, category, tags, trust_score, helpful_count, superseded_by, expires_at"
        before = rows(path, f"SELECT {fields} FROM facts ORDER BY 1")
        rows(path, "UPDATE fact_versions SET action = 'undo'")  # what is taken back ends here
        for operation, number in steps:
            try:
                operation(memory, number)
            except (FactNotFoundError, InvalidArgumentError, DuplicateContentError):
                continue
        while memory.parts.history.undo() is not None:
            pass
        assert rows(path, f"SELECT {fields} FROM facts ORDER BY 1") == before
        assert rows(path, "SELECT count(*) FROM index_notes") == [(0,)]


def shown(memory: Memory, fact_id: int) -> dict[int, Any]:
    """Return what the history says of each version of a fact."""
    try:
        answer = memory.fact_store({"action": "history", "fact_id": fact_id, "limit": 1_000})
    except FactNotFoundError:
        return {}
    return {version["version"]: version for version in answer["versions"]}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(1, 2)), max_size=15), st.integers(0, 10))
def test_what_is_kept_says_the_same_after_others_are_forgotten(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Callable[[Memory, int], object], int]], kept: int
) -> None:
    with closing(Memory(tmp_path_factory.mktemp("pruned") / "facts.db")) as memory:
        for number in range(2):
            add(memory, f"first {number}")
        for operation, number in steps:
            try:
                operation(memory, number)
            except (FactNotFoundError, InvalidArgumentError, DuplicateContentError):
                continue
        before = {fact_id: shown(memory, fact_id) for fact_id in (1, 2)}
        for most_bytes in (kept * 220, kept * 110, 0):
            with memory.parts.database.writing() as connection:
                versions.prune(connection, most_bytes, 10_000)
            for fact_id, every in before.items():
                left = shown(memory, fact_id)
                assert left == {version: every[version] for version in left}
                assert max(left) == max(every)


def test_a_change_of_which_the_next_is_forgotten_is_taken_back_alone(
    memory: Memory, history: HistoryStore, path: Path
) -> None:
    update_and_wear_out(memory, path)
    for _ in range(3):
        memory.learn_at_startup()
        rows(path, "DELETE FROM startup_learning")
    with memory.parts.database.writing() as connection:
        versions.prune(connection, 0, 10_000)
    last = history.last_change()
    assert last is not None
    assert (last.action, last.facts) == ("update", [1])
    (trust,) = rows(path, "SELECT trust_score FROM facts")[0]
    undone = history.undo()
    assert undone is not None
    assert (undone.facts, undone.left) == ([1], [])
    assert rows(path, "SELECT content, trust_score FROM facts") == [("one", trust)]


# --- destroying ---

SECRET = "The vault opens with " + "swordfish-and-chips"


def holders(path: Path, word: bytes = b"swordfish") -> list[str]:
    return [file.name for file in path.parent.iterdir() if word in file.read_bytes()]


def test_nothing_holds_a_purged_fact(memory: Memory, history: HistoryStore, path: Path) -> None:
    add(memory, "Whales sleep at sea")
    add(memory, SECRET, summary="swordfish opens the vault", tags="swordfish")
    memory.fact_store({"action": "update", "fact_id": 2, "tags": "vault"})
    memory.fact_store({"action": "search", "query": "swordfish"})
    memory.fact_store({"action": "search", "query": "whales"})
    memory.fact_store({"action": "remove", "fact_id": 2})
    assert holders(path) != []
    assert history.purge([2, 9]) == ([2], True)
    assert holders(path) == []
    assert rows(path, "SELECT query FROM retrieval_log") == [("whales",)]
    assert memory.fact_store({"action": "search", "query": "whales"})["count"] == 1
    with pytest.raises(FactNotFoundError):
        history.of(2)


def test_a_reader_keeps_the_write_ahead_log_and_that_is_told(memory: Memory, path: Path) -> None:
    add(memory, SECRET)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM facts").fetchone()
        assert memory.parts.history.purge([1]) == ([1], False)
        reader.execute("COMMIT")


def test_a_purge_that_meets_a_lock_at_its_end_can_be_finished(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.fact_store({"action": "add", "content": "the password is hunter2hunter2"})
    rewrite = Database.rewrite
    with closing(sqlite3.connect(path, isolation_level=None)) as other:

        def lock_and_rewrite(database: Database) -> bool:
            other.execute("BEGIN IMMEDIATE")
            return rewrite(database)

        monkeypatch.setattr(Database, "rewrite", lock_and_rewrite)
        assert memory.parts.history.purge([1]) == ([1], False)
        other.execute("ROLLBACK")
    monkeypatch.undo()
    assert memory.parts.history.purge([1]) == ([], True)
    beside = [file.read_bytes() for file in path.parent.glob(f"{path.name}*")]
    assert not any(b"hunter2hunter2" in content for content in beside)


def test_a_locked_file_is_not_purged(memory: Memory, path: Path) -> None:
    add(memory, SECRET)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(MemoryBusyError):
            memory.parts.history.purge([1])
    assert memory.fact_store({"action": "get", "fact_id": 1})["count"] == 1


def test_an_id_is_not_given_again_after_a_purge(memory: Memory, history: HistoryStore) -> None:
    add(memory, SECRET)
    history.purge([1])
    assert add(memory, "Whales sleep at sea") == 2


def test_the_size_is_looked_at_less_often_within_a_large_import(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "prune", lambda connection: pruned.append(connection))
    pruned: list[object] = []
    change = versions.Change("import")
    for number in range(30):
        with versions.recording(memory.parts.database, change) as connection:
            connection.executemany("INSERT INTO facts(content) VALUES (?)", [(f"{number} {i}",) for i in range(500)])
    assert len(pruned) == 2  # at the first part, and when 2 MB more have come together


@pytest.mark.parametrize("way", ["restored", "undone"])
def test_facts_never_hide_each_other(memory: Memory, history: HistoryStore, way: str) -> None:
    memory.fact_store({"action": "add", "content": "office in room six"})
    memory.fact_store({"action": "add", "content": "office in room nine", "supersedes": 1})
    memory.fact_store({"action": "update", "fact_id": 1, "supersedes": 2})
    if way == "restored":
        newest = memory.fact_store({"action": "history", "fact_id": 1})["versions"][0]
        memory.fact_store({"action": "restore", "fact_id": 1, "version": newest["version"]})
    else:
        history.undo()
    shown = memory.fact_store({"action": "list"})["facts"]
    assert [fact["content"] for fact in shown] == ["office in room nine"]
    everything = memory.fact_store({"action": "list", "include_superseded": True})["facts"]
    assert {fact["fact_id"]: fact.get("superseded_by") for fact in everything} == {1: 2, 2: None}


def test_a_fact_that_comes_back_hides_none_that_hides_it(memory: Memory) -> None:
    for content in ("office in room six", "office in room nine"):
        memory.fact_store({"action": "add", "content": content})
    memory.fact_store({"action": "update", "fact_id": 2, "supersedes": 1})
    memory.fact_store({"action": "remove", "fact_id": 1})
    with closing(sqlite3.connect(memory.path)) as other, other:
        other.execute("UPDATE facts SET superseded_by = 1 WHERE fact_id = 2")
    memory.fact_store({"action": "restore", "fact_id": 1})
    assert [fact["fact_id"] for fact in memory.fact_store({"action": "list"})["facts"]] == [2]


def test_a_fact_whose_successor_is_gone_names_none(memory: Memory) -> None:
    memory.fact_store({"action": "add", "content": "the cat sleeps"})
    memory.fact_store({"action": "add", "content": "the dog barks", "supersedes": 1})
    memory.fact_store({"action": "remove", "fact_id": 2})
    (fact,) = memory.fact_store({"action": "list"})["facts"]
    assert "superseded_by" not in fact
    memory.fact_store({"action": "restore", "fact_id": 2})
    assert memory.fact_store({"action": "get", "fact_id": 1})["facts"][0]["superseded_by"] == 2


def test_a_purge_is_told_though_the_disk_is_too_full_to_write_the_file_anew(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(memory, SECRET)

    def full(_: Database) -> bool:
        raise MemoryFileError("The disk is full.")

    monkeypatch.setattr(Database, "rewrite", full)
    assert memory.parts.history.purge([1]) == ([1], False)
    assert memory.fact_store({"action": "list"})["total"] == 0


def test_texts_that_went_unseen_are_told_to_be_unknown(memory: Memory, path: Path) -> None:
    add(memory, "Tea is served at four")
    change = memory.fact_store({"action": "update", "fact_id": 1, "trust_delta": 0.1})
    assert change["updated"]
    triggers = [str(name) for (name,) in rows(path, "SELECT name FROM sqlite_master WHERE type = 'trigger'")]
    for statement in (*(f"DROP TRIGGER {name}" for name in triggers), "DELETE FROM facts"):
        rows(path, statement)
    versions = memory.fact_store({"action": "history", "fact_id": 1})["versions"]
    assert [version["action"] for version in versions] == ["update", "add"]
    assert "content" not in versions[0]["before"]
    assert versions[0]["before"]["trust_score"] == 0.5
    for chosen in ({}, {"version": versions[0]["version"]}):
        with pytest.raises(InvalidArgumentError, match=r"the texts of fact 1 before version \d+ are not known"):
            memory.fact_store({"action": "restore", "fact_id": 1, **chosen})
    undone = memory.parts.history.undo()
    assert undone is not None
    assert (undone.facts, undone.left) == ([], [1])


def test_a_rating_that_changes_nothing_leaves_no_version(memory: Memory) -> None:
    add(memory, "Tea is served at four")
    for _ in range(6):
        memory.fact_feedback({"action": "unhelpful", "fact_id": 1})
    assert memory.fact_store({"action": "history", "fact_id": 1})["count"] == 6  # five ratings and the add
