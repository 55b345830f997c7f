"""The one tokenizer: index, query, Jaccard, near-duplicates and entities see the same terms.

A term is a stemmed word, a version, a date (`05-02`, month first), an ordinal (`2号`) or two neighbouring
Chinese characters. Documents are indexed under a little more than queries ask for (the parts of a date, the
first numbers of a version, the last character of a run): a part finds the whole, the whole finds only itself.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from operator import add
from pathlib import Path
from typing import NamedTuple

from mnemo.language import late, stemming
from mnemo.language.dates import fold_weekdays, take_dates
from mnemo.language.recent import remembered
from mnemo.language.vocabulary import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS, IRREGULAR_FORMS, OWN_TERMS

TOKENIZER_VERSION = "6"  # another one in a file means that its index is built anew

MAX_WORD_LENGTH = 100  # characters that tell one word from another
MAX_VERSION_PARTS = 4
MOST_PARTS = 4  # of a name written as one, such as camelCase

_SIMPLIFIED_FILE = Path(__file__).with_name("data") / "simplified.txt"

# Han, kana and hangul: written without spaces between words, or with endings glued on.
CJK = "〇㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff々぀-ヿㇰ-ㇿ가-힯"
_CJK_RUN = late.pattern(f"([{CJK}]+)")  # the one pattern with this class that a query needs: it takes long to compile
# What stands between such runs; no flag to ignore case: it makes the classes several times slower.
_TOKEN = late.pattern(
    r"[A-Za-z](?:[A-Za-z]*\b(?![+#'’])|\+\+|\#(?![^\W\d_]))"  # a plain word; C++, C#
    r"|\.(?=net|NET|Net)(?:(?<![^\W]\.)|(?<=[A-Za-z]\.)(?=NE)|(?<=\basp\.)|(?<=\bvb\.)|(?<=\bado\.))"
    r"[nN]..(?![^\W\d])"  # example.net is a host
    r"|[vV]?\d+(?:\.\d+)+"  # versions and decimals
    r"|[^\W\d_]{2,}+(?=\d+\.\d)"  # the name that a version is attached to
    r"|[^\W_]+(?:['’][^\W\d_]+)*"  # a run of other letters and digits
)
# What a question asks with is in other questions, not in the fact that answers; 哪吒 is a name.
_ASKING = re.compile("什么|怎(?:么样?|样)?|哪(?![吒咤])|谁|如何|多少")
_WHERE = re.compile("哪[里儿]")
# What joins words and is none of one; 目的 and 酒吧 are words.
_PARTICLE = re.compile(
    "[我你他她它咱]们|(?<![目标真似])的(?![士确])|(?<!自)我(?![国方司校])|[你您她它吗呢]|(?<![其吉])他(?!人)|(?<![酒网])吧"
)
_CLITIC = re.compile(r"['’](?:s|d|ll|m|re|ve)$")  # Lena's, I'd, you'll: what is told stands before
_CAPITAL_WORD = re.compile(" [A-Z]")
_CAMEL_CASE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_JOINED = re.compile(r"(?<![A-Za-z\d])(?=[A-Za-z]*(?:\d|[a-z][A-Z]|[A-Z]{2}[a-z]))[A-Za-z\d]+(?![A-Za-z\d]|\.\d)")
_CAMEL_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+(?:[a-z]\b)?")
_LETTERS_THEN_DIGITS = re.compile(r"([^\W\d_]{2,})(\d+[a-z]?)")
_NAME_WITH_VERSION = late.pattern(rf"(?<!\w)([^\W\d_{CJK}]{{2,}}+\d+)\.\d")
_HYPHENED = re.compile(r"(?<![\w-])[A-Za-z]+(?:-[A-Za-z]+){1,2}(?![\w-])")
_UNITS = "ms|s|sec|min|h|hr|kb|mb|gb|tb|kib|mib|gib|b|px|em|rem|pt|hz|khz|mhz|ghz|mm|cm|km|m|kg|g|mg|ml|w|kw|v|fps|x|k"
_NUMBER_THEN_UNIT = re.compile(rf"(\d+)({_UNITS})")
_SPLIT_NAME = re.compile(r"\b(?:([A-Z][A-Za-z]{0,3}) ([A-Z][a-z]+)|([A-Z][a-z]+) ([A-Z][A-Za-z]{0,3}))\b")

_STOP_WORDS = ENGLISH_STOP_WORDS | CHINESE_STOP_WORDS
_stem = stemming.porter()


@cache
def _simplified() -> dict[int, str]:
    traditional, simplified = _SIMPLIFIED_FILE.read_text(encoding="utf-8").splitlines()
    return dict(zip(map(ord, traditional), simplified, strict=True))


@cache
def _traditional() -> frozenset[str]:
    return frozenset(map(chr, _simplified()))


# All but these is folded character by character, whatever stands beside it: width and traditional characters are.
_LONE = "\x00-\x7f“”‘’—·、。《》「」『』【】一-鿿"
_NOT_LONE = late.pattern(f"[^{_LONE}]")
_OTHERS = late.pattern(f"[^{_LONE}！-～]")
_WIDE = late.pattern("[！-～]")
_WIDTH = ord("！") - ord("!")
# Without width: soft hyphen, zero-width spaces and joiners, marks of direction and of byte order.
_INVISIBLE = dict.fromkeys((0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF))
_USUAL_WIDE = tuple((wide, chr(ord(wide) - _WIDTH)) for wide in "，：；！？（）")


@remembered
def fold_plainly(text: str) -> str | None:
    """Return a text with width and traditional characters folded, None where it holds more that may be folded."""
    for wide, narrow in _USUAL_WIDE:
        text = text.replace(wide, narrow)
    if _NOT_LONE.search(text):
        if _OTHERS.search(text):
            return None
        for character in set(_WIDE.findall(text)):
            text = text.replace(character, chr(ord(character) - _WIDTH))
    return text if _traditional().isdisjoint(text) else text.translate(_simplified())


def _fold_characters(text: str) -> str:
    """Fold width, compatibility forms and traditional characters; case stays."""
    return text if text.isascii() else _folded(text)


@remembered
def _folded(text: str) -> str:
    folded = fold_plainly(text)
    if folded is not None:
        return folded
    compatible = unicodedata.normalize("NFKC", text.translate(_INVISIBLE))
    compatible = compatible.replace("\u0130", "I")  # which casefold would take apart
    return compatible if _traditional().isdisjoint(compatible) else compatible.translate(_simplified())


def normalise(text: str) -> str:
    """Return the text with case, width, compatibility forms and traditional characters folded, invisible ones left out.

    Spec: bilingual-retrieval.
    """
    return _fold_characters(text).casefold()


def is_cjk(text: str) -> bool:
    """Tell whether a text starts with a character of a script that is indexed as bigrams."""
    return text[:1] > "\u3000" and _is_cjk_character(text[0])


@lru_cache(maxsize=65536)
def _is_cjk_character(character: str) -> bool:
    return _CJK_RUN.match(character) is not None


def is_character(term: str) -> bool:
    """Tell whether a term is one such character: it stands for every term that starts with it."""
    return len(term) == 1 and is_cjk(term)


def _without_accents(word: str) -> str:
    if word.isascii() or not any("À" <= letter <= "ɏ" for letter in word):
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the term of one folded word: its base form if its stem is that of another word, else its stem."""
    if len(word) < 3 or word in ENGLISH_STOP_WORDS or not (word.isalpha() and word.isascii()):
        return word
    base = stemming.one_spelling(IRREGULAR_FORMS.get(word, word))
    if base in OWN_TERMS:
        return OWN_TERMS[base]
    stemmed = str(_stem(base))
    return f"{stemmed}e" if stemmed in ENGLISH_STOP_WORDS else stemmed  # "use" is not "us"


