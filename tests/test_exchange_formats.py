"""What people come from: each format as its program writes it, recognised by its content."""

import codecs
import gzip
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mnemo import exports, importers, imports
from mnemo.errors import InvalidArgumentError, MemoryFileError
from mnemo.importers.exported import MARK
from mnemo.importers.records import Item, read_csv, time_of
from mnemo.memory import Memory
from tests.conftest import rows

DATA = Path(__file__).parent / "data"


def items(path: Path) -> tuple[str, list[Item]]:
    form, found = importers.read(path, path.read_bytes())
    return form, list(found)


def said(path: Path) -> list[tuple[int, str, str, str]]:
    return [(i.line, i.fact.content, i.fact.category, i.fact.tags) for i in items(path)[1] if i.fact]


def test_markdown_that_we_exported_is_read_back_as_what_it_was(memory: Memory, path: Path, tmp_path: Path) -> None:
    for content, more in (
        ("Use pnpm", {"tags": "build,node", "category": "tool_pref"}),
        ("港口周四封闭", {"summary": "港口 `周四`", "tags": "港口"}),
        ("A list:\n- one\n\n  two `deep`", {"category": "workflow"}),
        ("Long", {"summary": "short"}),
        ("run it:\n  `make test`", {}),
        ("Run  `make`", {}),
        ("lines\n- summary: of the meeting\nrest", {"tags": "x`y"}),
    ):
        memory.fact_store({"action": "add", "content": content, **more})
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("INSERT INTO facts(content, category) VALUES ('of another program', 'notes')")
    text = "".join(exports.export(memory, "md"))
    again = imports.import_facts(memory, text.encode())
    assert (again.format, again.read, again.added, again.errors) == ("markdown", 8, 0, [])
    with closing(Memory(tmp_path / "other.db")) as other_memory:
        assert imports.import_facts(other_memory, text.encode()).added == 8
    said = (
        "SELECT content, coalesce(summary, ''), tags FROM facts WHERE category <> 'notes' AND content NOT LIKE 'of %'"
    )
    kept = [(str(content).replace("  `make`", " `make`"), *more) for content, *more in rows(path, said)]
    assert sorted(map(str, rows(tmp_path / "other.db", said))) == sorted(map(str, kept))
    assert rows(tmp_path / "other.db", "SELECT category, tags FROM facts WHERE content LIKE 'of %'") == [
        ("general", "notes")
    ]


@pytest.mark.parametrize("text", ["# Facts\n\n## general\n\n- a\n  - summary: b\n", f"- general\n\n{MARK}\n"])
def test_list_of_a_person_is_not_taken_for_our_markdown(text: str) -> None:
    tags = [item.fact.tags for item in importers.read(None, text.encode(), "markdown")[1] if item.fact]
    assert tags == ["general"] if text.startswith("#") else [""]


def of_ours(lines: str) -> list[tuple[int, str | None, str, str, str | None]]:
    """Return what is read of our Markdown with these lines in it."""
    text = f"# Facts\n\n{MARK}\n\n## workflow\n\n{lines}"
    form, found = importers.read(None, text.encode())
    assert form == "markdown"
    return [
        (i.line, i.fact.content, i.fact.category, i.fact.tags, i.fact.summary)
        if i.fact
        else (i.line, i.error, "", "", None)
        for i in found
    ]


@pytest.mark.parametrize(
    ("lines", "contents"),
    [
        ("- one\n* star\n+ plus\n1. numbered\n12) too\n", ["one", "star", "plus", "numbered", "too"]),
        ("- one\nwrapped by an editor\n", ["one\nwrapped by an editor"]),
        ("- one\n\nA paragraph.\nOf two lines.\n\n- two\n", ["one", "two"]),
        ("- one\n### A heading\nA paragraph.\n- two\n", ["one", "two"]),
        ("- one\n```\ncode\n```\n", ["one"]),
        ("- one\n\n  two  `x`\n\n", ["one\n\ntwo"]),
        ("- a list:\n  - nested\n    deeper\n", ["a list:\n- nested\n  deeper"]),
        ("-no bullet\n- one\n", ["one"]),
    ],
)
def test_what_people_change_in_our_markdown_is_read_as_they_see_it(lines: str, contents: list[str]) -> None:
    found = of_ours(lines)
    assert [content for _, content, *_ in found] == contents
    assert {category for _, _, category, *_ in found} == {"workflow"}


