"""Facts much like a text: which words are asked for, and what is found whatever is remembered of words."""

import random
from itertools import combinations, pairwise, product

import pytest

from mnemo.facts import NewFact
from mnemo.memory import Memory
from mnemo.search import alike
from mnemo.search.alike import AlikeFacts
from mnemo.storage.database import Database
from mnemo.store import FactStore

COMMON = tuple(f"common{letter}z" for letter in "abcdefgh")
RARE = tuple(f"rare{first}{second}z" for first, second in combinations("abcdefghijklmnop", 2))


def found(database: Database, looked: AlikeFacts, words: list[str], limit: int = 20) -> set[int]:
    with database.reading() as connection:
        return set(looked.find(connection, words, 0.6, limit))


def test_text_without_terms_is_like_none(database: Database, store: FactStore) -> None:
    store.add([NewFact("harbour crane")])
    assert found(database, AlikeFacts(), []) == set()


@pytest.mark.parametrize("most_words", [0, 5, 10_000], ids=["nothing kept", "little kept", "all kept"])
def test_every_fact_with_enough_in_common_is_found_whatever_is_remembered(
    database: Database, store: FactStore, monkeypatch: pytest.MonkeyPatch, most_words: int
) -> None:
    monkeypatch.setattr(alike, "MOST_WORDS", most_words)
    source = random.Random(7)  # noqa: S311 - made-up text
    looked, facts = AlikeFacts(), dict[int, frozenset[str]]()
    for _ in range(150):
        words = source.sample(COMMON, 3) + source.sample(RARE, source.randint(2, 5))
        if facts and source.random() < 0.3:  # nearly one that is there
            words = [*source.choice([*facts.values()])][:-1] + source.sample(RARE, 1)
        words = sorted(set(words), key=lambda _: source.random())
        like = {fact_id for fact_id, other in facts.items() if _share(words, other) >= 0.6}
        assert like <= found(database, looked, words, limit=len(facts) if len(facts) < 60 else 20)
        (added,) = store.add([NewFact(" ".join(words))])
        facts.setdefault(added.fact_id, frozenset(words))


def _share(words: list[str], other: frozenset[str]) -> float:
    return len(other.intersection(words)) / len(other.union(words))


def test_words_known_as_rare_are_asked_for_at_once(database: Database, store: FactStore) -> None:
    store.add([NewFact(f"harbour crane {one} {other}") for one, other in pairwise(RARE[:40])])
    looked, words, asked = AlikeFacts(), ["harbour", "crane", RARE[3], RARE[4]], list[str]()
    with database.reading() as connection:
        assert 4 in looked.find(connection, words, 0.6, 20)
        connection.set_trace_callback(asked.append)
        assert 4 in looked.find(connection, words, 0.6, 20)
        connection.set_trace_callback(None)
    assert len([statement for statement in asked if "MATCH" in statement]) == 1


def test_words_that_became_common_are_read_one_by_one_again(database: Database, store: FactStore) -> None:
    looked = AlikeFacts()
    words = ["harbour", "crane", "lift", RARE[0]]
    assert found(database, looked, words) == set()
    store.add([NewFact(f"harbour crane lifts {rare}") for rare in RARE[:60]])
    assert 1 in found(database, looked, words)


def test_fact_of_common_words_is_found_among_holders_of_a_rare_one(memory: Memory) -> None:
    twin = " ".join(COMMON[:4])
    facts = [f"{word} {' '.join(RARE[at : at + 6])}" for word in COMMON[:4] for at in range(60)]
    memory.fact_store({"action": "add", "contents": [*facts[:150], twin]})
    memory.fact_store({"action": "add", "contents": [*facts[150:], *(f"zebra {rare}" for rare in RARE[60:85])]})
    answer = memory.fact_store({"action": "add", "content": f"zebra {twin}"})
    assert [(one["content"], one["similarity"]) for one in answer["similar"]] == [(twin, 0.8)]


def test_fact_of_the_same_words_is_found_where_all_are_common(memory: Memory) -> None:
    source = random.Random(3)  # noqa: S311 - made-up text
    words = (*COMMON, *RARE[:12])
    facts = [source.sample(words, 6) for _ in range(600)]
    for start in range(0, 600, 200):
        memory.fact_store({"action": "add", "contents": [" ".join(fact) for fact in facts[start : start + 200]]})
    for fact in facts[:20]:
        answer = memory.fact_store({"action": "add", "content": " ".join(reversed(fact))})
        assert answer["similar"][0]["similarity"] == 1.0


def test_questions_about_many_words_are_bounded(database: Database, store: FactStore) -> None:
    words = [f"q{''.join(letters)}z" for letters in product("bcdfghjkl", repeat=3)][:300]
    for start in range(0, 900, 300):
        store.add([NewFact(" ".join(words[at % 7 :: 2])) for at in range(start, start + 300)])
    asked: list[str] = []
    with database.reading() as connection:
        connection.set_trace_callback(asked.append)
        AlikeFacts().find(connection, words, 0.6, 20)
        connection.set_trace_callback(None)
    questions = [statement for statement in asked if "index_terms MATCH" in statement and statement[0] != "-"]
    assert len(questions) <= len(words) + alike.MOST_PAIRS + 2


def test_very_long_texts_are_looked_for_too(database: Database, store: FactStore) -> None:
    words = [f"q{''.join(letters)}z" for letters in product("bcdfghjklmnp", repeat=3)]
    store.add([NewFact(" ".join(words[:-5]))])
    assert found(database, AlikeFacts(), words) == {1}
