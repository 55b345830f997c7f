"""Known failures: a file of scenarios that an implementation fails today, each with the reason.

    # a comment
    length-penalty: Boundary at 300 chars of match text
        penalises from 250 characters on

A scenario that fails and is not listed fails the run, and so does one that is listed and passes: the list only shrinks.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

UNEXPLAINED = "to be explained; it failed with: "


class KnownFailuresError(Exception):
    """The file cannot be read, or holds a line that is no name or a name without a reason."""


def read(path: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the reasons by the names of scenarios.

    Raises:
        KnownFailuresError: the file cannot be read, a name is unknown or stands twice, or a reason is missing.
    """
    known, reasons, place = set(names), dict[str, list[str]](), {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise KnownFailuresError(f"{path} cannot be read: {error}") from error
    name = ""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or line.startswith("#"):
            continue
        if line.startswith((" ", "\t")):
            if not name:
                raise KnownFailuresError(f"{path}:{number}: a reason stands under the name of a scenario")
            reasons[name].append(text)
        else:
            name = text
            if name not in known:
                raise KnownFailuresError(f"{path}:{number}: there is no scenario {name!r}; --list shows all")
            if name in reasons:
                raise KnownFailuresError(f"{path}:{number}: {name!r} stands twice")
            reasons[name], place[name] = [], number
    for name, words in reasons.items():
        if not words:
            raise KnownFailuresError(f"{path}:{place[name]}: {name!r} has no reason; indent one under it")
    return {name: " ".join(words) for name, words in reasons.items()}


def write(path: Path, failures: Mapping[str, str], before: Mapping[str, str]) -> None:
    """Write a file that lists these failures, with the reasons that were known before."""
    lines = ["# Scenarios that this implementation fails, each with the reason under it."]
    for name, sentence in failures.items():
        reason = before.get(name) or UNEXPLAINED + " ".join(sentence.split())[:200]
        lines += ["", name, f"    {reason}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
