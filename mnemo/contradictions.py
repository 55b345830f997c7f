"""Find pairs of facts that may contradict each other, without comparing each with each.

Two facts are compared if they share a name, a rare term or all their terms but the figures; a block of facts that is
larger than `BLOCK_LIMIT` says too little about any pair and is compared in a window.

Spec: entity-graph (Contradict reports pairs that disagree).
"""

import heapq
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mnemo import text
from mnemo.language import statements
from mnemo.language.dates import take_dates
from mnemo.links import Portrait
from mnemo.scoring import SCORE_PLACES

BLOCK_LIMIT = 8  # facts of one block that are compared each with each
RARE_TERMS = 3  # of one fact, by which it is compared with others
DISSIMILAR = 0.3  # content similarity below which facts of the same names say different things
NAMES_OVERLAP = 0.5  # from which two facts are about the same
CHOICE = 0.8  # score of another choice of the same name: both may hold, so that it is less sure than a figure
LEAST_COMMON = 1 / 3  # likeness of all words below which no one point can be all that differs
MOST = 1.0  # no score is higher
SAME_FRAME = 0.6  # likeness of all but the differing words from which a difference is a contradiction

_FIGURE = re.compile(r"\d+(?:[.:/\-]\d+)*|[零一二三四五六七八九十百千两]+(?=[月日号点时分个次天周年%])")
_NEGATIONS = (
    r"\b(?:not|never|no longer|don'?t|doesn'?t|isn'?t|aren'?t|won'?t|can'?t|cannot|without|stop(?:s|ped)? using)\b"
    r"|不(?!仅|但|过|同|错|断|止)|没|别(?!名|的)|禁止|无需|停用|弃用"
)
_NEGATION = re.compile(_NEGATIONS)
_NEGATION_AND_VERB = re.compile(f"不(?:要|能|可以?|会|再|得|应该?)|没有|{_NEGATIONS}")
_CHANGE = re.compile(r"(?:设|改|调整?|换|升级?|定|变)[为成到]|现在|目前|\b(?:now|currently|always)\b|总是")
_PERMISSION = re.compile(
    r"\b(?:(?:is|are) )?(?:allowed|permitted|ok|okay|fine|welcome|acceptable)\b|\b(?:may|can) (?:be )?used?\b"
    r"|\byou (?:may|can)\b|允许|可以|准许|没问题"
)
_PERMISSION_OR_BAN = re.compile(rf"{_PERMISSION.pattern}|{_NEGATION_AND_VERB.pattern}|\b(?:us(?:e|ing)|do)\b|使用|用")
# By name, since a pattern as a key is hashed anew at each look.
_LEFT_OUT = {
    "changes": _CHANGE,
    "figures": _FIGURE,
    "negation": _NEGATION,
    "negation and verb": _NEGATION_AND_VERB,
    "permission or ban": _PERMISSION_OR_BAN,
}
_CHOICE = re.compile(r"\b(?:us(?:es?|ing)|runs? on|prefers?|chose|chooses?|is built (?:on|with))\b|用|选|偏好")
_LABEL = re.compile(r"(?<=.)(?<![A-Za-z])[A-Z](?![A-Za-z])")  # "team A", which is no article
# A date is what a fact states, not when it happened, where one of these stands in it.
_SCHEDULE = re.compile(
    r"\b(?:due|deadline|expir\w+|scheduled|postponed|moved to|set for|birthday|until)\b"
    r"|截止|期限|到期|生日|[定改推][于在为到]|日期|时间"
)
_STATES = re.compile(r"\b(?:is|are|starts?|begins?|ends?)\b|是|为")
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
    """A pair of facts that may contradict each other; `score` in (0, 1], the higher the likelier.

    `is_same_statement` tells that they say the same but for one point, so that one can take the place of the other.
    """

    fact_a: Portrait
    fact_b: Portrait
    shared_entities: list[str]
    entity_overlap: float
    content_similarity: float
    score: float
    is_same_statement: bool


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
    permits: bool
    statement: tuple[str, str] | None  # what has one value at a time, and this value
    rests: dict[str, frozenset[str]] = field(default_factory=dict)  # what `_frame` found