def test_tags_and_summary_of_our_markdown_stand_where_they_were_written() -> None:
    assert of_ours("- one\n\n  two  `x,y`\n  - summary: 一\n") == [(7, "one\n\ntwo", "workflow", "x,y", "一")]


def test_empty_item_of_our_markdown_is_named() -> None:
    assert of_ours("- a\n- \n")[1] == (8, "the content is empty", "", "", None)


def test_server_memory_gives_a_fact_for_each_observation_and_relation() -> None:
    """The sample is a file that `@modelcontextprotocol/server-memory` wrote."""
    assert items(DATA / "server-memory.jsonl")[0] == "server-memory"
    assert said(DATA / "server-memory.jsonl") == [
        (1, "Ingrid_Solberg: Prefers dark roast coffee", "general", "person"),
        (1, "Ingrid Solberg reviews every database migration", "general", "person"),
        (2, "货运平台: 部署在 oslo-3 集群，每周四发布", "general", "project"),
        (3, "Fjordkart (organization)", "general", "organization"),
        (4, "Ingrid_Solberg maintains 货运平台", "general", "relation"),
        (5, "货运平台 is owned by Fjordkart", "general", "relation"),
    ]


def test_a_graph_as_one_document_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    graph = {
        "entities": [{"name": "Quay", "entityType": "place", "observations": ["has three cranes"]}, {"name": 3}],
        "relations": [{"from": "Quay", "to": "Harbour", "relationType": "part_of"}],
    }
    file.write_text(json.dumps(graph, indent=1))
    form, found = items(file)
    assert form == "server-memory"
    assert [i.fact.content if i.fact else i.error for i in found] == [
        "Quay: has three cranes",
        "neither an entity with a name nor a relation with from, to and relationType",
        "Quay part of Harbour",
    ]


def test_mem0_keeps_categories_as_tags_and_times_in_utc() -> None:
    form, found = items(DATA / "mem0.json")
    assert form == "mem0"
    assert said(DATA / "mem0.json") == [
        (1, "Prefers the 07:40 ferry to Nordby", "identity", "travel,preferences"),
        (2, "正在把库存服务迁移到 Kotlin", "general", ""),
    ]
    assert found[0].fact is not None
    assert found[0].fact.created_at == "2026-03-04 17:15:00"
    assert found[2].error == "the content is empty"


def test_bullets_become_facts_with_their_heading_as_tag() -> None:
    assert items(DATA / "CLAUDE.md")[0] == "markdown"
    assert said(DATA / "CLAUDE.md") == [
        (7, "Use `snake_case` for columns and `camelCase` in TypeScript", "coding_style", "coding style"),
        (9, "No default exports", "coding_style", "coding style"),
        (13, "`pnpm dev` starts the app", "tool_pref", "commands"),
        (15, "Before a release: run `pnpm audit`", "tool_pref", "commands"),
        (16, "Before a release: tag the commit", "tool_pref", "commands"),
        (26, "用户在青岛，时区 UTC+8", "identity", "关于我,done"),
    ]


def test_chatgpt_memories_lose_their_numbers_and_keep_their_dates() -> None:
    form, found = items(DATA / "chatgpt.txt")
    assert form == "chatgpt"
    assert [(i.line, i.fact.content, i.fact.created_at) for i in found if i.fact] == [
        (1, "User is called Maren and sails on weekends.", "2026-01-15 00:00:00"),
        (3, "User prefers answers in Norwegian.", "2026-02-03 00:00:00"),
        (4, "用户在学围棋。", None),
        (5, "User keeps bees.", "2026-02-10 00:00:00"),
    ]


