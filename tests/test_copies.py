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

from mnemo import copies, imports
from mnemo.errors import InvalidArgumentError, MemoryFileError
from mnemo.memory import Memory
from mnemo.storage import connections, copying, inspection

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
    assert inspection.look(path).problems == ()


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

    monkeypatch.setattr(copies, "exchange_database", is_full)
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
    look, is_there, may_go_on = connections.read_only, threading.Event(), threading.Event()

    def slow(source: Path, wait_seconds: float) -> sqlite3.Connection:
        if threading.current_thread() is second:
            is_there.set()
            may_go_on.wait(20)
        return look(source, wait_seconds)

    replace = Path.replace

    def replace_late(self: Path, target: Path) -> Path:
        if threading.current_thread() is not second:
            second.start()
            is_there.wait(20)
        return replace(self, target)

    second = threading.Thread(target=copies.backup, args=(path, copy))
    monkeypatch.setattr(connections, "read_only", slow)
    monkeypatch.setattr(Path, "replace", replace_late)
    copies.backup(path, copy)
    after_first = inspection.look(copy).problems, copy.stat().st_size
    may_go_on.set()
    second.join(20)
    assert after_first == (inspection.look(copy).problems, copy.stat().st_size) == ((), path.stat().st_size)
    assert sorted(file.name for file in copy.parent.glob("*copy.db*")) == ["copy.db"]


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY])
def test_what_keeps_a_copy_from_being_written_is_said_of_the_copy(tmp_path: Path, code: int) -> None:
    error = sqlite3.OperationalError("as SQLite says")
    error.sqlite_errorcode = code
    with pytest.raises(MemoryFileError, match=r"copy\.db"), copying._blaming(tmp_path / "copy.db"):
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


# --- what lies beside a copy ---


def late_copy(path: Path, copy: Path) -> bytes:
    """Let a program that uses a copy as its memory be killed, and change the memory; return the log that it left."""
    left = crash(copy).read_bytes()
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "contents": [f"new fact {number}" for number in range(50)]})
    return left


def test_the_log_beside_a_copy_never_meets_the_next_one(path: Path, copy: Path) -> None:
    late_copy(path, copy)
    copies.backup(path, copy)
    assert len(texts(copy)) == 51
    assert inspection.look(copy).problems == ()


def test_a_journal_beside_a_copy_never_meets_the_next_one(path: Path, copy: Path) -> None:
    copy.with_name("copy.db-journal").write_bytes(b"of a program that was killed")
    copies.backup(path, copy)
    assert sorted(file.name for file in copy.parent.glob("copy.db*")) == ["copy.db"]


def test_copies_are_renamed_with_their_logs(path: Path, copy: Path) -> None:
    left = late_copy(path, copy)
    copies.backup(path, copy, keep=2)
    assert copy.with_name("copy.db.1-wal").read_bytes() == left
    assert (len(texts(copy)), len(texts(copy.with_name("copy.db.1")))) == (51, 21)
    copy.with_name("copy.db.1-wal").write_bytes(left)
    copies.backup(path, copy, keep=2)
    names = [file.name for file in copy.parent.glob("copy.db*")]
    assert sorted(names) == ["copy.db", "copy.db.1"], "a copy goes with its log"


def test_a_copy_with_the_time_in_its_name_goes_with_its_log(path: Path, copy: Path) -> None:
    crash(copies.backup(path)[0])
    made, _ = copies.backup(path, keep=1)
    assert [file.name for file in path.parent.glob("*backup*")] == [made.name]


@pytest.mark.parametrize("name", ["b.db.1", "b.db.2", "b.db-wal", "b.db.1-wal", "b.db.2-journal"])
def test_no_copy_ever_takes_the_place_of_the_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with closing(Memory(path)) as memory:
        memory.fact_store({"action": "add", "content": "early fact"})
    for _ in range(3):
        with pytest.raises(InvalidArgumentError, match="the memory itself"):
            copies.backup(path, tmp_path / "b.db", keep=3)
    assert texts(path) == ["early fact"]
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("keep", [None, 2])
def test_a_file_that_is_no_copy_is_never_written_over(path: Path, copy: Path, keep: int | None) -> None:
    notes = copy.with_name("notes.txt") if keep is None else copy.with_name("copy.db.1")
    notes.write_text("what else is to be done", "utf-8")
    with pytest.raises(InvalidArgumentError, match=f"{notes.name} is no copy of a memory"):
        copies.backup(path, notes if keep is None else copy, keep)
    assert notes.read_text("utf-8") == "what else is to be done"
    assert texts(copy) == ["early fact"]
    notes.write_bytes(b"")  # nothing can be lost
    copies.backup(path, notes if keep is None else copy, keep)


def test_at_least_one_copy_is_kept(path: Path, copy: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="keep must be 1 or more, not 0"):
        copies.backup(path, keep=0)
    assert copies.backups(path) == []


# --- what servers write meanwhile ---


