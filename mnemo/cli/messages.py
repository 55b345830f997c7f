"""What the command line says to a person: English in the code, here its Chinese."""

import os
from functools import cache
from typing import Any


def tr(english: str, **values: Any) -> str:
    """Return a message in the user's language (Chinese where the locale is), its values filled in."""
    message = _catalogue().get(english, english) if is_chinese() else english
    return message.format(**values) if values else message


def is_chinese() -> bool:
    """Tell whether the locale asks for Chinese: the first that is set of LC_ALL, LC_MESSAGES, LANG counts."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        chosen = os.environ.get(variable)
        if chosen:
            return chosen.lower().startswith(("zh", "chinese"))
    return False


@cache
def _catalogue() -> dict[str, str]:
    from mnemo.cli.chinese import MESSAGES

    return MESSAGES
