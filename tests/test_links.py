"""What names connect: facts by name however it is spelled, neighbours, and portraits for comparisons."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemo.facts import FactChange, NewFact
from mnemo.links import LinkStore, mentions
from mnemo.storage.database import Database
from mnemo.store import FactStore
from tests.conftest import rows


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    database = Database(path, wait_seconds=0.2)
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> FactStore:
    return FactStore(database)


@pytest.fixture
def links(database: Database) -> LinkStore:
    return LinkStore(database)


def add(store: FactStore, *contents: str) -> None:
    store.add([NewFact(content) for content in contents])


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("用 VS Code 写 Python", "vs code"),
        ("用 VS Code 写 Python", "ＶＳＣＯＤＥ"),
        ("重跑gen-itgc之前先备份", "gen-itgc"),
        ("a note on C++", "c++"),
        ("the heron gateway", "Heron Gateway"),
        ("the heron-gateway", "HeronGateway"),
        ("call parse() first", "parse"),
        ("see src/app.py", "src/App.py"),
        ("on Python 3.12.", "python 3.12"),
        ("青鸟平台的登录", "青鸟平台"),
        ("蒼鷺計劃下週上線", "苍鹭计划"),
    ],
)
def test_text_mentions_a_name_however_it_is_spelled(content: str, name: str) -> None:
    assert mentions(content, name)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("the redistribution of tea", "redis"),
        ("category of facts", "cat"),
        ("use goto here", "go"),
        ("user_id_old", "user_id"),
        ("Python 3.12", "Python 31.2"),
        ("an ATM is here", "at m"),
        ("see src/app.pyc", "src/app.py"),
        ("", "redis"),
        ("redis", ""),
        ("redis", " "),
    ],
)
def test_part_of_a_word_is_no_mention(content: str, name: str) -> None:
    assert not mentions(content, name)


def test_facts_are_found_by_linked_and_by_mentioned_names(store: FactStore, links: LinkStore) -> None:
    add(store, "Nadia Okonkwo keeps the log", "the log of the harbour", "Kasper Lindqvist reviews")
    assert links.facts_about("nadia OKONKWO") == {1}
    assert links.facts_about("harbour") == {2}  # no name, but a word of the fact
    assert links.facts_about("Redis") == set()
    assert links.facts_about("!!") == set()


def test_neighbours_share_a_name_and_those_that_share_most_come_first(store: FactStore, links: LinkStore) -> None:
    add(
        store,
        "Nadia Okonkwo moved HeronGateway from Oslo to Bergen",
        "It often rains in Bergen",
        "HeronGateway left Oslo",
        "Kasper Lindqvist plays chess",
    )
    assert links.neighbours([1], 10) == [3, 2]
    assert links.neighbours([1], 1) == [3]
    assert links.neighbours([4], 10) == []
    assert links.neighbours([], 10) == []


def test_names_follow_updates_and_removals(store: FactStore, links: LinkStore, path: Path) -> None:
    add(store, "Nadia Okonkwo keeps the log", "Ask Nadia Okonkwo or Kasper Lindqvist")
    store.update(1, FactChange(content="Kasper Lindqvist keeps the log"))
    assert links.facts_about("Nadia Okonkwo") == {2}
    assert links.facts_about("Kasper Lindqvist") == {1, 2}
    store.remove([1, 2])
    for table in ("entities", "fact_entities", "entity_keys"):
        assert rows(path, f"SELECT count(*) FROM {table}") == [(0,)]


def test_another_spelling_becomes_an_alias(store: FactStore, path: Path) -> None:
    add(store, "用 VS Code 写 Python", "VSCode 的主题是深色", "又是 VSCode 和 VS Code")
    assert rows(path, "SELECT name, aliases FROM entities WHERE name LIKE 'VS%'") == [("VS Code", "VSCode")]


def test_facts_written_by_others_are_linked_at_the_next_refresh(store: FactStore, links: LinkStore, path: Path) -> None:
    rows(path, "INSERT INTO facts(content) VALUES ('Nadia Okonkwo keeps the log')")
    store.refresh()
    assert links.facts_about("Nadia Okonkwo") == {1}


def test_portraits_show_content_names_and_terms_of_a_category(store: FactStore, links: LinkStore) -> None:
    store.add([NewFact("Nadia Okonkwo keeps the log", category="identity"), NewFact("tea at four")])
    first, second = links.portraits(None)
    assert (first.fact_id, first.content, [*first.names.values()]) == (
        1,
        "Nadia Okonkwo keeps the log",
        ["Nadia Okonkwo"],
    )
    assert (second.fact_id, second.names) == (2, {})
    assert "tea" in second.document.content_terms
    assert [portrait.fact_id for portrait in links.portraits("identity")] == [1]
    assert links.portraits("workflow") == []
