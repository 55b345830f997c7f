"""Processes that are killed: what was acknowledged is there, nothing is there by half, no start needs help."""

import json
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from mnemo import schema
from mnemo.memory import Memory
from mnemo.storage.database import Database
from tests.conftest import ORIGINAL_FACTS, ORIGINAL_LAYOUT, rows
from tests.faults.common import Server, assert_whole, contents, times

WRITER = str(Path(__file__).with_name("writer.py"))
MOMENTS = times(6, 300)
SERVER_MOMENTS = times(1, 20)
STATEMENTS = sorted({*range(1, times(3, 40)), *range(40, times(41, 400), 3)})
MIGRATION_STATEMENTS = range(1, times(1, 120))
KILLED = -9


class Acknowledged:
    """What the writers of one file were told, over all their lives."""

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.changing: set[str] = set()
        self.rated = 0

    def hear(self, output: str) -> None:
        """Take over the lines of a writer that was killed; the last may be cut.

        What it was changing when it ended may have been changed or not.
        """
        for line in output.splitlines():
            try:
                what, text = json.loads(line)
            except ValueError:
                continue
            if what == "changing":
                self.changing.add(text)
            elif what == "there":
                self.there.add(text)
            elif what == "gone":
                self.there.discard(text)
                self.changing.discard(text)
            else:
                self.rated += 1


def assert_kept(path: Path, acknowledged: Acknowledged, lives: int) -> None:
    """Check that the file has what was acknowledged, and at most one more change for each life."""
    assert_whole(path)
    found = contents(path)
    assert acknowledged.there - acknowledged.changing <= found
    assert len(found - acknowledged.there) <= 2 * lives  # what was written, but no longer acknowledged
    rated = rows(path, "SELECT helpful_count FROM facts WHERE fact_id = 1")
    assert acknowledged.rated <= int(str(rated[0][0])) <= acknowledged.rated + lives


def first_fact(path: Path, acknowledged: Acknowledged) -> None:
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "The first fact is rated"})
    acknowledged.there.add("The first fact is rated")


def test_kill_at_random_moments(path: Path) -> None:
    chance, acknowledged = random.Random(7), Acknowledged()  # noqa: S311 - moments, no secret
    first_fact(path, acknowledged)
    for life in range(1, MOMENTS + 1):
        writer = subprocess.Popen([sys.executable, WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        first = writer.stdout.readline()  # it has begun
        time.sleep(chance.random() * 0.15)
        writer.kill()
        acknowledged.hear(first + writer.communicate()[0])
        if life % 10 == 0 or life == MOMENTS:
            assert_kept(path, acknowledged, life)
    assert len(acknowledged.there) > MOMENTS // 2


@pytest.mark.parametrize("number", STATEMENTS)
def test_end_before_each_statement(path: Path, number: int) -> None:
    acknowledged = Acknowledged()
    first_fact(path, acknowledged)
    done = subprocess.run(
        [sys.executable, WRITER, str(path), str(number)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 9, done.stderr
    acknowledged.hear(done.stdout)
    assert_kept(path, acknowledged, 1)


@pytest.mark.parametrize("number", [*MIGRATION_STATEMENTS, 30, 75])
def test_end_within_an_upgrade_leaves_the_old_file_or_the_new_one(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ORIGINAL_LAYOUT)
        connection.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ORIGINAL_FACTS)
        connection.commit()
    done = subprocess.run(
        [sys.executable, WRITER, str(path), str(number)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 9, done.stderr
    (version,) = rows(path, "PRAGMA user_version")[0]
    tables = {row[0] for row in rows(path, "SELECT name FROM sqlite_master")}
    assert (version, "fact_versions" in tables) in {(0, False), (schema.SCHEMA_VERSION, True)}
    assert {row[1] for row in ORIGINAL_FACTS} <= contents(path)
    Database(path).close()
    assert rows(path, "PRAGMA user_version") == [(schema.SCHEMA_VERSION,)]


def test_kill_a_server_between_its_answers(path: Path) -> None:
    chance = random.Random(11)  # noqa: S311
    told: Counter[str] = Counter()
    for life in range(SERVER_MOMENTS):
        server = Server(path)
        server.start()
        until = time.monotonic() + 0.2 + chance.random() * 0.3
        number = 0
        while time.monotonic() < until:
            number += 1
            text = f"Life {life} leaves note {number} on the pier"
            server.call("fact_store", action="add", content=text)
            told[text] += 1
            server.call("fact_store", action="search", query="pier")
        server.kill()
    assert_whole(path)
    assert contents(path) == set(told)
