"""Terms: what a document is indexed under, what a query asks for, and that both meet."""

import importlib
import re
import string
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo import text
from mnemo.folding import fold_in_place
from mnemo.language import stemming

TABLE = Path(text.__file__).with_name("data") / "simplified.txt"


def finds(query: str, document: str) -> bool:
    """Whether any term that scores in the query is one of the document, as the index matches them."""
    held = text.terms(document)
    return any(
        any(other.startswith(term) for other in held) if text.is_character(term) else term in held
        for term in text.content_terms(query)
    )


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("ＡＢＣ１２３", "abc123"),
        ("VSCode", "vscode"),
        ("資料庫連線", "资料库连线"),
        ("ｶﾞ", "ガ"),
        ("什麼", "什么"),
        ("北京", "北京"),
        ("么", "么"),
    ],
)
def test_normalise_folds_case_width_and_traditional_characters(written: str, folded: str) -> None:
    assert text.normalise(written) == folded


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("缓存", ["缓存"]),
        ("缓存目录", ["缓存", "存目", "目录"]),
        ("猫", ["猫"]),
        ("用vscode写代码", ["用", "vscode", "写代", "代码"]),
        ("kitty2号", ["kitty2", "号"]),
        ("C++ C# F# .NET C", ["c++", "c#", "f#", ".net", "c"]),
        ("gpt-4o", ["gpt", "4o"]),
        ("OC-41252", ["oc", "41252"]),
        ("main.py", ["main", "py"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("v1.2.3 and 14.2", ["1.2.3", "and", "14.2"]),
        ("Don't use O'Brien's", ["dont", "use", "obrien"]),
        ("café", ["cafe"]),
        ("running went children", ["run", "go", "child"]),
        ("GB/s", ["gb", "s"]),
        ("用C#开发", ["用", "c#", "开发"]),
        ("C#7 and F#很好", ["c#", "7", "and", "f#", "很好"]),
        ("在.NET平台 .NET8.0", ["在", ".net", "平台", ".net", "8.0"]),
        ("ASP.NET vb.net", ["asp", ".net", "vb", ".net"]),
        ("example.net .network", ["exampl", "net", "network"]),
        ("Python3.11版", ["python", "3.11", "版"]),
        ("第3.11节", ["第", "3.11", "节"]),
        ("1.5GB", ["1.5", "gb"]),
        ("I'd like Lena's, we'll see", ["i", "like", "lena", "we", "see"]),
        ("who is ill, what is the id", ["who", "is", "ill", "what", "is", "the", "id"]),
        ("the on-call e-mail", ["the", "on", "call", "e", "mail", "oncal", "email"]),
        ("state-of-the-art 2-3 --fail", ["state", "of", "the", "art", "2", "3", "fail"]),
        ("İSTANBUL", ["istanbul"]),
        ("星期五", ["周五"]),
        ("禮拜天", ["周日"]),
        ("三个星期一共", ["三个", "个星", "星期", "期一", "一共"]),
        ("我住哪里", ["住"]),
        ("我的猫", ["猫"]),
        ("我们的家", ["家"]),
        ("我的", ["我的"]),
        ("目的地", ["目的", "的地"]),
        ("狗的名字", ["狗的", "的名", "名字"]),
        ("% * !!", []),
    ],
)
def test_query_asks_for_words_and_bigrams(written: str, terms: list[str]) -> None:
    assert text.query_terms(written) == terms


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("React18", [("react18", "react 18")]),
        ("5GB", [("5gb", "5 gb")]),
        ("userId", [("userid", "user id")]),
        ("XMLParser2", [("xmlparser2", "xml parser 2")]),
        ("用getUserName取", [("getusernam", "get user name")]),
        ("Python3.11 v2 plain OK word_2", []),
        ("GPT4o", [("gpt4o", "gpt 4o")]),
        ("aB" * 40, []),
    ],
)
def test_what_is_written_as_one_has_parts(written: str, parts: list[tuple[str, str]]) -> None:
    assert list(text.written_apart(written)) == parts


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("5月2号", ["05-02"]),
        ("五月二日", ["05-02"]),
        ("May 2nd", ["05-02"]),
        ("2 May", ["05-02"]),
        ("2nd of May", ["05-02"]),
        ("05-02", ["05-02"]),
        ("2026-05-02", ["05-02", "2026"]),
        ("2026/5/2", ["05-02", "2026"]),
        ("2026年5月2日", ["05-02", "2026"]),
        ("May 2, 2026", ["05-02", "2026"]),
        ("May 2026", ["5月", "2026"]),
        ("十二月", ["12月"]),
        ("二十五号", ["25号"]),
        ("第2日", ["2号"]),
        ("22nd", ["22号"]),
        ("31.12.2026", ["12-31", "2026"]),
        ("12/31/2026", ["12-31", "2026"]),
        ("31/12/2026", ["12-31", "2026"]),
        ("5/2/2026", ["05-02", "02-05", "2026"]),
        ("20260914", ["09-14", "2026"]),
        ("2027-03", ["3月", "2027"]),
        ("2027/3", ["3月", "2027"]),
        ("Nov", ["11月"]),
        ("January", ["1月"]),
        ("in may", ["in", "5月"]),
        ("May?", ["5月"]),
        ("the May release", ["the", "releas", "5月"]),
        ("March budget", ["budget", "3月"]),
    ],
)
def test_date_is_one_term_however_it_is_written(written: str, terms: list[str]) -> None:
    assert text.query_terms(written) == terms


