# ruff: noqa: E501 - a table of texts to replace
"""Plausible mistakes, each made in the minimal implementation by replacing one text, and the scenario that is about it."""

from dataclasses import dataclass
from pathlib import Path

MINIMAL = Path(__file__).parent / "minimal_server.py"


@dataclass(frozen=True)
class Mistake:
    """A small change of the right server, and a scenario that must notice it."""

    name: str
    old: str
    new: str
    scenario: str

    def source(self) -> str:
        """Return the broken server's source; the text to replace stands in the right one exactly once."""
        text = MINIMAL.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.name}: {self.old!r} stands {text.count(self.old)} times"
        return text.replace(self.old, self.new)


LEARN = 'fact["retrieval_count"] > 30 and rate < 0.05'
PROMOTE = 'fact["retrieval_count"] > 30 and rate > 0.3'
AGED = '            if (fact["last_retrieved_at"] or "9") < days_ago(60):'
SUMMARY = '    return summary if summary.strip() else str(fact["content"])'
START = """        elif message.get("method") == "notifications/initialized":"""
ADDED = 'return {"fact_id": fact_id, "status": "added", "category": category, **self.warnings(fact_id or 0)}'
LOGGED = '"INSERT INTO retrieval_log(query, results, timestamp) VALUES (?, ?, ?)", (query, compact(log), moment)'
COUNTED = "retrieval_count = coalesce(retrieval_count, 0) + 1, last_retrieved_at = ? "

