"""Arguments as clients really send them: what is understood, what is refused, and in which words."""

import json
from typing import Any

import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from mnemo import arguments
from mnemo.arguments import FACT_FEEDBACK, FACT_STORE, Given
from mnemo.errors import InvalidArgumentError

HUGE = 10**5000  # more digits than Python turns into text
NO_ID = "fact_id must be a whole number"
BEYOND = f"{NO_ID} of at most 64 bits"
WRITTEN_OUT = "a whole number without point and exponent, where it is that large"
CHOICES = "identity, coding_style, tool_pref, workflow, general"

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def read(**given: Any) -> Given:
    return arguments.read(FACT_STORE, given)


def refusal(**given: Any) -> str:
    with pytest.raises(InvalidArgumentError) as caught:
        read(**given)
    return str(caught.value)


# --- schemas ---


@pytest.mark.parametrize(("parameters", "required"), [(FACT_STORE, ["action"]), (FACT_FEEDBACK, ["action", "fact_id"])])
def test_schema_is_a_flat_object_of_plain_types(
    parameters: tuple[arguments.Parameter, ...], required: list[str]
) -> None:
    schema = arguments.input_schema(parameters, required)
    assert sorted(schema) == ["properties", "required", "type"]
    assert (schema["type"], schema["required"]) == ("object", required)
    assert list(schema["properties"]) == [parameter.name for parameter in parameters]
    for declared in schema["properties"].values():
        assert set(declared) <= {"type", "items", "enum", "description"}
        assert declared["type"] in {"string", "integer", "number", "boolean", "array"}
        assert ("items" in declared) == (declared["type"] == "array")


def test_choices_are_enumerations() -> None:
    properties = arguments.input_schema(FACT_STORE, ["action"])["properties"]
    assert properties["action"] == {"type": "string", "enum": list(arguments.ACTIONS)}
    assert properties["category"] == {
        "type": "string",
        "enum": ["identity", "coding_style", "tool_pref", "workflow", "general"],
    }
    assert arguments.input_schema(FACT_FEEDBACK, [])["properties"]["action"]["enum"] == ["helpful", "unhelpful"]
    assert properties["fact_ids"] == {"type": "array", "items": {"type": "integer"}}


# --- what is understood ---


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("content", "  Tea ", "  Tea "),
        ("content", 42, "42"),
        ("content", 4.5, "4.5"),
        ("content", "half a pair \ud83d", "half a pair \ufffd"),
        ("content", "a whole pair \ud83d\udc33", "a whole pair 🐳"),
        ("content", "end\0 of it", "end\ufffd of it"),
        ("summary", "", ""),
        ("query", 7.1, "7.1"),
        ("fact_id", 3, 3),
        ("fact_id", 3.0, 3),
        ("fact_id", "3", 3),
        ("fact_id", " 3 ", 3),
        ("fact_id", "3.0", 3),
        ("fact_id", -3, -3),
        ("fact_id", 2**62 + 1, 2**62 + 1),
        ("fact_ids", [3, "4", 5.0], [3, 4, 5]),
        ("fact_ids", "[3, 4]", [3, 4]),
        ("fact_ids", "3,4, 5", [3, 4, 5]),
        ("fact_ids", "[3,,4", [3, 4]),
        ("fact_ids", 3, [3]),
        ("fact_ids", [None, 3, " "], [3]),
        ("contents", ["one", "two"], ["one", "two"]),
        ("contents", '["one", "two"]', ["one", "two"]),
        ("contents", "one, two", ["one, two"]),
        ("contents", "[one", ["[one"]),
        ("contents", '{"a": 1}', ['{"a": 1}']),
        ("contents", ["one", None, ""], ["one", "", ""]),
        ("contents", "[" * 5000, ["[" * 5000]),
        ("entities", "Kasper", ["Kasper"]),
        ("tags", "ui,theme", "ui,theme"),
        ("tags", ["ui", "theme"], "ui,theme"),
        ("tags", ["ui", None, 3], "ui,3"),
        ("tags", ' ["ui", "深色"] ', "ui,深色"),
        ("tags", "[]", ""),
        ("tags", "[ui], theme", "[ui], theme"),
        ("category", "workflow", "workflow"),
        ("min_trust", 0, 0.0),
        ("min_trust", 1, 1.0),
        ("min_trust", "0.3", 0.3),
        ("trust_delta", -1, -1.0),
        ("trust_delta", "+0.2", 0.2),
        ("limit", "5", 5),
        ("limit", -1, -1),  # its range is read_limit's to judge
        ("offset", 0, 0),
        ("explain", True, True),
        ("explain", "TRUE", True),
        ("explain", " yes", True),
        ("explain", 1, True),
        ("refine", "false", False),
        ("refine", 0, False),
        ("refine", "no", False),
        ("action", "dance", "dance"),  # an unknown action has a sentence of its own
    ],
)
def test_plain_meaning_is_taken(name: str, value: Any, expected: Any) -> None:
    found = read(**{name: value})
    assert found == Given({name: expected})
    assert type(found.values[name]) is type(expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((parameter.name, None) for parameter in FACT_STORE),
        ("fact_id", ""),
        ("fact_id", "  "),
        ("limit", ""),
        ("min_trust", ""),
        ("category", ""),
        ("category", " "),
        ("explain", ""),
        ("contents", []),
        ("contents", ""),
        ("contents", "[]"),
        ("fact_ids", []),
        ("fact_ids", [None]),
        ("entities", " "),
    ],
)
def test_null_and_empty_values_count_as_not_given(name: str, value: Any) -> None:
    assert read(**{name: value}) == Given({})


