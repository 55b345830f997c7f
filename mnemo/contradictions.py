"""Find pairs of facts that may contradict each other, without comparing each with each.

Two facts are compared if they share a name, a rare term or all their terms but the figures; a block of facts that is
larger than `BLOCK_LIMIT` says too little about any pair and is compared in a window.

Spec: entity-graph (contradict).
"""

import heapq
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from mnemo import text
from mnemo.links import Portrait

BLOCK_LIMIT = 12  # facts of one block that are compared each with each
RARE_TERMS = 3  # of one fact, by which it is compared with others
DISSIMILAR = 0.3  # content similarity below which facts of the same names say different things
NAMES_OVERLAP = 0.5  # from which two facts are about the same
SAME_FRAME = 0.6  # likeness of all but the differing words from which a difference is a contradiction

_FIGURE = re.compile(r"\d+(?:[.:/\-]\d+)*|[零一二三四五六七八九十百千两]+(?=[月日号点时分个次天周年%])")
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|don'?t|doesn'?t|isn'?t|aren'?t|won'?t|can'?t|cannot|without|stop(?:s|ped)? using)\b"
    r"|不(?!仅|但|过|同|错|断|止)|没有?|别(?!名|的)|禁止|无需|停用|弃用"
)
_OPPOSITES = (
    ("dark", "light"), ("tab", "space"), ("like", "dislike"), ("love", "hate"), ("prefer", "avoid"),
    ("always", "never"), ("enable", "disable"), ("allow", "forbid"), ("singl", "doubl"), ("before", "after"),
    ("true", "false"), ("on", "off"), ("yes", "no"), ("public", "privat"), ("upper", "lower"), ("with", "without"),
    ("深色", "浅色"), ("单引", "双引"), ("喜欢", "讨厌"), ("启用", "禁用"), ("允许", "禁止"), ("总是", "从不"),
    ("中文", "英文"), ("之前", "之后"), ("开启", "关闭"), ("大写", "小写"), ("公开", "私有"), ("制表", "空格"),
)  # fmt: skip
_OPPOSITE_OF = {term: other for pair in _OPPOSITES for term, other in (pair, pair[::-1])}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A pair of facts that may contradict each other; `score` in (0, 1], the higher the likelier."""

    fact_a: Portrait
    fact_b: Portrait
    shared_entities: list[str]
    entity_overlap: float
    content_similarity: float
    score: float


@dataclass(frozen=True, slots=True)
class _Claim:
    """What of a fact is compared: its terms, those of them that carry the statement, figures and negation."""

    portrait: Portrait
    names: frozenset[int]
    terms: frozenset[str]
    frame: frozenset[str]
    figures: frozenset[str]
    opposable: frozenset[str]
    is_negated: bool


def find(portraits: Sequence[Portrait], limit: int) -> list[Contradiction]:
    """Return up to `limit` pairs, likeliest first; the work grows with the number of facts, not with its square."""
    claims = [_claim(portrait) for portrait in portraits]
    scored = (
        (score, -first.portrait.fact_id, -second.portrait.fact_id, first, second)
        for first, second in _pairs(claims)
        if (score := _score(first, second)) > 0
    )
    best = heapq.nlargest(limit, scored)  # no two entries share both ids, so that claims are never compared
    return [_contradiction(first, second, score) for score, _, _, first, second in best]


def _claim(portrait: Portrait) -> _Claim:
    content = text.normalise(portrait.content)
    terms = frozenset(portrait.document.content_terms)
    figures = frozenset(_FIGURE.findall(content))
    frame = frozenset(term for term in terms if not any(character.isdigit() for character in term))
    names, opposable = frozenset(portrait.names), frame & _OPPOSITE_OF.keys()
    return _Claim(portrait, names, terms, frame, figures, opposable, bool(_NEGATION.search(content)))


def _pairs(claims: Sequence[_Claim]) -> Iterator[tuple[_Claim, _Claim]]:
    """Yield each pair worth a comparison once, the one that comes first in `claims` first."""
    frequencies: dict[str, int] = defaultdict(int)
    for claim in claims:
        for term in claim.frame:
            frequencies[term] += 1
    blocks: dict[object, list[int]] = defaultdict(list)
    for place, claim in enumerate(claims):
        blocks[claim.frame].append(place)
        for entity_id in claim.names:
            blocks[entity_id].append(place)
        shared = [term for term in claim.frame if frequencies[term] > 1]
        for term in sorted(shared, key=lambda term: (frequencies[term], term))[:RARE_TERMS]:
            blocks[term].append(place)
    seen: list[set[int]] = [set() for _ in claims]
    for block in blocks.values():
        for position, place in enumerate(block):
            first, partners = claims[place], seen[place]
            for other in block[position + 1 : position + BLOCK_LIMIT]:  # places ascend within a block
                if other not in partners:
                    partners.add(other)
                    yield first, claims[other]


def _score(first: _Claim, second: _Claim) -> float:
    """Return how likely two facts contradict each other, in [0, 1]; 0 means that nothing speaks for it."""
    score = 0.0
    if not first.names.isdisjoint(second.names):
        overlap = _jaccard(first.names, second.names)
        if overlap >= NAMES_OVERLAP and (similarity := _jaccard(first.terms, second.terms)) < DISSIMILAR:
            score = overlap * (1 - similarity)
    opposite = _opposites(first, second) if first.opposable and second.opposable else 0
    other_figures = first.figures and second.figures and first.figures != second.figures
    if opposite or other_figures or first.is_negated != second.is_negated:
        # Opposite words are in one of the two alone, so that leaving them out takes nothing from what both hold.
        common = len(first.frame & second.frame)
        either = len(first.frame) + len(second.frame) - 2 * opposite - common
        framed = common / either if either else 0.0
        if framed >= SAME_FRAME:
            score = max(score, framed)
    return score


def _opposites(first: _Claim, second: _Claim) -> int:
    """Return how many words of the first have their opposite in the second, where neither holds both."""
    only_second = second.opposable - first.opposable
    return sum(_OPPOSITE_OF[term] in only_second for term in first.opposable - second.opposable)


def _contradiction(first: _Claim, second: _Claim, score: float) -> Contradiction:
    names_a, names_b = first.portrait.names, second.portrait.names
    return Contradiction(
        first.portrait,
        second.portrait,
        sorted(names_a[entity_id] for entity_id in names_a.keys() & names_b.keys()),
        round(_jaccard(names_a.keys(), names_b.keys()), 4) if names_a or names_b else 0.0,
        round(_jaccard(first.terms, second.terms), 4),
        round(score, 4),
    )


def _jaccard(first: Set[Any], second: Set[Any]) -> float:
    common = len(first & second)
    return common / ((len(first) + len(second) - common) or 1)
