"""What hides a fact, and what is taken away again, travels between memories like every other change."""

import json

import pytest
from freezegun import freeze_time

from mnemo import exports, imports
from mnemo.memory import Memory
from tests.conftest import rows
from tests.test_exchange import EVENING, MORNING, NOON, add, exported, get, numbers, other, send, update

__all__ = ["other"]  # the fixture of the other machine's memory
LATER = "2026-04-01 19:00:00"


def superseding(memory: Memory) -> dict[str, str | None]:
    """Return what took the place of each fact."""
    facts = exports.export_records(memory)
    names = {fact["uid"]: fact["content"] for fact in facts}
    return {fact["content"]: names.get(fact["superseded_by"]) for fact in facts}


def listed(memory: Memory) -> set[str]:
    return {fact["content"] for fact in memory.fact_store({"action": "list"})["facts"]}


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_what_is_hidden_stays_hidden_elsewhere(memory: Memory, other: Memory, form: str) -> None:
    with freeze_time(MORNING):
        add(other, "already here, so that ids clash")
        old = add(memory, "The office of Olivia is room six")
        add(memory, "Olivia is on leave", expires_at="2026-04-01")
        add(memory, "Olivia is back", expires_at="2099-01-01")
    with freeze_time(NOON):
        add(memory, "The office of Olivia is room nine", supersedes=old)
    text = "".join(exports.export(memory, form)).encode()
    assert numbers(imports.import_facts(other, text).as_dict()) == (4, 0, 0, 0)
    assert superseding(other)["The office of Olivia is room six"] == "The office of Olivia is room nine"
    expected = {"Olivia is back", "The office of Olivia is room nine"}
    assert listed(memory) == expected
    assert listed(other) == expected | {"already here, so that ids clash"}
    before = rows(other.path, "SELECT * FROM facts")
    assert numbers(imports.import_facts(other, text).as_dict()) == (0, 0, 4, 0)
    assert rows(other.path, "SELECT * FROM facts") == before


