"""Find the names in a text: products, people, files, paths, identifiers, versions and quoted titles."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mnemo.folding import fold_in_place
from mnemo.language import entity_patterns as shapes
from mnemo.language import entity_words as words
from mnemo.language.entity_patterns import (
    ACRONYM,
    FILE,
    IDENTIFIER,
    MENTION,
    NAME,
    PACKAGE,
    PRODUCT,
    QUOTED,
    URL,
    VERSION,
)
from mnemo.text import is_stop, normalise

LONGEST_NAME = 120  # characters; URLs and paths beyond it say too little to be shared
MOST_ENTITIES = 256  # in one text; the first ones are kept


@dataclass(frozen=True)
class Entity:
    """A name as it is written in the text, and what kind of name it is (one of `entity_patterns.KINDS`)."""

    name: str
    kind: str


def extract_entities(text: str) -> list[Entity]:
    """Return the names in a text in order of first appearance, each once (by `entity_key`).

    A capitalised word that merely begins a sentence is no name, nor is a stop word. At most
    `MOST_ENTITIES` are returned. Spec: entity-graph
    """
    found: dict[str, Entity] = {}
    for start, end, kind in _spans(text):
        entity = Entity(text[start:end], kind)
        if is_stop(entity.name.casefold()):
            continue
        found.setdefault(entity_key(entity.name), entity)
        if len(found) == MOST_ENTITIES:
            break
    return list(found.values())


_JOINTS = re.compile(r"(?<!\d)[.\-_\s'’]+|[.\-_\s'’]+(?!\d)")
_CALL = re.compile(r"\(\)$")


@lru_cache(maxsize=4096)
def entity_key(name: str) -> str:
    """Return what two spellings of one name have in common: "VS Code", "VSCode" and "vs-code" are equal.

    Case, width, traditional characters, spaces, hyphens, underscores and dots do not matter, except dots
    between digits and a dot at the beginning; in paths, URLs and scoped packages only case and width do not.
    "C", "C++" and "C#" differ. A name without letters stays as it is. Spec: entity-graph
    """
    folded = _CALL.sub("", normalise(name).strip())
    if "/" in folded or "\\" in folded:
        return folded.rstrip("/\\") or folded
    folded = folded.removeprefix("@") or folded
    first = "." if len(folded) > 1 and folded[0] == "." and folded[1].isalpha() else ""
    return first + _JOINTS.sub("", folded) or folded


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, kind) of every name, in order."""
    latin = fold_in_place(text)
    scan = _Scan(latin)
    dotted = shapes.INNER_DOT.search(latin) is not None
    for kind, needed, pattern in shapes.CODE_PATTERNS:
        if needed not in latin or (needed == "." and not dotted):
            continue
        for match in pattern.finditer(latin):
            if kind is FILE and match[0].casefold() in words.PRODUCTS:
                continue  # Node.js
            if scan.claim(*_trimmed(latin, *match.span(), kind), kind):
                scan.cover(*match.span())
    if any(word in latin for word in (" install ", " add ", " get ", " i ")):
        for match in shapes.INSTALLED.finditer(latin):
            scan.claim(*match.span(1), PACKAGE)
    if not latin.isascii() and "@" in latin:
        for match in shapes.CHINESE_MENTION.finditer(latin):
            scan.claim(*match.span(), MENTION)
    if not _QUOTE_MARKS.isdisjoint(latin) or ("'" in latin and shapes.OPENING_APOSTROPHE.search(latin)):
        _claim_quotes(scan)
    _claim_products(scan)
    has_capitals = latin.lower() != latin
    if has_capitals and shapes.INNER_CAPITAL.search(latin):
        _claim_camel_case(scan)
    if "-" in latin and shapes.INNER_HYPHEN.search(latin):
        _claim_hyphenated(scan)
    if has_capitals:
        _claim_names(scan)
        for match in shapes.ACRONYM_WORD.finditer(latin) if shapes.TWO_CAPITALS.search(latin) else ():
            if match[0].casefold() not in _NEVER_FIRST and not _shouted(latin, *match.span()):
                scan.claim(*match.span(), ACRONYM)
    if not latin.isascii():
        _claim_chinese(scan)
    return iter(sorted(scan.spans))