def test_plain_lines_are_facts_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("The mast is 14 m\n\n  船在三号泊位  \n", encoding="utf-8")
    assert items(file)[0] == "lines"
    assert [(line, content) for line, content, _, _ in said(file)] == [(1, "The mast is 14 m"), (3, "船在三号泊位")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_text_of_other_encodings_is_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("港口在北边", encoding=encoding)
    assert [content for _, content, _, _ in said(file)] == ["港口在北边"]


def test_a_file_of_the_original_comes_with_its_counters(memory: Memory, original_file: Path, tmp_path: Path) -> None:
    target = Memory(tmp_path / "new" / "facts.db")
    before = original_file.read_bytes()
    report = imports.import_facts(target, original_file)
    assert (report.format, report.added, report.errors) == ("sqlite", 3, [])
    assert imports.import_facts(target, original_file).unchanged == 3
    (theme,) = [f for f in exports.export_records(target) if f["content"] == "用户偏好深色主题"]
    assert (theme["trust_score"], theme["retrieval_count"], theme["helpful_count"]) == (0.85, 42, 17)
    assert (theme["category"], theme["tags"], theme["created_at"]) == ("tool_pref", "ui,theme", "2025-11-03 21:14:09")
    assert original_file.read_bytes() == before
    target.close()


@pytest.fixture
def made_by_the_original(tmp_path: Path) -> Path:
    """Give a memory that version 0.6.2 of the original made: four adds, a search, two ratings."""
    file = tmp_path / "original" / "facts.db"
    file.parent.mkdir()
    file.write_bytes(gzip.decompress((DATA / "original-0.6.2.db.gz").read_bytes()))
    return file


def test_what_the_original_itself_wrote_is_taken_without_its_own_tags(
    memory: Memory, made_by_the_original: Path
) -> None:
    report = imports.import_facts(memory, made_by_the_original)
    assert (report.format, report.added, report.errors) == ("sqlite", 4, [])
    assert imports.import_facts(memory, made_by_the_original).unchanged == 4
    found = {
        fact["content"]: (fact["category"], fact["tags"], fact["trust_score"], fact["helpful_count"], fact["summary"])
        for fact in exports.export_records(memory)
    }
    assert found == {
        "用户偏好深色主题": ("tool_pref", "ui,theme", 0.56, 1, None),
        "The Quillon Gateway listens on port 7443": ("workflow", "ops", 0.5, 0, None),
        "部署蓝鲸网关之前要先在预发环境跑一遍冒烟测试，再让 Maren 看一眼": (
            "workflow",
            "发布",
            0.5,
            0,
            "部署蓝鲸网关前先跑冒烟测试",
        ),
        "Indent Python with four spaces": ("coding_style", "", 0.4, 0, None),
    }


def test_a_file_that_the_original_itself_wrote_is_opened_as_it_is(made_by_the_original: Path) -> None:
    memory = Memory(made_by_the_original)
    assert memory.fact_store({"action": "list"})["total"] == 4
    assert memory.fact_store({"action": "search", "query": "端口 gateway"})["results"][0]["fact_id"] == 2
    memory.close()
    assert rows(made_by_the_original, "SELECT tags LIKE 'ui,theme,用户,%' FROM facts WHERE fact_id = 1") == [(1,)]


@pytest.mark.parametrize(
    ("content", "tags", "expected"),
    [
        ("编辑器是 Zed", "编辑,辑器,器是", ""),
        ("先测试再发布", "发布,先测,测试,试再,再发", "发布"),
        ("先测试再发布", "工具, 测试", "工具,测试"),
        ("先测试再发布", "部署,上线", "部署,上线"),
        ("先测试再发布", "测试,发布,ci", "测试,发布,ci"),
    ],
)
def test_tags_that_somebody_gave_stay(memory: Memory, tmp_path: Path, content: str, tags: str, expected: str) -> None:
    file = tmp_path / "theirs.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE facts (fact_id INTEGER PRIMARY KEY, content TEXT, tags TEXT, keywords TEXT)")
        connection.execute("INSERT INTO facts(content, tags) VALUES (?, ?)", (content, tags))
    imports.import_facts(memory, file)
    assert [fact["tags"] for fact in exports.export_records(memory)] == [expected]