def test_a_memory_that_has_both_facts_learns_which_took_the_others_place(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        old, new = add(memory, "berth six"), add(memory, "berth nine")
        send(memory, other)
    with freeze_time(NOON):
        update(memory, new, supersedes=old)
    assert numbers(send(memory, other)) == (0, 2, 0, 0), "the newer one was changed, the older one is hidden"
    assert superseding(other) == superseding(memory) == {"berth six": "berth nine", "berth nine": None}
    assert numbers(send(other, memory)) == numbers(send(memory, other)) == (0, 0, 2, 0)
    assert exported(memory) == exported(other)


@pytest.mark.parametrize("first", ["memory", "other"])
def test_of_two_opposite_words_about_a_place_the_last_holds_on_both_sides(
    memory: Memory, other: Memory, first: str
) -> None:
    with freeze_time(MORNING):
        six, nine = add(memory, "berth six"), add(memory, "berth nine")
        send(memory, other)
    with freeze_time(NOON):
        update(memory, nine, supersedes=six)
    with freeze_time(EVENING):
        update(other, six, supersedes=nine)
    pair = (memory, other) if first == "memory" else (other, memory)
    send(*pair)
    send(*pair[::-1])
    assert superseding(memory) == superseding(other) == {"berth six": None, "berth nine": "berth six"}
    assert exported(memory) == exported(other)


def test_of_two_successors_the_one_changed_later_holds_on_both_sides(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        old = add(memory, "the lock is green")
        send(memory, other)
    with freeze_time(NOON):
        add(memory, "the lock is red", supersedes=old)
    with freeze_time(EVENING):
        add(other, "the lock is blue", supersedes=old)
    send(memory, other)
    send(other, memory)
    assert superseding(memory) == superseding(other)
    assert superseding(memory)["the lock is green"] == "the lock is blue"


def hide(memory: Memory) -> None:
    """Let the second fact take the place of the first."""
    update(memory, 2, supersedes=1)


def show_again(memory: Memory, way: str) -> None:
    """Take that back, by the newest version of the older fact or by the whole change."""
    if way == "undo":
        assert memory.parts.history.undo() is not None
        return
    newest = memory.fact_store({"action": "history", "fact_id": 1})["versions"][0]
    assert newest["before"] == {"superseded_by": None}
    memory.fact_store({"action": "restore", "fact_id": 1, "version": newest["version"]})


@pytest.fixture
def berths(memory: Memory, other: Memory) -> set[str]:
    """Give two facts that both memories have, the first hidden by the second since noon."""
    with freeze_time(MORNING):
        add(memory, "berth six"), add(memory, "berth nine")
        send(memory, other)
    with freeze_time(NOON):
        hide(memory)
        send(memory, other)
    assert listed(memory) == listed(other) == {"berth nine"}
    return {"berth six", "berth nine"}


@pytest.mark.parametrize("way", ["undo", "restore"])
def test_a_supersession_that_is_taken_back_is_taken_back_elsewhere(
    memory: Memory, other: Memory, berths: set[str], way: str
) -> None:
    stale = exported(other)
    with freeze_time(EVENING):
        show_again(memory, way)
    assert listed(memory) == berths
    assert numbers(imports.import_facts(memory, stale).as_dict()) == (0, 0, 2, 0), "what is older hides nothing again"
    assert numbers(send(memory, other)) == (0, 1, 1, 0)
    assert listed(memory) == listed(other) == berths
    assert numbers(send(other, memory)) == numbers(send(memory, other)) == (0, 0, 2, 0)
    assert exported(memory) == exported(other)
    assert "superseded_by" in json.dumps(other.fact_store({"action": "history", "fact_id": 1})["versions"][0])


def test_the_successor_may_be_changed_after_that(memory: Memory, other: Memory, berths: set[str]) -> None:
    with freeze_time(EVENING):
        show_again(memory, "undo")
    with freeze_time(LATER):
        update(memory, 2, tags="quay")
        update(other, 2, tags="harbour")
        send(memory, other)
        send(other, memory)
    assert listed(memory) == listed(other) == berths


def test_a_fact_may_be_superseded_again(memory: Memory, other: Memory, berths: set[str]) -> None:
    with freeze_time(EVENING):
        show_again(memory, "undo")
        back = exported(memory)
    with freeze_time(LATER):
        hide(memory)
        again = exported(memory)
    for file in (again, back, back + again, again + back):
        imports.import_facts(other, file)
        assert listed(other) == {"berth nine"}, "in whatever order the lines come"


def test_of_two_words_about_a_place_the_later_one_holds(memory: Memory, other: Memory, berths: set[str]) -> None:
    with freeze_time(EVENING):
        show_again(memory, "undo")
    with freeze_time(LATER):
        add(other, "berth ten", supersedes=1)
    send(memory, other)
    send(other, memory)
    assert listed(memory) == listed(other) == {"berth nine", "berth ten"}
    assert superseding(memory) == superseding(other)


def test_a_change_of_text_elsewhere_is_not_lost_when_a_fact_is_superseded(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "berth six"), add(memory, "berth nine")
        send(memory, other)
    with freeze_time(NOON):
        update(other, 1, content="berth six, at the north quay")
    with freeze_time(EVENING):
        hide(memory)
    report = send(memory, other)
    assert [conflict["kept"] for conflict in report["conflicts"]] == ["berth six, at the north quay"]
    send(other, memory)
    assert listed(memory) == listed(other) == {"berth nine"}
    assert exported(memory) == exported(other)


def test_what_says_nothing_of_successors_shows_nothing_again(memory: Memory, other: Memory, berths: set[str]) -> None:
    with freeze_time(EVENING):
        update(other, 1, tags="quay")
    lines = [
        json.dumps({name: value for name, value in fact.items() if name != "superseded_by"})
        for fact in exports.export_records(other)
    ]
    assert numbers(imports.import_facts(memory, "\n".join(lines).encode()).as_dict()) == (0, 1, 1, 0)
    assert listed(memory) == {"berth nine"}


CLEARED = {
    "tags": ({"tags": "sea,wind"}, {"tags": ""}, ""),
    "summary": ({"summary": "leave"}, {"summary": ""}, None),
    "expires_at": ({"expires_at": "2099-05-01"}, {"expires_at": ""}, None),
}


@pytest.mark.parametrize("way", ["update", "undo", "restore"])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
@pytest.mark.parametrize("name", sorted(CLEARED))
def test_what_is_emptied_is_emptied_elsewhere(memory: Memory, other: Memory, name: str, form: str, way: str) -> None:
    given, emptied, nothing = CLEARED[name]
    with freeze_time(MORNING):
        add(memory, "Olivia is on leave")
    with freeze_time(NOON):
        update(memory, 1, **given)
        send(memory, other)
    (filled,) = rows(other.path, f"SELECT {name} FROM facts")
    assert filled[0], "the value travelled first"
    with freeze_time(EVENING):
        if way == "update":
            update(memory, 1, **emptied)
        elif way == "undo":
            assert memory.parts.history.undo() is not None
        else:
            version = memory.fact_store({"action": "history", "fact_id": 1})["versions"][0]["version"]
            memory.fact_store({"action": "restore", "fact_id": 1, "version": version})
    text = "".join(exports.export(memory, form)).encode()
    assert numbers(imports.import_facts(other, text).as_dict()) == (0, 1, 0, 0)
    assert rows(other.path, f"SELECT {name} FROM facts") == rows(memory.path, f"SELECT {name} FROM facts")
    assert rows(other.path, f"SELECT {name} FROM facts") == [(nothing,)]
    assert numbers(imports.import_facts(other, text).as_dict()) == (0, 0, 1, 0)


def test_names_that_a_file_lacks_take_nothing_away(memory: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "Olivia is on leave", tags="people", summary="leave", category="workflow", expires_at="2099-05-01")
    (fact,) = exports.export_records(memory)
    line = json.dumps({"uid": fact["uid"], "content": "Olivia is back", "updated_at": NOON})
    assert numbers(imports.import_facts(memory, line.encode()).as_dict()) == (0, 1, 0, 0)
    changed = get(memory, 1)
    assert [changed[name] for name in ("content", "tags", "summary", "category", "updated_at", "expires_at")] == [
        *("Olivia is back", "people", "leave", "workflow", NOON, "2099-05-01 00:00:00")
    ]
    table = f"uid,content,updated_at\n{fact['uid']},Olivia is away,{EVENING}\n"
    assert numbers(imports.import_facts(memory, table.encode()).as_dict()) == (0, 1, 0, 0)
    changed = get(memory, 1)
    assert [changed[name] for name in ("content", "tags", "summary", "category")] == [
        *("Olivia is away", "people", "leave", "workflow")
    ]


def test_a_later_change_that_drops_an_expiry_keeps_it_aside(memory: Memory, other: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "Olivia is on leave")
        send(memory, other)
    with freeze_time(NOON):
        update(memory, 1, expires_at="2099-05-01")
    with freeze_time(EVENING):
        update(other, 1, tags="people")
    report = send(memory, other)
    assert [conflict["won"] for conflict in report["conflicts"]] == ["memory"]
    (kept,) = map(json.loads, exports.export_kept(other))
    assert kept["expires_at"] == "2099-05-01 00:00:00"
    send(other, memory)
    assert exported(memory) == exported(other)


def test_an_expiry_follows_and_can_be_taken_away(memory: Memory, other: Memory) -> None:
    for moment, given, expected in ((MORNING, "2099-05-01", "2099-05-01 00:00:00"), (NOON, "", None)):
        with freeze_time(moment):
            add(memory, "Olivia is on leave")
            update(memory, 1, expires_at=given)
            send(memory, other)
        assert rows(other.path, "SELECT expires_at FROM facts") == [(expected,)]


def test_a_source_that_knows_of_no_expiry_takes_none_away(memory: Memory) -> None:
    with freeze_time(MORNING):
        add(memory, "Olivia is on leave", expires_at="2099-05-01")
        add(memory, "Olivia is back", supersedes=1)
    unaware = ("expires_at", "superseded_by")
    lines = [
        json.dumps({name: value for name, value in fact.items() if name not in unaware})
        for fact in exports.export_records(memory)
    ]
    assert numbers(imports.import_facts(memory, "\n".join(lines).encode()).as_dict()) == (0, 0, 2, 0)
    assert rows(memory.path, "SELECT expires_at, superseded_by FROM facts") == [
        ("2099-05-01 00:00:00", 2),
        (None, None),
    ]


def test_a_database_brings_what_it_hides(memory: Memory, other: Memory) -> None:
    add(other, "already here, so that ids clash")
    old = add(memory, "berth six")
    add(memory, "berth nine", supersedes=old)
    add(memory, "berth ten", expires_at="2001-02-03")
    memory.close()
    imports.import_facts(other, memory.path)
    assert superseding(other)["berth six"] == "berth nine"
    assert listed(other) == {"berth nine", "already here, so that ids clash"}


def test_a_successor_that_is_not_there_hides_nothing(memory: Memory) -> None:
    lines = b'{"content": "berth six", "uid": "aa", "superseded_by": "bb"}\n'
    assert numbers(imports.import_facts(memory, lines).as_dict()) == (1, 0, 0, 0)
    assert listed(memory) == {"berth six"}
    imports.import_facts(memory, lines.replace(b'"bb"', b'"aa"'))
    assert listed(memory) == {"berth six"}, "nothing supersedes itself"
