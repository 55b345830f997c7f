"""Concepts: a query word with the words that mean the same, in either language.

The lexicon is a text file of sorted lines, `term TAB weight TAB alternatives`, searched where it lies: of one line in
some hundred the place is noted on first need, nothing else is parsed or loaded. `tools/build_lexicon.py` makes it and
describes the format.
"""

import mmap
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from math import hypot, log
from pathlib import Path
from typing import NamedTuple

from mnemo import text
from mnemo.language import late
from mnemo.language.dates import fold_weekdays, take_dates

TRANSLATION_WEIGHT = 0.7
INNER_WEIGHT = 0.7  # of two characters within a longer word: they say less than its first two, whose sense they follow
PART_WEIGHT = 0.35  # of a translation that has only a part of the meaning: "phone" for 手机, cell phone
CHARACTER_WEIGHT = 0.4
REPETITION_WEIGHT = 0.5  # of the logarithm of how often the query says a term
DAY_WEIGHT = 2.0  # the day of a date says which facts are meant, not what they are about
LONGEST_WORD = 5  # characters
TAUGHT_WEIGHT = 0.9
APART_WEIGHT = 0.9  # of the same word written as two, or as one
SHORTEST_HALF, SHORTEST_PART = 3, 2  # characters
SHORT_WORD, SHORT_PART = 5, 4  # characters of two words that any name may be made of: of both, or of one
LONGEST_HALVED = 30  # characters
COMMON = 0.9  # how telling a half is at most, else it is no word of everyday
BLOCK = 4_096  # bytes that are searched for a term
LONGEST_TAUGHT = 4  # terms on each side of a pair

_UNKNOWN: tuple[float, tuple[str, ...]] = (1.0, ())

_FILE = Path(__file__).with_name("data") / "lexicon.tsv"
_PARTICLES = ("up", "out", "off", "down", "over", "by", "in")  # of verbs that make a noun: set up, setup
_BEFORE_A_NAME = frozenset("的把叫是和与被将")
# Bounded, so that the time for a long text without brackets grows with its length, not with its square.
_IN_BRACKETS = late.pattern(
    rf"(?P<before_zh>[{text.CJK}]{{1,40}}) ?\((?P<en>[a-z][a-z0-9 .+#'-]{{0,80}})\)"
    rf"|(?P<before_en>[a-z][a-z0-9 .+#'-]{{0,80}}?) ?\((?P<zh>[{text.CJK}]{{1,40}})\)"
)


class Concept(NamedTuple):
    """A query term and its alternatives, each with a weight in (0, 1]; the term itself stands first with 1.

    An alternative of several terms, joined by spaces, is a phrase: a Chinese word of three or more characters, or
    an English one of two words. A single Chinese character stands for every term that starts with it. `telling` is
    how much the term says in its language, whatever the memory: at most 1, and more for a day and for a term that the
    query repeats.
    `finds` is false for what only adds to the score of facts that others find: the single characters of a Chinese
    query. `is_inner` is true for two characters within a longer Chinese word, which say nothing that it does not.
    """

    term: str
    alternatives: tuple[tuple[str, float], ...]
    telling: float = 1.0
    finds: bool = True
    is_inner: bool = False


@cache
def _lines() -> mmap.mmap:
    with _FILE.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@cache
def _blocks() -> tuple[list[bytes], list[int]]:
    """Return the first term of each block of lines and where it starts, and at last where the file ends."""
    lines = _lines()
    terms: list[bytes] = []
    starts = [0]
    while starts[-1] < len(lines):
        start = starts[-1]
        terms.append(lines[start : lines.find(b"\t", start)])
        starts.append(lines.find(b"\n", start + BLOCK) + 1 or len(lines))
    return terms, starts


@lru_cache(maxsize=16384)
def _entry(term: str) -> tuple[float, tuple[str, ...]]:
    """Return how telling a term is, and its translations as the file has them; (1.0, ()) if it is not there."""
    wanted = term.encode()
    terms, starts = _blocks()
    number = bisect_right(terms, wanted)
    block = b"\n" + _lines()[starts[max(number - 1, 0)] : starts[number]]
    found = block.find(b"\n" + wanted + b"\t")
    if found < 0:
        return _UNKNOWN
    line = block[found + len(wanted) + 2 : block.index(b"\n", found + 1)]
    weight, _, alternatives = line.decode().partition("\t")
    return (int(weight) / 100 if weight else 1.0), tuple(filter(None, alternatives.split("|")))


