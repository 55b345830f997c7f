"""Mistakes of our own server in what counts as the same word, in one language and across both."""

import re
from collections.abc import Callable

from mnemo import facts, lexicon, text
from mnemo.language import dates
from tests.conformance.own_mistake import OwnMistake, instead

NOTHING = re.compile("(?!)")
_entry, _duplicate_key = lexicon._entry, facts.duplicate_key


def _without(*words: str) -> Callable[[], None]:
    """Let the lexicon lack some words."""
    return instead(lexicon, "_entry", lambda term: lexicon._UNKNOWN if term in words else _entry(term))


def _without_dots(content: str) -> str:
    return _duplicate_key(content.rstrip(" ."))


WORD_MISTAKES = [
    OwnMistake(
        "hyphened words are no name",
        "hyphened words and words written as one find each other",
        instead(text, "_HYPHENED", NOTHING),
    ),
    OwnMistake(
        "a hyphened name is its words",
        "a hyphened name is more than one of its words",
        instead(text, "_HYPHENED", NOTHING),
    ),
    OwnMistake(
        "a word is never two",
        "two words and the word that they make find each other",
        instead(lexicon, "_halves", lambda word, term: ()),
    ),
    OwnMistake(
        "two words are never one",
        "two words and the word that they make find each other",
        instead(lexicon, "_joined", lambda word, following: ()),
    ),
    OwnMistake(
        "a particle belongs to no word",
        "a verb with its particle and the noun that they make find each other",
        instead(lexicon, "_PARTICLES", ()),
    ),
    OwnMistake(
        "camel case is one word",
        "names of code are found by their words in another writing",
        instead(text, "written_apart", lambda query: ()),
    ),
    OwnMistake(
        "an attached number stays attached",
        "a name with a number attached finds both apart",
        instead(text, "written_apart", lambda query: ()),
    ),
    OwnMistake(
        "a number and its unit are one",
        "a number and its unit are found attached and apart",
        instead(text, "_NUMBER_THEN_UNIT", NOTHING),
    ),
    OwnMistake(
        "particles belong to words",
        "a word of one character is found beside a particle",
        instead(text, "_PARTICLE", NOTHING),
    ),
    OwnMistake(
        "a day has one name",
        "the days of the week are found however they are called",
        instead(dates, "fold_weekdays", lambda text: text),
    ),
    OwnMistake(
        "a power is its digits", "a power of ten and a folder make a difference", instead(facts, "_RAISED", NOTHING)
    ),
    OwnMistake(
        "a folder is punctuation",
        "a power of ten and a folder make a difference",
        instead(facts, "duplicate_key", _without_dots),
    ),
    OwnMistake(
        "technical words are everyday words", "the words of people who write software", _without("提交", "接口", "值班")
    ),
    OwnMistake(
        "the island speaks otherwise",
        "Taiwan's words and the mainland's find each other",
        _without("资料库", "鼠标"),
    ),
    OwnMistake(
        "abbreviations are words of their own",
        "an abbreviation and the word find each other",
        _without("repo", "repositori"),
    ),
]
