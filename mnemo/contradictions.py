"""Find pairs of facts that may contradict each other, without comparing each with each.

Two facts are compared if they share a name, a rare term or all their terms but the figures; a block of facts that is
larger than `BLOCK_LIMIT` says too little about any pair and is compared in a window.

Spec: entity-graph (Contradict reports pairs that disagree).
"""

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from mnemo import text
from mnemo.language import alternatives, figures, statements
from mnemo.language.entity_words import PRODUCTS
from mnemo.language.figures import FIGURE, Figures
from mnemo.links import Portrait
from mnemo.scoring import SCORE_PLACES

BLOCK_LIMIT = 8  # facts of one block that are compared each with each
RARE_TERMS = 3  # of one fact, by which it is compared with others
DISSIMILAR = 0.3  # content similarity below which facts of the same names say different things
DISSIMILAR_WEIGHT = 0.5  # both mostly hold, so that every pair which differs in one point comes before
FEW_FACTS = 3  # a name in more of them is known for many things, which differ without a contradiction
NAMES_OVERLAP = 0.5  # from which two facts are about the same
CHOICE = 0.8  # score of another choice of the same name: both may hold, so that it is less sure than a figure
LEAST_COMMON = 1 / 3  # likeness of all words below which no one point can be all that differs
MOST = 1.0  # no score is higher
SAME_FRAME = 0.6  # likeness of all but the differing words from which a difference is a contradiction

_NEGATIONS = (
    r"\b(?:not|never|no longer|no(?! (?:more|less|later|earlier|one|\d))|(?:do|does|is|are|wo|ca|need)n'?t|cannot"
    r"|without|stop(?:s|ped)? using)\b|从不|不(?!仅|但|过|同|错|断|止)|没|别(?!名|的)|禁止|无需|无须|弃用"
)
_NEGATION = re.compile(_NEGATIONS)
_NEGATION_AND_VERB = re.compile(f"不(?:要|能|可以?|会|再|得|应该?)|没有|{_NEGATIONS}")
_DUTIES = r"\b(?:must|should|ha(?:s|ve) to|needs?(?: to)?)\b|必须|应该|需要|务必|[要得]"
_DUTY = re.compile(_DUTIES)
_NEGATION_AND_DUTY = re.compile(f"不[用必需]要?|{_NEGATION_AND_VERB.pattern}|{_DUTIES}")
_CHANGE = re.compile(r"(?:设|改|调整?|换|升级?|定|变)[为成到]|现在|目前|\b(?:now|currently|always)\b|总是")
_PERMISSION = re.compile(
    r"\b(?:(?:is|are) )?(?:allowed|permitted|ok|okay|fine|welcome|acceptable)\b|\b(?:may|can) (?:be )?used?\b"
    r"|\byou (?:may|can)\b|允许|可以|准许|没问题"
)
_PERMISSION_OR_BAN = re.compile(rf"{_PERMISSION.pattern}|{_NEGATION_AND_VERB.pattern}|\b(?:us(?:e|ing)|do)\b|使用|用")
_OPPOSITE_OF = {text.stem(word): side for word, side in alternatives.OPPOSITES.items()}
_CHINESE_OPPOSITE = re.compile("|".join(filter(text.is_cjk, _OPPOSITE_OF)))
_COMMON_OPPOSITES = frozenset(filter(text.is_stop, _OPPOSITE_OF))  # which are no terms that count
_RIVAL_TERMS = frozenset(term for name in alternatives.RIVALS for term in text.terms(name))
# What is left out of the fact that affirms and of the one that denies.
_DENIALS = (("changes", "negation"), ("changes", "negation and verb"), ("duty", "negation and duty"))
# By name, since a pattern as a key is hashed anew at each look.
_LEFT_OUT = {
    "changes": _CHANGE,
    "figures": FIGURE,
    "negation": _NEGATION,
    "negation and verb": _NEGATION_AND_VERB,
    "duty": _DUTY,
    "negation and duty": _NEGATION_AND_DUTY,
    "opposites": _CHINESE_OPPOSITE,
    "permission or ban": _PERMISSION_OR_BAN,
}
_CHOICE = re.compile(r"\b(?:us(?:es?|ing)|runs? on|prefers?|chose|chooses?|is built (?:on|with))\b|用|选|偏好")
_LETTER = re.compile(r"(?<=.)(?<![A-Za-z])[A-Z](?![A-Za-z])")  # "team A", which is no article
# A date is what a fact states, not when it happened, where one of these stands in it.
_SCHEDULE = re.compile(
    r"\b(?:due|deadline|expir\w+|ships|launches|starts|ends|opens|closes|goes live|scheduled|postponed|moved to|set for"
    r"|birthday|until)\b"
    r"|截止|期限|到期|生日|[定改推][于在为到]|日期|时间"
)
_STATES = re.compile(r"\b(?:is|are|starts?|begins?|ends?)\b|是|为")
# What the figure at the beginning of a fact tells apart from others of its kind: two such facts are of two things.
_LABEL = re.compile(
    r"(?:(?:the|our|room|team) )?(?:(?!current|latest)[\w-]+ )?"
    r"(?:step|phase|stage|sprint|chapter|section|ticket|issue|milestone|room|level|tier|rule|option|task|week|page|line"
    r"|node|server|shard|batch|case|question|building|gate|group|team|player|iteration|quarter|api|pr|mr)s? ?"
    r"[#v]?(?:[a-z]{1,10}-)?\d[\d.]*(?=\s*\S)|[a-z]{1,10}-\d+(?=\s*\S)|#\d+|[qvw]\d+(?=\s)|第\d+"
    r"|[^\d\s,，]{0,4}(?:步骤|阶段|任务|会议室|房间|机房|节点|服务器|小组|章节) ?\d+(?=\s*\S)"
)
_VERSIONED = re.compile(r"(?:(?:the|our) )?(?:[a-z][\w-]* ){0,2}v?\d+\.\d[\d.]*(?= [a-z])|(?:19|20)\d\d年?")


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
    rare_names: frozenset[int]
    terms: frozenset[str]
    frame: frozenset[str]
    folded: str
    holds_figures: bool
    opposable: frozenset[str]
    is_negated: bool
    permits: bool
    statement: tuple[str, str] | None  # what has one value at a time, and this value
    rests: dict[str, frozenset[str]] = field(default_factory=dict)  # what `_frame` found

    @property
    def stated(self) -> Figures:
        return figures.read(self.folded)


