"""What is asked of facts by their columns, as conditions and expressions of SQL.

Spec: fact-retrieval, fact-summary.
"""

from mnemo import clock
from mnemo.facts import DEFAULT_CATEGORY, DEFAULT_TRUST, FactFilter
from mnemo.version_tables import NOT_EXPIRED, NOT_SUPERSEDED

TRUST_TOLERANCE = 1e-9
_BLANK = ", ".join(str(code) for code in range(0x3001) if chr(code).isspace())  # what str.strip takes away
HAS_SUMMARY = f"(facts.summary IS NOT NULL AND trim(facts.summary, char({_BLANK})) <> '')"
MATCH_LENGTH = f"length(CASE WHEN {HAS_SUMMARY} THEN facts.summary ELSE facts.content END)"  # characters
DATED = "datetime(coalesce(facts.updated_at, facts.created_at))"


def filter_condition(wanted: FactFilter) -> tuple[str, list[object]]:
    """Return the filter as an SQL condition on the columns of `facts`, and its parameters."""
    conditions = [NOT_EXPIRED.replace(":now", "?")]
    parameters: list[object] = [clock.timestamp(clock.now())]
    if wanted.min_trust > 0:  # another program may have left a trust below 0, which 0 does not shut out
        conditions.append("coalesce(facts.trust_score, ?) >= ?")
        parameters += [DEFAULT_TRUST, wanted.min_trust - TRUST_TOLERANCE]
    if not wanted.include_superseded:
        conditions.append(NOT_SUPERSEDED)
    if wanted.category is not None:
        conditions.append("coalesce(facts.category, ?) = ?")
        parameters += [DEFAULT_CATEGORY, wanted.category]
    if wanted.tags:  # in one condition: SQLite refuses an expression of a thousand
        conditions.append("has_tags(CAST(facts.tags AS BLOB), ?)")
        parameters.append(",".join(wanted.tags))
    if wanted.after is not None:
        conditions.append(f"{DATED} >= datetime(?)")
        parameters.append(wanted.after)
    if wanted.before is not None:
        conditions.append(f"{DATED} < datetime(?)")
        parameters.append(wanted.before)
    return " AND ".join(conditions), parameters
