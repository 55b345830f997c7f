"""Each factor of the score by itself, with the numbers of the specification."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo import scoring
from mnemo.facts import match_text
from mnemo.lexicon import Concept
from mnemo.scoring import Corpus, Document, Factors, Likeness, Wanted

NOW = datetime(2026, 5, 8, tzinfo=UTC)
EMPTY = Corpus(0, 0.0, {})


def plain(*terms: str) -> list[Concept]:
    return [Concept(term, ((term, 1.0),)) for term in terms]


def likeness(concepts: list[Concept], document: Document, corpus: Corpus = EMPTY) -> Likeness:
    wanted = Wanted(concepts, corpus)
    return wanted.read(document, wanted.every)


@pytest.mark.parametrize(
    ("characters", "expected"),
    [
        (0, 1.0),
        (1, 1.0),
        (150, 1.0),
        (299, 1.0),
        (300, 1.0),
        (301, 300 / 301),
        (400, 0.75),
        (600, 0.5),
        (900, 1 / 3),
        (1500, 0.2),
        (3921, 300 / 3921),
    ],
)
def test_length_penalty_begins_after_300_characters(characters: int, expected: float) -> None:
    assert scoring.length_penalty(characters) == expected


@given(st.integers(min_value=0, max_value=10**7))
def test_length_penalty_never_grows_with_the_length(characters: int) -> None:
    assert 0 < scoring.length_penalty(characters + 1) <= scoring.length_penalty(characters) <= 1


@pytest.mark.parametrize(
    ("content", "summary", "expected"),
    [
        ("whole", None, "whole"),
        ("whole", "", "whole"),
        ("whole", "\t\u3000\n", "whole"),
        ("whole", "short", "short"),
        ("", None, ""),
    ],
)
def test_match_text_is_the_summary_if_it_holds_anything(content: str, summary: str | None, expected: str) -> None:
    assert match_text(content, summary) == expected


@pytest.mark.parametrize(
    ("age", "half_life", "expected"),
    [
        (timedelta(days=400), 0.0, 1.0),  # off
        (timedelta(days=400), -1.0, 1.0),
        (timedelta(0), 30.0, 1.0),
        (timedelta(days=30), 30.0, 0.5),
        (timedelta(days=60), 30.0, 0.25),
        (timedelta(hours=12), 1.0, 0.5**0.5),
        (timedelta(days=-9), 30.0, 1.0),  # a time of the future, from another clock
    ],
)
def test_time_decay_halves_with_each_half_life(age: timedelta, half_life: float, expected: float) -> None:
    assert scoring.time_decay(NOW - age, NOW, half_life) == pytest.approx(expected)


def test_fact_of_unknown_age_does_not_decay() -> None:
    assert scoring.time_decay(None, NOW, 30.0) == 1.0


@pytest.mark.parametrize(
    ("fts", "jaccard", "trust", "decay", "penalty", "relevance", "score"),
    [
        (1.0, 0.5, 0.5, 1.0, 1.0, 0.75, 0.375),
        (1.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.5),
        (0.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5),  # both count the same
        (1.0, 1.0, 0.8, 1.0, 1 / 3, 1.0, 0.2667),
        (0.8, 0.4, 0.5, 0.5, 0.2, 0.6, 0.03),
        (1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0),
    ],
)
def test_score_is_the_product_of_its_factors_in_4_places(
    fts: float, jaccard: float, trust: float, decay: float, penalty: float, relevance: float, score: float
) -> None:
    factors = Factors(fts, jaccard, trust, decay, penalty)
    assert factors.relevance == pytest.approx(relevance)
    assert factors.score == score


def test_document_counts_its_terms_without_stop_words() -> None:
    document = Document.of(["the", "whale", "the", "sea", "whale"])
    assert document.text == " the whale the sea whale"
    assert document.length == 3
    assert document.distinct == 2
    assert document.content_terms == {"whale", "sea"}


def test_jaccard_is_the_share_of_common_terms() -> None:
    document = Document.of(["whale", "sleep", "sea"])
    assert likeness(plain("whale", "sea"), document).jaccard == pytest.approx(2 / 3)
    assert likeness(plain("whale", "crane"), document).jaccard == pytest.approx(1 / 4)
    assert likeness(plain("whale", "sleep", "sea"), document).jaccard == 1.0


def test_jaccard_is_0_without_a_common_term() -> None:
    assert likeness(plain("crane"), Document.of(["whale"])).jaccard == 0.0
    assert likeness([], Document.of(["whale"])).jaccard == 0.0
    assert likeness([], Document.of([])).jaccard == 0.0
    assert likeness(plain("whale"), Document.of([])).jaccard == 0.0


def test_jaccard_counts_a_concept_once_whatever_its_alternatives() -> None:
    editor = Concept("editor", (("editor", 1.0), ("编辑", 0.8), ("辑器", 0.8)))
    assert likeness([editor], Document.of(["编辑"])).jaccard == 1.0
    assert likeness([editor], Document.of(["编辑", "辑器"])).jaccard == 0.5
    assert likeness([editor], Document.of(["编辑", "sea"])).jaccard == 0.5
    assert likeness([editor, *plain("crane")], Document.of(["编辑"])).jaccard == 0.5


def test_bm25_is_0_without_a_common_term() -> None:
    corpus = Corpus(10, 5.0, {"crane": 3})
    assert likeness(plain("crane"), Document.of(["whale"]), corpus).bm25 == 0.0
    assert likeness([], Document.of(["whale"]), corpus).bm25 == 0.0


def test_bm25_prefers_rare_terms_more_of_them_and_short_documents() -> None:
    corpus = Corpus(100, 3.0, {"whale": 2, "sea": 60})
    short, long = Document.of(["whale"]), Document.of(["whale", *(f"w{i}" for i in range(20))])
    rare = likeness(plain("whale"), short, corpus).bm25
    assert rare > likeness(plain("sea"), Document.of(["sea"]), corpus).bm25 > 0
    assert rare > likeness(plain("whale"), long, corpus).bm25 > 0
    assert likeness(plain("whale"), Document.of(["whale", "whale"]), corpus).bm25 > rare


def test_bm25_takes_the_best_alternative_of_a_concept_once() -> None:
    corpus = Corpus(100, 2.0, {"editor": 4})
    alone = Concept("editor", (("editor", 1.0),))
    both = Concept("editor", (("editor", 1.0), ("编辑", 0.5)))
    document = Document.of(["editor", "编辑"])
    assert likeness([both], document, corpus).bm25 == likeness([alone], document, corpus).bm25
    translated = likeness([both], Document.of(["编辑", "sea"]), corpus).bm25
    assert 0 < translated < likeness([both], Document.of(["editor", "sea"]), corpus).bm25


def test_bm25_holds_in_an_empty_corpus_and_for_unknown_terms() -> None:
    assert likeness(plain("whale"), Document.of(["whale"]), Corpus(0, 0.0, {})).bm25 > 0


def test_phrase_is_there_if_all_its_terms_are_as_often_as_the_rarest() -> None:
    editor = Concept("editor", (("editor", 1.0), ("text tool", 0.5)))
    alike = likeness([editor], Document.of(["text", "text", "tool", "sea"]))
    assert alike.frequencies == {0: 0.5}
    assert alike.jaccard == pytest.approx(1 / 3)  # the concept, beside two other terms
    assert likeness([editor], Document.of(["text", "sea"])).frequencies == {}
    assert likeness([editor], Document.of(["tool", "sea"])).frequencies == {}


def test_better_alternative_counts_whichever_is_read_first() -> None:
    editor = Concept("editor", (("editor", 1.0), ("text tool", 0.5)))
    alike = likeness([editor], Document.of(["editor", "text", "tool"]))
    assert alike.frequencies == {0: 1.0}


def test_alternatives_of_one_concept_are_one_term_in_common() -> None:
    editor = Concept("editor", (("editor", 1.0), ("编辑", 0.7), ("text tool", 0.7)))
    alike = likeness([editor, *plain("crane")], Document.of(["编辑", "editor", "text", "tool", "sea"]))
    assert alike.frequencies == {0: 1.0}
    assert alike.jaccard == pytest.approx(1 / 6)  # one concept of two, and four other terms


def test_a_character_counts_twice_where_the_query_has_it_and_once_as_a_translation() -> None:
    document = Document.of(["船长", "船员", "船"])
    assert likeness(plain("船"), document).frequencies == {0: 2.0}
    boat = Concept("boat", (("boat", 1.0), ("船", 0.7)))
    assert likeness([boat], document).frequencies == {0: 0.7}


def test_a_term_is_repeated_right_behind_itself_or_later() -> None:
    assert likeness(plain("whale"), Document.of(["whale", "whale"])).frequencies == {0: 2.0}
    assert likeness(plain("whale"), Document.of(["whale", "sea", "whale", "whale"])).frequencies == {0: 2.0}
    assert likeness(plain("whale"), Document.of(["whale", "whales"])).frequencies == {0: 1.0}


def test_characters_add_to_bm25_alone() -> None:
    port = Concept("端", (("端", 1.0),), finds=False)
    document = Document.of(["端口", "端点", "口袋"])
    alike = likeness([*plain("端口"), port], document)
    assert alike.frequencies == {0: 1.0, 1: 2.0}
    assert alike.jaccard == likeness(plain("端口"), document).jaccard == pytest.approx(1 / 3)
    assert alike.bm25 > likeness(plain("端口"), document).bm25
    assert likeness([port], document).jaccard == 0.0


def test_stop_words_that_are_searched_are_in_common_but_no_terms_of_a_document() -> None:
    assert likeness(plain("the"), Document.of(["the", "sea"])).jaccard == 0.5


def test_overlap_is_the_share_of_counted_terms_in_common() -> None:
    document = Document.of(["the", "whale", "sleep", "whale", "sea"])
    assert scoring.overlap(frozenset({"whale", "sleep", "sea"}), document) == 1.0
    assert scoring.overlap(frozenset({"whale", "crane"}), document) == 0.25
    assert scoring.overlap(frozenset({"crane"}), document) == 0.0
    assert scoring.overlap(frozenset(), Document.of([])) == 0.0


def test_a_phrase_of_what_finds_nothing_adds_to_bm25_alone() -> None:
    port = Concept("港", (("港", 1.0), ("sea port", 0.7)), finds=False)
    document = Document.of(["sea", "port", "whale"])
    alike = likeness([*plain("whale"), port], document)
    assert alike.frequencies == {0: 1.0, 1: 0.7}
    assert alike.jaccard == likeness(plain("whale"), document).jaccard == pytest.approx(1 / 3)
    assert alike.bm25 > likeness(plain("whale"), document).bm25


def test_what_is_sought_in_a_document_counts_as_it_stands_there_and_not_as_it_was_known() -> None:
    port, crane = Concept("port", (("port", 1.0), ("港口", 0.7))), Concept("crane", (("crane", 1.0),))
    wanted = Wanted([port, crane], EMPTY)
    document, known = Document.of(["港口", "lamp"]), {0: 1.0, 1: 2.0}
    assert wanted.read(document, wanted.untold({0}), known).frequencies == {0: 0.7, 1: 2.0}
    assert wanted.read(document, wanted.untold({0, 1}), known).frequencies == {0: 0.7}
    assert wanted.read(document, wanted.untold(()), known).frequencies == known


def test_a_document_is_searched_for_what_places_do_not_tell() -> None:
    lamp, beside = Concept("lamp", (("lamp", 1.0),)), Concept("lamp 港", (("灯 港", 1.0),), finds=False)
    character = Concept("港", (("港", 1.0),))
    wanted = Wanted([lamp, beside, character], EMPTY)
    document = Document.of(["lamp", "港口", "灯", "港"])
    assert wanted.read(document, wanted.untold(())).frequencies == {1: 1.0, 2: 2.0}
    assert wanted.read(document, wanted.untold([0])).frequencies == {0: 1.0, 1: 1.0, 2: 2.0}