def test_what_a_server_acknowledged_is_in_one_of_the_two(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes before and after the present file is copied aside."""
    make = copying.copy_database
    told: list[str] = []

    def slow(source: Path, target: Path) -> None:
        tell()
        make(source, target)
        tell()

    def tell() -> None:
        content = f"told meanwhile {len(told)}"
        with closing(Memory(path, wait_seconds=0.1)) as server:
            try:
                server.fact_store({"action": "add", "content": content})
            except MemoryFileError:
                return
        told.append(content)

    monkeypatch.setattr(copying, "copy_database", slow)
    with closing(Memory(path)) as server:
        server.fact_store({"action": "list"})
        _, aside = copies.restore(path, copy)
        tell()
        now = {fact["content"] for fact in server.fact_store({"action": "list"})["facts"]}
    assert aside is not None
    assert told
    assert set(told) <= now | set(texts(aside))


def test_a_memory_without_a_log_is_locked_while_it_is_exchanged(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(path, timeout=0.1)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        make, refused = copying._write_copy, []

        def tell(reader: sqlite3.Connection, source: Path, target: Path) -> None:
            make(reader, source, target)
            if source == path:
                try:
                    other.execute("INSERT INTO facts(content) VALUES ('told meanwhile')")
                except sqlite3.OperationalError as error:
                    refused.append(str(error))

        monkeypatch.setattr(copying, "_write_copy", tell)
        total, aside = copies.restore(path, copy)
    assert (total, texts(path), refused) == (1, ["early fact"], ["database is locked"])
    assert aside is not None
    assert texts(aside) == ["early fact"]


def test_nothing_is_left_of_a_restore_that_fails_in_the_middle(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Memory(path)) as server:
        server.fact_store({"action": "add", "content": "kept"})
        monkeypatch.setattr(copying._Patience, "__call__", fail_late())
        with pytest.raises(MemoryFileError, match="is full"):
            copies.restore(path, copy)
        server.fact_store({"action": "add", "content": "told after that"})
    assert texts(path) == ["early fact", "kept", "told after that"]
    assert [file.name for file in path.parent.iterdir() if "restore" in file.name] == []


def fail_late() -> object:
    call = copying._Patience.__call__

    def count(self: copying._Patience, status: int, left: int, total: int) -> None:
        call(self, status, left, total)
        if 0 < left < total - 3:
            error = sqlite3.OperationalError("as SQLite says")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    return count


# --- what is said ---


def test_advice_fits_the_file_that_it_is_about(path: Path, copy: Path, tmp_path: Path) -> None:
    broken = tmp_path / "notes.db"
    broken.write_bytes(b"SQLite format 3\0" + b"x" * 500)
    with closing(Memory(path)) as memory:
        for attempt in (
            lambda: imports.import_facts(memory, broken),
            lambda: copies.restore(path, broken),
        ):
            with pytest.raises(MemoryFileError) as caught:
                attempt()
            assert str(caught.value) == (
                f"{broken} is damaged or no SQLite database. The file is left as it is. Give another file."
            )
    with pytest.raises(MemoryFileError) as caught:
        copies.backup(path, tmp_path / "no" / "b.db")
    assert str(caught.value).endswith("Check the path, its folder and their permissions.")
    assert str(caught.value).startswith(str(tmp_path))


def test_a_copy_that_is_damaged_beyond_reading_is_named(path: Path, copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = 'CREATE nonsense' WHERE name = 'facts'")
    with pytest.raises(MemoryFileError) as caught:
        copies.restore(path, copy)
    assert str(caught.value).startswith(f"{copy} is damaged or no SQLite database.")
    assert texts(path) == ["early fact"]


@pytest.mark.parametrize("where", ["tempfile.mkdtemp", "pathlib.Path.mkdir"])
def test_a_folder_that_cannot_be_written_is_told(
    path: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(where, refused)
    with pytest.raises(MemoryFileError, match=r"cannot be used: Permission denied\. Check the path"):
        copies.restore(path if where == "tempfile.mkdtemp" else tmp_path / "new" / "facts.db", copy)


def test_older_copies_that_cannot_be_removed_are_told(path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older, _ = copies.backup(path)

    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(copies, "remove_database", refused)
    with pytest.raises(MemoryFileError, match="cannot be used: Permission denied"):
        copies.backup(path, keep=1)
    assert older.exists()


# --- what a look leaves ---


def test_a_look_leaves_nothing_beside_an_idle_file(path: Path, copy: Path, tmp_path: Path) -> None:
    source = tmp_path / "other" / "x.db"
    with closing(Memory(source)) as memory:
        memory.fact_store({"action": "add", "content": "of another memory"})
    before = source.read_bytes(), source.stat().st_mtime_ns
    inspection.look(source)
    with closing(Memory(path)) as memory:
        assert imports.import_facts(memory, source).added == 1
    assert [file.name for file in source.parent.iterdir()] == ["x.db"]
    assert (source.read_bytes(), source.stat().st_mtime_ns) == before


def test_a_look_takes_no_log_from_who_uses_it(path: Path, copy: Path) -> None:
    with connections.looking(path) as reader:
        reader.execute("SELECT count(*) FROM facts").fetchone()
        server = Memory(path)
        server.fact_store({"action": "list"})
    with closing(server):
        server.fact_store({"action": "add", "content": "told after the look"})
        assert texts(path) == ["early fact", "told after the look"]
        inspection.look(path)
        assert path.with_name(f"{path.name}-wal").exists()
    assert texts(path) == ["early fact", "told after the look"]
