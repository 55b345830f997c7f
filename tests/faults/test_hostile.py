"""Files that somebody made to do harm, files under any umask, and what the server opens: nothing leaves the file."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from mnemo import copies, diagnosis, schema
from mnemo.answers import answer_text
from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.storage.database import Database
from tests.conftest import rows

CALLS: list[dict[str, Any]] = [
    {"action": "add", "content": "A fact beside the trap"},
    {"action": "search", "query": "fact trap"},
    {"action": "list"},
    {"action": "update", "fact_id": 1, "tags": "x"},
    {"action": "history", "fact_id": 1},
    {"action": "learn"},
    {"action": "audit"},
    {"action": "contradict"},
    {"action": "remove", "fact_id": 1},
]
FACTS_VIEW = "CREATE VIEW facts AS SELECT 1 AS fact_id, 'bait' AS content"
TRAPS = {
    "a view in place of the facts": ["DROP TABLE facts", FACTS_VIEW],
    "a view in place of the log": [
        "DROP TABLE retrieval_log",
        "CREATE VIEW retrieval_log AS SELECT 1 AS id, 'q' AS query, '[]' AS results, '' AS timestamp",
    ],
    "a trigger that never ends": [
        "CREATE TRIGGER trap AFTER INSERT ON index_notes BEGIN "
        "INSERT INTO facts(content) SELECT content || 'x' FROM facts LIMIT 3; END"
    ],
    "a trigger that empties the facts": ["CREATE TRIGGER trap AFTER INSERT ON facts BEGIN DELETE FROM facts; END"],
    "a trigger that loads code": [
        "CREATE TRIGGER trap AFTER INSERT ON facts BEGIN SELECT load_extension('/nowhere/evil.so'); END"
    ],
    "a trigger that writes a file": [
        "CREATE TRIGGER trap AFTER INSERT ON facts BEGIN SELECT writefile('owned.txt', new.content); END"
    ],
    "a view with a function that does things": [
        "DROP TABLE entities",
        "CREATE VIEW entities AS SELECT 1 AS entity_id, load_extension('/nowhere/evil.so') AS name",
    ],
    "a table of ours of another shape": ["DROP TABLE fact_versions", "CREATE TABLE fact_versions (x)"],
    "an index table that is a view": ["DROP TABLE index_notes", "CREATE VIEW index_notes AS SELECT 1 AS fact_id"],
    "values of wrong types": [
        "UPDATE facts SET trust_score = 'high', retrieval_count = x'00ff', tags = 7, category = x'80'",
        "INSERT INTO facts(content, trust_score) VALUES (x'ff00', 9e999)",
    ],
    "marks that are no JSON": ["INSERT OR REPLACE INTO fact_marks VALUES (1, 'no list')"],
    "a log that is no JSON": ["INSERT INTO retrieval_log(query, results) VALUES ('q', 'no list')"],
    "ids at the ends": [
        "INSERT INTO facts(fact_id, content) VALUES (-5, 'below'), (9223372036854775807, 'above')",
    ],
    "a superseding circle": [
        "INSERT INTO facts(fact_id, content, superseded_by) VALUES (50, 'a', 51), (51, 'b', 50), (52, 'c', 52)",
    ],
}


@pytest.fixture
def trapped(path: Path) -> Path:
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "contents": ["The first fact", "The second fact", "Olivia's third fact"]})
    return path


@pytest.mark.parametrize("statements", TRAPS.values(), ids=TRAPS)
def test_a_trap_in_the_file_does_no_harm_outside(
    trapped: Path, statements: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for statement in statements:
        rows(trapped, statement)
    memory = Memory(trapped, wait_seconds=0.2)
    for call in CALLS:
        with suppress(MnemoError):
            json.loads(answer_text(memory.fact_store(call)).encode(), parse_constant=pytest.fail)
    with suppress(MnemoError):
        memory.learn_at_startup()
    with suppress(MnemoError):
        memory.close()
    diagnosis.diagnose(trapped)
    assert list(elsewhere.iterdir()) == []
    allowed = {trapped.name, *(f"{trapped.name}{ending}" for ending in ("-wal", "-shm", "-journal")), "elsewhere"}
    assert {file.name for file in trapped.parent.iterdir()} <= allowed


def test_a_giant_schema_is_opened_in_bounded_time(trapped: Path) -> None:
    with closing(sqlite3.connect(trapped)) as connection, connection:
        for number in range(3_000):
            connection.execute(f"CREATE TABLE junk_{number} (x)")
    with closing(Memory(trapped)) as memory:
        assert memory.fact_store({"action": "search", "query": "fact"})["count"] == 3


def test_settings_that_keep_a_hostile_file_harmless(path: Path) -> None:
    with closing(Database(path)) as opened, opened.writing() as writer, opened.reading() as reader:
        for connection in (writer, reader):
            assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
            assert connection.execute("PRAGMA cell_size_check").fetchone() == (1,)
            with pytest.raises(sqlite3.OperationalError, match="not authorized"):
                connection.execute("SELECT load_extension('evil')")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277], ids=oct)
def test_every_file_is_its_owner_s_alone_under_any_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / ".mnemo" / "facts.db"
    before = os.umask(umask)
    try:
        with closing(Memory(path)) as memory:
            memory.fact_store({"action": "add", "content": "one"})
            copies.backup(path)
            found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert len(found) == 4
    assert {mode & 0o077 for mode in found.values()} == {0}
    assert stat.S_IMODE(path.parent.stat().st_mode) & 0o077 == 0


def test_a_file_that_others_can_read_is_tightened_with_all_beside_it(
    trapped: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(trapped)) as other:
        other.execute("SELECT count(*) FROM facts").fetchone()
        for file in trapped.parent.glob("facts.db*"):
            file.chmod(0o644)
        with closing(Memory(trapped)) as memory:
            memory.fact_store({"action": "list"})
            assert {stat.S_IMODE(file.stat().st_mode) for file in trapped.parent.glob("facts.db*")} == {0o600}
    assert caplog.messages == [f"{trapped} could be read by others; it is yours alone now"]


def test_a_newer_file_is_left_byte_for_byte(trapped: Path) -> None:
    rows(trapped, f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    before = trapped.read_bytes()
    for call in CALLS:
        with pytest.raises(MnemoError, match="newer mnemo"):
            Memory(trapped).fact_store(call)
    assert trapped.read_bytes() == before


def test_nothing_is_sent_anywhere(path: Path) -> None:
    """A process in which no socket can be made does all that a memory does."""
    code = f"""
import socket, sys
def refuse(*_, **__):
    raise AssertionError("a socket was asked for")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from pathlib import Path
from typing import Any
from mnemo.memory import Memory
memory = Memory(Path({str(path)!r}))
for call in {CALLS!r}:
    memory.fact_store(call)
memory.learn_at_startup()
memory.close()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
