"""Porter's stemmer alone: the package that it comes from imports those of some thirty languages, which takes longer."""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import cast

_PACKAGE = "snowballstemmer"
# A word that ends with none of these is its own stem: every step of the algorithm looks for one of them.
_ENDINGS = ("s", "ed", "ing", "y", "i", "e", "al", "ful", "ll", "er", "or", "ic", "nt", "ion", "ou", "ism")
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
