"""Export and import between memories: complete, stable, without loss, the same file twice changes nothing."""

import csv
import io
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from mnemo import exports, imports
from mnemo.errors import InvalidArgumentError, MemoryFileError
from mnemo.importers.exported import MARK
from mnemo.memory import Memory
from mnemo.transfer import BATCH, TransferStore
from tests.conftest import rows

MORNING, NOON, EVENING = "2026-04-01 08:00:00", "2026-04-01 12:00:00", "2026-04-01 18:00:00"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Memory]:
    """Give the memory of another machine."""
    memory = Memory(tmp_path / "other" / "facts.db")
    yield memory
    memory.close()


def add(memory: Memory, content: str, **more: Any) -> int:
    fact_id: int = memory.fact_store({"action": "add", "content": content, **more})["fact_id"]
    return fact_id


def update(memory: Memory, fact_id: int, **changes: Any) -> None:
    memory.fact_store({"action": "update", "fact_id": fact_id, **changes})


def get(memory: Memory, fact_id: int) -> dict[str, Any]:
    fact: dict[str, Any] = memory.fact_store({"action": "get", "fact_id": fact_id})["facts"][0]
    return fact


def contents(memory: Memory) -> set[str]:
    return {fact["content"] for fact in exports.export_records(memory)}


def exported(memory: Memory) -> bytes:
    return "".join(exports.export(memory)).encode()


def send(source: Memory, target: Memory) -> dict[str, Any]:
    return imports.import_facts(target, exported(source)).as_dict()


def numbers(report: dict[str, Any]) -> tuple[int, int, int, int]:
    counts = (report[name] for name in ("added", "updated", "unchanged", "not_taken"))
    assert report["read"] == sum(counts), "each fact that was read is counted once"
    return report["added"], report["updated"], report["unchanged"], len(report["conflicts"])


def test_a_line_holds_all_columns_and_the_names(memory: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "Torvald deploys `gen-fjord`", category="workflow", tags="ops,ci", summary="gen-fjord deploys")
    memory.fact_feedback({"action": "helpful", "fact_id": 1})
    with freeze_time(NOON):
        memory.fact_store({"action": "search", "query": "fjord"})
    (fact,) = exports.export_records(memory)
    assert len(fact.pop("uid")) == 16
    assert "gen-fjord" in fact.pop("entities")
    assert fact == {
        "fact_id": 1,
        "content": "Torvald deploys `gen-fjord`",
        "summary": "gen-fjord deploys",
        "category": "workflow",
        "tags": "ops,ci",
        "trust_score": 0.55,
        "retrieval_count": 1,
        "helpful_count": 1,
        "last_retrieved_at": NOON,
        "created_at": MORNING,
        "updated_at": MORNING,
        "expires_at": None,
        "superseded_by": None,
    }


def test_the_order_is_that_of_creation_whatever_was_used_since(memory: Memory) -> None:
    for day, content in enumerate(["walnut", "apricot", "medlar"], 1):
        with freeze_time(f"2026-04-0{day}"):
            add(memory, content)
    before = [fact["content"] for fact in exports.export_records(memory)]
    update(memory, 1, tags="tree")
    memory.fact_feedback({"action": "helpful", "fact_id": 3})
    assert [fact["content"] for fact in exports.export_records(memory)] == before == ["walnut", "apricot", "medlar"]


def test_an_empty_memory_takes_every_value_and_id(memory: Memory, other: Memory) -> None:
    add(memory, "lost line")
    add(memory, "站会改到九点", category="workflow", tags="会议")
    add(memory, "x" * 600, summary="a long one")
    memory.fact_store({"action": "remove", "fact_id": 1})
    memory.fact_feedback({"action": "unhelpful", "fact_id": 2})
    memory.fact_store({"action": "search", "query": "站会"})
    assert numbers(send(memory, other)) == (2, 0, 0, 0)
    assert exported(other) == exported(memory)
    assert get(other, 2) == get(memory, 2)
    assert other.fact_store({"action": "search", "query": "站会"})["results"][0]["fact_id"] == 2


