"""mnemo with one part of its retrieval switched off, to see what that part is worth."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from mnemo import lexicon, scoring, text

_Patches = list[tuple[Any, str, Any]]
_entry = lexicon._entry
_concepts = lexicon.concepts


def _no_dates(folded: str, with_parts: bool) -> tuple[str, list[str]]:
    return folded, []


def _whole_run(run: str, as_document: bool) -> list[str]:
    return [run]


def _only_finding(query: str, taught: Mapping[str, Collection[str]] | None = None) -> list[lexicon.Concept]:
    return [concept for concept in _concepts(query, taught) if concept.finds]


ABLATIONS: dict[str, _Patches] = {
    "stop words": [(text, "_STOP_WORDS", frozenset()), (text, "ENGLISH_STOP_WORDS", frozenset())],
    "stemming": [(text, "_stem", str), (text, "IRREGULAR_FORMS", {})],
    "irregular forms": [(text, "IRREGULAR_FORMS", {})],
    "bigrams (runs as words)": [(text, "cjk_terms", _whole_run)],
    "single characters": [(lexicon, "concepts", _only_finding)],
    "question words": [(text, "_ASKING", re.compile("(?!)"))],
    "weight of a day": [(lexicon, "DAY_WEIGHT", 1.0)],
    "dates": [(text, "take_dates", _no_dates), (lexicon, "take_dates", _no_dates)],
    "names however joined": [
        (text, "written_apart", lambda query: ()),
        (lexicon, "_joined", lambda word, following: ()),
        (lexicon, "_halves", lambda word, term: ()),
    ],
    "translations": [(lexicon, "_entry", lambda term: (_entry(term)[0], ()))],
    "weight in the language": [(lexicon, "_entry", lambda term: (1.0, _entry(term)[1]))],
    "chance pairs of characters": [(lexicon, "telling", lambda term: _entry(term)[0])],
    "whole lexicon": [(lexicon, "_entry", lambda term: (1.0, ()))],
    "jaccard": [(scoring, "FTS_WEIGHT", 1.0), (scoring, "JACCARD_WEIGHT", 0.0)],
    "BM25": [(scoring, "FTS_WEIGHT", 0.0), (scoring, "JACCARD_WEIGHT", 1.0)],
    "normalisation": [(text, "_fold_characters", str), (text, "normalise", str)],
}


IN_DOCUMENTS = {"stop words", "stemming", "irregular forms", "bigrams (runs as words)", "dates", "normalisation"}


_CACHED: list[Callable[..., Any]] = [text.stem, text._word, text.is_counted, lexicon._translations, lexicon._halves]
_CACHED.append(text._asked.__wrapped__)  # type: ignore[attr-defined]


def _forget() -> None:
    for function in _CACHED:
        function.cache_clear()  # type: ignore[attr-defined]


@contextmanager
def without(part: str) -> Iterator[None]:
    """Switch a part off for a while."""
    with ExitStack() as stack:
        for owner, name, replacement in ABLATIONS[part]:
            stack.enter_context(patch.object(owner, name, replacement))
        _forget()
        yield
    _forget()
