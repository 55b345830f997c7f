"""Concepts: a query word with the words that mean the same, in either language.

The lexicon is a text file of sorted lines, `term TAB weight TAB alternatives`, searched by bisection where it lies:
nothing is parsed or loaded at start. `tools/build_lexicon.py` makes it and describes the format.
"""

import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from mnemo import text
from mnemo.dates import take_dates

TRANSLATION_WEIGHT = 0.7
PART_WEIGHT = 0.35  # of a translation that has only a part of the meaning: "phone" for 手机, cell phone
CHARACTER_WEIGHT = 0.4
LONGEST_WORD = 5  # characters
MAX_TAUGHT_TERMS = 4  # on each side of a pair

_FILE = Path(__file__).with_name("data") / "lexicon.tsv"
_CJK_RUN = re.compile(f"[{text.CJK}]+")


@dataclass(frozen=True)
class Concept:
    """A query term and its alternatives, each with a weight in (0, 1]; the term itself stands first with 1.

    An alternative of several terms, joined by spaces, is a phrase: a Chinese word of three or more characters, or an
    English one of two words. A single Chinese character stands for every term that starts with it. `telling` in
    (0, 1] is how much the term says in its language, whatever the memory. `finds` is false for what only adds to the
    score of facts that others find: the single characters of a Chinese query.
    """

    term: str
    alternatives: tuple[tuple[str, float], ...]
    telling: float = 1.0
    finds: bool = True


@cache
def _lines() -> mmap.mmap:
    with _FILE.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@lru_cache(maxsize=16384)
def _entry(term: str) -> tuple[float, tuple[str, ...]]:
    """Return how telling a term is, and its translations as the file has them; (1.0, ()) if it is not there."""
    wanted = term.encode() + b"\t"
    lines = _lines()
    low, high = 0, len(lines)
    while low < high:
        start = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = lines.find(b"\n", start) + 1
        key_end = lines.find(b"\t", start, end) + 1
        key = lines[start:key_end]
        if key == wanted:
            weight, _, alternatives = lines[key_end : end - 1].decode().partition("\t")
            return (int(weight) / 100 if weight else 1.0), tuple(filter(None, alternatives.split("|")))
        if key < wanted:
            low = end
        else:
            high = start
    return 1.0, ()


def _as_terms(word: str) -> str:
    """Return a translation as index terms: a Chinese word as its bigrams."""
    if not text.is_cjk(word) or len(word) < 3:
        return word
    return " ".join(word[i : i + 2] for i in range(len(word) - 1))


def _translations(term: str) -> Iterator[tuple[str, float]]:
    for word in _entry(term)[1]:
        if word.startswith("~"):
            yield _as_terms(word[1:]), PART_WEIGHT
        else:
            yield _as_terms(word), TRANSLATION_WEIGHT


def _words(run: str) -> Iterator[str]:
    """Split a run of Chinese characters into the longest words of the lexicon, from its end."""
    end = len(run)
    while end:
        for start in range(max(0, end - LONGEST_WORD), end):
            if end - start == 1 or _entry(run[start:end])[1]:
                yield run[start:end]
                end = start
                break


def concepts(query: str) -> list[Concept]:
    """Return the concepts of a query, one for each different term, in order of appearance.

    Spec: bilingual-retrieval.
    """
    alternatives: dict[str, dict[str, float]] = {term: {term: 1.0} for term in dict.fromkeys(text.content_terms(query))}
    undated, _ = take_dates(text.normalise(query), with_parts=False)
    characters: dict[str, dict[str, float]] = {}
    for run in _CJK_RUN.findall(undated):
        for word in _words(run):
            # The word's first bigram stands for it.
            owner = alternatives.get(word[:2])
            if owner is None and len(word) == 1 and not text.is_stop(word):
                owner = characters.setdefault(word, {word: 1.0})
            if owner is not None:
                _add(owner, word)
        for character in run:
            if character not in alternatives and not text.is_stop(character):
                characters.setdefault(character, {character: 1.0})
    latin = [term for term in text.query_terms(query) if not text.is_cjk(term) and not text.is_stop(term)]
    for term, following in zip(latin, [*latin[1:], ""], strict=False):
        _add(alternatives[term], term)
        _add(alternatives[term], f"{term} {following}")
    return [Concept(term, tuple(others.items()), _entry(term)[0]) for term, others in alternatives.items()] + [
        Concept(term, tuple(others.items()), CHARACTER_WEIGHT * _entry(term)[0], finds=False)
        for term, others in characters.items()
    ]


def _add(alternatives: dict[str, float], term: str) -> None:
    for translation, weight in _translations(term):
        alternatives[translation] = max(weight, alternatives.get(translation, 0.0))