def test_what_server_memory_itself_wrote_is_taken(memory: Memory) -> None:
    file = DATA / "server-memory-2026.8.31.jsonl"
    report = imports.import_facts(memory, file)
    assert (report.format, report.added, report.errors) == ("server-memory", 8, [])
    assert imports.import_facts(memory, file).unchanged == 8
    assert {(fact["content"], fact["tags"]) for fact in exports.export_records(memory)} == {
        ("Quillon_Gateway: listens on port 7443", "service"),
        ("Quillon_Gateway: Deploys go out on Tuesdays after the smoke test", "service"),
        ("蓝鲸网关: 部署前要先跑冒烟测试", "服务"),
        ("蓝鲸网关的日志保留三十天", "服务"),
        ("Maren: prefers short answers", "person"),
        ('Maren: 说 "先写测试"，再写代码', "person"),
        ("Maren maintains Quillon_Gateway", "relation"),
        ("蓝鲸网关 depends on Quillon_Gateway", "relation"),
    }


def test_hermes_categories_are_mapped_and_stay_as_tags(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "memory_store.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(
            "CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, "
            "category TEXT DEFAULT 'general', tags TEXT DEFAULT '', trust_score REAL DEFAULT 0.5, "
            "retrieval_count INTEGER DEFAULT 0, helpful_count INTEGER DEFAULT 0, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, "
            "hrr_vector BLOB);"
            "INSERT INTO facts(content, category, tags, trust_score) VALUES "
            "('Maren likes short answers', 'user_pref', 'style', 0.7), "
            "('harbour-api runs on port 7443', 'project', '', 0.6), "
            "('rg is faster than grep', 'tool', '', 0.5), ('odd', 'weather', 'x', NULL);"
        )
    report = imports.import_facts(memory, file)
    assert (report.format, report.added) == ("sqlite", 4)
    found = {f["content"]: (f["category"], f["tags"], f["trust_score"]) for f in exports.export_records(memory)}
    assert found == {
        "Maren likes short answers": ("identity", "style,user_pref", 0.7),
        "harbour-api runs on port 7443": ("workflow", "project", 0.6),
        "rg is faster than grep": ("tool_pref", "tool", 0.5),
        "odd": ("general", "x,weather", 0.5),
    }


def test_a_database_without_facts_is_refused(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE visits (url TEXT)")
    with pytest.raises(MemoryFileError, match="has no table of facts"):
        imports.import_facts(memory, file)
    with pytest.raises(InvalidArgumentError, match="this is none"):
        imports.import_facts(memory, b"plain text", "sqlite")


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        ('{"content": "a"}\n{"content": "b"}', "x", "jsonl"),
        ('{"content": "a"}', "x.json", "jsonl"),
        ('{"facts": [{"content": "a"}]}', "x", "json"),
        ('["a", "b"]', "x", "json"),
        ('[{"memory": "a"}]', "x", "mem0"),
        ('{"memory": "a"}\n{"memory": "b"}', "x", "mem0"),
        ('{"results": [{"memory": "a"}], "relations": []}', "x", "mem0"),
        ("fact_id,content\n1,a\n", "x", "csv"),
        ("- a\n- b\n", "MEMORY.md", "markdown"),
        ("# Notes\n\n- a\n", "x", "markdown"),
        ("a\nb\n", "x", "lines"),
        ("[not json\n", "x", "lines"),
        ("", "x", "lines"),
    ],
)
def test_the_format_is_found_by_content_first(text: str, name: str, form: str) -> None:
    assert importers.detect(text, name) == form


