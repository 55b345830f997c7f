"""The one tokenizer: index, query, Jaccard, near-duplicates and entities see the same terms."""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

ENGLISH_STOP_WORDS = frozenset(
    "a an the and or but if of to in on at by for with from as is are was were be been being am do does did "
    "has have had i me my we our you your he him his she her it its they them their this that these those "
    "what which who whom whose when where why how there here not no so than too very can will would could should".split()
)
CHINESE_STOP_WORDS = frozenset("的 了 吗 呢 吧 啊 我 你 他 她 它 们 我们 你们 他们 什么 哪些 是".split())

_TOKEN = re.compile(
    r"[一-鿿㐀-䶿豈-﫿\U00020000-\U0003ffff]+"  # a run of Chinese characters
    r"|\.net\b|c\+\+|[cf]#"  # names whose punctuation is part of them
    r"|\d+(?:\.\d+)+"  # versions
    r"|[^\W_一-鿿㐀-䶿豈-﫿]+"  # a run of other letters and digits
)
_stem = snowballstemmer.stemmer("porter").stemWord


def normalise(text: str) -> str:
    """Return the text with case, width and compatibility forms folded."""
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=65536)
def _stemmed(word: str) -> str:
    return str(_stem(word)) if word.isascii() and word.isalpha() else word


def _is_chinese(token: str) -> bool:
    return ord(token[0]) >= 0x3400 and not token[0].isascii() and bool(re.match(r"[一-鿿㐀-䶿豈-﫿\U00020000-\U0003ffff]", token))


def terms(text: str) -> list[str]:
    """Return every index term of a text, in order and with repeats, stop words included."""
    found: list[str] = []
    for token in _TOKEN.findall(normalise(text)):
        if _is_chinese(token):
            found.extend(token if len(token) == 1 else (token[i : i + 2] for i in range(len(token) - 1)))
        else:
            found.append(_stemmed(token))
    return found


def is_stop(term: str) -> bool:
    """Tell whether a term is too common to say anything about a text."""
    return term in ENGLISH_STOP_WORDS or term in CHINESE_STOP_WORDS


def content_terms(text: str) -> list[str]:
    """Return the terms that score: those of the text that are no stop words, or all if only those are there."""
    every = terms(text)
    return [term for term in every if not is_stop(term)] or every