def test_the_same_file_twice_changes_nothing(memory: Memory, other: Memory) -> None:
    add(memory, "first")
    add(memory, "second", tags="b")
    send(memory, other)
    before = rows(other.path, "SELECT * FROM facts")
    assert numbers(send(memory, other)) == (0, 0, 2, 0)
    assert rows(other.path, "SELECT * FROM facts") == before


def test_a_change_on_one_side_follows_to_the_other_and_is_no_conflict(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "The review board meets on Monday", tags="old")
        send(memory, other)
    with freeze_time(NOON):
        update(memory, 1, content="The review board meets on Friday", tags="new")
    assert numbers(send(memory, other)) == (0, 1, 0, 0)
    assert contents(other) == {"The review board meets on Friday"}
    assert get(other, 1)["tags"] == "new"
    found = other.fact_store({"action": "search", "query": "Monday"})
    assert found["count"] == 0, "the index forgets what is not said any more"


def test_an_older_copy_does_not_undo_a_change(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "quay 3")
        old = exported(memory)
    with freeze_time(NOON):
        update(memory, 1, content="quay 4")
        exported(memory)
    report = imports.import_facts(memory, old).as_dict()
    assert contents(memory) == {"quay 4"}
    assert [conflict["kept"] for conflict in report["conflicts"]] == ["quay 3"], "it is kept, since nothing is lost"
    again = imports.import_facts(memory, old).as_dict()
    assert (numbers(again), again["not_taken"]) == ((0, 0, 0, 0), 1)


@pytest.mark.parametrize("back", ["undo", "undo import", "restore"])
def test_what_was_imported_and_taken_back_is_kept_and_reported_when_it_comes_again(
    memory: Memory, other: Memory, back: str
) -> None:
    with freeze_time(MORNING):
        add(memory, "The ferry leaves at 8")
        send(memory, other)
    with freeze_time(NOON):
        update(memory, 1, content="The ferry leaves at 10")
        assert numbers(send(memory, other)) == (0, 1, 0, 0)
    with freeze_time(EVENING):
        if back == "restore":
            (newest, *_) = other.fact_store({"action": "history", "fact_id": 1})["versions"]
            other.fact_store({"action": "restore", "fact_id": 1, "version": newest["version"]})
        else:
            other.parts.history.undo("import" if back == "undo import" else None)
        report = send(memory, other)
    assert (numbers(report), report["not_taken"]) == ((0, 0, 0, 1), 1)
    assert [(one["won"], one["kept"]) for one in report["conflicts"]] == [("memory", "The ferry leaves at 10")]
    assert contents(other) == {"The ferry leaves at 8"}, "what was decided here stands"
    assert "The ferry leaves at 10" in {json.loads(line)["content"] for line in exports.export_kept(other)}
    again = send(memory, other)
    assert (numbers(again), again["not_taken"]) == ((0, 0, 0, 0), 1), "said once, and counted each time"
    assert numbers(send(other, memory)) == (0, 1, 0, 0), "and it goes on from here to where it came from"
    assert contents(memory) == {"The ferry leaves at 8"}


def test_taking_back_what_no_other_memory_has_makes_no_conflict(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "The ferry leaves at 8")
        send(memory, other)
        update(other, 1, content="The ferry leaves at 9")
        other.parts.history.undo()
    with freeze_time(NOON):
        update(memory, 1, content="The ferry leaves at 10")
    assert numbers(send(memory, other)) == (0, 1, 0, 0)


