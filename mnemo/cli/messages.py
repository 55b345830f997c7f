"""What the command line says to a person: English in the code, here its Chinese."""

import os
import re
from functools import cache
from typing import Any


def tr(english: str, **values: Any) -> str:
    """Return a message in the user's language (Chinese where the locale is), its values filled in.

    A value named `error` is what the memory said, and is translated too.
    """
    if not is_chinese():
        return english.format(**values) if values else english
    if "error" in values:
        values["error"] = translated(str(values["error"]))
    message = _catalogue().get(english, english)
    return message.format(**values) if values else message


def facts(count: int) -> str:
    """Return how many facts there are, as a part of a sentence."""
    return tr("1 fact") if count == 1 else tr("{count} facts", count=count)


def translated(sentence: str) -> str:
    """Return what the memory said (it speaks English) in the user's language, or as it is where that is not known."""
    return (_chinese(sentence) or sentence) if is_chinese() else sentence


def _chinese(sentence: str) -> str | None:
    if "; " in sentence:  # several sentences, or one with a part of its own behind it
        parts = [_chinese(part) for part in sentence.split("; ")]
        if all(parts):
            return "；".join(part for part in parts if part)
    for pattern, message in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return message.format(**{name: _chinese(value) or value for name, value in found.groupdict().items()})
    return None


def is_chinese() -> bool:
    """Tell whether the locale asks for Chinese: the first that is set of LC_ALL, LC_MESSAGES, LANG counts."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        chosen = os.environ.get(variable)
        if chosen:
            return chosen.lower().startswith(("zh", "chinese"))
    return False


@cache
def _catalogue() -> dict[str, str]:
    from mnemo.cli.chinese.messages import MESSAGES

    return MESSAGES


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return what finds each sentence, and its Chinese; those with more words of their own first."""
    from mnemo.cli.chinese.sentences import SENTENCES

    templates = [re.split(r"\{(\w+)\}", english) for english in SENTENCES]
    found = [
        (
            sum(map(len, template[::2])),
            "".join(f"(?P<{part}>.*?)" if at % 2 else re.escape(part) for at, part in enumerate(template)),
            message,
        )
        for template, message in zip(templates, SENTENCES.values(), strict=True)
    ]
    return [(re.compile(pattern, re.DOTALL), message) for _, pattern, message in sorted(found, reverse=True)]
