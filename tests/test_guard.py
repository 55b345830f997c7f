"""What becomes of secrets before anything is written, and how much an answer brings into a conversation."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mnemo import answers
from mnemo.errors import InvalidArgumentError
from mnemo.guard import Guard
from mnemo.memory import Memory
from tests.conftest import rows

SECRET = "password: hunter2-Correct-Horse"  # noqa: S105 (invented)
REDACTED = "password: [redacted: password]"
MARK = "looks like a secret: password"
REPLACED = "a secret was replaced before storing: password"


@pytest.fixture
def open_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    memories = []

    def open_in(mode: str) -> Memory:
        monkeypatch.setenv("MNEMO_SECRETS", mode)
        memories.append(Memory(path))
        return memories[-1]

    yield open_in
    for memory in memories:
        memory.close()


def call(memory: Memory, action: str, **given: Any) -> dict[str, Any]:
    return memory.fact_store({"action": action, **given})


@pytest.mark.parametrize("mode", ["", " ", "warn", "WARN"])
def test_secret_is_stored_with_a_warning_by_default(open_memory: Any, path: Path, mode: str) -> None:
    memory = open_memory(mode)
    added = {"fact_id": 1, "status": "added", "category": "general", "warnings": [MARK]}
    assert call(memory, "add", content=SECRET) == added
    assert call(memory, "list")["facts"][0]["warnings"] == [MARK]
    assert call(memory, "search", query="hunter2-Correct-Horse")["results"][0]["warnings"] == [MARK]
    assert rows(path, "SELECT content FROM facts") == [(SECRET,)]
    assert rows(path, "SELECT query FROM retrieval_log") == [("hunter2-Correct-Horse",)]


def test_secret_is_replaced_before_anything_is_written(open_memory: Any, path: Path) -> None:
    memory = open_memory("redact")
    answer = call(memory, "add", content=SECRET, summary=f"of the mail: {SECRET}")
    assert answer["warnings"] == [REPLACED]
    assert call(memory, "update", fact_id=1, content=f"new {SECRET}") == {
        "fact_id": 1,
        "updated": True,
        "warnings": [REPLACED],
    }
    assert rows(path, "SELECT content, summary FROM facts") == [(f"new {REDACTED}", f"of the mail: {REDACTED}")]
    call(memory, "search", query=SECRET)
    assert rows(path, "SELECT query FROM retrieval_log") == [(REDACTED,)]
    memory.close()
    assert all(b"hunter2" not in file.read_bytes() for file in path.parent.iterdir())


def test_secret_is_refused(open_memory: Any, path: Path) -> None:
    memory = open_memory("block")
    refused = "The text looks like it holds a secret (password), so nothing was stored; take it out and try again"
    for given in ({"content": SECRET}, {"content": "mail", "summary": SECRET}):
        with pytest.raises(InvalidArgumentError) as caught:
            call(memory, "add", **given)
        assert str(caught.value) == refused
    assert call(memory, "add", contents=["Tea is served at four", SECRET])["results"] == [
        {"fact_id": 1, "status": "added", "category": "general"},
        {"error": refused},
    ]
    with pytest.raises(InvalidArgumentError):
        call(memory, "update", fact_id=1, content=SECRET)
    assert rows(path, "SELECT content FROM facts") == [("Tea is served at four",)]


def test_wrong_mode_stops_each_call(open_memory: Any, path: Path) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        call(open_memory("hide"), "list")
    assert str(caught.value) == "MNEMO_SECRETS must be one of warn, redact, block, not 'hide'"
    assert not path.exists()


def test_plain_text_passes_in_each_mode() -> None:
    for mode in ("warn", "redact", "block"):
        assert Guard(mode).admit("Tea is served at four") == ("Tea is served at four", [])
        assert Guard(mode).admit_query("tea") == "tea"


# --- the size of answers ---


def test_answer_is_cut_where_nobody_asked_for_its_size(open_memory: Any, path: Path) -> None:
    memory = open_memory("")
    call(memory, "add", contents=[f"whale {n} " + "x" * 6000 for n in range(6)])
    answer = call(memory, "list")
    assert answer["count"] == len(answer["facts"]) == 3
    assert answer["omitted"] == 3
    assert answer["note"] == (
        "3 more were left out to keep the answer short: ask with brief=true, a limit, or get by fact_id"
    )
    assert answer["total"] == 6
    assert len(answers.answer_text(answer)) < answers.DEFAULT_ANSWER + 1000
    assert call(memory, "list", limit=10)["count"] == 6
    assert call(memory, "list", brief=True)["count"] == 6
    searched = call(memory, "search", query="whale")
    assert (searched["count"], searched["omitted"]) == (3, 3)
    assert rows(path, "SELECT sum(retrieval_count) FROM facts") == [(3,)]  # what was left out was not retrieved


def test_first_item_always_goes_in() -> None:
    assert answers.fitting([{"content": "x" * 30_000}, {"content": "y"}], whole=False) == 1
    assert answers.fitting([], whole=False) == 0


# --- questions about names ---


def test_names_are_asked_for_in_common_and_in_contradiction(open_memory: Any) -> None:
    with closing(open_memory("")) as memory:
        call(memory, "add", contents=["Kasper reviews Nordby", "Kasper maintains the ferry", "Nordby has a harbour"])
        about = call(memory, "probe", entity="kasper", brief=True)
        assert about["results"] == [
            {"fact_id": 1, "category": "general", "text": "Kasper reviews Nordby"},
            {"fact_id": 2, "category": "general", "text": "Kasper maintains the ferry"},
        ]
        assert [fact["fact_id"] for fact in call(memory, "reason", entities=["Kasper", "Nordby", ""])["results"]] == [1]
        assert call(memory, "reason", entities=["Kasper", "Elsewhere"]) == {"results": [], "count": 0}
        with pytest.raises(InvalidArgumentError) as caught:
            call(memory, "reason", entities=[" ", ""])
        assert str(caught.value) == "entities is empty; give the names that the facts should have in common"
        call(
            memory,
            "add",
            contents=[
                "The billing service of Nordby uses Redis 7 for sessions",
                "The billing service of Nordby uses no Redis at all",
            ],
        )
        for pair in call(memory, "contradict")["results"]:
            assert [key for key in pair if key != "proposal"] == [
                "fact_a",
                "fact_b",
                "shared_entities",
                "entity_overlap",
                "content_similarity",
                "contradiction_score",
            ]
            assert list(pair["fact_a"]) == ["fact_id", "content"]
        assert call(memory, "contradict")["count"] > 0
