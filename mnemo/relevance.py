"""Which facts a prompt is really about, so that one that is about none brings none.

The score of a search ranks what was found; its best result has a full `fts`, however little it has in common with the
query. Here the measure is absolute: how much of what the prompt says is in the fact, each word weighed by its rarity.
What an order operates on as a matter of course ("the app", 代码) says nothing that a fact would have to hold, and a
fact of the operation itself bears on it whatever else the prompt names.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemo import lexicon, text
from mnemo.facts import Fact, FactFilter
from mnemo.language.query_words import COMPLEMENTS, FILLERS, NUMERALS, OPERATIONS, PARTICLES
from mnemo.lexicon import APART_WEIGHT, Concept
from mnemo.scoring import Corpus
from mnemo.store import FactStore

POOL = 40  # candidates that are looked at
# Words in common, one that a single fact holds counting as 1: one telling word in a memory of a few facts, more where
# there are more facts that may hold a word by chance, or more words that may be held by chance.
ENOUGH, ENOUGH_PER_DIGIT = 0.64, 0.2
LONG, ENOUGH_PER_DOUBLING = 5.0, 0.8  # words said, from which on each doubling asks for so many more in common
# A word that is none of everyday and that few facts hold is a name: it is enough, however many facts there are.
NAME, NAME_HOLDERS = 0.98, 3
MOST_SAID_BESIDE_NAME = 20.0  # a longer prompt is a text, which drops names by the way
BARE = 0.3  # what all lone letters and digits of a prompt tell at most together
NUMBER = 0.6  # what all numbers of a prompt tell at most together
ENOUGH_SHARE = 0.5  # of a short prompt's words
CHOICE = 0.4  # words that a lone number adds to what is said, for a fact without it: "take 5" chooses from a list
LEAST = 0.5  # words in common, whatever the share
FEW_FACTS = 50  # a smaller memory tells nothing of how rare a word is, and counts as if it had so many
BESIDE_BEST = 0.35  # of the best fact's score; a lower one is chance beside it

_LATIN = re.compile("[a-z]+")
# A word that is no part of a name in code, such as merge_all( or git.add.
_PLAIN = re.compile("(?<![a-z0-9_.])[a-z]+(?![a-z0-9_(])")


@dataclass(frozen=True, slots=True)
class RelevantFact:
    """A fact, its score as in a search, and its words in common with the prompt, weighed by their rarity."""

    fact: Fact
    score: float
    common: float


def relevant(store: FactStore, prompt: str, min_trust: float, limit: int) -> list[RelevantFact]:
    """Return up to `limit` facts that a prompt is about, best first; nothing is logged or counted.

    Raises:
        MemoryFileError: the memory file cannot be read.
    """
    with store.snapshot():
        return _relevant(store, prompt, FactFilter(min_trust=min_trust), limit)


def _relevant(store: FactStore, prompt: str, wanted: FactFilter, limit: int) -> list[RelevantFact]:
    concepts = lexicon.concepts(prompt, store.meanings(prompt))
    if not concepts:
        return []
    candidates = store.candidates(concepts, wanted, POOL)
    corpus = candidates.corpus
    worth = [_worth(one, corpus) for one in concepts]
    spoken = _spoken(prompt, concepts)
    operations = spoken & _listed(prompt, concepts, OPERATIONS)
    inside = _words_inside_names(prompt)
    names = {place for place in spoken if concepts[place].term not in inside and _is_name(concepts[place], corpus)}
    bare = {place for place in spoken if _is_bare(concepts[place].term)}
    ordered = max((worth[place] for place in operations), default=0.0)
    length = _sum(worth, concepts, spoken)
    if length > MOST_SAID_BESIDE_NAME:
        names.clear()
    enough = ENOUGH + ENOUGH_PER_DIGIT * math.log10(max(corpus.documents, 1))
    enough += ENOUGH_PER_DOUBLING * math.log2(max(length / LONG, 1.0))
    best = max((one.likeness.bm25 for one in candidates.facts), default=0.0)
    scored: list[tuple[float, int, float]] = []
    for one in candidates.facts:
        alike = one.likeness
        held = alike.frequencies
        common = _sum(worth, concepts, held)
        said = _sum(worth, concepts, spoken | held.keys()) + CHOICE * bool(bare - held.keys())
        done = _sum(worth, concepts, operations & held.keys())
        is_named = any(held.get(place, 0.0) >= APART_WEIGHT for place in names)
        is_about = is_named or common >= min(enough, ENOUGH_SHARE * said) or 0 < ENOUGH_SHARE * ordered <= done
        if alike.bm25 > 0 and common >= LEAST and is_about:
            scored.append((one.score(best), one.fact_id, common))
    scored.sort(key=lambda one: (-one[0], one[1]))
    shown = {
        fact_id: (score, common) for score, fact_id, common in scored[:limit] if score >= BESIDE_BEST * scored[0][0]
    }
    facts: Sequence[Fact] = store.get([*shown])[0]
    if len(spoken) == 1:
        facts = _in_its_sense(prompt, facts)
    return [RelevantFact(fact, *shown[fact.fact_id]) for fact in facts]


def _in_its_sense(prompt: str, facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return the facts but those that hold a prompt's last word only in other phrases ("called" for "on call")."""
    words = _LATIN.findall(text.normalise(prompt))
    if not PARTICLES.intersection(words[-2:-1]):
        return facts
    phrase = (words[-2], text.stem(words[-1]))
    is_held = False
    others = []
    for fact in facts:
        held = _LATIN.findall(text.normalise(fact.match_text))
        stems = [text.stem(word) for word in held]
        if phrase in zip(held, stems[1:], strict=False):
            is_held = True
        elif phrase[1] in stems:
            others.append(fact)
    return [fact for fact in facts if fact not in others] if is_held else facts