@pytest.mark.parametrize("newer", ["here", "there"])
def test_of_two_changes_the_newer_wins_and_the_other_is_kept_and_reported(
    memory: Memory, other: Memory, newer: str
) -> None:
    with freeze_time(MORNING):
        add(memory, "The lock is at quay 1")
        send(memory, other)
    with freeze_time(NOON if newer == "here" else EVENING):
        update(memory, 1, content="The lock is at quay 2")
    with freeze_time(EVENING if newer == "here" else NOON):
        update(other, 1, content="The lock is at quay 3")
    report = send(memory, other)
    winner, loser = ("quay 3", "quay 2") if newer == "here" else ("quay 2", "quay 3")
    assert numbers(report) == (0, int(newer == "there"), 0, 1)
    assert report["not_taken"] == int(newer == "here")
    assert report["conflicts"] == [
        {
            "line": 1,
            "fact_id": 1,
            "won": "memory" if newer == "here" else "file",
            "kept": f"The lock is at {loser}",
            "kept_updated_at": NOON,
        }
    ]
    assert contents(other) == {f"The lock is at {winner}"}
    (kept,) = map(json.loads, exports.export_kept(other))
    assert (kept["content"], kept["kept_of"]) == (f"The lock is at {loser}", 1)
    assert numbers(send(memory, other)) == (0, 0, int(newer == "there"), 0), "again: nothing new to say"
    send(other, memory)
    assert exported(memory) == exported(other), "both sides end with the same"


def test_facts_of_both_sides_come_together_though_their_ids_clash(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "mine")
    with freeze_time(NOON):
        add(other, "theirs")
    assert numbers(send(memory, other)) == (1, 0, 0, 0)
    assert numbers(send(other, memory)) == (1, 0, 1, 0)
    assert contents(memory) == contents(other) == {"mine", "theirs"}
    assert exported(memory) == exported(other)
    with freeze_time(EVENING):
        update(memory, 2, content="theirs, corrected here")
    assert numbers(send(memory, other)) == (0, 1, 1, 0)
    assert contents(other) == {"mine", "theirs, corrected here"}


def test_the_same_text_on_both_sides_becomes_one_fact(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "Prefers tabs")
    with freeze_time(NOON):
        add(other, "prefers  tabs.")
    exported(memory), exported(other)
    send(memory, other)
    send(other, memory)
    send(memory, other)
    assert contents(memory) == contents(other) == {"prefers  tabs."}
    assert exported(memory) == exported(other)


def test_counters_take_the_higher_value_and_trust_that_of_the_later_use(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "ebb and flood")
        send(memory, other)
    with freeze_time(NOON):
        memory.fact_store({"action": "search", "query": "ebb"})
        memory.fact_feedback({"action": "helpful", "fact_id": 1})
    with freeze_time(EVENING):
        for _ in range(3):
            other.fact_store({"action": "search", "query": "flood"})
        other.fact_feedback({"action": "unhelpful", "fact_id": 1})
    for first, second in ((memory, other), (other, memory)):
        send(first, second)
    fact = get(memory, 1)
    assert (fact["retrieval_count"], fact["helpful_count"], fact["trust_score"]) == (3, 1, 0.4)
    assert fact["last_retrieved_at"] == EVENING
    assert exported(memory) == exported(other)


def test_a_removed_fact_comes_back_with_its_id(memory: Memory) -> None:
    add(memory, "kept by mistake")
    add(memory, "removed by mistake")
    copy = exported(memory)
    memory.fact_store({"action": "remove", "fact_id": 2})
    assert numbers(imports.import_facts(memory, copy).as_dict()) == (1, 0, 1, 0)
    assert get(memory, 2)["content"] == "removed by mistake"


def test_what_git_leaves_of_a_conflict_is_merged(memory: Memory, other: Memory) -> None:
    add(memory, "ours")
    add(other, "theirs")
    ours, theirs = exported(memory).decode(), exported(other).decode()
    text = f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> main\n"
    report = imports.import_facts(memory, text.encode()).as_dict()
    assert (report["errors"], contents(memory)) == ([], {"ours", "theirs"})


