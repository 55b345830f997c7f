"""Mistakes of our own server in what goes with one fact, and is said beside several."""

from collections.abc import Callable

from tests.conformance.own_mistake import Answer, Do, Given, OwnMistake, around


def _left_out(name: str, beside: str) -> Callable[[Do, Given], Answer]:
    """Leave an argument out where another one is given too."""

    def wrong(do: Do, given: Given) -> Answer:
        return do({key: value for key, value in given.items() if key != name or beside not in given})

    return wrong


BATCH_MISTAKES = [
    OwnMistake(
        "a summary beside contents is left out",
        "a summary beside contents is refused rather than given to all",
        around("add", _left_out("summary", "contents")),
    ),
    OwnMistake(
        "nothing is superseded by contents",
        "a fact to supersede beside contents is refused",
        around("add", _left_out("supersedes", "contents")),
    ),
    OwnMistake(
        "one id is left out beside several",
        "one id beside several is refused rather than left out",
        around("*", _left_out("fact_id", "fact_ids")),
    ),
]
