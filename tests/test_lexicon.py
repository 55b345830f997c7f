"""Concepts: what a query word stands for in both languages, and how the lexicon is searched."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo import lexicon, text
from mnemo.lexicon import Concept

DATA = Path(lexicon.__file__).parent / "data"


def alternatives(query: str) -> dict[str, float]:
    """Return everything that any concept of a query stands for, with its weight."""
    return {term: weight for concept in lexicon.concepts(query) for term, weight in concept.alternatives}


@pytest.mark.parametrize(
    ("query", "meaning"),
    [
        ("图书馆在哪", "librari"),
        ("圖書館在哪", "librari"),
        ("数据库", "databas"),
        ("厦门", "xiamen"),
        ("北京", "beij"),
        ("我的手机", "phone"),
        ("library", "图书 书馆"),
        ("Libraries", "图书 书馆"),
        ("database", "数据 据库"),
        ("cat", "猫"),
        ("mobile phones", "手机"),
        ("dark", "黑暗"),
        ("提交", "commit"),
        ("commit", "提交"),
        ("星期四", "thursdai"),
        ("Thursday", "周四"),
        ("軟體", "软件"),
        ("k8s", "kubernet"),
        ("on-call", "值班"),
        ("single sign-on", "单点 点登 登录"),
        ("darkmode", "dark mode"),
        ("file name", "filenam"),
        ("hot fix", "hotfix"),
        ("userId", "user id"),
        ("sign up", "注册"),
        ("write off", "报销"),
        ("欧洲", "europ"),
        ("訊息", "消息"),
        ("消息", "讯息"),
        ("原始碼", "源代 代码"),
        ("出租车", "计程 程车"),
        ("計程車", "出租 租车"),
        ("payment", "支付"),
        ("支付", "payment"),
        ("holiday", "假期"),
        ("假期", "holidai"),
    ],
)
def test_word_stands_for_its_translations(query: str, meaning: str) -> None:
    assert 0 < alternatives(query)[meaning] < 1


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("上线", "handler"),
        ("登录", "log"),
        ("报销", "write"),
        ("write", "报销"),
        ("不错", "bad"),
        ("sick", "虺"),
        ("skerryvane grafana", "sker ryvan"),
        ("carpet", "car pet"),
    ],
)
def test_word_stands_for_nothing_else(query: str, wrong: str) -> None:
    assert wrong not in alternatives(query)


def test_term_stands_first_for_itself_and_counts_once() -> None:
    found = lexicon.concepts("museum and museum 博物馆")
    assert [concept.term for concept in found if concept.finds] == ["museum", "博物", "物馆"]
    assert all(concept.alternatives[0] == (concept.term, 1.0) for concept in found)
    assert all(0 < weight <= 1 for concept in found for _, weight in concept.alternatives)


@pytest.mark.parametrize(
    ("query", "other"),
    [
        ("how do I log in", "login"),
        ("backed up", "backup"),
        ("it times out", "timeout"),
        ("matplot lib", "matplotlib"),
        ("ML flow", "mlflow"),
        ("Node.js", "nodej"),
        ("logins", "log in"),
        ("timeout", "time out"),
        ("rollouts", "roll out"),
        ("nodejs", "node js"),
        ("vuejs", "vue js"),
    ],
)
def test_words_stand_for_what_they_are_joined_to_and_taken_apart_into(query: str, other: str) -> None:
    assert other in alternatives(query)


@pytest.mark.parametrize("query", ["group", "cover", "origin", "captain", "z" * 40 + "out"])
def test_what_ends_like_a_particle_is_no_verb(query: str) -> None:
    assert [term for term in alternatives(query) if " " in term and term.isascii()] == []


def test_time_for_a_word_of_ten_thousand_letters_is_bounded() -> None:
    lexicon._halves.cache_clear()
    assert lexicon._halves("e" * 10_000, "e" * 100) == ()


def test_each_pair_of_a_longer_word_stands_for_its_part_of_the_translation() -> None:
    first, inner, port = (one for one in lexicon.concepts("数据库端口") if one.term in ("数据", "据库", "端口"))
    assert (first.is_inner, inner.is_inner, port.is_inner) == (False, True, False)
    assert 0 < dict(inner.alternatives)["databas"] < dict(first.alternatives)["databas"]


def test_single_characters_only_add_to_the_score() -> None:
    found = lexicon.concepts("缓存目录")
    assert [concept.term for concept in found if not concept.finds] == list("缓存目录")
    assert [concept.finds for concept in lexicon.concepts("猫")] == [True]


def test_common_words_tell_less() -> None:
    telling = {concept.term: concept.telling for concept in lexicon.concepts("觉得 显微镜 time microscope zzyzx")}
    assert telling["觉得"] < telling["显微"]
    assert telling["time"] < telling["microscop"]
    assert telling["zzyzx"] == 1.0


def test_characters_that_stand_together_by_chance_tell_as_much_as_both_of_them() -> None:
    telling = {concept.term: concept.telling for concept in lexicon.concepts("我不砍松鼠的䶮龘 ぬち")}
    assert 0 < telling["我不"] < telling["不砍"] < telling["松鼠"]
    assert telling["鼠的"] < 1.0
    assert telling["䶮龘"] == telling["ぬち"] == 1.0  # rare, or of another script


def test_a_day_counts_more_than_what_was_done_on_it() -> None:
    telling = {concept.term: concept.telling for concept in lexicon.concepts("2024年5月2日 xylo, 3月 plorb")}
    assert telling == {"05-02": lexicon.DAY_WEIGHT, "2024": 1.0, "3月": 1.0, "xylo": 1.0, "plorb": 1.0}


def test_what_a_query_repeats_counts_more() -> None:
    twice, once = lexicon.concepts("zzyzx qwrt zzyzx"), lexicon.concepts("qwrt zzyzx")
    assert twice[0].telling > once[1].telling == 1.0


def test_unknown_words_stand_for_themselves() -> None:
    assert lexicon.concepts("zzyzx 7731") == [
        Concept("zzyzx", (("zzyzx", 1.0),)),
        Concept("7731", (("7731", 1.0),)),
    ]
    assert lexicon.concepts("") == []
    assert lexicon.concepts("% * !!") == []


def test_stop_words_alone_are_searched_without_translations() -> None:
    assert [concept.term for concept in lexicon.concepts("what is it")] == ["what", "is", "it"]


@pytest.mark.parametrize(
    ("content", "pairs"),
    [
        ("他的爱好是逆向（reverse engineering）", [("逆向", "revers engineer")]),
        ("User prefers dark theme (深色主题) in editors", [("深色 色主 主题", "dark theme")]),
        ("用 Kubernetes（容器编排）", [("容器 器编 编排", "kubernet")]),
        ("上线(release) 和 回滚（rollback）", [("上线", "releas"), ("回滚", "rollback")]),
        ("no pair (here) 也没有（这里）", []),
        ("猫（）", []),
        ("项目叫暗礁计划（Skerryvane）", [("暗礁 礁计 计划", "skerryvan")]),
        ("团队把逆向（reverse engineering）放在安全组", [("逆向", "revers engineer")]),
        ("战争与和平（peace）", [("和平", "peac")]),
        ("plain text", []),
    ],
)
def test_fact_teaches_pairs(content: str, pairs: list[tuple[str, str]]) -> None:
    assert lexicon.taught_pairs(content) == pairs


def test_taught_words_find_each_other() -> None:
    (pair,) = lexicon.taught_pairs("逆向（reverse engineering）")
    assert pair[0] in lexicon.phrases("逆向资料在哪")
    assert pair[1] in lexicon.phrases("notes on reverse engineering tools")
    (first, *_) = lexicon.concepts("逆向资料", {pair[0]: [pair[1]]})
    assert dict(first.alternatives)[pair[1]] == lexicon.TAUGHT_WEIGHT
    assert lexicon.concepts("别的", {pair[0]: [pair[1]]}) == lexicon.concepts("别的")


def test_every_line_of_the_lexicon_is_found_again() -> None:
    lines = (DATA / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    for line in [lines[0], lines[-1], *lines[:: len(lines) // 500]]:
        term, weight, others = line.split("\t")
        assert lexicon._entry(term) == (
            int(weight) / 100 if weight else 1.0,
            tuple(filter(None, others.split("|"))),
        )
    for absent in ("", "\x00", "zzzzzz", "龘龘", "librari\t"):
        assert lexicon._entry(absent) == (1.0, ())


def test_lexicon_is_sorted_small_and_licensed() -> None:
    terms = [line.split(b"\t")[0] for line in (DATA / "lexicon.tsv").read_bytes().splitlines()]
    assert terms == sorted(set(terms))
    assert (DATA / "lexicon.tsv").stat().st_size < 5_000_000
    notice = (DATA / "LICENSE-lexicon.txt").read_text(encoding="utf-8")
    assert "CC-CEDICT" in notice
    assert "by-sa/4.0" in notice


def test_lexicon_holds_every_technical_word() -> None:
    lines = (DATA.parents[1] / "tools" / "technical_words.txt").read_text(encoding="utf-8").splitlines()
    meanings = [line.lstrip("= ").split(" | ") for line in lines if line and line[0] not in "#-"]
    chinese = [(word, words) for words in meanings for word in words if text.is_cjk(word)]
    assert len(chinese) > 400
    assert [word for word, words in chinese if not set(words) - {word}] == []
    assert [word for word, _ in chinese if not lexicon._entry(text.normalise(word))[1]] == []


def test_lexicon_speaks_the_language_of_the_tokenizer() -> None:
    """A change of the stemmer or of the stop words needs a new lexicon: `tools/build_lexicon.py`."""
    for word in ("libraries", "use", "travelling", "policy", "children"):
        assert lexicon._entry(text.stem(word))[1], word


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=100))
def test_any_query_has_concepts_that_differ(query: str) -> None:
    found = lexicon.concepts(query)
    terms = [concept.term for concept in found]
    assert len(terms) == len(set(terms))
    assert [c.term for c in found if c.finds] == list(dict.fromkeys(text.content_terms(query)))
