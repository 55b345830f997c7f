"""Any argument to any action: an answer in JSON or a refusal in words, within bounded time."""

import json
import string
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo import arguments
from mnemo.answers import answer_text, error_answer
from mnemo.errors import MemoryFileError, MnemoError
from mnemo.memory import Memory
from tests.faults.common import times

EXAMPLES = times(150, 50_000)
SLOWEST = 20.0  # seconds; a busy machine must not fail the test
FTS = ["AND", "OR", "NOT", "NEAR(a b, 2)", '"a b"', "a*", "^a", "content:a", "{content tags}: a", "-a", "(", ")", "+"]
WILD = [
    "%",
    "_",
    "*",
    "?",
    "'; DROP TABLE facts; --",
    "\\",
    "\x00",
    "\ud800",
    "\u202e",
    "\u2066",
    "\ufeff",
    "🙂",
    "C++",
]

texts = st.one_of(
    st.text(max_size=200),
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.lists(st.sampled_from([*FTS, *WILD, "harbour", "港口", "4"]), max_size=12).map(" ".join),
)
odd = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
fitting = {
    "string": texts,
    "integer": st.integers(-3, 40),
    "number": st.floats(-2, 2),
    "boolean": st.booleans(),
    "array": st.one_of(st.lists(texts, max_size=4), st.lists(st.integers(-1, 9), max_size=4)),
}
calls = st.fixed_dictionaries(
    {"action": st.one_of(st.sampled_from(arguments.ACTIONS), texts)},
    optional={
        parameter.name: st.one_of(fitting[parameter.type], fitting[parameter.type], odd)
        for parameter in arguments.FACT_STORE
        if parameter.name != "action"
    },
)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Give one memory that all calls share, as a server's is."""
    with closing(Memory(tmp_path_factory.mktemp("fuzz") / "facts.db", wait_seconds=0.5)) as memory:
        for number in range(20):
            memory.fact_store({"action": "add", "content": f"Olivia keeps harbour note {number} （港口笔记 {number}）"})
        yield memory


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(calls)
def test_any_call_is_answered_or_refused_in_words(used: Memory, call: dict[str, Any]) -> None:
    try:
        answer = used.fact_store(call)
    except MemoryFileError as error:  # the file is whole, and no argument may say otherwise
        raise AssertionError(f"the file was blamed: {error}") from error
    except MnemoError as error:
        answer = error_answer(error)
    if call["action"] == "add":  # what thousands of facts cost is measured elsewhere
        used.parts.store.remove(
            [one["fact_id"] for one in answer.get("results", [answer]) if one.get("fact_id", 0) > 20]
        )
    assert json.loads(answer_text(answer).encode()) == answer


@settings(max_examples=times(50, 5_000), deadline=None, suppress_health_check=list(HealthCheck))
@given(texts)
def test_what_was_added_is_found_whole(used: Memory, text: str) -> None:
    with suppress(MnemoError):
        fact_id = used.fact_store({"action": "add", "content": f"harbour {text}"})["fact_id"]
        kept = used.fact_store({"action": "get", "fact_id": fact_id})["facts"][0]["content"]
        assert kept.startswith("harbour ") or kept.lower().startswith("harbour")
        used.fact_store({"action": "remove", "fact_id": fact_id})


@pytest.mark.parametrize(
    "content",
    ["x" * 1_000_000, "港" * 1_000_000, "a b " * 250_000, "\u202e" * 100_000, "🙂" * 300_000, "C++ " * 100_000],
    ids=["one word", "Chinese", "short words", "controls", "emoji", "signs"],
)
def test_a_content_of_a_megabyte_is_stored_in_bounded_time(memory: Memory, content: str) -> None:
    began = time.monotonic()
    fact_id = memory.fact_store({"action": "add", "content": content})["fact_id"]
    assert memory.fact_store({"action": "get", "fact_id": fact_id})["facts"][0]["content"] == content
    assert time.monotonic() - began < SLOWEST


def test_limits_are_named(memory: Memory) -> None:
    for call, words in (
        ({"action": "add", "content": "x" * 1_000_001}, "1000000"),
        ({"action": "add", "contents": ["x"] * 1_001}, "at most 1000"),
    ):
        with pytest.raises(MnemoError, match=words):
            memory.fact_store(call)
    long_query = " ".join(string.ascii_lowercase[number % 26] * 3 for number in range(100_000))
    began = time.monotonic()
    answer = memory.fact_store({"action": "search", "query": long_query})
    assert answer["warnings"] == ["only the first 10000 characters were searched"]
    assert time.monotonic() - began < SLOWEST
    assert memory.fact_store({"action": "list", "limit": 10**15})["count"] == 0
