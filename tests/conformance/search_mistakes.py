# ruff: noqa: E501 - a table of texts to replace
"""Plausible mistakes in search, its scores and its log, each made in the minimal implementation by replacing one text."""

from tests.conformance.mistake import Mistake

SUMMARY = '    return summary if summary.strip() else str(fact["content"])'
ADDED = 'return {"fact_id": fact_id, "status": "added", "category": category, **self.warnings(fact_id or 0)}'
LOGGED = '"INSERT INTO retrieval_log(query, results, timestamp) VALUES (?, ?, ?)", (query, compact(log), moment)'
COUNTED = "retrieval_count = coalesce(retrieval_count, 0) + 1, last_retrieved_at = ? "

SEARCH_MISTAKES = [
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
    Mistake(
        "the penalty measures without spaces around the text",
        "300 / max(1, len(match_text(fact))))",
        "300 / max(1, len(match_text(fact).strip())))",
        "spaces around the match text count as characters",
    ),
    Mistake(
        "the penalty measures a summary without spaces around it",
        'return summary if summary.strip() else str(fact["content"])',
        'return summary.strip() if summary.strip() else str(fact["content"])',
        "spaces around the match text count as characters",
    ),
    Mistake(
        "tags are no terms of the union",
        'union = len(wanted | set(documents[fact["fact_id"]]))',
        "union = len(wanted | set(terms(match_text(fact))))",
        "the tags of a fact are among its terms of jaccard",
    ),
    Mistake(
        "newer is what was added later",
        'fact["updated_at"] or fact["created_at"] or "", reverse',
        'fact["created_at"] or "", reverse',
        "of two equally good facts the one that was changed later comes first",
    ),
    Mistake(
        "a fact that was never changed is the oldest",
        'fact["updated_at"] or fact["created_at"] or "", reverse',
        'fact["updated_at"] or "", reverse',
        "a fact that was never changed is as new as its creation",
    ),
]
