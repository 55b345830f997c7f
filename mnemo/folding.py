"""Fold width and traditional characters of a text in place, so that positions in it stay true."""

import unicodedata
from functools import lru_cache

from mnemo.language.recent import remembered
from mnemo.text import fold_plainly, normalise


def fold_in_place(text: str) -> str:
    """Return a text of the same length with width and traditional characters folded; case stays."""
    return text if text.isascii() else _folded(text)


@remembered
def _folded(text: str) -> str:
    folded = fold_plainly(text)
    if folded is not None:
        return folded
    return text.translate({ord(character): _plain(character) for character in set(text)})


@lru_cache(maxsize=16384)
def _plain(character: str) -> str:
    """Return a character folded, or itself if its plain form takes more than one."""
    folded = unicodedata.normalize("NFKC", character)
    if not (folded.isupper() or folded.islower()):
        folded = normalise(folded)  # a Chinese character, for instance
    return folded if len(folded) == 1 and folded.isprintable() else character