def test_wrong_lines_are_listed_and_the_rest_goes_in(memory: Memory) -> None:
    lines = [
        '{"content": "good one"}',
        "{broken",
        '{"content": "   "}',
        '{"text": "no content"}',
        '["a list"]',
        '{"content": "bad trust", "trust_score": "high"}',
        '{"content": "good two", "tags": ["a", "b"], "created_at": "2026-01-02T03:04:05+02:00", "trust_score": 7}',
    ]
    report = imports.import_facts(memory, "\n".join(lines).encode()).as_dict()
    assert [error["line"] for error in report["errors"]] == [2, 3, 4, 5, 6]
    assert report["errors"][4]["error"] == "trust_score is no number: high"
    assert numbers(report) == (2, 0, 0, 0)
    fact = get(memory, 2)
    assert (fact["tags"], fact["created_at"], fact["trust_score"]) == ("a,b", "2026-01-02 01:04:05", 1.0)


def test_an_id_beyond_exact_numbers_is_not_taken_over(memory: Memory) -> None:
    imports.import_facts(memory, b'{"content": "far", "fact_id": 9223372036854775807}')
    imports.import_facts(memory, b'{"content": "negative", "fact_id": -4}')
    assert rows(memory.path, "SELECT fact_id FROM facts") == [(1,), (2,)]


def test_more_than_one_batch_goes_in_and_progress_counts_all(memory: Memory) -> None:
    lines = "\n".join(json.dumps({"content": f"berth {number}"}) for number in range(2345))
    seen: list[int] = []
    report = imports.import_facts(memory, lines.encode(), progress=seen.append)
    assert (report.added, sum(seen), len(seen)) == (2345, 2345, 2)


def test_csv_comes_back_as_it_was(memory: Memory, other: Memory) -> None:
    add(memory, 'a "quoted", comma\nand a second line', tags="x,y", summary="s")
    add(memory, "带逗号，的事实", category="identity")
    text = "".join(exports.export(memory, "csv"))
    assert [row["content"] for row in csv.DictReader(io.StringIO(text, newline=""))] == [
        'a "quoted", comma\nand a second line',
        "带逗号，的事实",
    ]
    assert imports.import_facts(other, text.encode()).format == "csv"
    assert get(other, 1) == get(memory, 1)
    assert get(other, 2) == get(memory, 2)


def test_markdown_groups_by_category(memory: Memory) -> None:
    add(memory, "general thing")
    add(memory, "name is Liv\nof Bodø", category="identity", tags="me", summary="Liv")
    assert "".join(exports.export(memory, "md")) == (
        f"# Facts\n\n{MARK}\n"
        "\n## identity\n\n- name is Liv\n  of Bodø  `me`\n  - summary: Liv\n\n## general\n\n- general thing\n"
    )


def test_an_unknown_format_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidArgumentError, match="Unknown format: yaml"):
        list(exports.export(memory, "yaml"))
    with pytest.raises(InvalidArgumentError, match="Unknown format: yaml"):
        imports.import_facts(memory, b"x", "yaml")


