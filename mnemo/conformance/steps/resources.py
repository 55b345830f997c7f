"""Steps about what a server offers beside its tools: resources, prompts, instructions, and news of changes."""

import json
from typing import Any

from pytest_bdd import parsers, step

from mnemo.conformance import values
from mnemo.conformance.driver import RequestRefusedError
from mnemo.conformance.situation import Situation, labels_in, settle, soon
from mnemo.conformance.tokens import tokens

UPDATED = "notifications/resources/updated"
URI = r'"(?P<uri>\w+://[^"]+)"'
NAMES = r'(?P<names>"[^"]+"(?:, "[^"]+")*)'
SHOWN = ("fact_id", "content", "trust_score")


@step(parsers.re(r'a client that speaks the protocol version "(?P<version>[\d-]+)"'))
def speak(situation: Situation, version: str) -> None:
    """Let the client and its server agree on this version."""
    situation.driver.speak(version)


@step(parsers.re(rf"the client subscribes to {URI}"))
def subscribe(situation: Situation, uri: str) -> None:
    """Ask to hear of a resource's changes; a refusal is kept for the next step."""
    situation.result, situation.refusal = {}, None
    try:
        situation.driver.subscribe(uri)
    except RequestRefusedError as refusal:
        situation.result, situation.refusal = None, str(refusal)


@step(parsers.re(rf"within 2 seconds the client has heard (?:(?P<times>\d+) times )?that {URI} changed"))
def heard(situation: Situation, times: str | None, uri: str) -> None:
    """Count the notifications about a resource."""
    wanted = int(times or 1)
    soon(lambda: "" if (got := _heard(situation, uri)) == wanted else f"heard {got} times of {uri}, wanted {wanted}")


@step(parsers.re(rf"the client has not heard that {URI} changed"))
def not_heard(situation: Situation, uri: str) -> None:
    """Check that no notification about a resource comes."""
    settle()
    assert not _heard(situation, uri), f"a notification came: {situation.driver.notifications()}"


def _heard(situation: Situation, uri: str) -> int:
    sent = [message for message in situation.driver.notifications() if message.get("method") == UPDATED]
    return sum(message.get("params", {}).get("uri") == uri for message in sent)


@step(parsers.re(rf"the resources include {NAMES}"))
def resources_include(situation: Situation, names: str) -> None:
    """Check that these addresses are listed, each once."""
    _listed(situation, "resources", "uri", names)


@step(parsers.re(rf"the prompts include {NAMES}"))
def prompts_include(situation: Situation, names: str) -> None:
    """Check that these prompts are listed, each once."""
    _listed(situation, "prompts", "name", names)


def _listed(situation: Situation, kind: str, key: str, names: str) -> None:
    assert situation.result is not None, f"the request was refused: {situation.refusal}"
    listed = [one.get(key) for one in situation.result.get(kind, [])]
    for name in labels_in(names):
        assert listed.count(name) == 1, f"{name} is listed {listed.count(name)} times among {listed}"


@step(parsers.re(rf"the resource {URI} holds {NAMES} in this order"))
def resource_holds(situation: Situation, uri: str, names: str) -> None:
    """Compare the facts of a resource, their order, and each with what was added."""
    shown = _read(situation, uri)
    for fact in shown:
        missing = [key for key in SHOWN if key not in fact]
        assert not missing, f"a fact of {uri} has no {', '.join(missing)}: {fact}"
    labels = [situation.label_of(fact["fact_id"]) for fact in shown]
    assert labels == labels_in(names), f"{uri} holds {labels}, wanted {labels_in(names)}"
    trust = {row["fact_id"]: row["trust_score"] for row in situation.rows("facts")}
    for fact, label in zip(shown, labels, strict=True):
        assert fact["content"] == situation.content_of(label), f"the content of {label!r} is {fact['content']!r}"
        problem = values.difference(trust[fact["fact_id"]], fact["trust_score"], place=f"{label}.trust_score")
        assert not problem, problem


@step(parsers.re(rf"the resource {URI} holds (?P<count>\d+) facts?"))
def resource_counts(situation: Situation, uri: str, count: str) -> None:
    """Count the facts of a resource."""
    shown = _read(situation, uri)
    assert len(shown) == int(count), f"{uri} holds {len(shown)} facts, wanted {count}"


def _read(situation: Situation, uri: str) -> list[dict[str, Any]]:
    contents = situation.driver.request("resources/read", {"uri": uri}).get("contents", [])
    assert len(contents) == 1, f"{uri} has {len(contents)} contents, wanted one"
    shown = json.loads(contents[0].get("text", ""))
    assert isinstance(shown, list), f"{uri} holds no JSON array: {contents[0]}"
    return shown


@step(parsers.re(rf'the fact "(?P<label>[^"]+)" in the resource {URI} warns of "(?P<words>[^"]+)"'))
def resource_warns(situation: Situation, label: str, uri: str, words: str) -> None:
    """Look for words in the warnings that go with one fact of a resource, whatever their case."""
    warnings = " | ".join(_entry(situation, uri, label).get("warnings", []))
    assert words.lower() in warnings.lower(), f"{label!r} carries {warnings!r} in {uri}, wanted: {words!r}"


@step(parsers.re(rf'the fact "(?P<label>[^"]+)" in the resource {URI} has no "(?P<key>\w+)"'))
def resource_has_no(situation: Situation, label: str, uri: str, key: str) -> None:
    """Check that a key of one fact of a resource is absent."""
    entry = _entry(situation, uri, label)
    assert key not in entry, f"{label!r} has {key!r} in {uri}: {entry[key]}"


def _entry(situation: Situation, uri: str, label: str) -> dict[str, Any]:
    found = [fact for fact in _read(situation, uri) if fact.get("fact_id") == situation.id_of(label)]
    assert len(found) == 1, f"{label!r} stands {len(found)} times in {uri}"
    return found[0]


@step(parsers.re(rf'the prompt "(?P<name>[^"]+)" mentions {NAMES}'))
def prompt_mentions(situation: Situation, name: str, names: str) -> None:
    """Get a prompt and look for words in its text, whatever their case."""
    messages = situation.driver.request("prompts/get", {"name": name}).get("messages", [])
    text = " ".join(message.get("content", {}).get("text", "") for message in messages)
    _mentions(text, names, f"the prompt {name}")


@step(parsers.re(rf"the instructions mention {NAMES}"))
def instructions_mention(situation: Situation, names: str) -> None:
    """Look for words in what the server tells an assistant at the start, whatever their case."""
    _mentions(situation.driver.instructions(), names, "the instructions")


@step(parsers.re(r"the instructions and the tools are at most (?P<most>\d+) tokens long"))
def costs_at_most(situation: Situation, most: str) -> None:
    """Count the tokens of the instructions and of the tools that were listed, as compact JSON."""
    assert situation.result is not None, f"the request was refused: {situation.refusal}"
    tools = json.dumps(situation.result.get("tools"), ensure_ascii=False, separators=(",", ":"))
    count = tokens(situation.driver.instructions()) + tokens(tools)
    assert count <= int(most), f"the instructions and the tools are {count} tokens long"


def _mentions(text: str, names: str, what: str) -> None:
    missing = [name for name in labels_in(names) if name.lower() not in text.lower()]
    assert not missing, f"{what} do not mention {missing}: {text[:1500]}"
