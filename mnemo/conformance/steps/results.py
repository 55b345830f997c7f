"""Steps about the facts in an answer: which, in what order, with which scores."""

from typing import Any

from pytest_bdd import parsers, step

from mnemo.conformance import values
from mnemo.conformance.situation import Situation, labels_in, parse

LABELS = r'(?P<labels>"[^"]+"(?:, "[^"]+")*)'
SCORE_TOLERANCE = 0.002  # scores and factors are rounded to 4 places
EXPLAINED = ("fts", "jaccard", "relevance", "trust", "decay", "length_penalty")


def _explanation(result: dict[str, Any]) -> dict[str, Any]:
    explanation = result.get("explain")
    assert isinstance(explanation, dict), f"the result has no explanation: {values.shown(result)}"
    missing = [name for name in EXPLAINED if not isinstance(explanation.get(name), int | float)]
    assert not missing, f"the explanation has no number for {', '.join(missing)}: {explanation}"
    return explanation


def _close(wanted: float, got: Any, what: str) -> None:
    problem = values.difference(wanted, got, tolerance=SCORE_TOLERANCE, place=what)
    assert not problem, problem


def _compare_sets(situation: Situation, wanted: list[str]) -> None:
    got = situation.labels()
    assert sorted(got) == sorted(wanted), f"the results are {got}, wanted in any order: {wanted}"
    if "count" in situation.value():
        assert situation.value()["count"] == len(got), f"count is {situation.value()['count']}, not {len(got)}"


@step(parsers.re(rf"the results are {LABELS} in this order"))
def results_in_order(situation: Situation, labels: str) -> None:
    """Compare all results and their order."""
    wanted, got = labels_in(labels), situation.labels()
    assert got == wanted, f"the results are {got}, wanted in this order: {wanted}"
    _compare_sets(situation, wanted)


@step(parsers.re(rf"the results are {LABELS} in any order"))
def results_in_any_order(situation: Situation, labels: str) -> None:
    """Compare all results, whatever their order."""
    _compare_sets(situation, labels_in(labels))


@step(parsers.re(rf"the results include {LABELS}"))
def results_include(situation: Situation, labels: str) -> None:
    """Check that these are among the results."""
    missing = set(labels_in(labels)) - set(situation.labels())
    assert not missing, f"{sorted(missing)} are not among the results {situation.labels()}"


@step(parsers.re(r'the first result is "(?P<label>[^"]+)"'))
def first_result(situation: Situation, label: str) -> None:
    """Compare the first result."""
    assert situation.labels()[:1] == [label], f"the results are {situation.labels()}, wanted first: {label!r}"


@step("there are no results")
def no_results(situation: Situation) -> None:
    """Check that the answer is empty."""
    _compare_sets(situation, [])


@step(parsers.re(rf'a search for "(?P<query>.*)" returns {LABELS}(?: in any order)?'))
def search_returns(situation: Situation, query: str, labels: str) -> None:
    """Search and compare all results, whatever their order."""
    situation.search(query)
    _compare_sets(situation, labels_in(labels))


@step(parsers.re(r'a search for "(?P<query>.*)" returns "(?P<label>[^"]+)" first'))
def search_returns_first(situation: Situation, query: str, label: str) -> None:
    """Search and compare the first result."""
    situation.search(query)
    first_result(situation, label)


@step(parsers.re(r'a search for "(?P<query>.*)" returns nothing'))
def search_returns_nothing(situation: Situation, query: str) -> None:
    """Search and find nothing."""
    situation.search(query)
    _compare_sets(situation, [])


@step(parsers.re(r'a search for "(?P<query>.*)" returns (?P<count>\d+) facts?'))
def search_returns_count(situation: Situation, query: str, count: str) -> None:
    """Search and count the results."""
    situation.search(query)
    assert len(situation.facts()) == int(count), f"{len(situation.facts())} results, wanted {count}"


@step(parsers.re(r'the result "(?P<label>[^"]+)" has (?P<wanted>\{.*\})'))
def result_has(situation: Situation, label: str, wanted: str) -> None:
    """Compare the named keys of one result."""
    result = situation.result_of(label)
    problem = values.comparison(values.expected(parse(wanted), situation), result, place=label)
    assert not problem, problem


@step(parsers.re(r'the result "(?P<label>[^"]+)" has no "(?P<key>\w+)"'))
def result_has_no(situation: Situation, label: str, key: str) -> None:
    """Check that a key of one result is absent."""
    assert key not in situation.result_of(label), f"{label!r} has {key!r}"