def test_a_missing_file_is_named(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(MemoryFileError, match=r"gone\.jsonl cannot be read: No such file"):
        imports.import_facts(memory, tmp_path / "gone.jsonl")


def test_secrets_follow_the_rule_of_the_memory(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "ghp_" + "Zt4" * 12
    text = f'{{"content": "token {secret}"}}\n{{"content": "harmless"}}'.encode()
    monkeypatch.setenv("MNEMO_SECRETS", "block")
    report = imports.import_facts(memory, text).as_dict()
    assert (report["added"], [error["line"] for error in report["errors"]]) == (1, [1])
    assert secret not in report["errors"][0]["error"]
    monkeypatch.setenv("MNEMO_SECRETS", "redact")
    assert imports.import_facts(memory, text).added == 1
    assert not any(secret in content for content in contents(memory))


def test_a_file_is_written_whole_for_its_owner_alone(memory: Memory, tmp_path: Path) -> None:
    target = tmp_path / "facts.jsonl"
    target.write_text("what was there")

    def breaks() -> Iterator[str]:
        yield "a line\n"
        raise MemoryFileError("the memory went away")

    with pytest.raises(MemoryFileError, match="went away"):
        exports.write_file(target, breaks())
    assert target.read_text() == "what was there"
    assert exports.write_file(target, iter(["one\n", "two\n"])) == 2
    assert target.read_text() == "one\ntwo\n"
    assert [path.name for path in tmp_path.iterdir()] == ["facts.jsonl"]
    if os.name == "posix":
        assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="links and named pipes of POSIX")
def test_a_link_stays_one_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "facts.jsonl", tmp_path / "link", tmp_path / "pipe"
    target.write_text("what was there")
    link.symlink_to(target)
    assert exports.write_file(link, iter(["one\n"])) == 1
    assert (link.is_symlink(), target.read_text()) == (True, "one\n")
    os.mkfifo(pipe)
    with closing(os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))) as reader:
        assert exports.write_file(pipe, iter(["one\n", "two\n"])) == 2
        assert reader.read() == "one\ntwo\n"
    assert pipe.is_fifo()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MemoryFileError, match=r"x\.jsonl cannot be written: No such file"):
        exports.write_file(tmp_path / "none" / "x.jsonl", iter([]))


def test_a_newer_version_whose_text_another_fact_has_is_kept_aside(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "old name")
        send(memory, other)
        add(other, "new name")
    with freeze_time(NOON):
        update(memory, 1, content="new name")
    report = send(memory, other)
    assert report["conflicts"][0]["won"] == "memory"
    assert contents(other) == {"old name", "new name"}


def ids(memory: Memory) -> dict[str, int]:
    facts = memory.fact_store({"action": "list"})["facts"]
    return {fact["content"]: fact["fact_id"] for fact in facts}


def test_an_id_that_a_removed_fact_had_is_given_to_no_other(memory: Memory, other: Memory) -> None:
    first = add(memory, "The deploy key of project Alpha is in the safe")
    add(memory, "Second fact")
    send(memory, other)
    memory.fact_store({"action": "remove", "fact_id": first})
    foreign = {"fact_id": first, "content": "Lunch is at noon", "updated_at": "2031-01-01"}
    report = imports.import_facts(memory, json.dumps(foreign).encode())
    assert (report.added, ids(memory)) == (1, {"Second fact": 2, "Lunch is at noon": 3})
    send(memory, other)
    assert {"The deploy key of project Alpha is in the safe", "Lunch is at noon"} <= ids(other).keys()
    memory.fact_store({"action": "restore", "fact_id": first})
    assert get(memory, first)["content"] == "The deploy key of project Alpha is in the safe"


def test_a_removed_fact_comes_back_under_its_own_id(memory: Memory, other: Memory) -> None:
    add(memory, "one")
    add(memory, "two")
    send(memory, other)
    memory.fact_store({"action": "remove", "fact_ids": [1, 2]})
    assert send(other, memory)["added"] == 2
    assert ids(memory) == {"one": 1, "two": 2}


def test_an_id_of_a_fact_that_was_never_named_stays_free_for_none(memory: Memory, other: Memory) -> None:
    add(memory, "mine, removed later")
    memory.fact_store({"action": "remove", "fact_id": 1})
    add(other, "of another machine")
    send(other, memory)
    assert ids(memory) == {"of another machine": 2}