MISTAKES = [
    # fact-retrieval
    Mistake(
        "more weight for fts", "0.5 * bm25 / best + 0.5", "0.6 * bm25 / best + 0.4", "Short query uses static weights"
    ),
    Mistake(
        "weights by the query's length",
        "relevance = 0.5 * bm25 / best + 0.5 * jaccard",
        "w = 0.3 if len(wanted) > 20 else 0.5; relevance = w * bm25 / best + (1 - w) * jaccard",
        "a query of 40 words uses the same weights",
    ),
    Mistake("raw bm25", '{"fts": bm25 / best, "jac', '{"fts": bm25, "jac', "the best match has an fts of 1"),
    Mistake(
        "jaccard by the query alone",
        "len(counts) / union",
        "len(counts) / len(wanted)",
        "jaccard is the shared part of all terms of query and fact",
    ),
    Mistake(
        "score without trust",
        'relevance * fact["trust_score"] * penalty(fact), 4',
        "relevance * penalty(fact), 4",
        "trust enters the score as a factor",
    ),
    Mistake(
        "best last", '(-fact["score"], -fact["trust_score"])', '(fact["score"], -fact["trust_score"])', "scores descend"
    ),
    Mistake("the older first", '"", reverse=True)', '"")', "of two equally good facts the newer comes first"),
    Mistake("decay always on", '"decay": 1.0', '"decay": 0.9', "an old fact has no decay by default"),
    Mistake(
        "content matches beside the summary",
        SUMMARY,
        "    return f\"{summary} {fact['content']}\"",
        "a word of the content alone does not find a fact with a summary",
    ),
    Mistake("the summary does not match", SUMMARY, '    return str(fact["content"])', "Search matches on summary"),
    Mistake(
        "tags do not match",
        """f"{match_text(fact)} {fact['tags']}\"""",
        "match_text(fact)",
        "a tag finds a fact with a summary",
    ),
    Mistake(
        "content cut in results",
        "        results.sort(key=lambda fact: fact",
        '        for fact in results:\n            fact["content"] = fact["content"][:500]\n        results.sort(key=lambda fact: fact',
        "Returned results include full content",
    ),
    Mistake(
        "summary in the place of the content",
        "        results.sort(key=lambda fact: fact",
        '        for fact in results:\n            fact["content"] = match_text(fact)\n        results.sort(key=lambda fact: fact',
        "Returned results include full content",
    ),
    Mistake(
        "an empty text for no summary",
        "        results.sort(key=lambda fact: fact",
        '        for fact in results:\n            fact["summary"] = fact["summary"] or ""\n        results.sort(key=lambda fact: fact',
        "a result without a summary has a null summary",
    ),
    Mistake(
        "a threshold of relevance",
        "        results = [fact for fact, _, _ in found]",
        '        results = [fact for fact, _, _ in found if fact["explain"]["relevance"] > 0.25]',
        "a fact with one of eight query words is returned after better ones",
    ),
    Mistake(
        "all words are wanted",
        "            if counts:",
        "            if len(counts) == len(wanted):",
        "words that occur nowhere do not hide a match",
    ),
    Mistake(
        "similar results are dropped",
        "        results = [fact for fact, _, _ in found]",
        "        results = list({fact['content'][:30]: fact for fact, _, _ in found}.values())",
        "similar facts are all returned",
    ),
    Mistake(
        "Chinese by whole runs",
        "found += [part[i : i + 2] for i in range(len(part) - 1)] if len(part) > 1 else [part]",
        "found += [part]",
        "two characters inside a sentence find the fact",
    ),
    Mistake(
        "no lone character",
        "sum(term in other for other in documents[fact_id])",
        "documents[fact_id].count(term)",
        "a single character inside a word finds the fact",
    ),
    Mistake("case matters", '"NFKC", text).lower()', '"NFKC", text)', "another case finds the fact"),
    Mistake("width matters", 'unicodedata.normalize("NFKC", text)', "text", "full-width letters find half-width ones"),
    Mistake(
        "no stems",
        "[stem(word) for word in WORD.findall(part)]",
        "WORD.findall(part)",
        "a plural finds the singular and the other way round",
    ),
    Mistake(
        "signs are no letters",
        r"c\+\+|[cf]#|\.net\b|[^\W_]+",
        r"[^\W_]+",
        "a language with signs in its name finds only itself",
    ),
    Mistake(
        "a query without words finds all",
        "            if counts:",
        "            if counts or not wanted:",
        "a query without a single word finds nothing",
    ),
    Mistake(
        "a field is missing",
        "        results.sort(key=lambda fact: fact",
        '        for fact in results:\n            del fact["helpful_count"]\n        results.sort(key=lambda fact: fact',
        "a result carries every field of the fact",
    ),
    # length-penalty
    Mistake("penalty from 301", "min(1.0, 300 /", "min(1.0, 301 /", "one character more than 300 is penalized"),
    Mistake("penalty from 299", "min(1.0, 300 /", "min(1.0, 299 /", "Boundary at 300 chars of match text"),
    Mistake(
        "penalty on the content",
        "len(match_text(fact)))",
        'len(fact["content"]))',
        "Long fact with short summary gets no penalty",
    ),
    Mistake(
        "penalty in bytes",
        "len(match_text(fact)))",
        "len(match_text(fact).encode()))",
        "Chinese text is measured in characters and not in bytes",
    ),
    Mistake(
        "penalty as a root",
        "return min(1.0, 300 / max(1, len(match_text(fact))))",
        "return min(1.0, 300 / max(1, len(match_text(fact)))) ** 0.5",
        "Long fact without summary gets penalized",
    ),
    Mistake(
        "no penalty at all",
        'fact["trust_score"] * penalty(fact), 4',
        'fact["trust_score"], 4',
        "Long fact without summary gets penalized",
    ),
    Mistake(
        "penalty after the ranking",
        '(-fact["score"], -fact["trust_score"])',
        '(-fact["explain"]["relevance"] * fact["trust_score"], 0)',
        "a penalty of one half turns the order",
    ),
    Mistake(
        "a limit before the penalty",
        "self.ranked(query, self.chosen(given, 0.3))[:limit]",
        "sorted(self.ranked(query, self.chosen(given, 0.3)), key=lambda one: -one['explain']['relevance'])[:limit]",
        "the limit cuts after the penalty",
    ),
    Mistake(
        "long facts are left out",
        "            if counts:",
        "            if counts and penalty(fact) > 0.05:",
        "a long fact with little relevance is still returned",
    ),
    # retrieval-log
    Mistake(
        "a log without scores",
        '{"id": fact["fact_id"], "score": fact["score"]}',
        '{"id": fact["fact_id"]}',
        "Search logs query and scored results",
    ),
    Mistake(
        "other scores in the log",
        '"score": fact["score"]} for',
        '"score": round(fact["score"], 1)} for',
        "Search logs query and scored results",
    ),
    Mistake(
        "the log is sorted by id",
        "for fact in found]\n        moment",
        'for fact in sorted(found, key=lambda one: one["fact_id"])]\n        moment',
        "the log keeps the order of the answer",
    ),
    Mistake(
        "spaces in the log",
        "(query, compact(log), moment)",
        "(query, json.dumps(log), moment)",
        "the log's results are compact JSON",
    ),
    Mistake(
        "the query is trimmed in the log",
        "(query, compact(log), moment)",
        "(query.strip().lower(), compact(log), moment)",
        "the query is logged as it was sent",
    ),
    Mistake(
        "empty searches are not logged",
        "        self.db.execute(\n            " + LOGGED,
        "        found and self.db.execute(\n            " + LOGGED,
        "Empty search results are still logged",
    ),
    Mistake(
        "the whole ranking is logged",
        "for fact in found]\n        moment",
        "for fact in self.ranked(query, self.chosen(given, 0.3))]\n        moment",
        "only the returned facts are logged",
    ),
    Mistake(
        "the log is never pruned",
        "    def prune(self) -> None:\n",
        "    def prune(self) -> None:\n        return\n",
        "Auto-prune when exceeding 5000 entries",
    ),
    Mistake("the log is pruned at 4999", "LIMIT 5000", "LIMIT 4999", "the 5000th entry displaces nothing"),
    Mistake(
        "the newest entries are pruned",
        "ORDER BY id DESC LIMIT 5000",
        "ORDER BY id LIMIT 5000",
        "Auto-prune when exceeding 5000 entries",
    ),
    Mistake(
        "add does not prune",
        "        self.prune()\n        " + ADDED,
        "        " + ADDED,
        "an add shrinks a log that another program filled",
    ),
    Mistake(
        "update does not prune",
        '        self.prune()\n        return {"fact_id": fact["fact_id"], "updated"',
        '        return {"fact_id": fact["fact_id"], "updated"',
        "an update shrinks a log that another program filled",
    ),
    Mistake(
        "last_retrieved_at is not set",
        COUNTED,
        "retrieval_count = coalesce(retrieval_count, 0) + 1 + 0 * length(?) ",
        "last_retrieved_at is updated on retrieval",
    ),
    Mistake(
        "local time",
        "datetime.now(UTC).strftime",
        "datetime.now().strftime",
        "the entry carries the time of the search in UTC",
    ),
    Mistake(
        "candidates count as found",
        '[(moment, fact["fact_id"]) for fact in found]',
        '[(moment, fact["fact_id"]) for fact in self.ranked(query, self.facts())]',
        "facts beyond the limit keep their time",
    ),
    Mistake(
        "a search counts twice",
        COUNTED,
        "retrieval_count = coalesce(retrieval_count, 0) + 2, last_retrieved_at = ? ",
        "three searches count three times",
    ),
    Mistake(
        "being found raises trust",
        COUNTED,
        COUNTED.replace("retrieval", "trust_score = trust_score + 0.01, retrieval", 1),
        "being found changes neither trust nor the time of the last change",
    ),
    Mistake(
        "ids of the log are given again",
        "CREATE TABLE IF NOT EXISTS retrieval_log (\n    id INTEGER PRIMARY KEY AUTOINCREMENT",
        "CREATE TABLE IF NOT EXISTS retrieval_log (\n    id INTEGER PRIMARY KEY",
        "ids of deleted entries are not given again",
    ),
    Mistake(
        "no time by default in the log",
        "    timestamp TEXT DEFAULT (datetime('now')));",
        "    timestamp TEXT);",
        "an entry of another program gets the current time",
    ),
    Mistake(
        "reading counts",
        '        return {"facts": found, "count": len(found), "missing"',
        '        self.db.execute("UPDATE facts SET retrieval_count = retrieval_count + 1 WHERE fact_id = ?", (fact_id,))\n        return {"facts": found, "count": len(found), "missing"',
        "reading changes nothing",
    ),
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
    # fact-store
    Mistake(
        "a duplicate overwrites",
        "        if known:\n            return",
        '        if known:\n            self.db.execute("UPDATE facts SET category = ? WHERE content = ?", (category, content))\n            return',
        "the same content again leaves the first fact as it was",
    ),
    Mistake(
        "a duplicate touches the time",
        "        if known:\n            return",
        "        if known:\n            self.db.execute(\"UPDATE facts SET tags = tags || 'x' WHERE content = ?\", (content,))\n            return",
        "the same content again leaves the first fact as it was",
    ),
    Mistake(
        "digits do not tell facts apart",
        'known = self.facts("content = ?", content)',
        'known = [f for f in self.facts() if re.sub(r"\\d", "", f["content"]) == re.sub(r"\\d", "", content)]',
        "facts that differ in one digit are both stored",
    ),
    Mistake(
        "ids are given again",
        "fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content",
        "fact_id INTEGER PRIMARY KEY, content",
        "ids of removed facts are not given again",
    ),
    Mistake(
        "content is trimmed",
        '        content = text_of(given, "content")',
        '        content = text_of(given, "content")[:20000]',
        "long content is stored and returned whole",
    ),
    Mistake(
        "an unknown category becomes general",
        '        raise CallError(f"category must',
        '        return "general"\n        raise CallError(f"category must',
        "an unknown category is refused and nothing is stored",
    ),
    Mistake(
        "min_trust excludes",
        'fact["trust_score"] >= least',
        'fact["trust_score"] > least',
        "a trust of exactly 0.3 is found and one just below is not",
    ),
    Mistake(
        "no least trust in searches",
        "self.chosen(given, 0.3))[:limit]",
        "self.chosen(given, 0.0))[:limit]",
        "a trust of exactly 0.3 is found and one just below is not",
    ),
    Mistake(
        "the limit cuts before the filter",
        "self.ranked(query, self.chosen(given, 0.3))[:limit]",
        "[f for f in self.ranked(query, self.facts())[:limit] if f in self.chosen(given, 0.3) or f['trust_score'] >= (given.get('min_trust') or 0.3) and f['category'] == (given.get('category') or f['category'])]",
        "a category is chosen before the limit cuts",
    ),
    Mistake(
        "five by default",
        'limit = text_of(given, "query"), limit_of(given, 10)',
        'limit = text_of(given, "query"), limit_of(given, 5)',
        "ten results by default and as many as asked for",
    ),
    Mistake(
        "always explained", 'if not given.get("explain"):', "if False:", "a search without explanation returns none"
    ),
    Mistake(
        "list hides little trust",
        "self.chosen(given, 0.0)",
        "self.chosen(given, 0.3)",
        "the most trusted come first from all categories",
    ),
    Mistake(
        "list by id",
        'chosen.sort(key=lambda fact: -fact["trust_score"])',
        "pass",
        "the most trusted come first from all categories",
    ),
    Mistake(
        "total of the page",
        '"total": len(chosen)',
        '"total": len(chosen[:limit])',
        "ten facts by default and the total beside them",
    ),
    Mistake(
        "count of all",
        '"count": len(chosen[:limit])',
        '"count": len(chosen)',
        "ten facts by default and the total beside them",
    ),
    Mistake(
        "no greatest limit", "return min(limit, 1000)", "return limit", "1000 facts are the most that an answer lists"
    ),
    Mistake(
        "a limit of 0 is one",
        "    if limit < 1:\n        raise",
        "    if limit < 0:\n        raise",
        "a limit of 0 is refused",
    ),
    Mistake(
        "a negative limit means all",
        "    if limit < 1:\n        raise",
        "    if limit == 0:\n        raise",
        "a negative limit is refused",
    ),
    Mistake(
        "an update clears what it does not name",
        'named["updated_at"] = now()',
        'named = {"tags": "", **named, "updated_at": now()}',
        "new content keeps everything else",
    ),
    Mistake(
        "an update keeps the time",
        'named["updated_at"] = now()',
        'named["content"] = named.get("content", fact["content"])',
        "new content keeps everything else",
    ),
    Mistake(
        "an update resets created_at",
        'named["updated_at"] = now()',
        'named["updated_at"] = named["created_at"] = now()',
        "new content keeps everything else",
    ),
    Mistake(
        "trust_delta sets",
        'round(fact["trust_score"] + given["trust_delta"], 10)',
        'given["trust_delta"]',
        "trust moves by trust_delta",
    ),
    Mistake(
        "trust_delta has no bounds",
        'min(1.0, max(0.0, round(fact["trust_score"] + given["trust_delta"], 10)))',
        'fact["trust_score"] + given["trust_delta"]',
        "trust_delta stays within 0 and 1",
    ),
    Mistake(
        "an update of nothing succeeds",
        "        fact = self.fact(id_of(given))\n        named",
        '        fact = (self.facts("fact_id = ?", id_of(given)) or [{"fact_id": id_of(given), "summary": "x", "content": "", "trust_score": 0}])[0]\n        self.fact = lambda _: fact\n        named',
        "an update of a missing fact is an error",
    ),
    Mistake(
        "removed without looking",
        '"removed": bool(gone)',
        '"removed": True',
        "a missing fact is reported as not removed",
    ),
    Mistake(
        "remove only marks",
        '"DELETE FROM facts WHERE fact_id = ?"',
        "\"UPDATE facts SET trust_score = 0, category = 'removed' WHERE fact_id = ?\"",
        "a fact is removed and the others stay",
    ),
    Mistake(
        "a missing id is not named", '"missing": [] if found else [fact_id]', '"missing": []', "a missing id is named"
    ),
    Mistake("helpful by 0.1", "0.05 if helpful else -0.1", "0.1 if helpful else -0.1", "helpful raises trust by 0.05"),
    Mistake(
        "unhelpful by 0.05", "0.05 if helpful else -0.1", "0.05 if helpful else -0.05", "unhelpful lowers trust by 0.10"
    ),
    Mistake(
        "unhelpful counts",
        'fact["helpful_count"] + helpful',
        'fact["helpful_count"] + 1',
        "unhelpful lowers trust by 0.10",
    ),
    Mistake(
        "feedback has no bounds",
        'round(min(1.0, max(0.0, fact["trust_score"] + (0.05',
        'round(min(9.0, max(-9.0, fact["trust_score"] + (0.05',
        "trust stops at 1",
    ),
    Mistake(
        "feedback is a retrieval",
        "SET trust_score = ?, helpful_count = ? WHERE",
        "SET trust_score = ?, helpful_count = ?, retrieval_count = retrieval_count + 1 WHERE",
        "helpful raises trust by 0.05",
    ),
    Mistake(
        "feedback is forgotten",
        '        self.db.execute(\n            "UPDATE facts SET trust_score = ?, helpful_count = ? WHERE fact_id = ?", (trust, count, fact["fact_id"])\n        )',
        "",
        "helpful raises trust by 0.05",
    ),
    Mistake(
        "an error looks like a success",
        '"text": compact({"error": str(error)})}], "isError": True}',
        '"text": compact({"error": str(error)})}]}',
        "an unknown action is named",
    ),
    Mistake("an error is plain text", 'compact({"error": str(error)})', "str(error)", "an unknown action is named"),
    Mistake(
        "an error kills the server",
        "    except CallError as error:\n",
        "    except CallError as error:\n        os._exit(1)\n",
        "the server lives on after an error",
    ),
    Mistake(
        "nulls are values",
        "if given.get(name) is not None}\n",
        "if name in given and (name != 'content' or given[name])}\n",
        "nulls in an update erase nothing",
    ),
    Mistake(
        "another file",
        'Path.home() / ".mnemo" / "facts.db"',
        'Path.home() / ".mnemo" / "memory.db"',
        "the table facts has its columns",
    ),
    Mistake(
        "content is not unique",
        "content TEXT NOT NULL UNIQUE",
        "content TEXT NOT NULL",
        "the content of a fact is unique in the table",
    ),
    Mistake(
        "another default of trust",
        "trust_score REAL DEFAULT 0.5",
        "trust_score REAL DEFAULT 1.0",
        "a row of another program gets the defaults",
    ),
    Mistake(
        "NULL is not read",
        "fact[name] = value if fact[name] is None else fact[name]",
        "fact[name] = fact[name]",
        "a row with nulls is found, listed, learned from and audited",
    ),
    Mistake(
        "a cache of facts",
        "        found = [dict(row) for row in rows]\n",
        '        found = [dict(row) for row in rows]\n        if where == "1":\n            self.kept = found = getattr(self, "kept", None) or found\n',
        "what another program writes is found",
    ),
    Mistake(
        "a tool is missing",
        'for name, properties in (("fact_store", FACT_STORE), ("fact_feedback", FEEDBACK))',
        'for name, properties in (("fact_store", FACT_STORE),)',
        "both tools are listed",
    ),
    Mistake(
        "no enumeration",
        '"category": {"type": "string", "enum": list(CATEGORIES)},',
        '"category": {"type": "string"},',
        "both tools are listed",
    ),
    Mistake(
        "a union in the schema",
        'TEXT, NUMBER = {"type": "string"},',
        'TEXT, NUMBER = {"type": ["string", "null"]},',
        "the schemas are flat objects of plain types",
    ),
    Mistake(
        "an unknown method is swallowed",
        'return {"error": {"code": -32601, "message": f"there is no method {method}"}}',
        'return {"result": {}}',
        "an unknown method is refused and the server lives on",
    ),
    Mistake(
        "escapes and spaces",
        'return json.dumps(value, ensure_ascii=False, separators=(",", ":"))',
        "return json.dumps(value)",
        "an answer has no spaces and no escaped characters",
    ),
    Mistake(
        "content is stripped",
        '        content = text_of(given, "content")',
        '        content = text_of(given, "content").strip()',
        "spaces and line breaks around the content are kept",
    ),
    Mistake(
        "the log is pruned by ids",
        "WHERE id NOT IN (SELECT id FROM retrieval_log ORDER BY id DESC LIMIT 5000)",
        "WHERE id <= (SELECT max(id) FROM retrieval_log) - 5000",
        "gaps between the ids cost no entry",
    ),
    Mistake(
        "NULL stays NULL when counted",
        "coalesce(retrieval_count, 0) + 1, last",
        "retrieval_count + 1, last",
        "a row with nulls is found, listed, learned from and audited",
    ),
    Mistake(
        "learn takes any limit",
        "limit, counts = limit_of(given, 50), {",
        'limit, counts = given.get("limit") or 50, {',
        "a limit of 0 is refused",
    ),
]
