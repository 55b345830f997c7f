"""Learning from use: the rules that move trust, and the report on the quality of the facts.

Spec: self-learning.
"""

from datetime import timedelta
from typing import Any

from mnemo import clock
from mnemo.facts import SEARCH_MIN_TRUST, number_in, time_in
from mnemo.scoring import PENALTY_FREE_LENGTH, length_penalty
from mnemo.usage import Adjustments, StartupLimits, TrustRules, UsageStore

MIN_RETRIEVALS = 30
LOW_HELPFUL_RATE = 0.05
HIGH_HELPFUL_RATE = 0.3
DEMOTION_FACTOR = 0.9
PROMOTION_STEP = 0.05
AGEING_DAYS = 60
AGEING_FACTOR = 0.95
LONG_CONTENT = 500  # characters
REPORT_LIMIT = 50  # entries of each list
STARTUP_REST_HOURS = 24
PENALTY_PLACES = 3
RATE_PLACES = 4


class Learner:
    """The learning loop over one memory."""

    def __init__(self, usage: UsageStore) -> None:
        """Learn from the counters and times of this store."""
        self._usage = usage

    def learn(self, limit: int = REPORT_LIMIT) -> dict[str, Any]:
        """Apply the rules to the letter; return how many facts each moved and up to `limit` facts that are too long.

        Spec: self-learning (learn action adjusts trust scores automatically; learn returns adjustment summary with
        quality report).
        """
        counts = self._usage.apply_rules(_rules(), clock.now())
        return {**_counts(counts), "long_facts": self._long_facts(limit)}

    def learn_at_startup(self) -> dict[str, int]:
        """Apply the rules gently: each rule at most once in 24 hours to a fact, and never to below 0.3.

        Spec: self-learning (Several starts a day do not sink a fact).
        """
        now = clock.now()
        rest = StartupLimits(clock.timestamp(now - timedelta(hours=STARTUP_REST_HOURS)), SEARCH_MIN_TRUST)
        return _counts(self._usage.apply_rules(_rules(), now, rest))

    def audit(self, limit: int = REPORT_LIMIT) -> dict[str, Any]:
        """Report on the quality of the facts, at most `limit` of each kind, and change nothing.

        Spec: self-learning (audit action returns data quality report).
        """
        rules = _rules()
        long = self._usage.long_without_summary(LONG_CONTENT, limit)
        low = self._usage.low_rates(rules.min_retrievals, rules.low_rate, limit)
        stale = self._usage.stale(rules.stale_before, limit)
        expired = self._usage.expired(clock.timestamp(clock.now()), limit)
        statistics = self._usage.statistics()
        return {
            "total_facts": statistics["total_facts"],
            "long_without_summary": [{"id": i, "content_length": length} for i, length in long],
            "low_helpful_rate": [
                {
                    "id": i,
                    "rate": round(number_in(rate, 0.0), RATE_PLACES),
                    "retrieval_count": number_in(retrievals, 0),
                    "helpful_count": number_in(helpful, 0),
                }
                for i, rate, retrievals, helpful in low
            ],
            "aging_candidates": [{"id": i, "last_retrieved_at": time_in(moment)} for i, moment in stale],
            "expired": [{"id": i, "expires_at": time_in(moment)} for i, moment in expired],
            "statistics": statistics,
        }

    def _long_facts(self, limit: int) -> list[dict[str, Any]]:
        return [
            {
                "id": fact["fact_id"],
                "content_length": fact["content_length"],
                "penalty": round(length_penalty(fact["match_length"]), PENALTY_PLACES),
                "has_summary": bool(fact["has_summary"]),
            }
            for fact in self._usage.long_facts(PENALTY_FREE_LENGTH, limit)
        ]


def _rules() -> TrustRules:
    return TrustRules(
        min_retrievals=MIN_RETRIEVALS,
        low_rate=LOW_HELPFUL_RATE,
        high_rate=HIGH_HELPFUL_RATE,
        demotion=DEMOTION_FACTOR,
        promotion=PROMOTION_STEP,
        ageing=AGEING_FACTOR,
        stale_before=clock.timestamp(clock.now() - timedelta(days=AGEING_DAYS)),
    )


def _counts(counts: Adjustments) -> dict[str, int]:
    return {
        "promoted": counts.promoted,
        "demoted": counts.demoted,
        "aged": counts.aged,
        "unchanged": counts.unchanged,
    }