def telling(term: str) -> float:
    """Return how much a term says in its language, in (0, 1].

    Two Chinese characters that are no word, such as an end of one and the start of the next, stand together by chance:
    what they say is that both are there, so the logarithms of how rare each is add up, of which a weight is the root.
    """
    weight, translations = _entry(term)
    if weight == 1.0 and len(term) == 2 and not translations and text.is_cjk(term):
        return min(1.0, hypot(_entry(term[0])[0], _entry(term[1])[0]))
    return weight


def _joined(word: str, following: str) -> Iterator[tuple[str, float]]:
    """Yield two words written as one, where they are short or that is a word: "hotfix", "matplotlib", "database"."""
    shorter, longer = sorted((len(word), len(following)))
    if shorter >= SHORTEST_PART and (word + following).isascii() and (word + following).isalpha():
        joined = text.stem(word + following)
        if shorter <= SHORT_PART or longer <= SHORT_WORD or _entry(joined) != _UNKNOWN:
            yield joined, APART_WEIGHT


@lru_cache(maxsize=16384)
def _halves(word: str, term: str) -> tuple[tuple[str, float], ...]:
    """Return a word as two: a verb and its particle, or, of one that the lexicon does not know, two common words.

    So "time out" stands for "timeout", "node js" for "nodejs" and "dark mode" for "darkmode".
    """
    if not (len(word) <= LONGEST_HALVED and word.isascii() and word.isalpha()):
        return ()
    if len(word) > SHORT_PART and word.endswith("js"):
        return ((f"{text.stem(word[:-2])} js", APART_WEIGHT),)
    for particle in _PARTICLES:
        verb = term.removesuffix(particle)
        if verb != term and len(verb) >= SHORTEST_HALF and _entry(verb := text.stem(verb)) != _UNKNOWN:
            return ((f"{verb} {particle}", PART_WEIGHT if particle == "in" else APART_WEIGHT),)
    if len(word) < 2 * SHORTEST_HALF or _entry(term) != _UNKNOWN:
        return ()
    places = range(SHORTEST_HALF, len(word) - SHORTEST_HALF + 1)
    halves = [(text.stem(word[:place]), text.stem(word[place:])) for place in places]
    rarity, best = min((max(_entry(half)[0] for half in both), both) for both in halves)
    return ((" ".join(best), APART_WEIGHT),) if rarity < COMMON else ()


def _as_terms(word: str) -> str:
    """Return a translation as index terms: a Chinese word as its bigrams."""
    if not text.is_cjk(word) or len(word) < 3:
        return word
    return " ".join(word[i : i + 2] for i in range(len(word) - 1))


@lru_cache(maxsize=16384)
def _translations(term: str) -> tuple[tuple[str, float], ...]:
    """Return what else a term stands for, each as index terms with its weight."""
    return tuple(
        (_as_terms(word[1:]), PART_WEIGHT) if word.startswith("~") else (_as_terms(word), TRANSLATION_WEIGHT)
        for word in _entry(term)[1]
    )


def _words(run: str) -> Iterator[str]:
    """Split a run of Chinese characters into the longest words of the lexicon, from its end."""
    end = len(run)
    while end:
        for start in range(max(0, end - LONGEST_WORD), end):
            if end - start == 1 or _entry(run[start:end])[1]:
                yield run[start:end]
                end = start
                break


def taught_pairs(content: str) -> list[tuple[str, str]]:
    """Return the pairs of words in both languages that a text teaches, such as `逆向（reverse engineering）`.

    Both sides are alternatives as concepts have them. Before the brackets as many words are taken as stand in them,
    or a name that stands by itself there: all of `暗礁计划` in `项目叫暗礁计划（Skerryvane）`.
    """
    pairs: list[tuple[str, str]] = []
    if content.isascii():  # one side of a pair is Chinese
        return pairs
    folded = text.normalise(content)
    if "(" not in folded:
        return pairs
    for found in _IN_BRACKETS.finditer(folded):
        if found["zh"]:
            chinese, size = found["zh"], len(list(_words(found["zh"])))
            english = " ".join(found["before_en"].split()[-size:])
        else:
            english = found["en"]
            chinese = _named_before(found["before_zh"], len(english.split()))
        sides = [text.content_terms(side) for side in (chinese, english)]
        if all(0 < len(terms) <= LONGEST_TAUGHT for terms in sides):
            pairs.append((" ".join(sides[0]), " ".join(sides[1])))
    return pairs