def find(portraits: Sequence[Portrait], limit: int) -> list[Contradiction]:
    """Return up to `limit` pairs, likeliest first; the work grows with the number of facts, not with its square."""
    best: list[tuple[float, int, int, _Claim, _Claim]] = []  # a heap, the least of them first
    for first, second in _pairs([_claim(portrait) for portrait in portraits]):
        ids = (-first.portrait.fact_id, -second.portrait.fact_id)  # of equal scores the oldest facts win
        is_full = len(best) == limit
        if is_full and (MOST, *ids) < best[0][:3]:
            continue  # whatever it scores, better ones are known
        score = _score(first, second)
        if score > 0 and not (is_full and (score, *ids) < best[0][:3]):
            (heapq.heappushpop if is_full else heapq.heappush)(best, (score, *ids, first, second))
    best.sort(reverse=True)  # no two entries share both ids, so that claims are never compared
    return [_contradiction(first, second, score) for score, _, _, first, second in best]


def _claim(portrait: Portrait) -> _Claim:
    content = text.normalise(portrait.content)
    terms = frozenset(portrait.document.content_terms)
    figures = frozenset(_FIGURE.findall(content))
    frame = frozenset(term for term in terms if not any(character.isdigit() for character in term))
    names, opposable = frozenset(portrait.names), frame & _OPPOSITE_OF.keys()
    negated = bool(_NEGATION.search(content))
    permits = not negated and len(content) <= statements.LONGEST and _PERMISSION.search(content) is not None
    return _Claim(portrait, names, terms, frame, figures, opposable, negated, permits, _statement(portrait.content))


def _statement(content: str) -> tuple[str, str] | None:
    """Return what a sentence gives a value of which only one holds at a time, and the value, both folded."""
    if len(content) > statements.LONGEST:
        return None
    sentence = content.strip().rstrip(".!。！")
    low = sentence.lower()
    for needed, pattern in statements.ONE_VALUE:
        if any(word in low for word in needed) and (found := pattern.fullmatch(sentence)):
            start, end = found.span("value")
            return text.normalise(f"{sentence[:start]}…{sentence[end:]}"), text.normalise(sentence[start:end])
    return None


def _pairs(claims: Sequence[_Claim]) -> Iterator[tuple[_Claim, _Claim]]:
    """Yield each pair worth a comparison once, the one that comes first in `claims` first."""
    frequencies: dict[str, int] = defaultdict(int)
    for claim in claims:
        for term in claim.frame:
            frequencies[term] += 1
    blocks: dict[object, list[int]] = defaultdict(list)
    for place, claim in enumerate(claims):
        blocks[claim.frame].append(place)
        if claim.statement:
            blocks[claim.statement[0]].append(place)
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
    return max(_difference(first, second), _dissimilarity(first, second))


def _dissimilarity(first: _Claim, second: _Claim) -> float:
    """Return how much facts of the same names differ, 0 where they are alike or of different names."""
    if first.names.isdisjoint(second.names):
        return 0.0
    overlap = _jaccard(first.names, second.names)
    if overlap < NAMES_OVERLAP or (similarity := _jaccard(first.terms, second.terms)) >= DISSIMILAR:
        return 0.0
    return overlap * (1 - similarity)


