"""Steps about the last answer as a whole: its JSON, its errors, its text."""

import json
import re
from typing import Any

from pytest_bdd import parsers, step

from mnemo.conformance import values
from mnemo.conformance.situation import Situation, labels_in, parse

# What only an implementation's insides can say, and an assistant can do nothing with.
LEAKS = re.compile(
    r"traceback|sqlite|UNIQUE|constraint|fts5|\bat \S+\.js\b"
    r"|\bdatabase (?:table )?is locked\b|\bno such (?:table|column)\b",
    re.IGNORECASE,
)


@step(parsers.re(r"the answer has (?P<wanted>\{.*\})"))
def answer_has(situation: Situation, wanted: str) -> None:
    """Compare the named keys of the answer; it may hold more."""
    problem = values.comparison(values.expected(parse(wanted), situation), situation.value(), place="answer")
    assert not problem, problem


@step(parsers.re(r"the answer is (?P<wanted>\{.*\})"))
def answer_is(situation: Situation, wanted: str) -> None:
    """Compare the answer key by key; it may hold nothing else."""
    wanted_value = values.expected(parse(wanted), situation)
    problem = values.comparison(wanted_value, situation.value(), exact=True, place="answer")
    assert not problem, problem


@step(parsers.re(r'the answer\'s "(?P<path>[\w.]+)" mentions (?P<words>"[^"]+"(?:, "[^"]+")*)'))
def answer_mentions(situation: Situation, path: str, words: str) -> None:
    """Look for words in one text of the answer, whatever their case; dots lead into objects."""
    found: Any = situation.value()
    for key in path.split("."):
        assert isinstance(found, dict), f"the answer has no {path!r}: {values.shown(situation.value())}"
        found = found.get(key)
    missing = [word for word in labels_in(words) if word.lower() not in str(found).lower()]
    assert not missing, f"{path!r} is {found!r}, wanted in it: {missing}"


@step(parsers.re(r'the answer has no "(?P<key>\w+)"'))
def answer_has_no(situation: Situation, key: str) -> None:
    """Check that a key is absent."""
    assert key not in situation.value(), f"the answer has {key!r}: {values.shown(situation.value()[key])}"


@step(parsers.re(r'the answer to adding "(?P<label>[^"]+)" has no "(?P<key>\w+)"'))
def adding_has_no(situation: Situation, label: str, key: str) -> None:
    """Check that a key was absent when a labelled fact was added."""
    answer = situation.added[label]
    assert key not in answer.value, f"the answer to adding {label!r} has {key!r}: {answer.text}"


@step(parsers.re(r'the answer has (?P<count>\d+) entries in "(?P<key>\w+)"'))
def answer_has_entries(situation: Situation, count: str, key: str) -> None:
    """Count the entries of a list."""
    entries = situation.value().get(key)
    assert isinstance(entries, list), f"{key!r} is no list: {values.shown(entries)}"
    assert len(entries) == int(count), f"{key!r} has {len(entries)} entries, wanted {count}"


@step("the answer is an error")
def answer_is_error(situation: Situation) -> None:
    """Check that the answer is marked as an error, is `{"error": ...}`, and leaks nothing of the insides."""
    answer = situation.answer
    assert answer is not None, "no step has called a tool"
    assert answer.is_error, f"the answer is not marked as an error: {answer.text[:500]}"
    is_object = isinstance(answer.value, dict) and isinstance(answer.value.get("error"), str)
    assert is_object, f'the text of the error is not {{"error": "..."}}: {answer.text[:500]}'
    assert not LEAKS.search(answer.text), f"the error shows the insides of the server: {answer.text[:500]}"


@step(parsers.re(r'the answer is an error that says "(?P<words>.+)"'))
def answer_is_error_saying(situation: Situation, words: str) -> None:
    """Check the same, and that the error's text holds these words."""
    answer_is_error(situation)
    assert situation.answer is not None
    said = situation.answer.value["error"]
    assert words in said, f"the error says {said!r}, wanted in it: {words!r}"


@step("the answer is a success, or an error without the words of the database")
def answer_is_no_leak(situation: Situation) -> None:
    """Check the same of an answer that may also be none: a server may wait until what stood in its way is gone."""
    assert situation.answer is not None, "no step has called a tool"
    if situation.answer.is_error:
        answer_is_error(situation)


@step("the call fails")
def call_fails(situation: Situation) -> None:
    """Check that a call was refused, by an error result or by a protocol error, without leaks."""
    assert situation.answer is not None, "no step has called a tool"
    assert situation.answer.is_error, f"the call succeeds: {situation.answer.text[:500]}"
    assert not LEAKS.search(situation.answer.text), f"the error shows the insides: {situation.answer.text[:500]}"


@step("the text of the answer is compact JSON")
def answer_is_compact(situation: Situation) -> None:
    """Compare the text with what the same value is without spaces and escapes."""
    value = situation.value()
    assert situation.answer is not None
    wanted = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert situation.answer.text == wanted, f"the text is {situation.answer.text[:300]!r}, compact: {wanted[:300]!r}"


@step("the text of the error is compact JSON")
def error_is_compact(situation: Situation) -> None:
    """Compare the text of an error with what the same object is without spaces and escapes."""
    assert situation.answer is not None, "no step has called a tool"
    said = situation.answer.text
    assert situation.answer.is_error, f"the call succeeds: {said[:500]}"
    wanted = json.dumps(json.loads(said), ensure_ascii=False, separators=(",", ":"))
    assert said == wanted, f"the text is {said[:300]!r}, compact: {wanted[:300]!r}"


@step(parsers.re(r"the text of the answer is shorter than (?P<length>\d+) characters"))
def answer_is_short(situation: Situation, length: str) -> None:
    """Measure the text of the answer."""
    assert situation.answer is not None
    assert len(situation.answer.text) < int(length), f"the text has {len(situation.answer.text)} characters"
