"""Steps about secrets: what warnings say, and what must not stand in an answer or in the file."""

from pytest_bdd import parsers, step

from mnemo.conformance import samples
from mnemo.conformance.situation import Situation

WORDS = r'"(?P<words>[^"]+)"'
TAIL = 10  # characters; an index may hold the rest of a word in another place


def _warnings(holder: object) -> str:
    warnings = holder.get("warnings") if isinstance(holder, dict) else None
    return " | ".join(warnings) if isinstance(warnings, list) else ""


def _secret(kind: str) -> str:
    found = samples.secret(kind)
    assert found is not None, f"there is no invented {kind}"
    return found


@step(parsers.re(rf"a warning of the answer mentions {WORDS}"))
def answer_warns(situation: Situation, words: str) -> None:
    """Look for words in the answer's warnings, whatever their case."""
    warnings = _warnings(situation.value())
    assert words.lower() in warnings.lower(), f"the warnings are {warnings!r}, wanted in one: {words!r}"


@step(parsers.re(rf'the answer to adding "(?P<label>[^"]+)" warns of {WORDS}'))
def adding_warned(situation: Situation, label: str, words: str) -> None:
    """Look for words in the warnings that came when a labelled fact was added."""
    warnings = _warnings(situation.added[label].value)
    assert words.lower() in warnings.lower(), f"adding {label!r} warned of {warnings!r}, wanted: {words!r}"


@step(parsers.re(rf'the result "(?P<label>[^"]+)" warns of {WORDS}'))
def result_warns(situation: Situation, label: str, words: str) -> None:
    """Look for words in the warnings that go with one result."""
    warnings = _warnings(situation.result_of(label))
    assert words.lower() in warnings.lower(), f"{label!r} carries {warnings!r}, wanted: {words!r}"


@step(parsers.re(r"the text of the answer does not hold the (?P<kind>[\w ]+)"))
def answer_holds_no_secret(situation: Situation, kind: str) -> None:
    """Look for a secret, or the end of it, in the text of the answer."""
    assert situation.answer is not None, "no step has called a tool"
    assert _secret(kind)[-TAIL:] not in situation.answer.text, f"the answer repeats it: {situation.answer.text}"


@step(parsers.re(r'the answer to adding "(?P<label>[^"]+)" does not hold the (?P<kind>[\w ]+)'))
def adding_held_no_secret(situation: Situation, label: str, kind: str) -> None:
    """Look for a secret in the text of the answer that came when a labelled fact was added."""
    text = situation.added[label].text
    assert _secret(kind)[-TAIL:] not in text, f"the answer repeats it: {text}"


@step(parsers.re(r"nothing of the memory's files holds the (?P<kind>[\w ]+)"))
def files_hold_no_secret(situation: Situation, kind: str) -> None:
    """Look for a secret in every table, indexes among them, and in the bytes of every file beside the memory."""
    wanted = _secret(kind).lower()[-TAIL:]
    driver = situation.driver
    for (table,) in driver.sql("SELECT name FROM sqlite_master WHERE type = 'table'"):
        for row in driver.sql(f'SELECT * FROM "{table}"'):  # noqa: S608 - the file's own names
            assert not any(wanted in _as_text(value) for value in row), f"the table {table} holds the {kind}"
    for path in sorted(driver.database.parent.iterdir()):
        if path.is_file():
            assert wanted not in _as_text(path.read_bytes()), f"the file {path.name} holds the {kind}"


def _as_text(value: object) -> str:
    return (value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)).lower()