@pytest.mark.parametrize(
    "written",
    [
        "2026-13-40",
        "99-99",
        "you may go",
        "May I go",
        "march on",
        "a market in decor by Marc",
        "1-2-3",
        "12.5.3",
        "99/99/2026",
        "20261399",
        "12345678",
        "10.12.20261",
        "2025-2026",
    ],
)
def test_no_date_is_read_where_there_is_none(written: str) -> None:
    assert not any(term.endswith(("月", "号")) for term in text.query_terms(written))


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("缓", "清空缓存目录"),
        ("录", "清空缓存目录"),
        ("Postgres 14", "Postgres 14.2"),
        ("kitty", "终端选kitty2号配色"),
        ("store", "class FactStore"),
        ("vscode", "用户偏好 VS Code"),
        ("VSCode", "用户偏好 VS Code"),
        ("VS Code", "editor: VSCode"),
        ("2026", "上线日期定为 2026-05-08"),
        ("5月", "上线日期定为 2026-05-08"),
        ("41252", "Ticket OC-41252"),
        ("OC-41252", "Ticket oc 41252"),
        ("main.py", "tools/planner/main.py"),
        ("十月", "截止日期是十月15日"),
        ("May", "我的生日是5月2号"),
        ("3月", "Budget review each March"),
        ("三月", "Budget review each March"),
        ("Nov", "大促在十一月"),
        ("January", "Freeze until 2027-01-04"),
        ("12月31日", "Ends on 31.12.2026"),
        ("2026-09-14", "backup_20260914.tar"),
        ("Friday", "Retro every Fri 14:00"),
        ("Thurs", "Planning on Thursday"),
        ("Sunday", "Open Mon-Sun"),
        ("Saturdays", "Sat 10:00 market"),
        ("15", "截止日期是十月15日"),
        ("C#", "用C#开发"),
        ("C#", "C#語言"),
        ("C#", "C#项目"),
        ("C#", "C#7 features"),
        ("F#", "F#很好"),
        (".NET", "在.NET平台运行"),
        (".NET", "uses .NET8"),
        (".NET", "ASP.NET"),
        ("asp.net", "ASP.NET"),
        ("NET", ".NET Core"),
        ("OAuth", "uses OAuth2 login"),
        ("PyTorch", "PyTorch2 training"),
        ("PostgreSQL", "PostgreSQL15 库"),
        ("typescript", "TypeScript5 项目"),
        ("macOS", "macOS14 upgraded"),
        ("iphone", "iPhone15的充电器"),
        ("3.11", "Python3.11 env"),
        ("3.11", "用Python3.11版"),
        ("3.11", "升到3.11版"),
        ("python3", "Python3.11 env"),
        ("Python3.11", "Python 3.11"),
        ("4090", "使用RTX4090训练"),
        ("gpt", "GPT4o model"),
        ("部署", "部\u200b署要审批"),
        ("部\ufeff署", "部署要审批"),
        ("deployment", "deploy\u00adment text"),
        ("v20", "node v20.11"),
    ],
)
def test_part_finds_the_whole(part: str, whole: str) -> None:
    assert finds(part, whole)


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("火箭", "箭在弦上，火没有灭"),
        ("素菜", "食堂的荤菜很贵"),
        ("kitty2", "kitty3 and kitty"),
        ("Postgres14.2", "version 14.3"),
        ("C++", "C and C#"),
        ("JavaScript", "a Java island"),
        ("5月2号", "5月3号"),
        ("January", "大促在十一月"),
        ("Sunday", "The Sun shines, he sat down"),
        ("7731", "7732"),
        ("C", "用C#开发"),
        ("C", "C#7, C#語言"),
        ("C#", "用C写，C++也行"),
        ("F", "F#很好"),
        (".NET", "see example.net"),
        ("3.11", "Python3.12"),
        ("RTX4090", "RTX4080"),
        ("import", "It is important to rest"),
        ("generate", "in general"),
        ("custom", "a customer of ours"),
        ("engine", "software engineering"),
        ("past", "paste it here"),
        ("experience", "two experiments"),
        ("product", "production is down"),
        ("new", "no news today"),
        ("io", "an iOS app"),
    ],
)
def test_other_things_are_not_found(query: str, document: str) -> None:
    assert not finds(query, document)


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("看了什么展览", ["看了", "展览"]),
        ("昨天去听了谁的演唱会", ["昨天", "天去", "去听", "听了", "的演", "演唱", "唱会"]),
        ("周会在哪里开", ["周会", "会在", "里开"]),
        ("哪吒是谁画的", ["哪吒", "吒是", "画的"]),
        ("船怎么样了", ["船"]),
        ("那船怎么样了", ["那船"]),
        ("怎样腌鱼", ["腌鱼"]),
        ("喀什的集市", ["喀什", "什的", "的集", "集市"]),
        ("那么多少人", ["那么"]),
        ("谁", ["谁"]),
        ("谁去", ["去"]),
        ("什么", ["什么"]),
    ],
)
def test_question_words_of_a_chinese_query_are_left_out(query: str, terms: list[str]) -> None:
    assert text.content_terms(query) == terms