def test_default_stands_for_what_is_not_given() -> None:
    assert Given({"limit": 3}).get("limit", 10) == 3
    assert Given({}).get("limit", 10) == 10
    assert Given({}).get("category") is None


@pytest.mark.parametrize("value", [None, "", " \n"])
def test_missing_argument_is_named(value: str | None) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^Missing required argument: content$"):
        Given({"content": value}).require("content")
    assert Given({"content": " x"}).require("content") == " x"
    assert Given({"fact_id": 0}).require("fact_id") == 0


# --- what is refused ---


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("content", True, "content must be a text, not true"),
        ("content", {"text": "Tea"}, 'content must be a text, not {"text": "Tea"}'),
        ("content", ["Tea"], 'content must be a text, not ["Tea"]'),
        pytest.param("content", HUGE, "content must be a text, not this int", id="content-huge"),
        ("tags", ["ui", {}], "tags must be a text, not {}"),
        ("fact_id", "three", 'fact_id must be a whole number, not "three"'),
        ("fact_id", 1.5, "fact_id must be a whole number, not 1.5"),
        ("fact_id", True, "fact_id must be a whole number, not true"),
        ("fact_id", [3], "fact_id must be a whole number, not [3]"),
        ("fact_id", float("nan"), "fact_id must be a whole number, not NaN"),
        ("fact_id", float("inf"), "fact_id must be a whole number, not Infinity"),
        ("fact_id", "1e999", 'fact_id must be a whole number, not "1e999"'),
        ("fact_id", 2**63, "fact_id must be a whole number of at most 64 bits, not 9223372036854775808"),
        pytest.param(
            "fact_id", HUGE, "fact_id must be a whole number of at most 64 bits, not this int", id="fact_id-huge"
        ),
        ("fact_id", str(2**63), f'fact_id must be a whole number of at most 64 bits, not "{2**63}"'),
        pytest.param("fact_id", "9" * 5000, f'{BEYOND}, not "' + "9" * 79, id="long-id"),
        ("fact_id", 2.0**60, f"fact_id must be {WRITTEN_OUT}, not 1.152921504606847e+18"),
        ("fact_id", "1e18", f'fact_id must be {WRITTEN_OUT}, not "1e18"'),
        pytest.param("fact_id", "1" * 200_000 + "x", f'{NO_ID}, not "' + "1" * 79, id="long-ones"),
        pytest.param("fact_id", "0" * 200_000 + "x", f'{NO_ID}, not "' + "0" * 79, id="long-noughts"),
        ("fact_id", "1_0", 'fact_id must be a whole number, not "1_0"'),
        ("fact_id", "１０", 'fact_id must be a whole number, not "１０"'),
        ("fact_id", "0x10", 'fact_id must be a whole number, not "0x10"'),
        ("fact_id", "infinity", 'fact_id must be a whole number, not "infinity"'),
        ("min_trust", "0_1", 'min_trust must be a number, not "0_1"'),
        pytest.param("min_trust", HUGE, "min_trust must be between 0 and 1, not this int", id="min_trust-huge"),
        ("fact_ids", {"id": 3}, 'fact_ids must be a whole number, not {"id": 3}'),
        ("fact_ids", [1] * 1001, "fact_ids holds 1001 items, at most 1000 are taken at once; send them in parts"),
        ("category", "drinks", f'category must be one of {CHOICES}, not "drinks"'),
        ("category", "General", f'category must be one of {CHOICES}, not "General"'),
        ("min_trust", -0.01, "min_trust must be between 0 and 1, not -0.01"),
        ("min_trust", 1.01, "min_trust must be between 0 and 1, not 1.01"),
        ("min_trust", "high", 'min_trust must be a number, not "high"'),
        ("min_trust", "nan", 'min_trust must be a number, not "nan"'),
        ("trust_delta", 1.5, "trust_delta must be between -1 and 1, not 1.5"),
        ("offset", -1, "offset must be 0 or more, not -1"),
        ("explain", "perhaps", 'explain must be true or false, not "perhaps"'),
        ("explain", 2, "explain must be true or false, not 2"),
        ("explain", 1.0, "explain must be true or false, not 1.0"),
        ("explain", [], "explain must be true or false, not []"),
    ],
)  # fmt: skip
def test_other_values_are_refused_in_words(name: str, value: Any, message: str) -> None:
    assert refusal(**{name: value}) == message


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("9007199254740993", 2**53 + 1),
        ("9007199254740993.0", 2**53 + 1),
        (" +9223372036854775807 ", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("000000000000000000000007", 7),
        ("2.", 2),
        ("1e3", 1000),
        (2.0**53, 2**53),
        (2**63 - 1, 2**63 - 1),
    ],
)
def test_a_whole_number_is_read_exactly(written: Any, number: int) -> None:
    assert (read(fact_id=written).get("fact_id"), read(fact_ids=[written]).get("fact_ids")) == (number, [number])


