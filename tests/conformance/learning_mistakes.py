# ruff: noqa: E501 - a table of texts to replace
"""Plausible mistakes with summaries, learning and the audit, each made in the minimal implementation by replacing one text."""

from tests.conformance.mistake import Mistake

LEARN = 'fact["retrieval_count"] > 30 and rate < 0.05'
PROMOTE = 'fact["retrieval_count"] > 30 and rate > 0.3'
AGED = '            if (fact["last_retrieved_at"] or "9") < days_ago(60):'
SUMMARY = '    return summary if summary.strip() else str(fact["content"])'
START = """        elif message.get("method") == "notifications/initialized":"""

LEARNING_MISTAKES = [
    # fact-summary
    Mistake(
        "warning from 500",
        'len(fact["content"]) > 500 and not (fact["summary"] or "").strip()\n        return {"w',
        'len(fact["content"]) >= 500 and not (fact["summary"] or "").strip()\n        return {"w',
        "500 characters trigger no warning",
    ),
    Mistake(
        "warning from 502",
        'len(fact["content"]) > 500 and not (fact["summary"] or "").strip()\n        return {"w',
        'len(fact["content"]) > 501 and not (fact["summary"] or "").strip()\n        return {"w',
        "501 characters trigger the warning",
    ),
    Mistake(
        "warning by bytes",
        'is_long = len(fact["content"])',
        'is_long = len(fact["content"].encode())',
        "500 Chinese characters trigger no warning",
    ),
    Mistake(
        "warning in spite of a summary",
        'is_long = len(fact["content"]) > 500 and not (fact["summary"] or "").strip()',
        'is_long = len(fact["content"]) > 500',
        "Long fact with summary has no warning",
    ),
    Mistake(
        "an update does not warn",
        '"updated": True, **self.warnings(fact["fact_id"])',
        '"updated": True',
        "an update to 501 characters triggers the warning",
    ),
    Mistake(
        "a long fact is refused",
        "        known = self.facts(",
        "        if len(content) > 500:\n            raise CallError('content is too long')\n        known = self.facts(",
        "Long fact without summary triggers warning",
    ),
    Mistake(
        "another warning",
        "content 超过 500 字，建议提供",
        "content is long; 建议提供",
        "Long fact without summary triggers warning",
    ),
    Mistake(
        "a summary of spaces is one",
        SUMMARY,
        '    return summary or str(fact["content"])',
        "a summary of spaces counts as none",
    ),
    Mistake(
        "the summary cannot be cleared",
        '("content", "summary", "tags") if given.get(name) is not None}',
        '("content", "summary", "tags") if given.get(name)}',
        "the empty summary clears the summary",
    ),
    Mistake(
        "no migration",
        '{"summary", "last_retrieved_at"} - columns',
        '{"summary"} - columns',
        "Existing database gets new columns",
    ),
    Mistake(
        "a file without columns is made anew",
        "        self.db.executescript(TABLES)",
        "        if not any(r['name'] == 'summary' for r in self.db.execute('PRAGMA table_info(facts)')):\n            self.db.executescript('DROP TABLE IF EXISTS facts')\n        self.db.executescript(TABLES)",
        "Existing database gets new columns",
    ),
    # self-learning
    Mistake(
        "demotion from 30", LEARN, LEARN.replace("> 30", ">= 30"), "31 retrievals without help demote and 30 do not"
    ),
    Mistake(
        "demotion at 0.05",
        LEARN,
        LEARN.replace("< 0.05", "<= 0.05"),
        "a rate of exactly 0.05 does not demote and one just below does",
    ),
    Mistake(
        "promotion at 0.3",
        PROMOTE,
        PROMOTE.replace("> 0.3", ">= 0.3"),
        "a rate of exactly 0.3 does not promote and one just above does",
    ),
    Mistake(
        "promotion from 30",
        PROMOTE,
        PROMOTE.replace("> 30", ">= 30"),
        "31 retrievals with much help promote and 30 do not",
    ),
    Mistake("demotion by 0.8", "trust * 0.9\n", "trust * 0.8\n", "High retrieval low helpful fact gets demoted"),
    Mistake(
        "promotion by a factor",
        "min(1.0, trust + 0.05)",
        "min(1.0, trust * 1.05)",
        "High helpful rate fact gets promoted",
    ),
    Mistake(
        "promotion beyond 1",
        'and trust < 1:\n                rules, trust = ["promoted"], min(1.0, trust + 0.05)',
        'and trust < 1:\n                rules, trust = ["promoted"], trust + 0.05',
        "a promotion stops at a trust of 1",
    ),
    Mistake(
        "a full trust counts as promoted",
        " and trust < 1:",
        ":",
        "a fact of trust 1 that would be promoted counts as unchanged",
    ),
    Mistake("a null time is aged", AGED, AGED.replace('"9"', '"0"'), "Never retrieved fact gets aged"),
    Mistake(
        "ageing from 61 days",
        AGED,
        AGED.replace("60", "61"),
        "60 days and a second age a fact and a minute less than 60 days do not",
    ),
    Mistake(
        "ageing by the time of the change",
        AGED,
        AGED.replace("last_retrieved_at", "updated_at"),
        "Stale fact gets aged",
    ),
    Mistake(
        "one rule for each fact",
        AGED,
        AGED.replace("if (", "if not rules and ("),
        "a fact is demoted and aged in one run",
    ),
    Mistake(
        "ageing by local time",
        "(datetime.now(UTC) - timedelta",
        "(datetime.now() - timedelta",
        "60 days and a second age a fact and a minute less than 60 days do not",
    ),
    Mistake(
        "facts of little trust are deleted",
        "        long = sorted((fact",
        '        self.db.execute("DELETE FROM facts WHERE trust_score < 0.1")\n        long = sorted((fact',
        "a fact of little trust is aged and kept",
    ),
    Mistake(
        "learning is a change",
        '"UPDATE facts SET trust_score = ? WHERE fact_id = ?", (trust, fact["fact_id"]))\n        long',
        '"UPDATE facts SET trust_score = ?, updated_at = datetime(\'now\') WHERE fact_id = ?", (trust, fact["fact_id"]))\n        long',
        "a fact of little trust is aged and kept",
    ),
    Mistake(
        "touched facts count as unchanged",
        'for rule in rules or ["unchanged"]:',
        'for rule in [*rules, "unchanged"]:',
        "High retrieval low helpful fact gets demoted",
    ),
    Mistake(
        "penalty to 2 places",
        "round(penalty(fact), 3)",
        "round(penalty(fact), 2)",
        "Learn returns summary with long_facts report",
    ),
    Mistake(
        "the length of the summary",
        '"content_length": len(fact["content"]),\n                "penalty"',
        '"content_length": len(match_text(fact)),\n                "penalty"',
        "a long summary is listed with the length of the content",
    ),
    Mistake(
        "long facts by id",
        "if penalty(fact) < 1), key=penalty)",
        'if penalty(fact) < 1), key=lambda fact: fact["fact_id"])',
        "the strongest penalty comes first",
    ),
    Mistake(
        "every long fact is listed",
        '**counts, "long_facts": listed[:limit]}',
        '**counts, "long_facts": listed}',
        "at most 50 long facts are listed",
    ),
    Mistake(
        "no learning at the start",
        START,
        '        elif message.get("method") == "never":',
        "Learn runs after MCP handshake",
    ),
    Mistake(
        "learning before the handshake",
        "    memory = Memory()\n    for line",
        "    memory = Memory()\n    print('promoted 0, demoted 0, aged 0, unchanged 0', memory.learn({}), file=sys.stderr, flush=True)\n    for line",
        "a server without a client learns nothing",
    ),
    Mistake(
        "learning at the start is silent",
        'print(f"learned: {shown}", file=sys.stderr, flush=True)',
        "shown += ''",
        "Learn runs after MCP handshake",
    ),
    Mistake(
        "learning with each call",
        '        return {"result": call(memory, params["name"]',
        '        memory.learn({})\n        return {"result": call(memory, params["name"]',
        "learning at start-up happens once a start",
    ),
    Mistake(
        "the audit learns",
        "        limit, facts = limit_of(given, 50), self.facts()",
        "        self.learn({})\n        limit, facts = limit_of(given, 50), self.facts()",
        "Audit does not modify data",
    ),
    Mistake(
        "the audit is logged",
        "        limit, facts = limit_of(given, 50), self.facts()",
        '        self.search({"query": "audit"})\n        limit, facts = limit_of(given, 50), self.facts()',
        "Audit does not modify data",
    ),
    Mistake(
        "facts with a summary are long",
        'len(fact["content"]) > 500 and not (fact["summary"] or "").strip()]',
        'len(fact["content"]) > 500]',
        "only content over 500 characters without a summary is listed as long",
    ),
    Mistake(
        "the audit without statistics",
        '            "statistics": {',
        '            "more": {',
        "Audit returns quality report",
    ),
    Mistake(
        "low rates from 30",
        'low = [fact for fact in facts if fact["retrieval_count"] > 30]',
        'low = [fact for fact in facts if fact["retrieval_count"] >= 30]',
        "only a rate below 0.05 over more than 30 retrievals is listed as low",
    ),
    Mistake(
        "the audit measures without spaces around the content",
        'long = [fact for fact in facts if len(fact["content"]) > 500',
        'long = [fact for fact in facts if len(fact["content"].strip()) > 500',
        "spaces around the content count in both reports",
    ),
    Mistake(
        "the report measures without spaces around the content",
        '"content_length": len(fact["content"]),\n                "penalty"',
        '"content_length": len(fact["content"].strip()),\n                "penalty"',
        "spaces around the content count in both reports",
    ),
]
