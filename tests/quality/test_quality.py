"""The evaluation itself: sets across languages, measures, and that a part switched off is on again afterwards."""

import json
from pathlib import Path

import pytest

from mnemo import lexicon, text
from tests.quality.__main__ import main
from tests.quality.ablations import ABLATIONS, without
from tests.quality.data import read_sets
from tests.quality.measures import judge, mean, measure
from tests.quality.systems import BASELINES, Mnemo

ENGLISH = {"a": "The spare key hangs in the boiler room", "b": "Lunch is at noon"}
CHINESE = {"a": "备用钥匙挂在锅炉房", "b": "中午吃午饭"}


def write(folder: Path, name: str, store: str, facts: dict[str, str], question: str, language: str) -> None:
    row = {
        "store": store,
        "facts": [{"key": key, "text": content} for key, content in facts.items()],
        "queries": [{"q": question, "gold": ["a"], "lang": language}],
    }
    (folder / name).write_text(json.dumps(row) + "\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, "house_en.jsonl", "house-en-1", ENGLISH, "where is the spare key?", "en")
    write(tmp_path, "house_zh.jsonl", "house-zh-1", CHINESE, "备用钥匙在哪里？", "zh")
    return tmp_path


def test_sets_of_two_languages_ask_each_other(folder: Path) -> None:
    sets = {found.name: found for found in read_sets(folder)}
    assert [found.group for found in sets.values()] == ["en", "zh", "zh > en", "en > zh"]
    across = sets["house_zh > house_en"].stores[0]
    assert across.facts == ENGLISH
    assert across.questions[0].text == "备用钥匙在哪里？"


def test_measures_are_the_usual_ones() -> None:
    gold = frozenset("xy")
    assert judge(["a", "x", "b", "c", "d", "y"], gold) == (0.5, 1.0, 0.5)
    assert judge([], gold) == (0.0, 0.0, 0.0)
    assert str(mean([(1.0, 1.0, 1.0), (0.0, 1.0, 0.5)])) == "0.500 1.000 0.750"


def test_mnemo_answers_in_both_languages(folder: Path) -> None:
    with Mnemo() as mnemo:
        by_set, pooled = measure(mnemo, read_sets(folder))
    assert {quality.mrr_10 for quality in by_set.values()} == {1.0}
    assert pooled.keys() == {"en", "zh", "zh > en", "en > zh"}


@pytest.mark.parametrize("name", ["FTS5 porter", "FTS5 trigram", "stems, pairs and jaccard"])
def test_baselines_find_the_same_words(name: str) -> None:
    assert BASELINES[name](ENGLISH)("the spare key")[0] == "a"
    assert BASELINES[name](ENGLISH)("!!") == []


def test_the_plain_form_of_the_formula_knows_pairs_of_characters_and_stems() -> None:
    build = BASELINES["stems, pairs and jaccard"]
    assert build(CHINESE)("钥匙在哪里") == ["a"]
    assert build(ENGLISH)("keys that hang") == ["a"]
    assert build(ENGLISH)("the is in") == []


@pytest.mark.parametrize("part", ABLATIONS)
def test_part_is_on_again_after_it_was_off(part: str) -> None:
    query = "went to 数据库 on 5月2号 ＡＢ"
    before = (text.terms(query), lexicon.concepts(query))
    with without(part), Mnemo() as mnemo:
        mnemo(ENGLISH)("spare key")
    assert (text.terms(query), lexicon.concepts(query)) == before


def test_command_prints_a_table(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(BASELINES, "rank-bm25")
    assert main([str(folder), "--no-ablations"]) == 0
    printed = capsys.readouterr().out
    assert "house_en > house_zh" in printed
    assert "FTS5 trigram" in printed
    assert main([]) == 2


def test_folder_without_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="holds no"):
        list(read_sets(tmp_path))