def test_ids_may_stand_between_commas_of_both_languages() -> None:
    assert read(fact_ids="[2，1、3, ]").get("fact_ids") == [2, 1, 3]


@pytest.mark.parametrize("names", ["Olivia, Maren", "Olivia，Maren", "Olivia、Maren、"])
def test_names_may_come_as_one_text(names: str) -> None:
    assert read(entities=names).get("entities") == ["Olivia", "Maren"]
    assert read(entities=[names]).get("entities") == [names]


@pytest.mark.parametrize("limit", [1001, 2**63, 10**20, 1e20, "1e20", pytest.param(HUGE, id="huge")])
def test_any_higher_limit_counts_as_1000(limit: Any) -> None:
    assert arguments.read_limit(read(limit=limit), 10) == 1000


def test_refusal_repeats_no_more_than_80_characters() -> None:
    assert refusal(fact_id="x" * 10_000) == 'fact_id must be a whole number, not "' + "x" * 79


def test_refusal_survives_a_value_that_is_too_deep_to_show() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert refusal(content=deep) == "content must be a text, not this list"


# --- arguments that nobody knows ---


def test_unknown_argument_is_ignored_with_a_warning() -> None:
    assert read(qeury="tea", colour="blue", query="tea") == Given(
        {"query": "tea"},
        ("Unknown argument ignored: qeury; did you mean query?", "Unknown argument ignored: colour"),
    )


def test_unknown_name_is_cut_and_made_fit_to_be_sent() -> None:
    (warning,) = read(**{"\ud800" * 500: 1}).warnings
    assert warning == "Unknown argument ignored: " + "\ufffd" * 80
    warning.encode()


def test_unknown_argument_of_null_is_not_mentioned() -> None:
    assert read(colour=None) == Given({})


# --- limits and times ---


@pytest.mark.parametrize(("limit", "expected"), [(None, 10), (1, 1), (1000, 1000), (1001, 1000), (10**15, 1000)])
def test_limit_is_1_to_1000(limit: int | None, expected: int) -> None:
    assert arguments.read_limit(read(limit=limit), 10) == expected


