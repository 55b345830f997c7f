"""Which facts a prompt is really about, so that one that is about none brings none.

The score of a search ranks what was found; its best result has a full `fts`, however little it has in common with the
query. Here the measure is absolute: how much of what the prompt says is in the fact, each word weighed by its rarity.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemo import lexicon
from mnemo.facts import Fact, FactFilter
from mnemo.lexicon import Concept
from mnemo.scoring import Corpus
from mnemo.store import FactStore

POOL = 40  # candidates that are looked at
# Words in common, one that a single fact holds counting as 1: one telling word in a memory of a few facts, more where
# there are more facts that may hold a word by chance.
ENOUGH, ENOUGH_PER_DIGIT = 0.64, 0.2
ENOUGH_SHARE = 0.5  # of a short prompt's words
LEAST = 0.5  # words in common, whatever the share
FEW_FACTS = 50  # a smaller memory tells nothing of how rare a word is, and counts as if it had so many
BESIDE_BEST = 0.35  # of the best fact's score; a lower one is chance beside it


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
    said = _weight(concepts, range(len(concepts)), corpus)
    enough = ENOUGH + ENOUGH_PER_DIGIT * math.log10(max(corpus.documents, 1))
    best = max((one.likeness.bm25 for one in candidates.facts), default=0.0)
    scored: list[tuple[float, int, float]] = []
    for one in candidates.facts:
        alike = one.likeness
        common = _weight(concepts, alike.frequencies, corpus)
        if alike.bm25 > 0 and common >= LEAST and (common >= enough or common >= ENOUGH_SHARE * said):
            scored.append((one.score(best), one.fact_id, common))
    scored.sort(key=lambda one: (-one[0], one[1]))
    shown = {
        fact_id: (score, common) for score, fact_id, common in scored[:limit] if score >= BESIDE_BEST * scored[0][0]
    }
    facts, _ = store.get([*shown])
    return [RelevantFact(fact, *shown[fact.fact_id]) for fact in facts]


def _weight(concepts: Sequence[Concept], places: Iterable[int], corpus: Corpus) -> float:
    """Return how much these concepts of a prompt tell, in words that a single fact holds."""
    return sum(
        concepts[place].telling * _rarity(corpus.document_frequencies.get(concepts[place].term, 0), corpus)
        for place in places
        if concepts[place].finds
    )


def _rarity(holders: int, corpus: Corpus) -> float:
    documents = max(corpus.documents, FEW_FACTS)
    most = math.log(1 + (documents - 0.5) / 1.5)
    return min(1.0, math.log(1 + (documents - holders + 0.5) / (holders + 0.5)) / most)
