"""Porter's stemmer alone: the package that it comes from imports those of some thirty languages, which takes longer."""

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import cast

_PACKAGE = "snowballstemmer"
# A word that ends with none of these is its own stem: every step of the algorithm looks for one of them.
_ENDINGS = ("s", "ed", "ing", "y", "i", "e", "al", "ful", "ll", "er", "or", "ic", "nt", "ion", "ou", "ism")
# What a word holds that British and American English may write in two ways, the place, and how it is read.
# -ise is the reading that the stemmer leaves whole: it takes "organize" for "organ".
_SPELLINGS = tuple(
    (held, re.compile(place), reading)
    for held, place, reading in (
        ("z", r"(?<=[a-z]{3}i)z(?=(?:e[drs]?|ers|ings?|ation\w*|ab\w+)$)|(?<=[a-z]ly)z(?=(?:e[drs]?|ers|ing)$)", "s"),
        (
            "our",
            r"(arm|behavi|cand|clam|col|demean|endeav|fav|ferv|flav|glam|harb|hon|hum|lab|neighb|od|parl|ranc|rig|rum"
            r"|sav|savi|splend|succ|tum|val|vap|vig)our",
            r"\1or",
        ),
        ("logu", r"logu(?=e[ds]?$|ing$)", "log"),
        ("tre", r"(?<=cen)tre(?=d$)", "tere"),
        ("tre", r"((?:cen|thea|me|li)t)re(?=s?$)", r"\1er"),
        ("bre", r"((?:fi|cali)b)re(?=s?$)", r"\1er"),
        ("gement", r"(?<=d)gement", "gment"),
    )
)
_SHADOW = "mnemo._snowball"  # a package over the same folder, whose own start is not run


def porter() -> Callable[[str], str]:
    """Return the function that gives the Porter stem of a word in small letters.

    Raises:
        ModuleNotFoundError: the package `snowballstemmer` is not installed.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"No module named {_PACKAGE!r}", name=_PACKAGE)
    if _SHADOW not in sys.modules:
        shadow = ModuleType(_SHADOW)
        shadow.__path__ = list(spec.submodule_search_locations)
        sys.modules[_SHADOW] = shadow
    stemmer = importlib.import_module(f"{_SHADOW}.porter_stemmer").PorterStemmer()
    stem = cast(Callable[[str], str], stemmer.stemWord)
    return lambda word: stem(word) if word.endswith(_ENDINGS) else word


def one_spelling(word: str) -> str:
    """Return an English word in small letters in the one spelling that British and American forms of it are read as."""
    for held, place, reading in _SPELLINGS:
        if held in word:
            word = place.sub(reading, word)
    return word