def test_our_json_object_is_taken_like_our_lines(memory: Memory, tmp_path: Path) -> None:
    memory.fact_store({"action": "add", "content": "a fact"})
    document = json.dumps({"facts": exports.export_records(memory), "count": 1})
    report = imports.import_facts(memory, document.encode())
    assert (report.format, report.unchanged) == ("json", 1)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-01-02 03:04:05", "2026-01-02 03:04:05"),
        ("2026-01-02T03:04:05Z", "2026-01-02 03:04:05"),
        ("2026-01-02T03:04:05.678+08:00", "2026-01-01 19:04:05"),
        ("2026-01-02", "2026-01-02 00:00:00"),
        (1767323045, "2026-01-02 03:04:05"),
        (1767323045000, "2026-01-02 03:04:05"),
        ("yesterday", None),
        (None, None),
        (True, None),
        (1e300, None),
    ],
)
def test_times_are_read_as_utc(given: object, expected: str | None) -> None:
    assert time_of(given) == expected


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("mem0", "{", ["no JSON"]),
        ("json", "{", ["no JSON"]),
        ("mem0", '{"memory": "a"}\n{\n{"memory": "b"}', ["a", "no JSON", "b"]),
        ("json", '[{"content": "a"}, "b", 3]', ["a", "b", "no JSON object with a content"]),
        ("mem0", '["a text", 7, {"text": "from text"}]', ["a text", "no memory object", "from text"]),
        ("server-memory", '{"type": "entity", "name": "A"}\n{', ["A (entity)", "no JSON"]),
        ("server-memory", '{"type": "entity", "name": "A", "observations": ["' + "x" * 1_000_001 + '"]}', ["at most"]),
        ("server-memory", '{"type": "entity", "name": "A", "observations": 5}', ["A (entity)"]),
        ("chatgpt", "1. " + "x" * 1_000_001, ["at most"]),
        ("markdown", "- only a bullet\n- [ ] open\n-\n- - -\n", ["only a bullet", "open"]),
        ("json", '{"nothing": 1}', ["no list of facts is in it"]),
        ("mem0", '{"nothing": 1}', ["no list of facts is in it"]),
        ("json", "[]", []),
        ("mem0", '{"memory": "of one line"}', ["of one line"]),
        ("csv", 'content,tags\na,x\n"b' + "x" * 4_000_001, ["a", "no CSV from here on: field larger than"]),
    ],
)
def test_what_is_wrong_is_an_item_of_its_own(form: str, text: str, expected: list[str]) -> None:
    _, found = importers.read(None, text.encode(), form)
    said = [i.fact.content if i.fact else i.error or "" for i in found]
    assert len(said) == len(expected)
    assert [want for want, got in zip(expected, said, strict=True) if want not in got] == []


def test_a_row_that_is_no_fact_is_told_by_its_id(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "odd.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE facts (fact_id INTEGER PRIMARY KEY, content, trust_score)")
        connection.execute("INSERT INTO facts VALUES (4, '', 0.5), (5, 'fine', NULL), (6, x'00ff', 0.5)")
    report = imports.import_facts(memory, file)
    assert [error["line"] for error in report.errors] == [4, 6]
    assert report.added == 1


@pytest.mark.parametrize(
    ("text", "added", "errors"),
    [
        ('{"entities": []}', 0, []),
        ('{"content": "a",\n "tags": "b"}', 1, []),
        ("[]", 0, []),
        ('{"a": 1}', 0, ["no content"]),
        ('{"a": 1,\n"b": 2}', 0, ["no JSON", "no JSON"]),
    ],
)
def test_json_that_is_no_list_of_facts(memory: Memory, text: str, added: int, errors: list[str]) -> None:
    report = imports.import_facts(memory, text.encode())
    assert (report.added, [error["error"].split(":")[0] for error in report.errors]) == (added, errors)


UNREADABLE = "it holds bytes that are no UTF-8; mend it, or save the file as UTF-8"