@lru_cache(maxsize=65536)
def _word(token: str) -> tuple[str, tuple[str, ...]]:
    """Return the term of a word as written, and the parts that find a document with it too."""
    word = _without_accents(_CLITIC.sub("", token.casefold()).replace("'", "").replace("’", ""))
    if "." in word[1:]:
        numbers = word.removeprefix("v").split(".")
        parts = [".".join(numbers[:end]) for end in range(1, min(len(numbers), MAX_VERSION_PARTS))]
        return ".".join(numbers), (*parts, f"v{numbers[0]}") if word[0] == "v" else tuple(parts)
    if word == ".net":
        return word, ("net",)
    measure = _NUMBER_THEN_UNIT.fullmatch(word)
    if measure is not None:
        return word, measure.groups()
    numbered = _LETTERS_THEN_DIGITS.fullmatch(word)
    if _CAMEL_CASE.search(token):
        parts = [stem(part.casefold()) for part in _CAMEL_PART.findall(token)]
        return stem(word), (*parts, stem(numbered[1])) if numbered else tuple(parts)
    if numbered is None:
        return stem(word), ()
    # A lone digit is in too many names to find any of them.
    return stem(word), (stem(numbered[1]), numbered[2]) if len(numbered[2]) > 1 else (stem(numbered[1]),)


def cjk_terms(run: str, as_document: bool) -> list[str]:
    """Return the bigrams of a run, and for a document its last character, which no bigram starts with.

    A query does without those that hold a part of a question word. Where each one left holds a particle, words of one
    character between such words stand for themselves: 猫 in 我的猫是谁的.
    """
    terms = list(map(add, run, run[1:]))
    if as_document:
        return [*terms, run[-1]]
    asking, particles = _places(_ASKING, run), _places(_PARTICLE, run)
    pairs = [place for place in range(len(terms)) if asking.isdisjoint((place, place + 1))]
    if all(not particles.isdisjoint((place, place + 1)) for place in pairs):
        ends = asking | particles | _places(_WHERE, run) | {-1, len(run)}
        alone = [run[place] for place in range(len(run)) if place not in ends and {place - 1, place + 1} <= ends]
        telling = [character for character in alone if not is_stop(character)]
        if telling:
            return telling
    return [terms[place] for place in pairs] or list(filter(None, _ASKING.split(run))) or terms or [run]


