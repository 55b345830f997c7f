"""Steps about the server itself: its tools, starts, stderr, and the time that passes."""

import time
from collections.abc import Mapping
from typing import Any

from pytest_bdd import parsers, step

from mnemo.conformance.situation import COUNTS, Situation, labels_in, learned_lines, said_of_learning, soon

MIXED_TYPES = ("anyOf", "oneOf", "allOf", "$ref", "$defs")
SECONDS = {"day": 86_400, "hour": 3_600, "minute": 60}
PLAIN_TYPES = frozenset({"string", "number", "integer", "boolean", "array"})


def _tool(situation: Situation, name: str) -> dict[str, Any]:
    assert situation.result is not None, f"the request was refused: {situation.refusal}"
    found = [tool for tool in situation.result.get("tools", []) if tool.get("name") == name]
    assert len(found) == 1, f"the tool {name} is listed {len(found)} times"
    schema = found[0].get("inputSchema")
    assert isinstance(schema, dict), f"{name} has no input schema"
    return schema


@step("the server restarts")
def restart(situation: Situation) -> None:
    """End the server and start it again, with the handshake alone."""
    situation.driver.restart()


@step(parsers.re(r"the server restarts and the client waits (?P<seconds>\d+) seconds before the handshake"))
def restart_slowly(situation: Situation, seconds: str) -> None:
    """End the server and start it again, and let it run for a while before the handshake."""
    situation.driver.restart(pause=int(seconds))


@step(parsers.re(r"the server restarts and has learned(?:, (?P<times>\d+) times)?"))
def restart_and_learn(situation: Situation, times: str | None) -> None:
    """Restart, and wait each time for the line on stderr that says what was learned."""
    for _ in range(int(times or 1)):
        situation.driver.restart()
        soon(lambda: "" if learned_lines(situation.driver.stderr()) else _no_learning(situation.driver.stderr()))


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def _no_learning(stderr: str) -> str:
    return f"no line on stderr says what was learned; {said_of_learning(stderr)}"


@step(parsers.re(r"the client waits (?P<seconds>\d+) seconds"))
def client_waits(seconds: str) -> None:
    """Let real time pass in which the server may do what it must not; the runner lets such scenarios overlap."""
    time.sleep(int(seconds))


@step(parsers.re(r"(?P<number>\d+) (?P<unit>day|hour|minute)s? pass"))
def time_passes(situation: Situation, number: str, unit: str) -> None:
    """Let time pass for the memory, once the log of earlier searches is written."""
    soon(lambda: "" if _all_searches_counted(situation) else "the log has not been written")
    situation.let_start_end()
    situation.driver.wait(seconds=int(number) * SECONDS[unit])


def _all_searches_counted(situation: Situation) -> bool:
    if situation.answer is None or not isinstance(situation.answer.value, dict):
        return True
    results = situation.answer.value.get("results", [])
    ids = [result["fact_id"] for result in results if "score" in result]
    statement = "SELECT count(*) FROM facts WHERE fact_id = ? AND last_retrieved_at IS NOT NULL"
    return all(situation.driver.sql(statement, [fact_id]) == [[1]] for fact_id in ids)


@step(
    parsers.re(
        r"within 2 seconds one line of stderr says promoted (?P<promoted>\d+), demoted (?P<demoted>\d+), "
        r"aged (?P<aged>\d+), unchanged (?P<unchanged>\d+)"
    )
)
def stderr_says(situation: Situation, promoted: str, demoted: str, aged: str, unchanged: str) -> None:
    """Compare the counts of the one line that tells what was learned at start-up."""
    wanted = [dict(zip(COUNTS, map(int, (promoted, demoted, aged, unchanged)), strict=True))]

    def problem() -> str:
        stderr = situation.driver.stderr()
        got = learned_lines(stderr)
        if got == wanted:
            return ""
        came = "; ".join(map(_counts, got)) or "no such line"
        return f"wanted one line on stderr with {_counts(wanted[0])}, came: {came}; {said_of_learning(stderr)}"

    soon(problem)


@step("the handshake was answered before the server learned")
def handshake_came_first(situation: Situation) -> None:
    """Check that stderr told of no learning when the handshake's answer came."""
    early = learned_lines(situation.driver.stderr_at_handshake())
    assert not early, f"the server had learned before it answered the handshake: {early}"


@step("the request succeeds")
def request_succeeds(situation: Situation) -> None:
    """Check that the request had a result."""
    assert situation.result is not None, f"the request was refused: {situation.refusal}"


@step("the request fails")
def request_fails(situation: Situation) -> None:
    """Check that the request was refused."""
    assert situation.refusal is not None, f"the request succeeds: {situation.result}"


@step("the request or its result is an error")
def request_fails_somehow(situation: Situation) -> None:
    """Check that the request was refused by the protocol, or had a result that is marked as an error."""
    assert situation.refusal or (situation.result or {}).get("isError"), f"the request succeeds: {situation.result}"


@step(parsers.re(r'the tools include (?P<names>"\w+"(?:, "\w+")*)'))
def tools_include(situation: Situation, names: str) -> None:
    """Check that the tools are listed, each once."""
    for name in labels_in(names):
        _tool(situation, name)


@step(parsers.re(r'the argument "(?P<argument>\w+)" of (?P<tool>\w+) offers (?P<names>"\w+"(?:, "\w+")*)'))
def argument_offers(situation: Situation, argument: str, tool: str, names: str) -> None:
    """Check that these values stand in the argument's enumeration; it may offer more."""
    offered = _tool(situation, tool).get("properties", {}).get(argument, {}).get("enum", [])
    missing = set(labels_in(names)) - set(offered)
    assert not missing, f"{argument!r} of {tool} offers {offered}, not {sorted(missing)}"


@step(parsers.re(r'the schema of (?P<tool>\w+) declares (?P<names>"\w+"(?:, "\w+")*)'))
def schema_declares(situation: Situation, tool: str, names: str) -> None:
    """Check that the schema names these arguments; it may name more."""
    declared = _tool(situation, tool).get("properties", {})
    missing = set(labels_in(names)) - set(declared)
    assert not missing, f"the schema of {tool} declares {sorted(declared)}, not {sorted(missing)}"


@step(parsers.re(r"the schema of (?P<tool>\w+) is a flat object of plain types"))
def schema_is_flat(situation: Situation, tool: str) -> None:
    """Check that no argument is a union, a reference or an object: several clients refuse those."""
    schema = _tool(situation, tool)
    assert schema.get("type") == "object", f"the schema of {tool} has the type {schema.get('type')!r}"
    mixed = [word for word in MIXED_TYPES if f"'{word}':" in str(schema)]
    assert not mixed, f"the schema of {tool} uses {', '.join(mixed)}"
    for name, declared in schema.get("properties", {}).items():
        kind = declared.get("type")
        assert isinstance(kind, str), f"the argument {name!r} of {tool} has the type {kind!r}"
        assert kind in PLAIN_TYPES, f"the argument {name!r} of {tool} has the type {kind!r}"
