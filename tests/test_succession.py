"""Two memories say which fact took the place of which: the one that changed the fact last is right."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from mnemo.memory import Memory
from mnemo.succession import Said
from mnemo.transfer import TransferStore

EARLY, NOON, LATE = "2026-02-01 08:00:00", "2026-02-01 12:00:00", "2026-02-01 20:00:00"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = Memory(tmp_path / "facts.db")
    memory.fact_store({"action": "add", "contents": ["Boats dock north", "Boats dock south", "Boats dock west"]})
    with closing(sqlite3.connect(memory.path)) as connection, connection:
        connection.execute("UPDATE facts SET updated_at = ?", (NOON,))
    yield memory
    memory.close()


def place(memory: Memory, older: int, newer: int, at: str = NOON) -> None:
    with closing(sqlite3.connect(memory.path)) as connection, connection:
        connection.execute("UPDATE facts SET superseded_by = ?, updated_at = ? WHERE fact_id = ?", (newer, at, older))


def told(memory: Memory, *said: Said) -> tuple[set[int], dict[int, int | None]]:
    """Return which facts that changed, and the successor of each fact that has one."""
    changed = TransferStore(memory.parts.database).link(said)
    with closing(sqlite3.connect(memory.path)) as connection:
        rows = connection.execute("SELECT fact_id, superseded_by FROM facts WHERE superseded_by IS NOT NULL")
        return changed, dict(rows.fetchall())


def test_what_is_said_of_a_fact_that_is_gone_changes_nothing(memory: Memory) -> None:
    memory.fact_store({"action": "remove", "fact_id": 1})
    assert told(memory, Said(1, 2, LATE, NOON), Said(2, 1, LATE, NOON)) == (set(), {})


def test_the_same_again_and_what_is_said_earlier_change_nothing(memory: Memory) -> None:
    place(memory, 1, 2)
    assert told(memory, Said(1, 2, LATE, NOON)) == (set(), {1: 2})
    assert told(memory, Said(1, 3, EARLY, NOON), Said(1, None, NOON, NOON)) == (set(), {1: 2})
    assert told(memory, Said(1, None, LATE, NOON)) == ({1}, {})
    assert told(memory, Said(1, None, LATE, NOON)) == (set(), {})


def test_of_two_successors_said_at_the_same_time_the_one_changed_later_stays(memory: Memory) -> None:
    place(memory, 1, 2)
    with closing(sqlite3.connect(memory.path)) as connection, connection:
        connection.execute("UPDATE facts SET updated_at = ? WHERE fact_id = 2", (LATE,))
    assert told(memory, Said(1, 3, NOON, NOON)) == (set(), {1: 2})
    place(memory, 1, 3)
    assert told(memory, Said(1, 2, NOON, NOON)) == ({1}, {1: 2})


@pytest.mark.parametrize("between", [[], [3]])
def test_of_facts_that_would_hide_each_other_the_one_changed_later_is_shown(memory: Memory, between: list[int]) -> None:
    chain = [2, *between, 1]
    for older, newer in pairwise(chain):
        place(memory, older, newer)
    before = dict(pairwise(chain))
    place(memory, 2, before[2], EARLY)  # the fact that would take the place was changed earlier
    assert told(memory, Said(1, 2, LATE, NOON)) == (set(), before)
    place(memory, 2, before[2], LATE)
    assert told(memory, Said(1, 2, LATE, NOON)) == ({1}, {1: 2} | dict.fromkeys(between, 1))
