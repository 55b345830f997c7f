"""The bracket language of the scenarios, the comparison of values, and that steps notice what is wrong."""

import os
from types import SimpleNamespace
from typing import Any

import pytest

from mnemo.conformance import values
from mnemo.conformance.driver import Answer
from mnemo.conformance.situation import Situation, busyness, labels_in, learned_lines, objects, parse, soon
from mnemo.conformance.steps import answers, memory, results, server
from mnemo.conformance.values import AboutTime, AboveZero, Anything, difference, expected, given, long_text

NOW = "2026-03-01 12:00:00"


class StandIn:
    """A driver whose answers are given beforehand."""

    def __init__(self, *answers: Any, is_error: bool = False) -> None:
        self._answers = [Answer(value=value, is_error=is_error, text=str(value)) for value in answers]

    def now(self) -> str:
        return NOW

    def call(self, *_: Any) -> Answer:
        return self._answers.pop(0)


def situation(*answers: Any, is_error: bool = False) -> Situation:
    """Return a situation with two labelled facts, whose last answer is the first of these."""
    made = Situation(StandIn(*answers, is_error=is_error))  # type: ignore[arg-type]
    made.name_fact("tea", 7, "Tea is served at four")
    made.name_fact("ale", 9, "Ale is served at five")
    if answers:
        made.call("fact_store", {})
    return made


def scored(fact_id: int, **changes: Any) -> dict[str, Any]:
    """Return a result whose numbers follow the formula, but for the changes."""
    explain = {"fts": 1.0, "jaccard": 0.5, "relevance": 0.75, "trust": 0.5, "decay": 1.0, "length_penalty": 0.4}
    return {"fact_id": fact_id, "score": changes.pop("score", 0.15), "explain": explain | changes}


@pytest.mark.parametrize("length", [2, 3, 50, 300, 301, 3921])
@pytest.mark.parametrize("chinese", [False, True])
def test_long_texts_have_exactly_their_length(length: int, chinese: bool) -> None:
    text = long_text(length, "蓝鲸", chinese=chinese)
    assert len(text) == length
    assert text.startswith("蓝鲸")
    assert text == text.strip()


def test_long_texts_can_be_wild() -> None:
    text = long_text(2000, "灯塔", wild=True)
    assert (len(text), text.count("\n") > 10, text.count("🙂") > 10) == (2000, True, True)


def test_a_text_shorter_than_its_topic_is_refused() -> None:
    with pytest.raises(ValueError, match="1 characters are too few"):
        long_text(1, "蓝鲸")


@pytest.mark.parametrize(
    ("bracket", "value"),
    [
        ("[none]", None),
        ("[empty]", ""),
        ("[now]", NOW),
        ("[61 days ago]", "2025-12-30 12:00:00"),
        ("[60 days and 1 second ago]", "2025-12-31 11:59:59"),
        ("[60 days less 1 minute ago]", "2025-12-31 12:01:00"),
        ("[id of tea]", 7),
        ("[content of tea]", "Tea is served at four"),
        ("[3 emoji]", "🌀🌁🌂"),
        ('["tea", "ale"]', '["tea", "ale"]'),
        ("tea [none]", "tea [none]"),
    ],
)
def test_brackets_stand_for_values(bracket: str, value: Any) -> None:
    assert given({"a": [bracket]}, situation()) == {"a": [value]}


def test_expected_brackets_also_match_loosely() -> None:
    assert expected(["[any]", "[any object]", "[now]"], situation()) == [Anything(), Anything(True), AboutTime(NOW)]


@pytest.mark.parametrize("bracket", ["[something]", "[any]", "[5 words]"])
def test_unknown_brackets_are_refused(bracket: str) -> None:
    with pytest.raises(ValueError, match="stands for nothing"):
        given(bracket, situation())


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (0.55, 0.55 + 1e-12),
        (1, 1.0),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([{"a": None}], [{"a": None, "b": 2}]),
        (AboutTime(NOW), "2026-03-01 12:00:59"),
        (Anything(), None),
        (Anything(only_objects=True), {}),
        (AboveZero(), 0.5),
        (False, False),
    ],
)
def test_equal_values_have_no_difference(wanted: Any, got: Any) -> None:
    assert difference(wanted, got) == ""