def read_bytes(data: bytes, name: str = "x") -> list[str]:
    _, found = importers.read(Path(name), data)
    return [item.fact.content if item.fact else item.error or "" for item in found]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("用户偏好深色主题\n".encode() * 2 + b"one \xff two\n", ["用户偏好深色主题"] * 2 + [UNREADABLE]),
        ("港口在北边\n船在三号泊位".encode()[:-1], ["港口在北边", UNREADABLE]),
        ("港口在北边\n".encode() + "船".encode()[:2] + b"\nthree", ["港口在北边", UNREADABLE, "three"]),
        (b"one\nca\xff\nthree", ["one", UNREADABLE, "three"]),
        ("one\nnaïve\ncafé\n".encode("latin-1"), ["one", UNREADABLE, UNREADABLE]),
        (codecs.BOM_UTF8 + "港口\n".encode("gb18030"), [UNREADABLE]),
        ("港口在北边\n朱镕基\n".encode("gb18030"), ["港口在北边", "朱镕基"]),
        ("港口在北边\n".encode("gb18030") + b"one \xff\n", ["港口在北边", UNREADABLE]),
        ("港口\n".encode("utf-16") + b"x", ["港口", UNREADABLE]),
        (b'{"content": "a"}\n{"content": "b\xff"}\n{"content": "c", "tags": "\xff"}', ["a", UNREADABLE, UNREADABLE]),
    ],
)
def test_what_cannot_be_read_is_an_error_of_its_line_alone(data: bytes, expected: list[str]) -> None:
    assert read_bytes(data) == expected


def test_error_is_told_without_what_cannot_be_read() -> None:
    told = read_bytes(b'{"content": "a"}\n{"content": "b", "trust_score": "\xff"}\n')
    assert told == ["a", "trust_score is no number: \ufffd"]


def test_byte_that_broke_in_an_export_costs_no_other_fact(memory: Memory) -> None:
    for number in range(20):
        memory.fact_store({"action": "add", "content": f"用户偏好的泊位是 {number} 号"})
    before = exports.export_records(memory)
    data = "".join(exports.export(memory)).encode().replace("泊".encode(), b"\xe6\xb3", 1)
    report = imports.import_facts(memory, data)
    assert (report.unchanged, [error["line"] for error in report.errors]) == (19, [1])
    assert exports.export_records(memory) == before


def test_a_program_is_not_read_as_lines(tmp_path: Path) -> None:
    file = tmp_path / "tool"
    file.write_bytes(b"\x7fELF\x02\x01\x01\0\0\n")
    with pytest.raises(InvalidArgumentError, match="This is no text file and no memory"):
        importers.read(file, file.read_bytes())
    file.write_bytes("深色\n".encode("utf-16"))
    (fact,) = [item.fact for item in items(file)[1]]
    assert fact is not None
    assert fact.content == "深色"


def read(text: str, form: str | None = None, name: str = "x") -> list[str]:
    """Return what is read of a text: contents, or what is wrong."""
    _, found = importers.read(Path(name), text.encode(), form)
    return [item.fact.content if item.fact else item.error or "" for item in found if not item.is_passed_over]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- one\n\n~~~\n```\n~~~\n\n- two\n", ["one", "two"]),
        ("- one\n\n```npm run build``` builds all\n\n- two\n", ["one", "two"]),
        ("- one\n\n````\n```\n- in code\n```\n- in code too\n````\n- two\n", ["one", "two"]),
        ("- one\n  ```sh\n  - in code\n  ```\n- two\n", ["one", "two"]),
        ("- one\n```sh\n- in code\n```` \n- two\n", ["one", "two"]),
        ("- one\n```\n``` no end\n- in code\n```\n- two\n", ["one", "two"]),
        ("- `<!--` begins a comment\n- two\n- `-->` ends it\n", ["`<!--` begins a comment", "two", "`-->` ends it"]),
        ("- one <!-- and\n- hidden\n--> - a bullet\n- two\n", ["one", "a bullet", "two"]),
        ("- one <!-- aside --> more\n- two\n", ["one  more", "two"]),
        ("- one <!-- never ended\n- two\n", ["one <!-- never ended", "two"]),
        ("```\n<!--\n```\n- one\n```\n-->\n```\n- two\n", ["one", "two"]),
        ("- a\u2028b\n- two\n", ["a\u2028b", "two"]),
    ],
)
def test_code_and_comments_are_passed_over_and_nothing_else(text: str, expected: list[str]) -> None:
    assert read(text, "markdown") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "2024-05-01 is a date\n2024-06-01: likes tea\n1. likes rum",
            ["2024-05-01 is a date", "likes tea", "likes rum"],
        ),
        ("[2024-05-01] likes tea\n(2024-05-02). likes rum\n", ["likes tea", "likes rum"]),
        ("2024-05-01 - likes tea\n2024-05-02. likes rum\n", ["likes tea", "likes rum"]),
        ("- likes tea\n  and coffee\n- likes rum\n", ["likes tea and coffee", "likes rum"]),
        (
            "1. likes tea\n\n   and coffee\n---\n2. likes rum\n3) and 4. that\n",
            ["likes tea and coffee", "likes rum", "and 4. that"],
        ),
    ],
)
def test_a_memory_keeps_the_date_that_belongs_to_it(text: str, expected: list[str]) -> None:
    assert importers.detect(text, "x.txt") == "chatgpt"
    assert read(text) == expected


