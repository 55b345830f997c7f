"""Files and folders that are not as they should be: the server starts, says what to do, and leaves them alone."""

import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from mnemo import diagnosis, schema
from mnemo.errors import MemoryFileError, MnemoError
from mnemo.memory import Memory
from mnemo.storage import recovery
from mnemo.storage.database import Database
from tests.faults.common import Server, contents, times

FLIPS = times(12, 200)
CUTS = times(4, 40)
FACTS = 60
PAGE = 4096
LEAF_OF_A_TABLE = 13  # the first byte of such a page
CALLS: list[dict[str, Any]] = [
    {"action": "search", "query": "harbour 港口"},
    {"action": "list", "limit": 100},
    {"action": "add", "content": "The harbour is open again"},
    {"action": "history", "fact_id": 1},
    {"action": "contradict"},
    {"action": "learn"},
    {"action": "audit"},
    {"action": "remove", "fact_id": 2},
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a memory with some use behind it."""
    path = tmp_path_factory.mktemp("whole") / "facts.db"
    with closing(Memory(path)) as memory:
        texts = [f"Olivia keeps harbour note {number} （港口笔记 {number}）" for number in range(FACTS)]
        memory.fact_store({"action": "add", "contents": texts})
        memory.fact_store({"action": "add", "content": "A long harbour story. " * 2000})
        for number in range(1, 9):
            memory.fact_store({"action": "update", "fact_id": number, "tags": "harbour"})
            memory.fact_store({"action": "search", "query": "harbour"})
    return path


@pytest.fixture
def damaged(whole: Path, path: Path) -> Path:
    """Give a copy to damage."""
    shutil.copyfile(whole, path)
    return path


def outcomes(path: Path) -> Iterator[str]:
    """Do each call on a file and yield `ok`, or the words of the error; anything else is a failure."""
    memory = Memory(path, wait_seconds=0.1)
    try:
        for call in CALLS:
            try:
                memory.fact_store(call)
            except MnemoError as error:
                yield str(error)
            else:
                yield "ok"
    finally:
        with suppress(MemoryFileError):  # a damaged file may refuse the last log entries, in words
            memory.close()


def are_words(found: Iterator[str]) -> bool:
    """Tell whether every outcome is a success or a sentence, not the inside of the program."""
    return all(said and "Traceback" not in said and "SELECT" not in said for said in found)


def check(path: Path) -> list[str]:
    """Let the doctor look at a file, with and without mending, and return what it found on the file."""
    diagnosis.diagnose(path)
    found = diagnosis.diagnose(path, repair=True)
    return [finding.status for finding in found if finding.check in ("integrity", "file", "index")]


@pytest.mark.parametrize("seed", range(FLIPS))
def test_flipped_bits_are_survived_or_explained(damaged: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    data = bytearray(damaged.read_bytes())
    for _ in range(1 + seed % 3):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    damaged.write_bytes(data)
    assert are_words(outcomes(damaged))
    damaged.write_bytes(data)
    for ending in ("-wal", "-shm"):
        Path(f"{damaged}{ending}").unlink(missing_ok=True)
    assert check(damaged)


@pytest.mark.parametrize("seed", range(CUTS))
def test_a_file_that_was_cut_short_is_explained_and_recovered(damaged: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    size = damaged.stat().st_size
    with damaged.open("r+b") as file:
        file.truncate(chance.randrange(1, size))
    assert are_words(outcomes(damaged))
    assert check(damaged)


def leaf_of_a_table(data: bytes | bytearray, text: bytes) -> int:
    """Return where the page begins that holds the row with a text; the pages of an index hold it too."""
    place = data.index(text)
    while data[place // PAGE * PAGE] != LEAF_OF_A_TABLE:
        place = data.index(text, place + 1)
    return place // PAGE * PAGE


def readable(path: Path, last: int) -> set[str]:
    """Return the contents of the facts that can be read one by one."""
    found = set()
    with closing(sqlite3.connect(path)) as connection:
        for fact_id in range(1, last + 1):
            with suppress(sqlite3.Error):
                found |= {row[0] for row in connection.execute("SELECT content FROM facts WHERE rowid = ?", (fact_id,))}
    return found


@pytest.mark.parametrize("notes", [[30], [1], [59], [10, 30, 59]], ids=str)
@pytest.mark.parametrize("one_by_one", [1, 4, recovery.ONE_BY_ONE])
def test_the_facts_on_the_pages_that_are_left_are_recovered(
    whole: Path, damaged: Path, notes: list[int], one_by_one: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "ONE_BY_ONE", one_by_one)
    data = bytearray(damaged.read_bytes())
    for page in {leaf_of_a_table(data, b"harbour note %d " % note) for note in notes}:
        data[page : page + PAGE] = bytes(PAGE)
    damaged.write_bytes(data)
    (found,) = [finding for finding in diagnosis.diagnose(damaged, repair=True) if finding.check == "integrity"]
    assert found.status == "error"
    (recovered,) = damaged.parent.glob("facts.db.recovered-*")
    left = contents(recovered)
    assert set() < left < contents(whole)
    assert left == readable(damaged, FACTS + 1)
    with closing(Memory(recovered)) as memory:
        assert memory.fact_store({"action": "search", "query": "harbour"})["count"] == min(10, len(left))
    assert bytes(data) == damaged.read_bytes()


def test_nothing_is_recovered_from_noise(path: Path) -> None:
    path.write_bytes(os.urandom(10_000))
    (found,) = [finding for finding in diagnosis.diagnose(path, repair=True) if finding.check == "integrity"]
    assert found.status == "error"
    assert list(path.parent.glob("*recovered*")) == []


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def noise(path: Path) -> None:
    path.write_bytes(b"This is a diary and no database. " * 300)


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
        connection.execute("INSERT INTO songs VALUES ('Whale song')")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 7}")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * 100)


BAD: list[tuple[Callable[[Path], None], str]] = [
    (zero, "damaged or no SQLite database"),
    (noise, "damaged or no SQLite database"),
    (header, "damaged or no SQLite database"),
    (foreign, "database of another application"),
    (newer, "Upgrade mnemo"),
    (folder, "is a folder"),
    (pipe, "no regular file"),
]


@pytest.mark.parametrize(("spoil", "words"), BAD, ids=[spoil.__name__ for spoil, _ in BAD])
def test_the_server_starts_and_each_call_says_what_to_do(
    damaged: Path, spoil: Callable[[Path], None], words: str
) -> None:
    spoil(damaged)
    before = damaged.read_bytes() if damaged.is_file() else b""
    server = Server(damaged)
    server.start()
    assert len(server.request("tools/list", {})["tools"]) == 2
    for call in CALLS:
        answer, is_error = server.ask("fact_store", **call)
        assert is_error
        assert words in answer["error"]
    server.close()
    assert (damaged.read_bytes() if damaged.is_file() else b"") == before
    assert "error" in {finding.status for finding in diagnosis.diagnose(damaged)}


def test_zero_bytes_are_a_new_memory(path: Path) -> None:
    path.touch()
    with closing(Memory(path)) as memory:
        assert memory.fact_store({"action": "add", "content": "one"})["fact_id"] == 1


def test_a_symbolic_link_is_followed_and_stays(whole: Path, tmp_path: Path) -> None:
    real, link = tmp_path / "elsewhere.db", tmp_path / "link.db"
    shutil.copyfile(whole, real)
    link.symlink_to(real)
    with closing(Memory(link)) as memory:
        memory.fact_store({"action": "add", "content": "over the link"})
    assert link.is_symlink()
    assert "over the link" in contents(real)


def test_a_relative_path_counts_from_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMO_DB", "notes/mine.db")
    with closing(Memory()) as memory:
        memory.fact_store({"action": "add", "content": "one"})
    assert contents(tmp_path / "notes" / "mine.db") == {"one"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a file system of 4 MB in memory, where this machine lets us mount one."""
    place = tmp_path / "small"
    place.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    if mount is None or subprocess.run([mount, *options], capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here, which needs root")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], capture_output=True, check=False)  # noqa: S607


def test_a_full_disk_refuses_writes_in_words_and_loses_nothing(small_disk: Path) -> None:
    path = small_disk / "facts.db"
    with closing(Memory(path, wait_seconds=0.2)) as memory:
        memory.fact_store({"action": "add", "content": "The harbour has a lantern"})
        ballast = small_disk / "ballast"
        ballast.write_bytes(bytes(2_000_000))
        stored = ["The harbour has a lantern"]
        refusal = ""
        while not refusal:
            text = f"Note {len(stored)} of the quarry. " + "stones " * 2_000
            try:
                memory.fact_store({"action": "add", "content": text})
            except MemoryFileError as error:
                refusal = str(error)
            else:
                stored.append(text)
        assert "is full; nothing was changed" in refusal
        assert memory.fact_store({"action": "search", "query": "lantern"})["count"] == 1
        assert memory.fact_store({"action": "list", "brief": True, "limit": 1000})["total"] == len(stored)
        ballast.unlink()
        memory.fact_store({"action": "add", "content": "There is room again"})
        assert memory.fact_store({"action": "search", "query": "room"})["count"] == 1
    assert contents(path) == {*stored, "There is room again"}


def test_a_row_that_the_new_file_cannot_take_ends_a_recovery_and_leaves_no_file(
    whole: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Small(Database):
        @contextmanager
        def writing(self, *, is_long: bool = False) -> Iterator[sqlite3.Connection]:
            with super().writing(is_long=is_long) as connection:
                connection.execute("PRAGMA max_page_count = 80")
                yield connection

    monkeypatch.setattr(recovery, "Database", Small)
    with pytest.raises(MemoryFileError, match="is full"):
        recovery.recover(whole, path)
    assert list(path.parent.iterdir()) == []


def test_what_is_no_fact_any_more_is_counted(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE facts(fact_id, content, trust_score)")
        rows = [(1, "Tea is served at four"), (1, "Tea is served at four"), ("one", "Tea"), (2, None), (1, "other")]
        connection.executemany("INSERT INTO facts(fact_id, content) VALUES (?, ?)", rows)
    assert recovery.recover(path, path.with_name("new.db")) == (1, 3)