@pytest.mark.parametrize(
    ("wanted", "got", "place"),
    [
        (0.55, 0.5501, "the value"),
        (1, True, "the value"),
        (True, 1, "the value"),
        (None, "", "the value"),
        ("1", 1, "the value"),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a.b: "),
        ({"a": 1}, {}, "has no 'a'"),
        ({"a": 1}, [], "the value"),
        ([1, 2], [2, 1], "[0]: "),
        ([1], [1, 1], "the value"),
        ([1], None, "the value"),
        (AboutTime(NOW), "2026-03-01 12:01:01", "the value"),
        (AboutTime(NOW), "2026-03-01T12:00:00", "the value"),
        (AboutTime(NOW), None, "the value"),
        (Anything(only_objects=True), [], "the value"),
        (AboveZero(), 0, "the value"),
        (AboveZero(), True, "the value"),
        (AboveZero(), "4096", "[a number above 0]"),
    ],
)
def test_differences_are_found_and_placed(wanted: Any, got: Any, place: str) -> None:
    assert place in difference(wanted, got)


def test_exact_comparison_refuses_further_keys() -> None:
    assert "holds b besides" in difference({"a": [{"c": 1}]}, {"a": [{"c": 1, "b": 2}]}, exact=True)


def test_cells_are_numbers_where_they_look_like_them() -> None:
    assert [values.cell(text) for text in ("1", "0.5", "1.0", "tea", "")] == [1, 0.5, 1.0, "tea", ""]


def test_long_values_are_cut_in_failures() -> None:
    assert len(values.shown("x" * 5000)) < 600


def test_labels_tables_and_json_are_read() -> None:
    assert labels_in('"not yet", "tea"') == ["not yet", "tea"]
    assert objects([["fact", "n"], ["tea", "1"]]) == [{"fact": "tea", "n": "1"}]
    assert parse('{"a": null}') == {"a": None}
    with pytest.raises(AssertionError, match="holds no JSON"):
        parse("{a}")


def test_learned_lines_are_read_whatever_their_punctuation() -> None:
    counts = {"promoted": 1, "demoted": 2, "aged": 3, "unchanged": 4}
    assert learned_lines("x: promoted 1, demoted 2, aged 3, unchanged 4") == [counts]
    assert learned_lines('{"promoted":1,"demoted":2,"aged":3,"unchanged":4}') == [counts]
    assert learned_lines("starting\nlearned: aged=3 unchanged=4 promoted=1 demoted=2\n") == [counts]
    assert learned_lines("promoted 1\ndemoted 2\naged 3\nunchanged 4") == []


def test_a_failed_step_says_where_it_stands_and_what_the_server_said() -> None:
    class Request:
        def getfixturevalue(self, name: str) -> Any:
            return SimpleNamespace(evidence=lambda: f"evidence of the {name}")

    feature = SimpleNamespace(name="fact-store")
    scenario = SimpleNamespace(name="a tea is added", rule=SimpleNamespace(name="Add stores a fact"))
    step = SimpleNamespace(keyword="Then", name="the answer is hot")
    failure = AssertionError("cold")
    memory.pytest_bdd_step_error(Request(), feature, scenario, step, failure)  # type: ignore[arg-type]
    assert failure.__notes__ == [
        "  capability: fact-store\n  requirement: Add stores a fact\n  scenario: a tea is added\n"
        "  step: Then the answer is hot\nevidence of the driver"
    ]


def test_soon_fails_with_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemo.conformance.situation.POLL_SECONDS", 0.0)
    problems = ["late", "late", ""]
    soon(lambda: problems.pop(0))
    assert not problems
    with pytest.raises(AssertionError, match="never"):
        soon(lambda: "never")


def test_labels_are_given_once_and_must_be_known() -> None:
    made = situation()
    with pytest.raises(AssertionError, match="two facts are called 'tea'"):
        made.name_fact("tea", 8, "")
    with pytest.raises(AssertionError, match="no step has added a fact 'beer'"):
        made.id_of("beer")