@pytest.mark.parametrize("limit", [0, -1])
def test_limit_of_0_and_less_is_refused(limit: int) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        arguments.read_limit(read(limit=limit), 10)
    assert str(caught.value) == f"limit must be 1 or more, not {limit}; leave it out for 10"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", None),
        ("  ", None),
        ("2026-05-08", "2026-05-08 00:00:00"),
        ("20260508", "2026-05-08 00:00:00"),
        ("2026-05-08 14:30:00", "2026-05-08 14:30:00"),
        ("2026-05-08T14:30", "2026-05-08 14:30:00"),
        ("2026-05-08T14:30:00Z", "2026-05-08 14:30:00"),
        ("2026-05-08T14:30:00+08:00", "2026-05-08 06:30:00"),
        ("2026-05-08 14:30:00.987", "2026-05-08 14:30:00"),
        ("0001-01-01", "0001-01-01 00:00:00"),
        ("12h", "2026-05-07 12:00:00"),
        (" 7D ", "2026-05-01 00:00:00"),
        ("2 w", "2026-04-24 00:00:00"),
        ("0d", "2026-05-08 00:00:00"),
    ],
)
def test_time_is_a_date_a_time_or_an_age(value: str | None, expected: str | None) -> None:
    with freeze_time("2026-05-08"):
        assert arguments.read_time(read(after=value), "after") == expected


@pytest.mark.parametrize(
    "value", ["yesterday", "2026-13-01", "7", "7m", "-7d", "999999w", "0001-01-01T00:00:00+14:00", "1" * 500, 5]
)
def test_other_times_are_refused_in_words(value: Any) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        arguments.read_time(read(before=value), "before")
    assert str(caught.value) == (
        "before must be a date (2026-05-08), a time (2026-05-08 14:30:00, in UTC) or an age (12h, 7d, 2w), "
        f"not {str(value)[:40]!r}"
    )


# --- whatever comes ---


def _message(item: arguments.Refused) -> str:
    return item.message


@given(st.sampled_from([parameter.name for parameter in FACT_STORE]), json_values)
def test_any_value_is_read_or_refused_in_words(name: str, value: Any) -> None:
    try:
        found = read(**{name: value})
    except InvalidArgumentError as error:
        str(error).encode()
    else:
        json.dumps(found.values, allow_nan=False, ensure_ascii=False, default=_message).encode()
        assert found.warnings == ()


@given(st.text(st.characters(), max_size=30))
def test_any_time_is_read_or_refused_in_words(value: str) -> None:
    try:
        found = arguments.read_time(read(after=value), "after")
    except InvalidArgumentError as error:
        str(error).encode()
    else:
        assert found is None or len(found) == 19


@given(st.dictionaries(st.text(st.characters(), max_size=20), json_values, max_size=4))
def test_any_names_are_read_or_refused_in_words(given: dict[str, Any]) -> None:
    try:
        found = arguments.read(FACT_FEEDBACK, given)
    except InvalidArgumentError as error:
        str(error).encode()
    else:
        json.dumps(found.warnings, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("name", "value", "items"),
    [
        ("contents", [["Tea"], "Whales"], ['item 1 of contents must be a text, not ["Tea"]', "Whales"]),
        ("contents", '["Tea", {"a": 1}]', ["Tea", 'item 2 of contents must be a text, not {"a": 1}']),
        ("fact_ids", [3, "x", None, 4], [3, 'item 2 of fact_ids must be a whole number, not "x"', 4]),
        ("fact_ids", "3,x", [3, 'item 2 of fact_ids must be a whole number, not "x"']),
        ("fact_ids", [True], ["item 1 of fact_ids must be a whole number, not true"]),
    ],
)
def test_item_of_a_batch_is_refused_by_itself(name: str, value: Any, items: list[Any]) -> None:
    read_items = arguments.read(arguments.FACT_STORE, {name: value}).get(name)
    assert [item.message if isinstance(item, arguments.Refused) else item for item in read_items] == items


def test_list_of_names_is_no_batch() -> None:
    with pytest.raises(InvalidArgumentError, match="entities must be a text"):
        arguments.read(arguments.FACT_STORE, {"entities": ["Heron", {"name": "Gateway"}]})


def test_every_parameter_has_an_effect_somewhere_and_every_action_heeds_known_ones() -> None:
    names = {parameter.name for parameter in FACT_STORE}
    assert set(arguments.HEEDED) == set(arguments.ACTIONS)
    assert frozenset[str]().union(*arguments.HEEDED.values()) == names - {"action"}


def test_argument_without_effect_is_named() -> None:
    given = read(action="history", fact_id=1, offset=2, tags="a", brief=False, query="")
    assert arguments.unheeded("history", given) == ["no effect on history: offset, tags"]
    assert arguments.unheeded("list", read(action="list", offset=2)) == []
