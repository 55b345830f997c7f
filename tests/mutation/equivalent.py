"""The changes that nobody can tell from outside, each with the reason: `equivalent.txt`.

scoring.py | the line as it stands | what  ->  what it becomes
    why no call, no answer and no row of the public tables can show it
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.mutation.changes import Change

LIST = Path(__file__).parent / "equivalent.txt"


def name(module: str, change: Change) -> str:
    """Return the name of a change in the list."""
    return f"{module}.py | {change.text} | {change.what}"


def read() -> dict[str, str]:
    """Return the reasons by the names of the changes; a reason stands for all names above it."""
    reasons: dict[str, str] = {}
    waiting: list[str] = []
    for line in LIST.read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            reasons |= dict.fromkeys(waiting, line.strip())
            waiting = []
        else:
            waiting.append(line)
    assert not waiting, f"{LIST.name}: no reason for {waiting}"
    return reasons


def check(reasons: Mapping[str, str], changes: Mapping[str, Sequence[Change]]) -> None:
    """Hold the list against the changes that there are.

    Raises:
        AssertionError: a name in the list means no change.
    """
    there = {name(module, change) for module, some in changes.items() for change in some}
    unknown = [one for one in reasons if one not in there]
    assert not unknown, f"{LIST.name} names changes that there are not: {unknown}"
