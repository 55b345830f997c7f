"""Made-up facts and searches: two languages, Zipf-like words, the same for every system and every run."""

import random
from collections.abc import Iterator
from itertools import accumulate

SEED = 20_240_817
WORDS = 30_000  # per language
ZIPF_SHIFT = 2.7
COMMON_RANKS = (0, 40)
MIDDLE_RANKS = (40, 2_000)
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
        """Return `count` queries of one kind: rare, common, several, chinese or mixed words."""
        source = random.Random(f"{self._seed}-{kind}")  # noqa: S311
        return [self._search(source, kind) for _ in range(count)]

    def _search(self, source: random.Random, kind: str) -> str:
        english, chinese = self._english, self._chinese
        if kind == "rare":
            return english[source.randrange(3_000, 15_000)]
        if kind == "common":
            return " ".join(english[source.randrange(*COMMON_RANKS)] for _ in range(source.choice((1, 2, 3))))
        if kind == "several":
            words = [english[source.randrange(*COMMON_RANKS)], english[source.randrange(*MIDDLE_RANKS)]]
            return " ".join(words + source.choices(english, cum_weights=self._weights, k=source.choice((1, 2, 3, 4))))
        if kind == "chinese":
            return "".join(source.choices(chinese, cum_weights=self._weights, k=source.choice((2, 3, 4))))
        return f"{english[source.randrange(200)]} {''.join(source.choices(chinese, cum_weights=self._weights, k=2))}"

    def _sentence(self, source: random.Random, length: int) -> str:
        return " ".join(source.choices(self._english, cum_weights=self._weights, k=length))

    def _clause(self, source: random.Random, length: int) -> str:
        words = source.choices(self._chinese, cum_weights=self._weights, k=length)
        words.insert(length // 2, _COMMA)
        return "".join(words)