def test_signs_that_some_take_for_an_end_of_line_do_not_end_one() -> None:
    odd = "A\u2028B\x85C"
    lines = [
        {"type": "entity", "name": odd, "entityType": "x", "observations": ["likes tea"]},
        {"type": "relation", "from": odd, "to": "D", "relationType": "knows"},
    ]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    assert importers.detect(text, "x") == "server-memory"
    assert read(text) == [f"{odd}: likes tea", f"{odd} knows D"]
    assert read("\n".join(json.dumps({"memory": f"{odd} {n}"}, ensure_ascii=False) for n in (1, 2))) == [
        f"{odd} 1",
        f"{odd} 2",
    ]
    assert read(f"{odd}\r\nE\rF\n", "lines") == [odd, "E", "F"]


@pytest.mark.parametrize(
    ("content", "more"),
    [
        ("note to self ", {"tags": "x"}),
        ("Meeting template\n- date:\n- summary: what was said", {}),
        ("Meeting template\n\n\n- summary:", {}),
        ("- summary: of one line", {}),
        ("- summary: of one line", {"summary": "short"}),
        ("of\u2028two\x0clines", {"tags": "y"}),
    ],
)
def test_our_markdown_changes_no_content(memory: Memory, content: str, more: dict[str, str]) -> None:
    memory.fact_store({"action": "add", "content": content, **more})
    report = imports.import_facts(memory, "".join(exports.export(memory, "md")).encode())
    assert (report.read, report.unchanged, report.errors) == (1, 1, [])


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_are_known_however_their_heads_are_written(memory: Memory, sign: str) -> None:
    text = f'\ufeff"Content" {sign} Tags{sign}CATEGORY\nMy fact{sign}x{sign}工作\nIts rule{sign}{sign}代码风格\n'
    assert imports.import_facts(memory, text.encode()).format == "csv"
    found = {fact["content"]: (fact["category"], fact["tags"]) for fact in exports.export_records(memory)}
    assert found == {"My fact": ("general", "x,工作"), "Its rule": ("coding_style", "代码风格")}


def test_a_table_without_contents_is_told_once() -> None:
    assert read("内容,类别\na,b\nc,d\n", name="x.csv") == [
        "its first line names no column content; others may be category, tags and summary"
    ]


def test_a_tag_that_is_null_is_none(memory: Memory) -> None:
    imports.import_facts(memory, b'{"content": "t", "tags": ["a", null, 7]}')
    assert exports.export_records(memory)[0]["tags"] == "a,7"


@pytest.mark.skipif(os.name != "posix", reason="named pipes of POSIX")
def test_a_database_is_not_read_from_a_pipe(memory: Memory, path: Path, tmp_path: Path) -> None:
    memory.fact_store({"action": "add", "content": "one"})
    data = path.read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidArgumentError, match="A database is read from its file"):
        importers.read(pipe, data)