def _places(words: re.Pattern[str], run: str) -> set[int]:
    return {place for word in words.finditer(run) for place in range(word.start(), word.end())}


@lru_cache(maxsize=65536)
def _document_terms(token: str) -> tuple[str, ...]:
    if token.isdigit() and token.isascii():
        return (token,)
    term, parts = _word(token)
    return (term, *parts)


def split_runs(text: str) -> list[str]:
    """Cut a text so that each second piece is a run of Chinese characters; plain English does not pay for that."""
    return [text] if text.isascii() else _CJK_RUN.split(text)


@remembered
def terms(text: str) -> tuple[str, ...]:
    """Return every index term of a document, with repeats, stop words included: words in order, then dates and names.

    A run of Chinese characters gives its bigrams and its last character, so that a single character is always
    found as the start of a term.
    """
    folded = fold_weekdays(_fold_characters(text))
    found: list[str] = []
    has_version = False
    for position, piece in enumerate(split_runs(folded)):
        if position % 2:
            found += cjk_terms(piece, as_document=True)
            continue
        for token in _TOKEN.findall(piece):
            words = _document_terms(token[:MAX_WORD_LENGTH])
            found += words
            has_version = has_version or "." in words[0]
        if "-" in piece:
            found += _closed(piece)
    found += take_dates(folded, with_parts=True)[1]
    if _CAPITAL_WORD.search(folded):
        for match in _SPLIT_NAME.finditer(folded):
            found.append(stem("".join(filter(None, match.groups())).casefold()))
    for name in _NAME_WITH_VERSION.findall(folded) if has_version else ():
        found.append(_word(name[:MAX_WORD_LENGTH])[0])
    return tuple(found)


class _Asked(NamedTuple):
    """A query as it was read once: all its terms, and its words that are no Chinese, each folded and as a term."""

    terms: tuple[str, ...]
    latin: tuple[tuple[str, str], ...]


def query_terms(text: str) -> list[str]:
    """Return every term that a query asks for, in order and with repeats, stop words included."""
    return [*_asked(text).terms]


def latin_words(query: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a query that are no Chinese, each folded and as a term; hyphened ones come last as one."""
    return _asked(query).latin


@remembered
def _asked(text: str) -> _Asked:
    undated, dates = take_dates(fold_weekdays(_fold_characters(text)), with_parts=False)
    found: list[str] = []
    latin: list[tuple[str, str]] = []
    names: list[tuple[str, str]] = []
    for position, piece in enumerate(split_runs(undated)):
        if position % 2:
            found += cjk_terms(piece, as_document=False)
            continue
        words = [(token.casefold(), _word(token[:MAX_WORD_LENGTH])[0]) for token in _TOKEN.findall(piece)]
        closed = _closed(piece) if "-" in piece else []
        found += [term for _, term in words]
        found += closed
        latin += words
        names += [(term, term) for term in closed]
    return _Asked((*found, *dates), (*latin, *names))


def _closed(piece: str) -> list[str]:
    """Return the terms of hyphened words written as one: "e-mail" and "email" find each other."""
    return [_word(word.replace("-", "")[:MAX_WORD_LENGTH])[0] for word in _HYPHENED.findall(piece)]


def written_apart(query: str) -> Iterator[tuple[str, str]]:
    """Yield each term of a query that is written as one, such as `userId` or `5GB`, with its parts as a phrase."""
    for token in _JOINED.findall(_fold_characters(query)):
        parts = [stem(part.casefold()) for part in _CAMEL_PART.findall(token)]
        told = [part for part in parts if part.isdigit() or len(part) > 1]
        if 2 <= len(told) <= MOST_PARTS:
            yield _word(token)[0], " ".join(told)


def is_stop(term: str) -> bool:
    """Tell whether a term is too common to say anything about a text."""
    return term in _STOP_WORDS


@lru_cache(maxsize=65536)
def is_counted(term: str) -> bool:
    """Tell whether a term of a document adds to its length: stop words and single characters do not."""
    return not is_stop(term) and not is_character(term)


def counted(terms: Iterable[str]) -> list[str]:
    """Return those terms of a document that are counted, in order; so many are met once that none is remembered."""
    return [term for term in terms if term not in _STOP_WORDS and (len(term) > 1 or not is_cjk(term))]


def content_terms(text: str) -> list[str]:
    """Return the terms of a query that score: those that are no stop words, or all if there are no others."""
    every = query_terms(text)
    return [term for term in every if not is_stop(term)] or every