@pytest.mark.parametrize("mode", ["redact", "block"])
def test_a_secret_in_any_text_of_a_line_is_kept_out(memory: Memory, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    secret = "ghp_" + "Zt4" * 12
    lines = [{"content": "berth one", name: f"{secret} of the harbour"} for name in ("tags", "summary")]
    lines.append({"content": f"{secret} of the harbour"})
    monkeypatch.setenv("MNEMO_SECRETS", mode)
    for number, line in enumerate(lines):
        report = imports.import_facts(memory, json.dumps({"content": f"berth {number}", **line}).encode())
        assert (report.added, len(report.errors)) == ((1, 0) if mode == "redact" else (0, 1))
        memory.fact_store({"action": "remove", "fact_id": number + 1}) if report.added else None
    assert secret not in exported(memory).decode()


def test_an_import_that_stops_says_what_is_kept_and_goes_on_the_next_time(memory: Memory, path: Path) -> None:
    lines = b"".join(b'{"content": "berth %d"}\n' % number for number in range(BATCH + 500))
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        done: list[int] = []

        def lock(count: int) -> None:
            done.append(count)
            if len(done) == 1:
                holder.execute("BEGIN IMMEDIATE")

        with pytest.raises(MemoryFileError, match=f"stopped after {BATCH} facts, which are kept; the same import"):
            imports.import_facts(memory, lines, progress=lock)
        with pytest.raises(MemoryFileError, match=r"^Another program keeps"):
            imports.import_facts(memory, lines)
        holder.execute("ROLLBACK")
    report = imports.import_facts(memory, lines)
    assert (report.added, report.unchanged) == (500, BATCH)


@pytest.mark.parametrize("column", ["summary", "category", "tags", "created_at", "updated_at", "expires_at"])
def test_what_another_program_wrote_oddly_is_exported_as_far_as_it_can_be(
    memory: Memory, path: Path, other: Memory, column: str
) -> None:
    add(memory, "berth one")
    add(memory, "berth two")
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute(f"UPDATE facts SET {column} = x'6162', trust_score = 'high', helpful_count = 'often'")
    assert send(memory, other)["added"] == 2
    assert "".join(exports.export(memory, "md")).count("- berth") == 2
    assert imports.import_facts(other, "".join(exports.export(memory, "csv")).encode()).errors == []
    again = b'{"content": "berth two", "updated_at": "2031-01-01"}'
    assert imports.import_facts(memory, again).errors == []
    assert (get(other, 2)["trust_score"], get(other, 2)["helpful_count"]) == (0.5, 0)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("20200101", "2020-01-01 00:00:00"),
        ("2020-W01-1", "2019-12-30 00:00:00"),
        ("2020-01-01T02:00:00+08:00", "2019-12-31 18:00:00"),
        ("2031-05-08", "2031-05-08 00:00:00"),
        ("never", None),
        ("", None),
        (None, None),
    ],
)
def test_an_expiry_is_stored_as_all_can_read_it(
    memory: Memory, other: Memory, written: str | None, kept: str | None
) -> None:
    report = imports.import_facts(memory, json.dumps({"content": "berth one", "expires_at": written}).encode())
    assert (report.added, get(memory, 1).get("expires_at")) == (1, kept)
    is_expired = kept is not None and kept < "2026"
    assert memory.fact_store({"action": "search", "query": "berth"})["count"] == int(not is_expired)
    assert send(memory, other)["added"] == 1
    assert get(other, 1).get("expires_at") == kept
    assert send(other, memory)["unchanged"] == 1


@pytest.mark.parametrize("written", ["next spring", "2031-13-01", True, [2031]])
def test_an_expiry_that_is_no_time_is_told_of(memory: Memory, written: object) -> None:
    lines = [json.dumps({"content": "berth one", "expires_at": written}), json.dumps({"content": "berth two"})]
    report = imports.import_facts(memory, "\n".join(lines).encode())
    assert (report.added, len(report.errors)) == (1, 1)
    assert "expires_at is no time" in str(report.errors)
    assert "YYYY-MM-DD" in str(report.errors)