def find(portraits: Sequence[Portrait], limit: int) -> list[Contradiction]:
    """Return up to `limit` pairs, likeliest first; the work grows with the number of facts, not with its square."""
    best: list[tuple[float, int, int, _Claim, _Claim]] = []  # a heap, the least of them first
    named = Counter(name for portrait in portraits for name in portrait.names)
    products = {one for portrait in portraits for one, name in portrait.names.items() if name.casefold() in PRODUCTS}
    rare = frozenset(name for name, facts in named.items() if facts <= FEW_FACTS) - products
    for first, second in _pairs([_claim(portrait, rare) for portrait in portraits]):
        ids = (-first.portrait.fact_id, -second.portrait.fact_id)  # of equal scores the oldest facts win
        is_full = len(best) == limit
        if is_full and (MOST, *ids) < best[0][:3]:
            continue  # whatever it scores, better ones are known
        score = _score(first, second)
        if score > 0 and not (is_full and (score, *ids) < best[0][:3]):
            (heapq.heappushpop if is_full else heapq.heappush)(best, (score, *ids, first, second))
    best.sort(reverse=True)  # no two entries share both ids, so that claims are never compared
    return [_contradiction(first, second, score) for score, _, _, first, second in best]


def _claim(portrait: Portrait, rare: Set[int]) -> _Claim:
    content = text.normalise(portrait.content)
    terms = frozenset(portrait.document.content_terms)
    digits = figures.in_digits(content)
    # Written in digits, 三秒 has no terms that 五秒 has not.
    framed = terms if digits == content else text.counted(text.terms(digits))
    frame = frozenset(term for term in framed if not figures.holds_digit(term))
    names, opposable = frozenset(portrait.names), terms & _OPPOSITE_OF.keys()
    if not _COMMON_OPPOSITES.isdisjoint(words := content.split()):
        opposable = opposable.union(_COMMON_OPPOSITES.intersection(words))
    negated = bool(_NEGATION.search(content))
    permits = not negated and len(content) <= statements.LONGEST and _PERMISSION.search(content) is not None
    statement = _statement(portrait.content) or (_choice(content) if not terms.isdisjoint(_RIVAL_TERMS) else None)
    return _Claim(
        portrait,
        names,
        names & rare,
        terms,
        frame,
        content,
        figures.holds_digit(digits),
        opposable,
        negated,
        permits,
        statement,
    )


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