class _Scan:
    """A text and what of it is claimed as names so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[tuple[int, int, str]] = []
        self._taken = bytearray(len(text))

    def is_free(self, start: int, end: int) -> bool:
        return not any(self._taken[start:end])

    def cover(self, start: int, end: int) -> None:
        """Let no later name begin or end within the span."""
        self._taken[start:end] = b"\x01" * (end - start)

    def claim(self, start: int, end: int, kind: str) -> bool:
        """Note a name, unless it is empty, too long or overlaps one noted before; tell whether it was."""
        if not 0 < end - start <= LONGEST_NAME or not self.is_free(start, end):
            return False
        self.cover(start, end)
        self.spans.append((start, end, kind))
        return True


def _trimmed(text: str, start: int, end: int, kind: str) -> tuple[int, int]:
    """Return the span without the punctuation of the sentence, and without a password in a URL."""
    while end > start and (text[end - 1] in ".,;:!?*&" or (text[end - 1] in "-~" and kind is not IDENTIFIER)):
        end -= 1
    if kind is URL:
        at = text.rfind("@", start, end)
        host = text.find("/", text.find("://", start, end) + 3, end)
        if at != -1 and (host == -1 or at < host):
            start = at + 1
    return start, end


_QUOTE_MARKS = frozenset('《「『“"`')


def _claim_quotes(scan: _Scan) -> None:
    for match in shapes.QUOTES.finditer(scan.text):
        group = match.lastindex or 0
        inner = match[group]
        if inner.strip() == inner and _is_title(inner, sure=group == 1, code=group == 6):
            scan.claim(*match.span(group), QUOTED)


def _is_title(inner: str, sure: bool, code: bool) -> bool:
    """Tell whether what stands in quotes is a name and not speech."""
    if not re.search(rf"[{shapes.LETTER}{shapes.CJK}]", inner) or inner.casefold() in words.NO_QUOTES:
        return False
    if sure or (code and inner.count(" ") <= 3):
        return True
    title = len(parts := inner.split(" ")) > 1 and all(
        part[0].isupper() or part in ("of", "the", "and", "in", "to", "a") for part in parts if part
    )
    if title and len(parts) <= 6 and inner[-1] not in ".!?,;:…":
        return True
    if re.search(r"[.!?,;:…。！？，；：~]", inner):
        return False
    if re.search(f"[{shapes.CJK}]", inner):
        return len(inner) <= 12 and inner[-1] not in "吗呢吧了啊呀的" and inner[0] not in "我你他她这那不"
    small = [part for part in parts if not part[:1].isupper() and part.casefold() not in words.STARTERS]
    if all(part.casefold() in words.STARTERS or part.casefold() in words.NO_NAMES for part in parts):
        return False
    return len(parts) <= 6 if not small else len(parts) <= 3 and parts[0].casefold() not in words.STARTERS


def _claim_products(scan: _Scan) -> None:
    """Claim known products, and the version behind one as a name of its own."""
    spans = []
    if not _PRODUCT_STARTS.isdisjoint(map(str.casefold, shapes.PRODUCT_WORD.findall(scan.text))):
        spans = [_product_at(scan.text, match) for match in shapes.PRODUCT_WORD.finditer(scan.text)]
    if not scan.text.isascii():
        spans += [match.span() for match in shapes.CHINESE_PRODUCT.finditer(scan.text)]
    for start, end in spans:
        if scan.claim(start, end, PRODUCT):
            number = shapes.NUMBER_BEHIND.match(scan.text, end)
            if number:
                scan.spans.append((start, number.end(1), VERSION))
            _claim_longer_product(scan, start, end)


_PRODUCT_STARTS = words.PRODUCTS | words.PRODUCTS_OF_WORDS.keys()


def _product_at(text: str, word: re.Match[str]) -> tuple[int, int]:
    """Return the span of the known product that begins with a word, an empty one if there is none."""
    start, end = word.span()
    folded = word[0].casefold()
    for name in words.PRODUCTS_OF_WORDS.get(folded, ()):
        if (
            text[start : start + len(name)].casefold() == name
            and not text[start + len(name) : start + len(name) + 1].isalnum()
        ):
            return start, start + len(name)
    # unity, slack: products only with a capital
    return (start, end) if folded in words.PRODUCTS and word[0] not in words.SMALL_WORDS else (start, start)


def _claim_longer_product(scan: _Scan, start: int, end: int) -> None:
    """Claim "GitHub Actions" beside "GitHub"."""
    more = shapes.MORE_CAPITALS.match(scan.text, end)
    if (
        more
        and scan.is_free(*more.span())
        and words.NO_NAMES.union(words.STARTERS).isdisjoint(more[0].casefold().split())
    ):
        scan.spans.append((start, more.end(), PRODUCT))
        scan.cover(*more.span())


def _claim_camel_case(scan: _Scan) -> None:
    for match in shapes.CAMEL.finditer(scan.text):
        if match[0].casefold() in words.NO_NAMES or (match[0][-1] == "s" and match[0][:-1].isupper()):
            continue  # URLs
        scan.claim(*match.span(), IDENTIFIER)
        if match[0][0].isupper():
            _claim_longer_product(scan, *match.span())


def _claim_hyphenated(scan: _Scan) -> None:
    """Claim hyphenated words that a digit, a Chinese sentence or a noun beside them shows to be names."""
    for match in shapes.HYPHENATED.finditer(scan.text):
        parts = match[0].casefold().split("-")
        plain = parts[0] in words.PLAIN_PREFIXES or parts[-1] in words.PLAIN_SUFFIXES
        if plain or not all(parts) or (parts[-1].endswith(("ing", "ed", "ly", "th")) and len(parts[-1]) > 3):
            continue
        numbered = any(char.isdigit() for char in match[0]) and not parts[0].isdigit()
        beside = scan.text[match.end() : match.end() + 30].split()[:1]
        before = scan.text[max(0, match.start() - 30) : match.start()].split()[-1:]
        named = any(word.strip(".,;:").casefold() in words.NOUNS_OF_NAMED_THINGS for word in beside + before)
        capital = sum(part[:1].isupper() for part in match[0].split("-")) == len(parts) and len(parts[0]) > 1
        if numbered or named or capital or _beside_chinese(scan.text, *match.span()):
            scan.claim(*match.span(), _kind_of_hyphenated(match[0]))


def _kind_of_hyphenated(name: str) -> str:
    return ACRONYM if name.isupper() else IDENTIFIER if name.islower() else NAME


def _beside_chinese(text: str, start: int, end: int) -> bool:
    """Tell whether a Chinese character stands next to the span, a space at most between them."""
    around = text[max(0, start - 2) : start].rstrip()[-1:] + text[end : end + 2].lstrip()[:1]
    return re.search(f"[{shapes.CJK}]", around) is not None


def _claim_names(scan: _Scan) -> None:
    """Claim runs of capitalised words, and single ones where no sentence begins."""
    run: list[re.Match[str]] = []
    for match in shapes.WORD.finditer(scan.text):
        if not run and not match[0][0].isupper():
            continue
        gap = scan.text[run[-1].end() : match.start()] if run else ""
        capital = match[0][0].isupper() and scan.is_free(*match.span())
        if run and not (capital and len(gap) <= 9 and shapes.BETWEEN.fullmatch(gap)):
            if not capital and len(gap) <= 1 and match[0] in ("of", "the", "de", "da", "van", "von", "du", "la", "le"):
                continue  # it may stand inside the name
            _claim_run(scan, run)
            run = []
        if capital:
            run.append(match)
    _claim_run(scan, run)


_NEVER_FIRST = (words.STARTERS | words.NO_NAMES) - {"new", "old"}
_NEVER_INSIDE = frozenset(["the", "a", "an", "i", "am", "pm", "ok"]) | words.CALENDAR


def _claim_run(scan: _Scan, run: list[re.Match[str]]) -> None:
    """Claim what is a name of a run of capitalised words."""
    first = bool(run) and _begins_sentence(scan.text, run[0].start())
    dropped = 0
    while dropped < len(run) and run[dropped][0].casefold() in (_NEVER_FIRST if first else _NEVER_INSIDE):
        dropped += 1
    beginning = first and not dropped
    run = run[dropped:]
    while run and run[-1][0].casefold() in words.NO_NAMES:
        run.pop()
    if not run or any(word[0].casefold() in _BREAKS for word in run):
        for word in run:  # "Melanie I went": each by itself
            if word[0].casefold() not in _BREAKS:
                _claim_single(scan, word, beginning and word is run[0])
    elif len(run) == 1:
        _claim_single(scan, run[0], beginning)
    elif len(run) <= 6:
        start, end = run[0].start(), _without_possessive(run[-1])
        if not all(word[0].isupper() for word in run) or len(run) == 2:
            scan.claim(start, end, NAME)
            _claim_version(scan, start, end)


_BREAKS = frozenset(["i", "i'm", "i've", "i'll", "i'd"]) | words.CALENDAR


def _claim_single(scan: _Scan, word: re.Match[str], beginning: bool) -> None:
    """Claim one capitalised word, unless it only begins a sentence or is no name."""
    start, end = word.start(), _without_possessive(word)
    name = scan.text[start:end]
    folded = name.casefold()
    if len(name) < 2 or folded in words.NO_NAMES or folded in words.STARTERS or "'" in name or "’" in name:
        return
    if "-" in name and folded.rpartition("-")[2] in words.PLAIN_SUFFIXES:
        return  # European-style
    if name.isupper() and len(name) <= 10:
        return  # an acronym, judged there
    chinese = _beside_chinese(scan.text, start, end)
    versioned = shapes.DOTTED.match(scan.text, end) is not None
    if (not beginning or chinese or versioned) and scan.claim(start, end, NAME):
        _claim_version(scan, start, end)


def _claim_version(scan: _Scan, start: int, end: int) -> None:
    number = shapes.DOTTED.match(scan.text, end)
    if number:
        scan.spans.append((start, number.end(), VERSION))


def _without_possessive(word: re.Match[str]) -> int:
    return word.end() - 2 if word[0][-2:] in ("'s", "’s") else word.end()


def _begins_sentence(text: str, start: int) -> bool:
    """Tell whether a capital at `start` may be there only because a sentence begins."""
    before = text[max(0, start - 8) : start].rstrip(" \t\"'“‘(（[*_-—>#")
    return (
        not before
        or before[-1] in ".!?:;。！？：；…\n\r|)）]"
        or not (before[-1].isalnum() or before[-1] in ",，、&/'’")
    )


def _shouted(text: str, start: int, end: int) -> bool:
    """Tell whether the upper-case word stands in an upper-case phrase."""
    before = text[max(0, start - 20) : start].split()[-1:]
    after = text[end : end + 20].split()[:1]
    return any(len(word) > 2 and word.isalpha() and word.isascii() and word.isupper() for word in before) and any(
        len(word) > 2 and word.isalpha() and word.isascii() and word.isupper() for word in after
    )


def _claim_chinese(scan: _Scan) -> None:
    """Claim Chinese names which their neighbours show: 代号…, …（Latin）, …平台."""
    text = scan.text
    for match in shapes.NAMED.finditer(text) if any(word in text for word in shapes.NAMING) else ():
        scan.claim(*match.span(1), NAME)
    for pattern, needed, to, longest in (
        (shapes.BEFORE_LATIN, shapes.BRACKETS, 1, 6),
        (shapes.SUFFIXED, shapes.SUFFIXES, 0, 3),
    ):
        for match in pattern.finditer(text) if any(word in text for word in needed) else ():
            start = match.start(1)
            for cut in shapes.LEFT_CUT.finditer(text, match.start(1), match.end(1)):
                start = cut.end()
            core = text[start : match.end(1)]
            if 2 <= len(core) <= longest and core not in words.GENERIC_CHINESE:
                scan.claim(start, match.end(to), NAME)