def test_lines_of_csv_are_those_where_records_begin() -> None:
    text = 'content,trust_score\n"two\nlines",0.5\n\n"again\ntwo",bad\nlast,bad\n'
    assert [item.line for item in read_csv(text)] == [2, 5, 7]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- 生产环境\n  - 只能周二部署\n- 测试环境\n  - 随时可以部署\n",
            ["生产环境：只能周二部署", "测试环境：随时可以部署"],
        ),
        ("- Use pnpm\n\n  - never npm\n    or yarn\n", ["Use pnpm: never npm or yarn"]),
        ("1. Tests come first.\n   - `make test`\n\n2. Then push\n", ["Tests come first. `make test`", "Then push"]),
        ("- a\n  - b\n    - c\n  - d\n- e\n", ["a: b: c", "a: d", "e"]),
        ("- a\n\t- b\n", ["a: b"]),
        ("- a\n - b\n", ["a", "b"]),
        ("- a\n\n## Other\n\n  - b\n", ["a", "b"]),
        ("- a\n\nA paragraph.\n\n  - b\n", ["a", "b"]),
        ("- a\n---\n  - b\n", ["a", "b"]),
        ("- a\nthat goes on\n  - b\n", ["a: b"]),
        ("- last:\n", ["last:"]),
    ],
)
def test_a_bullet_stands_before_those_below_it(text: str, expected: list[str]) -> None:
    assert read(text, "markdown") == expected


def test_what_is_no_bullet_is_told_with_its_line(memory: Memory) -> None:
    text = (
        "# Harbour\n\nA paragraph\nof two lines.\n\n- one\n  goes on\n\n  and on\n\n"
        "| a | b |\n| - | - |\n| 1 | 2 |\n\n---\n<!-- aside -->\n```\ncode\n```\n"
    )
    report = imports.import_facts(memory, text.encode(), "markdown")
    assert (report.read, report.errors, report.passed_over) == (1, [], [3, 9, 11])


def test_what_is_done_and_what_is_to_do_differ_in_their_tags(memory: Memory) -> None:
    imports.import_facts(memory, b"# Plan\n\n- [ ] write\n- [X] read\n- think\n", "markdown")
    facts = memory.fact_store({"action": "list"})["facts"]
    assert {fact["content"]: fact["tags"] for fact in facts} == {
        "write": "plan,todo",
        "read": "plan,done",
        "think": "plan",
    }


def test_a_csv_keeps_every_sign_that_ends_lines_somewhere(memory: Memory, tmp_path: Path) -> None:
    signs = ("\r", "\n", "\r\n", "\u2028", "\x0b", "\x85")
    contents = [f"Old note {number}:{sign}first{sign}{sign}second" for number, sign in enumerate(signs)]
    for number, content in enumerate(contents):
        memory.fact_store({"action": "add", "content": content, "tags": "old", "summary": f"notes\r{number}"})
    text = "".join(exports.export(memory, "csv"))
    assert text.count("\r\n") == contents[2].count("\r\n")
    with closing(Memory(tmp_path / "other" / "facts.db")) as other:
        assert imports.import_facts(other, text.encode()).errors == []
        facts = exports.export_records(other)
    assert [(fact["content"], fact["tags"]) for fact in facts] == [(content, "old") for content in contents]


def test_a_quote_that_is_not_closed_swallows_no_rows(memory: Memory) -> None:
    text = 'content,category\ngood one,general\n"bad quote,general\nlost two,general\n'
    report = imports.import_facts(memory, text.encode())
    assert (report.added, [error["line"] for error in report.errors]) == (1, [3])
    assert "look for a quote that is not closed" in report.errors[0]["error"]


@pytest.mark.parametrize(
    "document",
    [
        '{"results": [{"memory": "Likes tea", "categories": ["food \\ud83d"], "metadata": {"category": "a\\u0000b"}}]}',
        '{"type": "entity", "name": "Mia", "entityType": "team \\ud83d", "observations": ["Likes tea"]}',
    ],
)
def test_half_a_character_in_what_becomes_a_tag_is_none(memory: Memory, document: str) -> None:
    report = imports.import_facts(memory, document.encode())
    assert (report.added, report.errors) == (1, [])
    (fact,) = exports.export_records(memory)
    assert "\ufffd" in fact["tags"]


@pytest.mark.parametrize("entities", ["5", "true", '"x"', "{}"])
def test_entities_that_are_no_list_are_none(memory: Memory, entities: str) -> None:
    assert imports.import_facts(memory, f'{{"entities": {entities}}}'.encode()).added == 0