def _choice(content: str) -> tuple[str, str] | None:
    """Return what chooses one of several things of a kind, and which; both are of a normalised text."""
    if len(content) > statements.LONGEST:
        return None
    sentence = content.strip().rstrip(".!")
    for pattern in alternatives.CHOSEN:
        if found := pattern.search(sentence):
            start, end = found.span("value")
            kind, side = alternatives.RIVALS[found["value"]]
            return f"{sentence[:start]}…{kind}…{sentence[end:]}", f"…{side}…"
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
    if first.rare_names.isdisjoint(second.rare_names):
        return 0.0
    overlap = _jaccard(first.names, second.names)
    if overlap < NAMES_OVERLAP or (similarity := _jaccard(first.terms, second.terms)) >= DISSIMILAR:
        return 0.0
    return DISSIMILAR_WEIGHT * overlap * (1 - similarity)


def _difference(first: _Claim, second: _Claim) -> float:
    """Return how alike two facts are but for the one point in which they differ, 0 where there is no such point."""
    found = 0.0
    is_one_point = _jaccard(first.frame, second.frame) >= LEAST_COMMON
    is_denied = first.is_negated != second.is_negated
    if first.opposable and second.opposable and _are_opposites(first, second):
        if is_denied or _have_other_figures(first, second):
            return 0.0  # "not public" is private; an upper limit and a lower one are two things
        found = _likeness(_frame(first, "opposites"), _frame(second, "opposites"))
    if is_one_point and is_denied:
        affirmed, denied = (second, first) if first.is_negated else (first, second)
        for left, left_of_denied in _DENIALS:
            found = max(found, _likeness(_frame(affirmed, left), _frame(denied, left_of_denied)))
    elif is_one_point and _have_other_figures(first, second):
        likeness = _likeness(_frame(first, "figures"), _frame(second, "figures"))
        if likeness >= SAME_FRAME and not _are_events(first, second) and not _are_of_two_things(first, second):
            found = max(found, likeness)
    if found < SAME_FRAME and is_denied and (first.permits or second.permits):
        found = _likeness(_frame(first, "permission or ban"), _frame(second, "permission or ban"))
    if found < SAME_FRAME and is_one_point and _is_turned_round(first, second):
        return MOST
    if found < SAME_FRAME:
        is_choice = _is_other_value(first, second) or (is_one_point and _is_other_choice(first, second))
        return CHOICE if is_choice else 0.0
    return found


def _frame(claim: _Claim, without: str = "changes") -> frozenset[str]:
    """Return the terms of a statement without words of change, and without what a name in `_LEFT_OUT` stands for."""
    rest = claim.rests.get(without)
    if rest is None:
        folded = claim.stated.rest if without == "figures" else claim.folded
        left = _CHANGE.sub("", _LEFT_OUT[without].sub("", folded))
        counted = frozenset(term for term in text.terms(left) if text.is_counted(term))
        if without == "opposites":
            counted -= claim.opposable
        rest = claim.rests[without] = counted | set(_LETTER.findall(claim.portrait.content))
    return rest


def _likeness(first: Set[str], second: Set[str]) -> float:
    """Return how alike two frames are; 0 where each has words of its own, for then they are of different things."""
    return _jaccard(first, second) if first <= second or second <= first else 0.0