@pytest.mark.parametrize(
    ("stored", "exported"),
    [
        ("2020-01-01T02:00:00+08:00", "2019-12-31 18:00:00"),
        ("20200101", None),
        ("2020-13-01", None),
        (7, None),
        ("9999-12-31T23:59:59-05:00", "9999-12-31"),
        ("0001-01-01T00:00:00+05:00", "0001-01-01"),
    ],
)
def test_an_expiry_of_another_program_is_exported_as_sqlite_reads_it(
    memory: Memory, path: Path, stored: object, exported: str | None
) -> None:
    add(memory, "berth one")
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("UPDATE facts SET expires_at = ?", (stored,))
    (fact,) = exports.export_records(memory)
    assert fact["expires_at"] == exported


def test_kept_versions_go_with_their_fact_when_its_name_changes(memory: Memory) -> None:
    add(memory, "the harbour code is blue")
    (ours,) = exports.export_records(memory)
    lost = {**ours, "content": "the harbour code is crimson", "updated_at": "2020-01-01 00:00:00"}
    imports.import_facts(memory, json.dumps(lost).encode())
    imports.import_facts(memory, json.dumps({**ours, "uid": "0" * 16}).encode())
    (kept,) = exports.export_records(memory, kept=True)
    assert (kept["content"], kept["kept_of"], kept["uid"]) == ("the harbour code is crimson", 1, "0" * 16)
    memory.parts.history.purge([1])
    assert exports.export_records(memory, kept=True) == []


@pytest.mark.parametrize("count", [1e300, "often", 2**62])
def test_counts_of_any_size_are_exported_and_merged(memory: Memory, path: Path, other: Memory, count: object) -> None:
    add(memory, "berth one")
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("UPDATE facts SET retrieval_count = ?", (count,))
    assert send(memory, other)["added"] == 1
    changed = b'{"content": "berth one", "tags": "new", "updated_at": "2031-01-01"}'
    assert imports.import_facts(memory, changed).updated == 1


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_that_leads_to_itself_is_written(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert exports.write_file(loop, iter(["one\n"])) == 1
    assert loop.read_text() == "one\n"


def test_the_newer_version_wins_however_the_other_s_time_is_written(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "add", "content": "the old text"})
    rows(path, "UPDATE facts SET updated_at = '2026-05-08T01:00:00Z'")
    line = json.loads("".join(exports.export(memory)))
    assert line["updated_at"] == "2026-05-08 01:00:00"
    line |= {"content": "the new text", "updated_at": "2026-05-08 23:00:00"}
    assert imports.import_facts(memory, json.dumps(line).encode()).updated == 1
    assert rows(path, "SELECT content FROM facts") == [("the new text",)]


def test_who_spoke_last_of_a_succession_is_told_however_times_are_written(memory: Memory, path: Path) -> None:
    memory.fact_store({"action": "add", "contents": ["first", "second", "third"]})
    rows(path, "UPDATE facts SET superseded_by = iif(fact_id = 1, 2, NULL), updated_at = '2026-05-08T01:00:00Z'")
    lines = [json.loads(line) for line in exports.export(memory)]
    lines[0] |= {"superseded_by": lines[2]["uid"]}
    lines[2] |= {"updated_at": "2026-05-08 12:00:00"}
    imports.import_facts(memory, "\n".join(map(json.dumps, lines)).encode())
    assert rows(path, "SELECT superseded_by FROM facts WHERE fact_id = 1") == [(3,)]


def test_fact_that_comes_while_facts_are_named_is_exported_with_its_name(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.fact_store({"action": "add", "content": "Tea is served at four"})
    name, late = TransferStore._name_facts, ["The harbour crane is green", "Nadia Okonkwo keeps the tide log"]

    def slow(store: TransferStore) -> None:
        name(store)
        if late:
            memory.fact_store({"action": "add", "content": late.pop()})

    monkeypatch.setattr(TransferStore, "_name_facts", slow)
    found = [json.loads(line) for line in exports.export(memory)]
    assert len(found) == 3
    assert all(fact["uid"] for fact in found)
