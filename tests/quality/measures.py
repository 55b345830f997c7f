"""Recall and reciprocal rank of a system over sets of questions."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.quality.data import QuestionSet
from tests.quality.systems import System


@dataclass(frozen=True)
class Quality:
    """Means over questions, each in [0, 1]: the share of gold facts in the first 5 and 10, and 1 / first gold rank."""

    recall_5: float
    recall_10: float
    mrr_10: float
    questions: int

    def __str__(self) -> str:
        """Show the three numbers as they stand in tables."""
        return f"{self.recall_5:.3f} {self.recall_10:.3f} {self.mrr_10:.3f}"


def judge(found: Sequence[str], gold: frozenset[str]) -> tuple[float, float, float]:
    """Return recall@5, recall@10 and the reciprocal rank within 10 of one answer."""
    rank = next((place for place, key in enumerate(found[:10], 1) if key in gold), 0)
    return (
        len(gold.intersection(found[:5])) / len(gold),
        len(gold.intersection(found[:10])) / len(gold),
        1 / rank if rank else 0.0,
    )


def mean(judged: Sequence[tuple[float, float, float]]) -> Quality:
    """Average over questions, so that each counts the same."""
    sums = [sum(column) / len(judged) for column in zip(*judged, strict=True)]
    return Quality(sums[0], sums[1], sums[2], len(judged))


def measure(system: System, sets: Iterable[QuestionSet]) -> tuple[dict[str, Quality], dict[str, Quality]]:
    """Ask every question and return the quality by set, and pooled by group."""
    by_set: dict[str, Quality] = {}
    pooled: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for question_set in sets:
        judged = []
        for store in question_set.stores:
            search = system(store.facts)
            judged += [judge(search(question.text), question.gold) for question in store.questions]
        by_set[question_set.name] = mean(judged)
        pooled[question_set.group] += judged
    return by_set, {group: mean(judged) for group, judged in pooled.items()}