def _have_other_figures(first: _Claim, second: _Claim) -> bool:
    return first.holds_figures and second.holds_figures and first.stated.differ_from(second.stated)


def _are_events(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts with different figures differ in the date alone at which something happened."""
    ours, others = first.stated, second.stated
    if ours.days == others.days or FIGURE.findall(ours.rest) != FIGURE.findall(others.rest):
        return False
    contents = [claim.folded.strip() for claim in (first, second)]
    if any(map(_SCHEDULE.search, contents)):
        return False
    leads = any(content[0].isdigit() for content in contents)
    return leads or not any(map(_STATES.search, contents))


def _are_of_two_things(first: _Claim, second: _Claim) -> bool:
    """Tell whether the figure at the beginning says of which thing each of two facts is: "step 1", 第2季度."""
    labels = [_LABEL.match(claim.stated.rest) for claim in (first, second)]
    if labels[0] and labels[1]:
        return labels[0][0] != labels[1][0]
    rests = [claim.stated.rest for claim in (first, second)]
    if first.stated.days != second.stated.days and all(rest[:1] == " " for rest in rests):  # "3月预算…"
        return FIGURE.findall(rests[0]) != FIGURE.findall(rests[1])
    versions = [_VERSIONED.match(rest) for rest in rests]
    if not (versions[0] and versions[1]) or versions[0][0] == versions[1][0]:
        return False
    others = [FIGURE.findall(rest, version.end()) for rest, version in zip(rests, versions, strict=True) if version]
    return others[0] != others[1] or first.stated.days != second.stated.days


def _is_other_value(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts give the same thing two values, neither of which is a part of the other."""
    if first.statement is None or second.statement is None or first.statement[0] != second.statement[0]:
        return False
    value, other = first.statement[1], second.statement[1]
    return not _is_within(value, other) and not _is_within(other, value)


def _is_within(value: str, other: str) -> bool:
    return value in other and (not value.isascii() or re.search(rf"\b{re.escape(value)}\b", other) is not None)


def _is_turned_round(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts set the same two things against each other, each the other way: "tabs over spaces"."""
    if len(first.folded) != len(second.folded) or len(first.folded) > statements.LONGEST:
        return False
    contents = [claim.folded.strip().rstrip(".!") for claim in (first, second)]
    found, other = map(alternatives.SET_AGAINST.search, contents)
    if not found or not other or found[0] != other[0]:
        return False
    before, after = contents[0][: found.start()], contents[0][found.end() :]
    other_before, other_after = contents[1][: other.start()], contents[1][other.end() :]
    shared = next((place for place, (one, two) in enumerate(zip(before, other_before, strict=False)) if one != two), 0)
    while shared and before[shared - 1].isascii() and before[shared - 1].isalnum():
        shared -= 1  # to where a word begins
    ours, theirs = before[shared:], other_before[shared:]
    return (
        bool(ours and theirs)
        and after.startswith(theirs)
        and other_after.startswith(ours)
        and after[len(theirs) :] == other_after[len(ours) :]
    )


def _is_other_choice(first: _Claim, second: _Claim) -> bool:
    """Tell whether two facts of the same name differ in one other name alone, which one of them chooses."""
    only_first, only_second = first.names - second.names, second.names - first.names
    if first.names.isdisjoint(second.names) or len(only_first) != 1 or len(only_second) != 1:
        return False
    chosen, other = (
        claim.folded.partition(text.normalise(claim.portrait.names[min(only)]))
        for claim, only in ((first, only_first), (second, only_second))
    )
    if alternatives.are_no_rivals(chosen[1], other[1]):
        return False
    return chosen[0] == other[0] and chosen[2] == other[2] and _CHOICE.search(chosen[0]) is not None


def _are_opposites(first: _Claim, second: _Claim) -> bool:
    """Tell whether a word of the first has its opposite in the second, where neither holds both."""
    sides, others = (dict(map(_OPPOSITE_OF.__getitem__, claim.opposable)) for claim in (first, second))
    return any(others.get(group, side) != side for group, side in sides.items())


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
