"""What the use of facts tells: the trust that is learned from their counters, and reports on all of a memory.

Spec: self-learning, memory-statistics.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemo import clock
from mnemo.conditions import HAS_SUMMARY, MATCH_LENGTH
from mnemo.facts import DEFAULT_CATEGORY, DEFAULT_TRUST, TRUST_PLACES
from mnemo.storage.database import Database
from mnemo.versions import Change, recording

SHARE_PLACES = 4

# The rate as the rules define it; a row of another program may lack its counters or its trust.
_RATE = "(1.0 * coalesce(helpful_count, 0) / max(coalesce(retrieval_count, 0), 1))"
_TRUST = f"min(1.0, max(0.0, coalesce(trust_score, {DEFAULT_TRUST})))"


@dataclass(frozen=True, slots=True)
class TrustRules:
    """The numbers of the learning rules; every comparison is strict.

    Attributes:
        min_retrievals: retrievals that a fact must have passed for its rate to count.
        low_rate, high_rate: helpful rates below and above which trust moves.
        demotion, ageing: factors in (0, 1).
        promotion: what is added, up to 1.
        stale_before: facts last retrieved before this moment are aged (UTC text).
    """

    min_retrievals: int
    low_rate: float
    high_rate: float
    demotion: float
    promotion: float
    ageing: float
    stale_before: str


@dataclass(frozen=True, slots=True)
class StartupLimits:
    """What holds a start-up run back: a rule applied since `applied_since` rests, trust stays at `floor` or above."""

    applied_since: str
    floor: float


@dataclass(frozen=True, slots=True)
class Adjustments:
    """How many facts each rule moved, and how many none did."""

    promoted: int
    demoted: int
    aged: int
    unchanged: int


class UsageStore:
    """The counters of one memory file, and what they say.

    Every method may raise `MemoryFileError` (and `MemoryBusyError` where it writes and waits).
    """

    def __init__(self, database: Database) -> None:
        """Use an open memory file."""
        self._database = database

    def apply_rules(self, rules: TrustRules, moment: datetime, startup: StartupLimits | None = None) -> Adjustments:
        """Move the trust of every fact that a rule touches, in one pass, and return how many each rule moved."""
        applied_at = clock.timestamp(moment)
        change = Change("learn", "start-up" if startup else None)
        with recording(self._database, change, is_long=self._database.is_large) as connection:
            connection.execute("DROP TABLE IF EXISTS temp.adjustment")
            connection.execute(*_adjustment(rules, startup))
            total = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
            touched, promoted, demoted, aged = connection.execute(
                "SELECT count(*), total(promoted), total(demoted), total(aged) FROM adjustment"
            ).fetchone()
            connection.execute(
                "UPDATE facts SET trust_score = adjustment.trust FROM adjustment "
                "WHERE facts.fact_id = adjustment.fact_id"
            )
            if startup is not None:
                connection.execute("DELETE FROM startup_learning WHERE applied_at <= ?", (startup.applied_since,))
                for rule in ("promoted", "demoted", "aged"):
                    connection.execute(
                        f"INSERT OR REPLACE INTO startup_learning SELECT fact_id, ?, ? FROM adjustment WHERE {rule}",
                        (rule, applied_at),
                    )
            connection.execute("DROP TABLE temp.adjustment")
        return Adjustments(int(promoted), int(demoted), int(aged), int(total - touched))

    def long_facts(self, free_length: int, limit: int) -> list[dict[str, Any]]:
        """Return the facts whose match text is longer than `free_length` characters, longest match text first."""
        rows = self._rows(
            f"SELECT fact_id, length(content), {MATCH_LENGTH}, {HAS_SUMMARY} FROM facts "
            f"WHERE {MATCH_LENGTH} > ? ORDER BY {MATCH_LENGTH} DESC, fact_id LIMIT ?",
            (free_length, limit),
        )
        keys = ("fact_id", "content_length", "match_length", "has_summary")
        return [dict(zip(keys, row, strict=True)) for row in rows]

    def long_without_summary(self, length: int, limit: int) -> list[tuple[int, int]]:
        """Return (id, characters) of facts longer than `length` without a summary, longest first."""
        return self._rows(
            "SELECT fact_id, length(content) FROM facts "
            f"WHERE length(content) > ? AND NOT ({HAS_SUMMARY}) ORDER BY length(content) DESC, fact_id LIMIT ?",
            (length, limit),
        )

    def low_rates(self, min_retrievals: int, low_rate: float, limit: int) -> list[tuple[int, float, int, int]]:
        """Return (id, rate, retrievals, helpful ratings) of often found, seldom helpful facts, lowest rate first."""
        return self._rows(
            f"SELECT fact_id, {_RATE}, coalesce(retrieval_count, 0), coalesce(helpful_count, 0) FROM facts "
            f"WHERE coalesce(retrieval_count, 0) > ? AND {_RATE} < ? "
            f"ORDER BY {_RATE}, retrieval_count DESC, fact_id LIMIT ?",
            (min_retrievals, low_rate, limit),
        )

    def stale(self, stale_before: str, limit: int) -> list[tuple[int, str]]:
        """Return (id, last retrieval) of facts last retrieved before a moment, longest ago first."""
        return self._rows(
            "SELECT fact_id, last_retrieved_at FROM facts WHERE datetime(last_retrieved_at) < ? "
            "ORDER BY datetime(last_retrieved_at), fact_id LIMIT ?",
            (stale_before, limit),
        )

    def expired(self, moment: str, limit: int) -> list[tuple[int, str]]:
        """Return (id, expiry) of facts that are hidden since a moment before this one, longest ago first."""
        return self._rows(
            "SELECT fact_id, expires_at FROM facts WHERE datetime(expires_at) <= ? "
            "ORDER BY datetime(expires_at), fact_id LIMIT ?",
            (moment, limit),
        )

    def statistics(self) -> dict[str, Any]:
        """Return totals over the whole memory: facts, categories, trust, use, log and index.

        Spec: memory-statistics.
        """
        with self._database.reading() as connection:
            total, trust, retrieved, rated = connection.execute(
                f"SELECT count(*), avg({_TRUST}), total(coalesce(retrieval_count, 0) > 0), "
                "total(coalesce(helpful_count, 0) > 0) FROM facts"
            ).fetchone()
            categories = connection.execute(
                "SELECT coalesce(category, ?), count(*) FROM facts GROUP BY 1 ORDER BY 2 DESC, 1", (DEFAULT_CATEGORY,)
            ).fetchall()
            searches, empty = connection.execute("SELECT count(*), total(results = '[]') FROM retrieval_log").fetchone()
            waiting = connection.execute("SELECT count(*) FROM index_notes").fetchone()[0]
        return {
            "total_facts": total,
            "categories": {str(category): count for category, count in categories},
            "average_trust": round(trust or 0.0, SHARE_PLACES),
            "share_retrieved": _share(retrieved, total),
            "share_rated_helpful": _share(rated, total),
            "logged_searches": searches,
            "share_empty_searches": _share(empty, searches),
            "file_bytes": self._database.path.stat().st_size,
            "index": "current" if waiting == 0 else f"{waiting} facts to index",
        }

    def _rows(self, statement: str, parameters: tuple[Any, ...]) -> list[Any]:
        with self._database.reading() as connection:
            return connection.execute(statement, parameters).fetchall()


def _share(part: float, whole: int) -> float:
    return round(part / whole, SHARE_PLACES) if whole else 0.0


def _adjustment(rules: TrustRules, startup: StartupLimits | None) -> tuple[str, dict[str, object]]:
    """Return the statement that fills `temp.adjustment` with the facts to move, their new trust and the rules applied.

    A start-up run never takes a fact below the floor, nor one that is below it further down.
    """
    rested = ""
    if startup is not None:
        rested = (
            "AND NOT EXISTS (SELECT 1 FROM startup_learning AS s WHERE s.fact_id = facts.fact_id "
            "AND s.rule = '{rule}' AND s.applied_at > :applied_since)"
        )
    often = "coalesce(retrieval_count, 0) > :min_retrievals"
    statement = f"""
        CREATE TEMP TABLE adjustment AS
        WITH due AS (
            SELECT fact_id, {_TRUST} AS trust, min({_TRUST}, :floor) AS floor,
                {often} AND {_RATE} < :low_rate {rested.format(rule="demoted")} AS demote,
                {often} AND {_RATE} > :high_rate {rested.format(rule="promoted")} AS promote,
                coalesce(datetime(last_retrieved_at) < :stale_before, 0) {rested.format(rule="aged")} AS age
            FROM facts
        ),
        rated AS (
            SELECT *, CASE WHEN demote THEN max(floor, trust * :demotion)
                           WHEN promote THEN min(1.0, trust + :promotion) ELSE trust END AS rated_trust
            FROM due WHERE demote OR promote OR age
        ),
        moved AS (
            SELECT *, CASE WHEN age THEN max(floor, rated_trust * :ageing) ELSE rated_trust END AS new_trust FROM rated
        )
        SELECT fact_id, round(new_trust, {TRUST_PLACES}) AS trust, rated_trust > trust AS promoted,
               rated_trust < trust AS demoted, new_trust < rated_trust AS aged
        FROM moved WHERE promoted OR demoted OR aged"""
    return statement, {
        "min_retrievals": rules.min_retrievals,
        "low_rate": rules.low_rate,
        "high_rate": rules.high_rate,
        "demotion": rules.demotion,
        "promotion": rules.promotion,
        "ageing": rules.ageing,
        "stale_before": rules.stale_before,
        "floor": startup.floor if startup else 0.0,
        "applied_since": startup.applied_since if startup else "",
    }
