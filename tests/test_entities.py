"""Entity extraction: every kind of name is found, few other words are, and spellings of one name are equal."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.entities import LONGEST_NAME, MOST_ENTITIES, Entity, entity_key, extract_entities
from mnemo.language.entity_patterns import KINDS
from mnemo.text import is_stop

FACTS = Path(__file__).with_name("data") / "entity_facts.jsonl"
# Measured on the facts of this file: precision 0.99, recall 0.98.
PRECISION_FLOOR, RECALL_FLOOR = 0.97, 0.96

ONE_OF_EACH_KIND = [
    ("see https://docs.tealwater.dev/guide.", "https://docs.tealwater.dev/guide", "url"),
    ("mail ops@tealwater.dev today", "ops@tealwater.dev", "email"),
    ("the mirror is npm.internal:4873", "npm.internal:4873", "host"),
    ("ssh to 10.20.30.41.", "10.20.30.41", "host"),
    ("open localhost:8080 first", "localhost:8080", "host"),
    ("logs in /var/log/heron/app.log", "/var/log/heron/app.log", "path"),
    (r"it is in C:\heron\app.ini now", r"C:\heron\app.ini", "path"),
    ("配置在src/app/main.py里", "src/app/main.py", "path"),
    ("edit pyproject.toml", "pyproject.toml", "file"),
    ("never commit .env", ".env", "file"),
    ("needs left-trim==1.4.2", "left-trim", "package"),
    ("needs @heron/ui-kit", "@heron/ui-kit", "package"),
    ("npm install -D heron-cli", "heron-cli", "package"),
    ("ask @tomasz-k", "@tomasz-k", "mention"),
    ("找 @王小米 要账号", "@王小米", "mention"),
    ("the invoices_v2 table", "invoices_v2", "identifier"),
    ("call handleCallback", "handleCallback", "identifier"),
    ("raises InvoiceError", "InvoiceError", "identifier"),
    ("parse() is slow", "parse()", "identifier"),
    ("重跑gen-itgc", "gen-itgc", "identifier"),
    ("pass --dry-run", "--dry-run", "identifier"),
    ("on Python 3.12", "Python 3.12", "version"),
    ("with Quillon 2.1 only", "Quillon 2.1", "version"),
    ("内部代号「北极星」", "北极星", "quoted"),
    ("必读《代码整洁之道》", "代码整洁之道", "quoted"),
    ('the "Blue Heron" project', "Blue Heron", "quoted"),
    ("run `make lint`", "make lint", "quoted"),
    ("over the VPN", "VPN", "acronym"),
    ("uses redis", "redis", "product"),
    ("with VS Code", "VS Code", "product"),
    ("用微信小程序登录", "微信小程序", "product"),
    ("with GitHub Actions", "GitHub Actions", "product"),
    ("by Nadia Okonkwo", "Nadia Okonkwo", "name"),
    ("苍鹭引擎（HeronEngine）", "苍鹭引擎", "name"),
    ("青鸟平台的登录", "青鸟平台", "name"),
    ("we met Anna de Vries", "Anna de Vries", "name"),
]


def _names(text: str) -> list[str]:
    return [entity.name for entity in extract_entities(text)]


@pytest.mark.parametrize(("text", "name", "kind"), ONE_OF_EACH_KIND)
def test_kind_is_found(text: str, name: str, kind: str) -> None:
    assert Entity(name, kind) in extract_entities(text)


def test_examples_cover_every_kind() -> None:
    assert {kind for _, _, kind in ONE_OF_EACH_KIND} == set(KINDS)


def test_precision_and_recall_on_facts_about_code() -> None:
    right = wrong = missed = 0
    for line in FACTS.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        found = {entity_key(name) for name in _names(fact["text"])}
        wanted = {entity_key(name) for name in fact["entities"]}
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted - found)
    assert right / (right + wrong) >= PRECISION_FLOOR
    assert right / (right + missed) >= RECALL_FLOOR


@pytest.mark.parametrize(
    "text",
    [
        "Always write the test first.",
        "Melbourne",
        "Meetings are on Monday at 10 AM.",
        "用户喜欢简短的回答",
        "NEVER DO THIS AGAIN",
        "a real-time, well-known, end-to-end, 24-hour thing",
        "either and/or, 24/7, 1/2",
        'He said "sounds good" and left.',
        "他说“好的”就走了",
        "点点滴滴的生活",
        "their unity and a slack schedule",
        "e.g. this, i.e. that",
        "Here's how it works.",
        'wrote "then again" twice',
        "many URLs and IDs",
        "IM ON IT",
        "sold ONE TWO SIX TEN items",
        "a Long Line That Is Set In Title Case Throughout",
        "",
        "…",
    ],
)
def test_ordinary_words_are_no_names(text: str) -> None:
    assert _names(text) == []


def test_each_name_comes_once_in_order_of_appearance() -> None:
    assert _names("vs-code 和 VS Code, then redis, Redis and VSCode") == ["vs-code", "redis"]


def test_weekdays_and_pronouns_end_a_name() -> None:
    assert _names("we told Melanie I Nadia Monday") == ["Melanie", "Nadia"]


def test_password_in_a_url_does_not_become_a_name() -> None:
    assert _names("use postgres://app:hunter@db.internal:5432/heron") == ["db.internal:5432/heron"]


def test_number_of_names_is_bounded() -> None:
    assert len(extract_entities(" ".join(f"name_{number}" for number in range(1000)))) == MOST_ENTITIES


@pytest.mark.parametrize(
    "spellings",
    [
        ["VS Code", "VSCode", "vs-code", "ＶＳ Ｃｏｄｅ"],
        ["Node.js", "NodeJS", "node-js"],
        ["user_id", "userId", "UserID"],
        ["@alice", "Alice"],
        ["parse()", "parse"],
        ["蒼鷺", "苍鹭"],
        ["src/App.py", "src/app.py"],
        ["docs/", "docs/"],
        ["https://a.example/", "https://a.example"],
    ],
)
def test_spellings_of_one_name_are_equal(spellings: list[str]) -> None:
    assert len({entity_key(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ["C", "C++", "C#"],
        [".NET", "NET"],
        [".env", "env"],
        ["Python 3.12", "Python 31.2", "Python 312"],
        ["src/a-b.py", "src/a_b.py"],
        ["/", "-", "...", "_"],
    ],
)
def test_different_names_stay_different(names: list[str]) -> None:
    assert len({entity_key(name) for name in names}) == len(names)


@given(st.text(max_size=300))
def test_any_text_gives_trimmed_names_that_stand_in_it(text: str) -> None:
    entities = extract_entities(text)
    keys = [entity_key(entity.name) for entity in entities]
    assert len(set(keys)) == len(keys)
    for entity in entities:
        assert entity.name in text
        assert entity.name == entity.name.strip()
        assert 0 < len(entity.name) <= LONGEST_NAME
        assert entity.kind in KINDS
        assert not is_stop(entity.name.casefold())


@given(st.text(alphabet="Ab1 .-_/@:\"'`《》中项目()=", max_size=80))
def test_any_mix_of_the_characters_of_names_is_fine(text: str) -> None:
    for entity in extract_entities(text):
        assert entity.name in text
        assert entity_key(entity.name)


@given(st.text(max_size=60))
def test_key_of_a_name_does_not_depend_on_the_space_around_it(name: str) -> None:
    assert entity_key(f" {name}\t") == entity_key(name)
    assert entity_key(name) or not name.strip()


# What repeats in these made one of the patterns or loops do the most work for each character.
UNITS = ["A ", "a-", "a(", "a@a.", "《", '"a', "C:\\", "我叫", "a.a.a_", "npm i "]


@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_completes(unit: str) -> None:
    assert len(extract_entities(unit * (1_000_000 // len(unit)))) <= MOST_ENTITIES
