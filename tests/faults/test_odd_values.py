"""What another program may leave in the columns of the public tables: every tool answers, in JSON."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mnemo import exports, imports, recall
from mnemo.answers import answer_text
from mnemo.memory import Memory
from mnemo.serving import resources
from mnemo.transfer import TransferStore
from tests.conftest import rows
from tests.faults.common import times

FEW: list[Any] = [b"2020-01-01 00:00:00", b"\xff\xfe", float("inf")]
MORE: list[Any] = [
    "text", "", None, "9e999", 1e308, -1e308, 2**62, -5, "2020-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00", "9999-12-31 23:59:59", "[1,2]", "{}",
]  # fmt: skip
VALUES = [*FEW, *MORE][: times(len(FEW), len(FEW) + len(MORE))]
COLUMNS = {
    "facts": (
        "content", "category", "tags", "summary", "trust_score", "retrieval_count", "helpful_count",
        "last_retrieved_at", "created_at", "updated_at", "superseded_by", "expires_at",
    ),
    "entities": ("name", "entity_type", "aliases"),
    "retrieval_log": ("query", "results", "timestamp"),
    "fact_versions": ("size", "changed_at", "action", "source"),
    "taught_words": ("phrase", "meaning"),
    "fact_origins": ("uid", "first_id"),
}  # fmt: skip
PLACES = [(table, column) for table, columns in COLUMNS.items() for column in columns]
CALLS: list[dict[str, Any]] = [
    {"action": "search", "query": "redis 数据库 port", "explain": True},
    {"action": "search", "query": "redis", "after": "2001-01-01", "min_trust": 0},
    {"action": "list"},
    {"action": "get", "fact_ids": [1, 2, 3]},
    {"action": "probe", "entity": "Redis"},
    {"action": "probe", "entity": "port"},
    {"action": "related", "entity": "Redis"},
    {"action": "reason", "entities": ["Redis", "PostgreSQL"]},
    {"action": "contradict"},
    {"action": "history", "fact_id": 1},
    {"action": "audit"},
    {"action": "add", "content": "Redis and PostgreSQL on port 6379"},
    {"action": "add", "content": "。"},
    {"action": "update", "fact_id": 1, "tags": "z", "trust_delta": 0.1},
    {"action": "learn"},
    {"action": "remove", "fact_id": 1},
    {"action": "restore", "fact_id": 1},
]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a memory in which all tables hold something."""
    path = tmp_path_factory.mktemp("used") / "facts.db"
    texts = ["Redis runs on port 6379", "用户用 Redis（数据库）和 PostgreSQL", "PostgreSQL is not on port 5432"]
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "contents": texts, "tags": "db"})
        memory.fact_store({"action": "search", "query": "redis"})
        list(exports.export(memory))
        memory.fact_feedback({"action": "helpful", "fact_id": 1})
        memory.fact_store({"action": "update", "fact_id": 1, "content": "Redis runs on port 6380 now"})
    return path


def work(memory: Memory) -> Iterator[Callable[[], Any]]:
    """Yield all that can be done with a memory, reading first."""
    yield lambda: [resources.read(memory, uri) for uri in resources.uris()]
    yield lambda: recall.recall(memory.parts.store, None).text
    yield lambda: [list(exports.export(memory, form)) for form in exports.FORMATS]
    yield lambda: imports.import_facts(memory, "".join(exports.export(memory)).encode()).as_dict()
    yield lambda: exports.export_records(memory, kept=True)
    for call in CALLS:
        yield partial(memory.fact_store, call)
    yield lambda: memory.fact_feedback({"action": "helpful", "fact_id": 2})
    yield memory.learn_at_startup
    yield lambda: str(memory.parts.history.undo())
    yield lambda: memory.parts.history.purge([1])


@pytest.mark.parametrize(("table", "column"), PLACES, ids=map(".".join, PLACES))
def test_no_value_of_another_program_ends_a_call(used: Path, tmp_path: Path, table: str, column: str) -> None:
    for number, value in enumerate(VALUES):
        path = tmp_path / f"{number}.db"
        shutil.copyfile(used, path)
        first = f"(SELECT {column} FROM {table} LIMIT 1)"
        rows(path, f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = {first}", value)
        with closing(Memory(path)) as memory:
            for do in work(memory):
                json.loads(answer_text(do()), parse_constant=pytest.fail)


def test_bytes_of_another_program_are_read_as_the_text_that_they_are(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "add", "content": "Tea is served at four"})
    rows(path, "INSERT INTO facts(content, expires_at) VALUES (?, ?)", "灯塔 is lit".encode(), b"2001-02-03T04:05:06Z")
    (found,) = memory.fact_store({"action": "get", "fact_id": 2})["facts"]
    assert (found["content"], found["expires_at"]) == ("灯塔 is lit", "2001-02-03 04:05:06")
    assert memory.fact_store({"action": "audit"})["expired"] == [{"id": 2, "expires_at": "2001-02-03 04:05:06"}]
    exported = {fact.content for fact in TransferStore(memory.parts.database).facts()}
    assert exported == {"Tea is served at four", "灯塔 is lit"}
    memory.fact_store({"action": "update", "fact_id": 2, "tags": "harbour"})
    assert rows(path, "SELECT content, expires_at FROM facts WHERE fact_id = 2") == [
        ("灯塔 is lit".encode(), b"2001-02-03T04:05:06Z")
    ]