def _difference(first: _Claim, second: _Claim) -> float:
    """Return how alike two facts are but for the one point in which they differ, 0 where there is no such point."""
    found = 0.0
    if first.opposable and second.opposable and (opposite := _opposites(first, second)):
        found = _likeness_but_opposites(first, second, opposite)
    is_one_point = _jaccard(first.frame, second.frame) >= LEAST_COMMON
    if is_one_point and first.is_negated != second.is_negated:
        affirmed, denied = (second, first) if first.is_negated else (first, second)
        for negation in ("negation", "negation and verb"):
            found = max(found, _likeness(_frame(affirmed), _frame(denied, negation)))
    elif is_one_point and first.figures - second.figures and second.figures - first.figures:
        likeness = _likeness(_frame(first, "figures"), _frame(second, "figures"))
        if likeness >= SAME_FRAME and not _are_events(first, second):
            found = max(found, likeness)
    if found < SAME_FRAME and first.is_negated != second.is_negated and (first.permits or second.permits):
        found = _likeness(_frame(first, "permission or ban"), _frame(second, "permission or ban"))
    if found < SAME_FRAME:
        is_choice = _is_other_value(first, second) or (is_one_point and _is_other_choice(first, second))
        return CHOICE if is_choice else 0.0
    return found


def _likeness_but_opposites(first: _Claim, second: _Claim, opposite: int) -> float:
    # Opposite words are in one of the two alone, so that leaving them out takes nothing from what both hold.
    common = len(first.frame & second.frame)
    either = len(first.frame) + len(second.frame) - 2 * opposite - common
    only_first, only_second = (
        any(not text.is_cjk(term) and term not in _OPPOSITE_OF for term in only)
        for only in (first.frame - second.frame, second.frame - first.frame)
    )
    return 0.0 if only_first and only_second else common / either if either else 0.0


def _frame(claim: _Claim, without: str = "changes") -> frozenset[str]:
    """Return the terms of a statement without words of change, and without what a name in `_LEFT_OUT` stands for."""
    rest = claim.rests.get(without)
    if rest is None:
        content = claim.portrait.content
        left = _CHANGE.sub("", _LEFT_OUT[without].sub("", text.normalise(content)))
        counted = frozenset(term for term in text.terms(left) if text.is_counted(term))
        rest = claim.rests[without] = counted | set(_LABEL.findall(content))
    return rest


def _likeness(first: Set[str], second: Set[str]) -> float:
    """Return how alike two frames are; 0 where each has words of its own, for then they are of different things."""
    return _jaccard(first, second) if first <= second or second <= first else 0.0


def _are_events(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts with different figures differ in the date alone at which something happened."""
    contents = [text.normalise(claim.portrait.content).strip() for claim in (first, second)]
    (rest, days), (other_rest, other_days) = map(_dated, contents)
    if days == other_days or rest != other_rest:
        return False
    if any(map(_SCHEDULE.search, contents)):
        return False
    leads = any(content[0].isdigit() for content in contents)
    return leads or not any(map(_STATES.search, contents))


@lru_cache(maxsize=16_384)
def _dated(content: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the figures of a text that belong to no date, and its days."""
    rest, dates = take_dates(content, with_parts=False)
    return frozenset(_FIGURE.findall(rest)), frozenset(date for date in dates if "-" in date or "月" in date)


def _is_other_value(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts give the same thing two values, neither of which is a part of the other."""
    if first.statement is None or second.statement is None or first.statement[0] != second.statement[0]:
        return False
    value, other = first.statement[1], second.statement[1]
    return value not in other and other not in value


def _is_other_choice(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts of the same name differ in one other name alone, which one of them chooses."""
    only_first, only_second = first.names - second.names, second.names - first.names
    if first.names.isdisjoint(second.names) or len(only_first) != 1 or len(only_second) != 1:
        return False
    chosen, other = (
        text.normalise(claim.portrait.content).partition(text.normalise(claim.portrait.names[min(only)]))
        for claim, only in ((first, only_first), (second, only_second))
    )
    return chosen[0] == other[0] and chosen[2] == other[2] and _CHOICE.search(chosen[0]) is not None


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
        round(_jaccard(names_a.keys(), names_b.keys()), SCORE_PLACES) if names_a or names_b else 0.0,
        round(_jaccard(first.terms, second.terms), SCORE_PLACES),
        round(score, SCORE_PLACES),
        _difference(first, second) > 0,
    )


def _jaccard(first: Set[Any], second: Set[Any]) -> float:
    common = len(first & second)
    return common / ((len(first) + len(second) - common) or 1)
