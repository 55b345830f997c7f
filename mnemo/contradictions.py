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
    terms: frozenset[str]
    frame: frozenset[str]
    figures: frozenset[str]
    opposable: frozenset[str]
    is_negated: bool


def find(portraits: Sequence[Portrait], limit: int) -> list[Contradiction]:
    """Return up to `limit` pairs, likeliest first; the work grows with the number of facts, not with its square."""
    claims = {portrait.fact_id: _claim(portrait) for portrait in portraits}
    scored = ((_score(claims[first], claims[second]), -first, -second) for first, second in _pairs(claims))
    best = heapq.nlargest(limit, (entry for entry in scored if entry[0] > 0))
    return [_contradiction(claims[-first], claims[-second], score) for score, first, second in best]


def _claim(portrait: Portrait) -> _Claim:
    content = text.normalise(portrait.content)
    terms = frozenset(portrait.document.content_terms)
    figures = frozenset(_FIGURE.findall(content))
    frame = frozenset(term for term in terms if not any(character.isdigit() for character in term))
    return _Claim(portrait, terms, frame, figures, frame & _OPPOSITE_OF.keys(), bool(_NEGATION.search(content)))


def _pairs(claims: dict[int, _Claim]) -> Iterator[tuple[int, int]]:
    """Yield each pair worth a comparison once, the lower id first."""
    frequencies: dict[str, int] = defaultdict(int)
    for claim in claims.values():
        for term in claim.frame:
            frequencies[term] += 1
    blocks: dict[object, list[int]] = defaultdict(list)
    for fact_id, claim in claims.items():
        blocks[claim.frame].append(fact_id)
        for entity_id in claim.portrait.names:
            blocks[entity_id].append(fact_id)
        shared = [term for term in claim.frame if frequencies[term] > 1]
        for term in sorted(shared, key=lambda term: (frequencies[term], term))[:RARE_TERMS]:
            blocks[term].append(fact_id)
    seen: set[tuple[int, int]] = set()
    for block in blocks.values():
        for position, first in enumerate(block):
            for second in block[position + 1 : position + BLOCK_LIMIT]:
                pair = (first, second) if first < second else (second, first)
                if pair not in seen:
                    seen.add(pair)
                    yield pair


def _score(first: _Claim, second: _Claim) -> float:
    """Return how likely two facts contradict each other, in [0, 1]; 0 means that nothing speaks for it."""
    score = 0.0
    if not first.portrait.names.keys().isdisjoint(second.portrait.names.keys()):
        overlap = _jaccard(first.portrait.names.keys(), second.portrait.names.keys())
        if overlap >= NAMES_OVERLAP and (similarity := _jaccard(first.terms, second.terms)) < DISSIMILAR:
            score = overlap * (1 - similarity)
    opposite = first.opposable and second.opposable and _opposites(first, second)
    if opposite or first.is_negated != second.is_negated or _other_figures(first, second):
        framed = _frame_likeness(first, second, opposite or frozenset())
        if framed >= SAME_FRAME:
            score = max(score, framed)
    return score


def _other_figures(first: _Claim, second: _Claim) -> bool:
    return bool(first.figures and second.figures and first.figures != second.figures)


def _opposites(first: _Claim, second: _Claim) -> frozenset[str]:
    """Return the words of the first whose opposite is in the second, where neither holds both."""
    only_second = second.opposable - first.opposable
    return frozenset(term for term in first.opposable - second.opposable if _OPPOSITE_OF[term] in only_second)


def _frame_likeness(first: _Claim, second: _Claim, opposite: frozenset[str]) -> float:
    """Return how alike two facts are when figures and opposite words are left out."""
    if not opposite:
        return _jaccard(first.frame, second.frame)
    return _jaccard(first.frame - opposite, second.frame - {_OPPOSITE_OF[term] for term in opposite})


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
    if not first and not second:
        return 1.0
    common = len(first & second)
    return common / (len(first) + len(second) - common)
