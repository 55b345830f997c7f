"""Copies and their return when more than the file itself is there: logs of a crash, servers, other copies, links."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from freezegun import freeze_time

from mnemo import copies
from mnemo.errors import MemoryFileError
from mnemo.memory import Memory
from mnemo.storage import inspection

CRASH = (
    "import os, sys; from pathlib import Path; from mnemo.memory import Memory; memory = Memory(Path(sys.argv[1])); "
    "[memory.fact_store({'action': 'add', 'content': f'late fact {number}'}) for number in range(20)]; os._exit(9)"
)


def texts(path: Path) -> list[str]:
    with closing(Memory(path)) as memory:
        return sorted(fact["content"] for fact in memory.fact_store({"action": "list", "limit": 100})["facts"])


@pytest.fixture
def copy(path: Path, tmp_path: Path) -> Path:
    """Make a memory of one fact and give a copy of it."""
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "early fact"})
    return copies.backup(path, tmp_path / "copy.db")[0]


def crash(path: Path) -> Path:
    """Let a program end without closing the memory, and return the write-ahead log that it leaves."""
    subprocess.run([sys.executable, "-c", CRASH, str(path)], check=False)
    log = path.with_name(f"{path.name}-wal")
    assert log.stat().st_size > 0
    return log


def test_the_log_of_a_file_that_is_gone_is_set_aside(path: Path, copy: Path) -> None:
    kept = crash(path).read_bytes()
    path.unlink()
    total, aside = copies.restore(path, copy)
    assert (total, texts(path)) == (1, ["early fact"])
    assert aside is not None
    assert aside.name.endswith("-wal")
    assert aside.read_bytes() == kept
    assert inspection.problems_of(path) == []


def test_a_damaged_memory_is_kept_with_its_log(path: Path, copy: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    crash(path)
    head = path.read_bytes()[100:]
    path.write_bytes(bytes(100) + head)
    total, aside = copies.restore(path, copy)
    assert (total, texts(path)) == (1, ["early fact"])
    assert aside is not None
    for kept, name in ((aside, "x.db"), (aside.with_name(f"{aside.name}-wal"), "x.db-wal")):
        if os.name == "posix":
            assert kept.stat().st_mode & 0o777 == 0o600
        shutil.copyfile(kept, tmp_path / name)
    with (tmp_path / "x.db").open("r+b") as file:
        file.write(whole[:100])
    assert len(texts(tmp_path / "x.db")) == 21, "with its head, all that was acknowledged is there"


def test_a_server_goes_on_with_a_copy_of_another_page_size(path: Path, copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA page_size = 8192")
        connection.execute("VACUUM")
    with closing(Memory(path)) as server:
        server.fact_store({"action": "add", "content": "soon gone"})
        number = path.stat().st_ino
        copies.restore(path, copy)
        assert path.stat().st_ino == number
        server.fact_store({"action": "add", "content": "told after the return"})
    assert texts(path) == ["early fact", "told after the return"]


def test_a_restore_that_fails_leaves_the_memory_to_its_servers(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_full(*_: Path) -> None:
        raise MemoryFileError("The disk is full")

    monkeypatch.setattr(copies, "overwrite_database", is_full)
    with closing(Memory(path)) as server:
        server.fact_store({"action": "add", "content": "kept"})
        number = path.stat().st_ino
        with pytest.raises(MemoryFileError, match="full"):
            copies.restore(path, copy)
        assert path.stat().st_ino == number
        server.fact_store({"action": "add", "content": "told after that"})
    assert texts(path) == ["early fact", "kept", "told after that"]


def test_what_a_link_leads_to_is_restored(path: Path, copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    path.unlink()
    assert copies.restore(link, copy) == (1, None)
    assert link.is_symlink()
    assert texts(path) == ["early fact"]


def test_the_newest_copy_stays_whatever_lies_beside_it(path: Path, copy: Path) -> None:
    by_hand = [path.with_name(f"{path.name}.backup-{name}") for name in ("old", "before-upgrade", "99999999-000000.gz")]
    for file in by_hand:
        file.write_text("of a person")
    with freeze_time("2026-06-02"):
        older = [copies.backup(path)[0] for _ in range(11)]
    assert copies.backups(path) == older[::-1], "by number, not by letters"
    with freeze_time("2026-06-01"):
        made, removed = copies.backup(path, keep=2)
    assert made.exists()
    assert removed == older[-2::-1]
    assert all(file.exists() for file in by_hand)


def test_copies_of_a_memory_with_an_odd_name_rotate(copy: Path, tmp_path: Path) -> None:
    odd = tmp_path / "facts[1].*.db"
    shutil.copyfile(copy, odd)
    made = [copies.backup(odd, keep=1) for _ in range(3)]
    assert [removed for _, removed in made] == [[], [made[0][0]], [made[1][0]]]


def test_two_copies_to_one_place_at_once_are_both_whole(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second begins when the first is about to put its copy in place, and is in the middle of it then."""
    look, is_there, may_go_on = inspection._read_only, threading.Event(), threading.Event()

    def slow(source: Path) -> sqlite3.Connection:
        if threading.current_thread() is second:
            is_there.set()
            may_go_on.wait(20)
        return look(source)

    replace = Path.replace

    def replace_late(self: Path, target: Path) -> Path:
        if threading.current_thread() is not second:
            second.start()
            is_there.wait(20)
        return replace(self, target)

    second = threading.Thread(target=copies.backup, args=(path, copy))
    monkeypatch.setattr(inspection, "_read_only", slow)
    monkeypatch.setattr(Path, "replace", replace_late)
    copies.backup(path, copy)
    after_first = inspection.problems_of(copy), copy.stat().st_size
    may_go_on.set()
    second.join(20)
    assert after_first == (inspection.problems_of(copy), copy.stat().st_size) == ([], path.stat().st_size)
    assert sorted(file.name for file in copy.parent.glob("*copy.db*")) == ["copy.db"]


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY])
def test_what_keeps_a_copy_from_being_written_is_said_of_the_copy(tmp_path: Path, code: int) -> None:
    error = sqlite3.OperationalError("as SQLite says")
    error.sqlite_errorcode = code
    with pytest.raises(MemoryFileError, match=r"copy\.db"), inspection._blaming(tmp_path / "copy.db"):
        raise error


def test_a_database_of_another_application_is_no_copy(path: Path, copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE notes (text)")
    with pytest.raises(MemoryFileError, match=r"other\.db is the database of another application; nothing was changed"):
        copies.restore(path, other)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(MemoryFileError, match=r"copy\.db was written by a newer mnemo"):
        copies.restore(path, copy)
    assert texts(path) == ["early fact"]


@pytest.mark.parametrize(("place", "byte"), [(0, 7), (18, 7), (19, 255), (47, 255)])
def test_a_head_that_sqlite_takes_for_something_else_is_damage(path: Path, copy: Path, place: int, byte: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] = byte
    path.write_bytes(data)
    total, aside = copies.restore(path, copy)
    assert (total, texts(path)) == (1, ["early fact"])
    assert aside is not None
    assert aside.read_bytes() == data


def test_an_empty_file_is_no_damage(path: Path, copy: Path) -> None:
    path.write_bytes(b"")
    total, _ = copies.restore(path, copy)
    assert (total, texts(path)) == (1, ["early fact"])