@step(parsers.re(r'the result "(?P<label>[^"]+)" is explained by (?P<wanted>\{.*\})'))
def result_is_explained(situation: Situation, label: str, wanted: str) -> None:
    """Compare the named factors of one result's score."""
    explanation = _explanation(situation.result_of(label))
    for name, number in parse(wanted).items():
        _close(number, explanation.get(name), f"{label}.explain.{name}")


@step(parsers.re(r'the score of the result "(?P<label>[^"]+)" is relevance x (?P<trust>[\d.]+) x (?P<penalty>[\d.]+)'))
def score_is_product(situation: Situation, label: str, trust: str, penalty: str) -> None:
    """Compare the score with the product of its relevance and two given numbers."""
    result = situation.result_of(label)
    relevance = _explanation(result)["relevance"]
    assert relevance > 0, f"{label!r} has a relevance of {relevance}"
    _close(relevance * float(trust) * float(penalty), result.get("score"), f"{label}.score")


@step(parsers.re(r'the score of the result "(?P<label>[^"]+)" is below (?P<bound>[\d.]+)'))
def score_is_below(situation: Situation, label: str, bound: str) -> None:
    """Compare the score with a bound that it must not reach, above 0."""
    score = situation.result_of(label).get("score")
    assert isinstance(score, int | float), f"the score is {score!r}"
    assert 0 < score < float(bound), f"the score of {label!r} is {score}, wanted above 0 and below {bound}"


@step("every result follows the scoring formula")
def results_follow_formula(situation: Situation) -> None:
    """Make relevance and score again from the parts that the answer gives for each result."""
    assert situation.facts(), "there are no results"
    for result in situation.facts():
        name, parts = situation.label_of(result.get("fact_id")), _explanation(result)
        _close(0.5 * parts["fts"] + 0.5 * parts["jaccard"], parts["relevance"], f"{name}.explain.relevance")
        product = parts["relevance"] * parts["trust"] * parts["decay"] * parts["length_penalty"]
        _close(product, result.get("score"), f"{name}.score")


@step("fts and jaccard differ in at least one result")
def parts_differ(situation: Situation) -> None:
    """Make sure that other weights than 0.5 and 0.5 would have shown."""
    parts = [_explanation(result) for result in situation.facts()]
    apart = [part for part in parts if abs(part["fts"] - part["jaccard"]) > 10 * SCORE_TOLERANCE]
    assert apart, f"fts and jaccard are the same in every result: {parts}"


@step("every fts and jaccard is between 0 and 1")
def parts_are_fractions(situation: Situation) -> None:
    """Check the range of both parts of the relevance."""
    for result in situation.facts():
        parts = _explanation(result)
        assert 0 < parts["fts"] <= 1, f"fts is {parts['fts']}"
        assert 0 <= parts["jaccard"] <= 1, f"jaccard is {parts['jaccard']}"


@step(parsers.re(r'the result "(?P<label>[^"]+)" has a higher fts than "(?P<other>[^"]+)"'))
def fts_is_higher(situation: Situation, label: str, other: str) -> None:
    """Compare the text match of two results."""
    more, less = (_explanation(situation.result_of(one))["fts"] for one in (label, other))
    assert more > less, f"the fts of {label!r} is {more}, that of {other!r} {less}; wanted higher for {label!r}"


@step(parsers.re(r'the fts of "(?P<label>[^"]+)" and "(?P<other>[^"]+)" make up 1'))
def fts_make_up_one(situation: Situation, label: str, other: str) -> None:
    """Compare the sum of two results' text match with that of the best match."""
    both = [_explanation(situation.result_of(one))["fts"] for one in (label, other)]
    _close(1.0, sum(both), f"the fts of {label!r} and {other!r} together ({both[0]} + {both[1]})")


@step("every score has at most 4 decimal places")
def scores_are_rounded(situation: Situation) -> None:
    """Check that rounding the scores to 4 places changes nothing."""
    scores = [result.get("score", 0.0) for result in situation.facts()]
    assert scores == [round(score, 4) for score in scores], f"the scores are {scores}"


@step("the scores descend")
def scores_descend(situation: Situation) -> None:
    """Check that no result has a higher score than the one before it."""
    scores = [result.get("score", 0.0) for result in situation.facts()]
    assert scores == sorted(scores, reverse=True), f"the scores are {scores}"