def _spoken(prompt: str, concepts: Sequence[Concept]) -> set[int]:
    """Return the places of the concepts that say what a prompt is about, also to a fact that holds none of them.

    Fillers are none of them, nor are two Chinese characters of which one belongs to a word beside them: only a word
    at its beginning has translations.
    """
    words = [one.term for one in concepts if one.finds and len(one.alternatives) > 1 and text.is_cjk(one.term)]
    firsts, lasts = {word[0] for word in words}, {word[-1] for word in words}
    return {
        place
        for place, (term, alternatives, *_) in enumerate(concepts)
        if len(alternatives) > 1 or not text.is_cjk(term) or (term[0] not in lasts and term[-1] not in firsts)
        if not (text.is_cjk(term) and FILLERS.issuperset(term))
    } - _listed(prompt, concepts, FILLERS)


def _listed(prompt: str, concepts: Sequence[Concept], words: frozenset[str]) -> set[int]:
    """Return the places of the concepts that are words of a list; a Chinese word of two characters is its own term."""
    stems = {text.stem(word) for word in _PLAIN.findall(text.normalise(prompt)) if word in words}
    return {place for place, one in enumerate(concepts) if one.term in (words if text.is_cjk(one.term) else stems)}


def _words_inside_names(prompt: str) -> set[str]:
    """Return the terms of words that stand only inside of names in code."""
    folded = text.normalise(prompt)
    return {text.stem(word) for word in set(_LATIN.findall(folded)).difference(_PLAIN.findall(folded))}


def _worth(concept: Concept, corpus: Corpus) -> float:
    """Return how much a concept of a prompt tells, in words that a single fact holds: how often it is said is none."""
    if not concept.finds or concept.is_inner or _is_complement(concept.term):
        return 0.0
    most = BARE if _is_bare(concept.term) else NUMBER if concept.term.isdigit() else lexicon.telling(concept.term)
    return most * _rarity(corpus.document_frequencies.get(concept.term, 0), corpus)


def _is_bare(term: str) -> bool:
    """Tell whether a term is a lone letter, a number of one or two digits, or a Chinese one: 第三, 三个."""
    return len(term) <= 2 and (term.isdigit() or NUMERALS.issuperset(term) or (len(term) == 1 and term.isascii()))


def _is_complement(term: str) -> bool:
    """Tell whether two Chinese characters say only how a verb ends, or that it does not: 不上, 起来, 连不."""
    return len(term) == 2 and (term in COMPLEMENTS or (text.is_cjk(term) and term[1] == "不"))


def _is_name(concept: Concept, corpus: Corpus) -> bool:
    """Tell whether a concept is a name that few facts hold."""
    term = concept.term
    return (
        concept.finds
        and not _is_bare(term)
        and any(map(str.isalpha, term))
        and lexicon.telling(term) >= NAME
        and 0 < corpus.document_frequencies.get(term, 0) <= NAME_HOLDERS
    )


def _sum(worth: Sequence[float], concepts: Sequence[Concept], places: Iterable[int]) -> float:
    """Return what these concepts tell together, all numbers among them, and all bare signs, no more than one."""
    words = numbers = bare = 0.0
    for place in places:
        if _is_bare(concepts[place].term):
            bare += worth[place]
        elif concepts[place].term.isdigit():
            numbers += worth[place]
        else:
            words += worth[place]
    return words + min(numbers, NUMBER) + min(bare, BARE)


def _rarity(holders: int, corpus: Corpus) -> float:
    documents = max(corpus.documents, FEW_FACTS)
    most = math.log(1 + (documents - 0.5) / 1.5)
    return min(1.0, math.log(1 + (documents - holders + 0.5) / (holders + 0.5)) / most)
