"""Known failures: a file of scenarios that an implementation fails today, each with the reason.

    # a comment
    length-penalty: Boundary at 300 chars of match text
        penalises from 250 characters on

Where one capability alone has a scenario of that name, the name without the capability does.
A scenario that fails and is not listed fails the run, and so does one that is listed and passes: the list only shrinks.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from mnemo.conformance.catalogue import SEE_LIST, near

UNEXPLAINED = "to be explained"
LONGEST_REASON = 200  # characters of what failed
CHANGING = (  # what is another with each run: times, the HOME of a scenario, random ids
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), "[a time]"),
    (re.compile(r"[^\s'\"]*mnemo-conformance-\w+"), "[HOME]"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE), "[an id]"),
)


class KnownFailuresError(Exception):
    """The file cannot be read, or holds a line that is no name or a name without a reason."""


def read(path: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the reasons by the names of scenarios.

    Raises:
        KnownFailuresError: the file cannot be read, a name is unknown or stands twice, or a reason is missing.
    """
    known, reasons, place = list(names), dict[str, list[str]](), {}
    lines = _text_of(path).splitlines()
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
            name = _whole_name(text, known, f"{path}:{number}")
            if name in reasons:
                raise KnownFailuresError(f"{path}:{number}: {name!r} stands twice")
            reasons[name], place[name] = [], number
    for name, words in reasons.items():
        if not words:
            raise KnownFailuresError(f"{path}:{place[name]}: {name!r} has no reason; indent one under it")
    return {name: " ".join(words) for name, words in reasons.items()}


def _whole_name(text: str, known: Sequence[str], place: str) -> str:
    """Return the name `capability: scenario` that a line means, which may leave the capability out if one has it."""
    if text in known:
        return text
    found = [name for name in known if name.partition(": ")[2] == text]
    if len(found) == 1:
        return found[0]
    if found:
        raise KnownFailuresError(f"{place}: {text!r} may be {' or '.join(map(repr, found))}; name its capability too")
    said = f"there is no scenario {text!r}; a line is `capability: scenario`"
    raise KnownFailuresError(f"{place}: {said}{near(text, known) or SEE_LIST}")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise KnownFailuresError(f"there is no file {path}; --write-known-failures starts one") from None
    except IsADirectoryError:
        raise KnownFailuresError(f"{path} is a folder; name a file") from None
    except UnicodeDecodeError:
        raise KnownFailuresError(f"{path} is not text in UTF-8") from None
    except OSError as error:
        raise KnownFailuresError(f"{path} cannot be read: {error.strerror or error}") from error


def is_explained(reason: str) -> bool:
    """Tell whether somebody has written a reason in place of the one that a list starts with."""
    return not reason.lower().startswith(UNEXPLAINED)


def listing(failures: Mapping[str, str], before: Mapping[str, str], ran: Collection[str], order: Iterable[str]) -> str:
    """Return a list of these failures (sentences by names), with the reasons that were known before.

    What was listed before and has not been run stays on the list. `order` holds all names in the order of the list.
    """
    lines = ["# Scenarios that this implementation fails, each with the reason under it."]
    for name in order:
        if name in failures:
            reason = before.get(name) or f"{UNEXPLAINED}; it failed with: {_lasting(failures[name])}"
            lines += ["", name, f"    {reason}"]
        elif name in before and name not in ran:
            lines += ["", name, f"    {before[name]}"]
    return "\n".join(lines) + "\n"


def _lasting(sentence: str) -> str:
    """Return the first line of a failure, without what changes from run to run."""
    first = next((line for line in sentence.splitlines() if line.strip()), "")
    for pattern, word in CHANGING:
        first = pattern.sub(word, first)
    first = " ".join(first.split())
    return first if len(first) <= LONGEST_REASON else f"{first[:LONGEST_REASON].rstrip()} …"
