"""Made-up facts and searches: two languages, Zipf-like words, the same for every system and every run."""

import random
from collections.abc import Iterator
from itertools import accumulate

SEED = 20_240_817
WORDS = 30_000  # per language
ZIPF_SHIFT = 2.7
COMMON_WORDS = 40
ASKED_FACTS = 500  # the first ones, which a memory of any size has
CATEGORIES = ("identity", "coding_style", "tool_pref", "workflow", "general")
KINDS = ("rare", "common", "several", "chinese", "mixed")

_ONSETS = [*"bcdfghjklmnprstvwz", "br", "cr", "dr", "fl", "gr", "pl", "pr", "sl", "st", "tr"]
_VOWELS = [*"aeiou", "ai", "ea", "io", "ou"]
_CODAS = ["", "", "n", "r", "l", "m", "s", "t", "x", "nd", "rk", "st"]
_HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3_000)]
_COMMA = "，"


def _english_words(source: random.Random) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < WORDS:
        syllables = source.choice((1, 2, 2, 2, 3)) if len(words) > 200 else 2
        word = "".join(
            source.choice(_ONSETS) + source.choice(_VOWELS) + source.choice(_CODAS) for _ in range(syllables)
        )
        words[word] = None
    return list(words)


def _chinese_words(source: random.Random) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < WORDS:
        words["".join(source.choices(_HAN, k=source.choice((1, 2, 2, 2, 2, 3))))] = None
    return list(words)


class Corpus:
    """A seeded source of facts and of searches over them."""

    def __init__(self, seed: int = SEED) -> None:
        """Make the words of both languages; the same seed gives the same facts and searches."""
        source = random.Random(seed)  # noqa: S311 - made-up text, no secret
        self._seed = seed
        self._english = _english_words(source)
        self._chinese = _chinese_words(source)
        self._weights = list(accumulate(1 / (rank + ZIPF_SHIFT) for rank in range(WORDS)))

    def facts(self, count: int) -> Iterator[dict[str, str]]:
        """Give `count` facts: half English, a third Chinese, the rest mixed; 6 to 40 words, each fact different."""
        source = random.Random(self._seed + 1)  # noqa: S311
        for number in range(count):
            language = source.random()
            length = 6 + int(34 * source.random() ** 2)
            if language < 0.5:
                content = self._sentence(source, length)
            elif language < 0.83:
                content = self._clause(source, length)
            else:
                content = self._sentence(source, length // 2) + " " + self._clause(source, length // 2)
            yield {
                "content": f"{content} #{number}",
                "category": source.choice(CATEGORIES),
                "tags": self._english[source.randrange(100)] if source.random() < 0.3 else "",
            }

    def searches(self, kind: str, count: int) -> list[str]:
        """Return `count` queries of one kind: rare or common words, or several, chinese or mixed ones of one fact."""
        source = random.Random(f"{self._seed}-{kind}")  # noqa: S311
        known: dict[str, list[str]] = {"several": [], "chinese": [], "mixed": []}
        for fact in self.facts(ASKED_FACTS):
            content = fact["content"].rpartition(" #")[0]
            kind_of = "several" if content.isascii() else "mixed" if " " in content else "chinese"
            known[kind_of].append(content)
        return [self._search(source, kind, known.get(kind, [])) for _ in range(count)]

    def _search(self, source: random.Random, kind: str, known: list[str]) -> str:
        if kind == "rare":
            return self._english[source.randrange(3_000, 15_000)]
        if kind == "common":
            return " ".join(self._english[source.randrange(COMMON_WORDS)] for _ in range(source.choice((1, 2, 3))))
        # Words of a fact that is there: what someone asks who remembers a part of it.
        fact = source.choice(known)
        if kind == "several":
            words = fact.split()
            return " ".join(source.sample(words, min(len(words), source.choice((3, 4, 5)))))
        if kind == "chinese":
            start = source.randrange(max(1, len(fact) - 8))
            return fact.replace(_COMMA, "")[start : start + source.choice((4, 6, 8))]
        latin, _, chinese = fact.rpartition(" ")
        return f"{' '.join(latin.split()[:2])} {chinese[:4]}"

    def _sentence(self, source: random.Random, length: int) -> str:
        return " ".join(source.choices(self._english, cum_weights=self._weights, k=length))

    def _clause(self, source: random.Random, length: int) -> str:
        words = source.choices(self._chinese, cum_weights=self._weights, k=length)
        words.insert(length // 2, _COMMA)
        return "".join(words)
