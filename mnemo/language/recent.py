"""The last few texts, remembered: a fact or a query is asked for the same form by several parts in a row."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

LAST_TEXTS = 4
LONGEST = 10_000  # characters of a text that is remembered

Form = TypeVar("Form")


def remembered(form_of: Callable[[str], Form]) -> Callable[[str], Form]:
    """Return what answers as `form_of` does, from memory for the last few texts that are not long.

    The form has to be one that nobody changes.
    """
    kept = lru_cache(maxsize=LAST_TEXTS)(form_of)

    @wraps(kept)
    def answer(text: str) -> Form:
        return kept(text) if len(text) <= LONGEST else form_of(text)

    return answer
