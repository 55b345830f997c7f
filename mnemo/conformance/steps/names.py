"""Steps about the entity graph: the names that facts are linked to, and pairs that may contradict each other."""

from pytest_bdd import parsers, step

from mnemo.conformance.situation import Situation, labels_in, soon

NAMES = r'(?P<names>"[^"]+"(?:, "[^"]+")*)'
LINKED = "SELECT name, aliases FROM entities JOIN fact_entities USING (entity_id) WHERE fact_id = ?"


@step(parsers.re(rf'the fact "(?P<label>[^"]+)" is linked to {NAMES}'))
def is_linked(situation: Situation, label: str, names: str) -> None:
    """Check that the file links a fact to these names, whatever their case; it may have more."""

    def problem() -> str:
        linked = _linked(situation, label)
        missing = [name for name in labels_in(names) if name.lower() not in linked]
        return f"{label!r} is not linked to {missing} but to {sorted(linked)}" if missing else ""

    soon(problem)


@step(parsers.re(rf'the fact "(?P<label>[^"]+)" is not linked to {NAMES}'))
def is_not_linked(situation: Situation, label: str, names: str) -> None:
    """Check that the file links a fact to none of these names."""
    linked = _linked(situation, label)
    found = [name for name in labels_in(names) if name.lower() in linked]
    assert not found, f"{label!r} is linked to {found}"


@step(parsers.re(r'the fact "(?P<label>[^"]+)" is linked to no name'))
def is_linked_to_nothing(situation: Situation, label: str) -> None:
    """Check that the file links a fact to no name at all."""
    linked = _linked(situation, label)
    assert not linked, f"{label!r} is linked to {sorted(linked)}"


def _linked(situation: Situation, label: str) -> set[str]:
    rows = situation.driver.sql(LINKED, [situation.id_of(label)])
    return {part.strip().lower() for name, aliases in rows for part in [name, *(aliases or "").split(",")] if part}


@step(parsers.re(r'the pairs include "(?P<first>[^"]+)" with "(?P<second>[^"]+)"'))
def pairs_include(situation: Situation, first: str, second: str) -> None:
    """Check that two facts are reported as a pair, once, with its figures."""
    found = [pair for pair in situation.facts() if _labels(situation, pair) == {first, second}]
    assert len(found) == 1, f"{first!r} with {second!r} is reported {len(found)} times: {_all(situation)}"
    for key in ("entity_overlap", "content_similarity", "contradiction_score"):
        assert 0 <= found[0].get(key, -1) <= 1, f"{key} is {found[0].get(key)!r}, wanted from 0 to 1"
    assert isinstance(found[0].get("shared_entities"), list), f"the pair has no shared_entities: {found[0]}"


@step(parsers.re(r'the pair of "(?P<first>[^"]+)" with "(?P<second>[^"]+)" has no "(?P<key>\w+)"'))
def pair_has_no(situation: Situation, first: str, second: str, key: str) -> None:
    """Check that two facts are reported as a pair that lacks a key."""
    pairs_include(situation, first, second)
    pair = next(pair for pair in situation.facts() if _labels(situation, pair) == {first, second})
    assert key not in pair, f"{first!r} with {second!r} has {key!r}: {pair[key]}"


@step(parsers.re(r'there is no pair of "(?P<first>[^"]+)" with "(?P<second>[^"]+)"'))
def no_pair(situation: Situation, first: str, second: str) -> None:
    """Check that two facts are not reported as a pair."""
    assert {first, second} not in _all(situation), f"{first!r} and {second!r} are reported"


def _labels(situation: Situation, pair: dict[str, dict[str, object]]) -> set[str]:
    return {situation.label_of(pair[side].get("fact_id")) for side in ("fact_a", "fact_b")}


def _all(situation: Situation) -> list[set[str]]:
    return [_labels(situation, pair) for pair in situation.facts()]