@pytest.mark.parametrize(
    ("value", "is_error", "message"),
    [
        ({"error": "no"}, True, "the answer is an error"),
        ([], False, "the answer is no object"),
        ({"count": 0}, False, "neither results nor facts"),
    ],
)
def test_an_answer_without_facts_is_noticed(value: Any, is_error: bool, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        situation(value, is_error=is_error).facts()


@pytest.mark.parametrize(
    ("results_", "message"),
    [
        ([scored(9), scored(7)], "wanted in this order"),
        ([scored(7)], "wanted in this order"),
        ([scored(7), scored(9), scored(11)], "fact 11"),
    ],
)
def test_wrong_results_are_noticed(results_: list[Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        results.results_in_order(situation({"results": results_}), '"tea", "ale"')


def test_a_wrong_count_is_noticed() -> None:
    with pytest.raises(AssertionError, match="count is 3, not 1"):
        results.results_in_any_order(situation({"results": [scored(7)], "count": 3}), '"tea"')


def test_the_formula_holds_for_right_numbers() -> None:
    results.results_follow_formula(situation({"results": [scored(7)]}))


@pytest.mark.parametrize(
    "changes",
    [
        {"relevance": 0.85, "score": 0.17},  # 0.7 / 0.3
        {"relevance": 0.65, "score": 0.13},  # 0.3 / 0.7
        {"score": 0.375},  # no penalty
        {"score": 0.3},  # no trust
        {"decay": 0.9},
        {"fts": None},
    ],
)
def test_another_formula_is_noticed(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        results.results_follow_formula(situation({"results": [scored(7, **changes)]}))


def test_no_result_at_all_does_not_follow_the_formula() -> None:
    with pytest.raises(AssertionError, match="there are no results"):
        results.results_follow_formula(situation({"results": []}))


@pytest.mark.parametrize(
    ("value", "is_error", "message"),
    [
        ({"error": "limit is wrong"}, False, "not marked as an error"),
        ({"message": "limit"}, True, "is not"),
        ({"error": "query"}, True, "wanted in it: 'limit'"),
        ({"error": "limit: sqlite3.IntegrityError"}, True, "insides"),
        ({"error": "Traceback (most recent call last): limit"}, True, "insides"),
    ],
)
def test_errors_that_are_none_are_noticed(value: Any, is_error: bool, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        answers.answer_is_error_saying(situation(value, is_error=is_error), "limit")


@pytest.mark.parametrize(
    "argument",
    [
        {"type": ["integer", "null"]},
        {"anyOf": [{"type": "integer"}]},
        {"type": "object"},
        {},
        {"type": "array", "items": {"$ref": "#/x"}},
    ],
)
def test_schemas_that_clients_refuse_are_noticed(argument: Any) -> None:
    made = situation()
    schema = {"type": "object", "properties": {"fact_id": {"type": "integer"}}}
    made.result = {"tools": [{"name": "fact_store", "inputSchema": schema}]}
    server.schema_is_flat(made, "fact_store")
    schema["properties"]["fact_id"] = argument  # type: ignore[index]
    with pytest.raises(AssertionError):
        server.schema_is_flat(made, "fact_store")


def test_a_comparison_shows_what_differs_and_nothing_else() -> None:
    wanted = {"kept": 1, "changed": [{"x": 1, "any": values.Anything()}], "gone": 2}
    got = {"more": 9, "changed": [{"x": 2, "any": 5, "more": 1}], "kept": 1}
    shown = values.comparison(wanted, got, place="answer")
    assert shown.splitlines()[:2] == ["answer.changed[0].x: wanted 1, got 2", "- wanted, + came:"]
    assert [line.split() for line in shown.splitlines()[2:] if line[0] in "+-"] == [
        ["-", '"x":', "1"],
        ["+", '"x":', "2"],
        ["-", '"gone":', "2"],
    ]
    assert values.comparison(wanted, wanted) == ""
    assert values.comparison(1, 2) == "the value: wanted 1, got 2"


@pytest.mark.parametrize(
    ("load", "cores", "times"), [(0.1, 2, 1), (2.0, 2, 1), (3.2, 2, 2), (17.2, 2, 3), (3.0, None, 3)]
)
def test_a_busy_machine_is_given_more_time(
    monkeypatch: pytest.MonkeyPatch, load: float, cores: int | None, times: int
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 9.0, 9.0), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert busyness() == times
    monkeypatch.delattr(os, "getloadavg")
    assert busyness() == 1