def _named_before(run: str, size: int) -> str:
    """Return the end of a run of Chinese characters that brackets behind it explain with `size` English words."""
    words = list(takewhile(lambda word: not text.is_stop(word) and word not in _BEFORE_A_NAME, _words(run)))
    if sum(map(len, words)) > LONGEST_TAUGHT:
        words = words[:size]
    return "".join(reversed(words))


def phrases(query: str) -> list[str]:
    """Return every run of up to four terms of a query, as `taught_pairs` writes them: what a user may have taught."""
    terms = [term for term in text.query_terms(query) if not text.is_stop(term)]
    return list(
        dict.fromkeys(
            " ".join(terms[start : start + length])
            for start in range(len(terms))
            for length in range(1, min(LONGEST_TAUGHT, len(terms) - start) + 1)
        )
    )


def concepts(query: str, taught: Mapping[str, Collection[str]] | None = None) -> list[Concept]:
    """Return the concepts of a query, one for each different term, in order of appearance.

    `taught` holds, for phrases of the query, what the user's facts say they mean. Single characters of the query
    that no other concept stands for come last, and find nothing by themselves.

    Spec: bilingual-retrieval.
    """
    asked = Counter(text.content_terms(query))
    alternatives = {term: {term: 1.0} for term in asked}
    characters: dict[str, dict[str, float]] = {}
    inner: set[str] = set()
    undated, dates = take_dates(fold_weekdays(text.normalise(query)), with_parts=False)
    days = {date for date in dates if "-" in date}  # not 5月 or 2024, which stand in too many facts
    for run in text.split_runs(undated)[1::2]:
        for character in run:
            if character not in alternatives and not text.is_stop(character):
                characters.setdefault(character, {character: 1.0})
        for word in _words(run):
            # The first bigram of a word stands for it, and the others for a part.
            owner = alternatives.get(word[:2]) or characters.get(word)
            if owner is not None:
                _add(owner, _translations(word))
            for start in range(1, len(word) - 1):
                inner.add(pair := word[start : start + 2])
                if pair in alternatives:
                    _add(alternatives[pair], ((other, INNER_WEIGHT * weight) for other, weight in _translations(word)))
    every = text.latin_words(query)
    for (_, term), (_, following) in pairwise(every):
        owner = alternatives.get(term) or alternatives.get(following)
        if owner is not None and text.is_stop(term) != text.is_stop(following):  # "log in", "on call"
            _add(owner, _translations(f"{term} {following}"))
            if following in _PARTICLES:
                _add(owner, ((text.stem(term + following), 1.0),))
    latin = [(word, term) for word, term in every if not text.is_stop(term)]
    for (word, term), (next_word, following) in zip(latin, [*latin[1:], ("", "")], strict=False):
        owner = alternatives[term]
        _add(owner, _translations(term))
        _add(owner, _translations(f"{term} {following}"))
        _add(owner, _joined(word, next_word))
        _add(owner, _halves(word, term))
    for term, parts in text.written_apart(query):
        if term in alternatives:
            _add(alternatives[term], ((parts, APART_WEIGHT),))
    for phrase, meanings in (taught or {}).items():
        owner = alternatives.get(phrase.split(" ")[0])
        if owner is not None:
            _add(owner, ((meaning, TAUGHT_WEIGHT) for meaning in meanings))
    found = [
        Concept(
            term,
            tuple(others.items()),
            (DAY_WEIGHT if term in days else telling(term))
            * (INNER_WEIGHT if term in inner else 1.0)
            * (1 + REPETITION_WEIGHT * log(asked[term])),
            is_inner=term in inner,
        )
        for term, others in alternatives.items()
    ]
    return found + [
        Concept(term, tuple(others.items()), CHARACTER_WEIGHT * _entry(term)[0], finds=False)
        for term, others in characters.items()
    ]


def _add(alternatives: dict[str, float], others: Iterable[tuple[str, float]]) -> None:
    for other, weight in others:
        alternatives[other] = max(weight, alternatives.get(other, 0.0))