@pytest.mark.parametrize(
    "spellings",
    [
        "minimise minimize minimised minimizing",
        "optimiser optimizer optimizers optimisation optimization",
        "organisational organizational organise organized",
        "virtualised virtualized",
        "customisable customizable",
        "analyse analyzed analyser analyzer",
        "harbour harbors",
        "neighbour neighbor",
        "behavioural behavioral",
        "colour colors",
        "catalogue catalogs cataloguing",
        "dialogue dialog",
        "judgement judgment",
        "kilometre kilometers",
        "centred centered",
        "artefacts artifact",
        "licence licensed",
        "programmes program",
    ],
)
def test_british_and_american_spelling_are_one_term(spellings: str) -> None:
    assert len({text.stem(word) for word in spellings.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        "organize organ",
        "authorize author",
        "four for",
        "hour hor",
        "your yor",
        "detour detor",
        "fries friday",
        "sore sour",
    ],
)
def test_words_that_only_look_like_spellings_of_each_other_stay_apart(words: str) -> None:
    first, second = words.split()
    assert text.stem(first) != text.stem(second)


def test_question_words_of_a_document_stay() -> None:
    assert text.terms("谁去") == ("谁去", "去")


def test_stop_words_score_only_where_there_is_nothing_else() -> None:
    assert text.content_terms("what is the whale") == ["whale"]
    assert text.content_terms("what is it") == ["what", "is", "it"]
    assert text.content_terms("我们的这个") == ["们的", "的这"]
    assert text.content_terms("什么") == ["什么"]
    assert text.content_terms("use of the US") == ["use"]
    assert not text.is_counted("the")
    assert not text.is_counted("猫")
    assert text.is_counted("缓存")


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_text_is_found_by_its_own_words(content: str) -> None:
    held = text.terms(content)
    for term in text.query_terms(content):
        assert term in held or (text.is_character(term) and any(other.startswith(term) for other in held))
    assert all(held)
    assert not any(character.isspace() or character == '"' for term in held for character in term)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aB猫資料庫ｶ゛Ａ１ .月日5", max_size=40))
def test_folding_twice_changes_nothing_more(content: str) -> None:
    once = text.normalise(content)
    assert text.normalise(once) == once
    assert text.query_terms(unicodedata.normalize("NFKC", content)) == text.query_terms(content)


def test_long_text_takes_time_in_proportion() -> None:
    assert len(text.terms("5月" * 200_000)) > 400_000
    assert len(text.terms("a" * 1_000_000)) >= 1
    assert len(text.terms("1." * 200_000 + "x")) > 1


signs = st.text(st.sampled_from("aZ09 _.'+#-/vNETnetaspé"), max_size=20)


@given(signs, signs)
def test_what_stands_beside_chinese_is_cut_as_if_it_stood_alone(before: str, behind: str) -> None:
    joined = text.query_terms(f"{before}灯塔{behind}")
    assert sorted(joined) == sorted([*text.query_terms(before), "灯塔", *text.query_terms(behind)])


# What the steps of Porter's algorithm look for.
PORTER_ENDINGS = (
    "sses ies ss s eed ed ing y ational tional enci anci izer bli abli alli entli eli ousli ization ation ator alism "
    "iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant "
    "ement ment ent sion tion ou ism ate iti ous ive ize e ll x"
)
ENDING = st.sampled_from(PORTER_ENDINGS.split())


@given(st.text(string.ascii_lowercase, max_size=8), ENDING, ENDING)
def test_words_that_are_not_given_to_the_stemmer_are_those_that_it_leaves_alone(
    start: str, inner: str, end: str
) -> None:
    stem = stemming.porter()
    whole = importlib.import_module("mnemo._snowball.porter_stemmer").PorterStemmer().stemWord
    for word in (start, start + end, start + inner + end):
        assert stem(word) == whole(word)


INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
FOLDABLE = st.text(
    st.one_of(st.sampled_from("abcＡＢ１，！…“—·。資料庫薴苧連線ｶﾞé㈱①\u0301\u200b한😀"), st.characters(codec="utf-8"))
)


@given(FOLDABLE)
def test_the_fast_way_of_folding_gives_what_the_rules_give(written: str) -> None:
    simplified = dict(zip(*TABLE.read_text("utf-8").splitlines(), strict=True))
    compatible = unicodedata.normalize("NFKC", INVISIBLE.sub("", written))
    assert text.normalise(written) == "".join(simplified.get(char, char) for char in compatible).casefold()
    assert len(fold_in_place(written)) == len(written)
    assert fold_in_place(written) == "".join(map(fold_in_place, written))
