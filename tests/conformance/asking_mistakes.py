# ruff: noqa: E501 - a table of texts to replace
"""What the minimal implementation may do wrong with queries, scores, the log and what it learns: one sentence each."""

from tests.conformance.mistake import Mistake

ASKING_MISTAKES = [
    Mistake(
        "fts by the best of those shown",
        '        log = [{"id"',
        '        top = max((f["explain"]["fts"] for f in found), default=1.0)\n        for f in found:\n            e = f["explain"]\n            e["fts"] = round(e["fts"] / top, 4)\n            e["relevance"] = round(0.5 * e["fts"] + 0.5 * e["jaccard"], 4)\n            f["score"] = round(e["relevance"] * e["trust"] * e["length_penalty"], 4)\n        log = [{"id"',
        "the best match has an fts of 1 also where the limit cuts it",
    ),
    Mistake(
        "stop words are never looked for",
        "        wanted = set(terms(query))\n",
        '        wanted = set(terms(query)) - {"the", "a", "an", "is", "in", "of", "to", "and", "at", "on", "th", "ar", "it"}\n',
        "a common little word finds what holds it",
    ),
    Mistake(
        "32 terms of a query",
        "        wanted = set(terms(query))\n",
        "        wanted = set(terms(query)[:32])\n",
        "the last of many words counts",
    ),
    Mistake(
        "5000 characters of a text",
        "terms(f\"{match_text(fact)} {fact['tags']}\")",
        "terms(f\"{match_text(fact)[:5000]} {fact['tags']}\")",
        "the last word of a long text finds it",
    ),
    Mistake(
        "the 50 best by fts alone",
        "        best = max((bm25",
        '        found = sorted(found, key=lambda one: -one[1])[: max(50, 3 * self.__dict__.get("asked", 10))]\n        best = max((bm25',
        "trust is weighed before the limit cuts",
        also=(
            (
                "found = self.ranked(query, self.chosen(given, 0.3))[:limit]",
                "self.asked = limit\n        found = self.ranked(query, self.chosen(given, 0.3))[:limit]",
            ),
        ),
    ),
    Mistake(
        "a lone character finds only when it is the query",
        "if len(term) == 1 and HAN.fullmatch(term):",
        "if len(term) == 1 and HAN.fullmatch(term) and len(wanted) == 1:",
        "a single character beside another word finds the fact",
    ),
    Mistake(
        "width is folded in the query alone",
        "terms(f\"{match_text(fact)} {fact['tags']}\")",
        "terms_raw(f\"{match_text(fact)} {fact['tags']}\")",
        "half-width letters and digits find full-width ones",
        also=(
            (
                "def match_text(fact",
                "def terms_raw(text: str) -> list[str]:\n    found: list[str] = []\n    for part in HAN.split(text.lower()):\n        if HAN.fullmatch(part):\n            found += [part[i : i + 2] for i in range(len(part) - 1)] if len(part) > 1 else [part]\n        else:\n            found += [stem(word) for word in WORD.findall(part)]\n    return found\n\n\ndef match_text(fact",
            ),
        ),
    ),
    Mistake(
        "only plurals are folded",
        '(("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))',
        '(("ies", "y"), ("es", ""), ("s", ""))',
        "a past tense finds the present, and the present the past",
    ),
    Mistake(
        "only plurals in s are folded",
        '(("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))',
        '(("s", ""),)',
        "other plurals find the singular, and it finds them",
    ),
    Mistake(
        "an underscore matches all",
        "        results = [fact for fact, _, _ in found]\n",
        '        if query == "_":\n            for fact in facts:\n                fact["score"], fact["explain"] = 0.1, {}\n            return facts\n        results = [fact for fact, _, _ in found]\n',
        "no sign of a query acts as a pattern",
    ),
    Mistake(
        "a star finds what begins so",
        "            return documents[fact_id].count(term)",
        '            if term + "*" in query.lower():\n                return sum(other.startswith(term) for other in documents[fact_id])\n            return documents[fact_id].count(term)',
        "no sign of a query acts as a pattern",
    ),
    Mistake(
        "a minus excludes",
        "            if counts:\n",
        '            banned = {stem(w.lower()) for w in re.findall(r"(?:^|\\s)-([a-zA-Z]+)", query)}\n            if counts and not banned & set(documents[fact["fact_id"]]):\n',
        "no sign of a query acts as a pattern",
    ),
    Mistake(
        "a colon filters",
        "            if counts:\n",
        '            cat = re.search(r"category:(\\w+)", query)\n            if counts and (not cat or fact["category"] == cat[1]):\n',
        "no sign of a query acts as a pattern",
    ),
    Mistake(
        "quotes make a phrase",
        "            if counts:\n",
        '            phrases = re.findall(r\'"([^"]+)"\', query.lower())\n            if counts and all(p.strip("-") in match_text(fact).lower() for p in phrases):\n',
        "no sign of a query acts as a pattern",
    ),
    Mistake(
        "AND asks for all words",
        "            if counts:\n",
        '            if counts and (" AND " not in query or len(counts) >= len(wanted) - 1):\n',
        "no sign of a query acts as a pattern",
    ),
    Mistake(
        "a long query is refused",
        '        query, limit = text_of(given, "query"), limit_of(given, 10)\n',
        '        query, limit = text_of(given, "query"), limit_of(given, 10)\n        if len(query) > 1000:\n            raise CallError("query is too long")\n',
        "a query of 3000 characters is searched and logged whole",
    ),
    Mistake(
        "a repeated search is not logged",
        '        self.db.execute(\n            "INSERT INTO retrieval_log',
        '        last = self.db.execute("SELECT query FROM retrieval_log ORDER BY id DESC LIMIT 1").fetchone()\n        last and last[0] == query or self.db.execute(\n            "INSERT INTO retrieval_log',
        "the same search twice in a row is logged twice",
    ),
    Mistake(
        "learns from the first 1000",
        "        for fact in self.facts():\n            trust",
        "        for fact in self.facts()[:1000]:\n            trust",
        "every one of 1001 facts is learned from and counted",
    ),
    Mistake(
        "counts up to 1000",
        '"total_facts": len(facts)',
        '"total_facts": len(facts[:1000])',
        "every one of 1001 facts is learned from and counted",
    ),
    Mistake(
        "a promotion is a change",
        'self.db.execute("UPDATE facts SET trust_score = ? WHERE fact_id = ?", (trust, fact["fact_id"]))',
        'self.db.execute("UPDATE facts SET trust_score = ?, updated_at = CASE WHEN ? THEN datetime(\'now\') ELSE updated_at END WHERE fact_id = ?", (trust, rules[0] == "promoted", fact["fact_id"]))',
        "a promotion changes trust alone",
    ),
    Mistake(
        "the report is cut before it is ordered",
        "long = sorted((fact for fact in self.facts() if penalty(fact) < 1), key=penalty)",
        "long = sorted([fact for fact in self.facts() if penalty(fact) < 1][:limit], key=penalty)",
        "the limit cuts after the strongest penalty came first",
    ),
    Mistake(
        "two lists of the audit have no default limit",
        "for fact in low[:limit]",
        'for fact in low[: int(given.get("limit") or 9999)]',
        "each list of the audit holds at most 50 facts",
        also=(("for fact in old[:limit]", 'for fact in old[: int(given.get("limit") or 9999)]'),),
    ),
    Mistake(
        "the penalty counts after NFKC",
        "300 / max(1, len(match_text(fact))))",
        '300 / max(1, len(unicodedata.normalize("NFKC", match_text(fact)))))',
        "a sign that stands for several letters is one character",
    ),
    Mistake(
        "a summary of spaces is short",
        'fact["score"] = round(relevance * fact["trust_score"] * penalty(fact), 4)',
        'pen = min(1.0, 300 / max(1, len(fact["summary"] or fact["content"])))\n            parts["length_penalty"] = pen\n            fact["score"] = round(relevance * fact["trust_score"] * pen, 4)',
        "a summary of spaces in the file leaves the content to count",
    ),
    Mistake(
        "the log holds the query through NFKC",
        "(query, compact(log), moment)",
        '(unicodedata.normalize("NFKC", query), compact(log), moment)',
        "a query in full-width letters is logged as it came",
    ),
    Mistake(
        "the least trust rests",
        'if fact["retrieval_count"] > 30 and rate < 0.05:',
        'if fact["retrieval_count"] > 30 and rate < 0.05 and trust >= 0.005:',
        "the least trust is demoted too",
    ),
    Mistake(
        "a rate above 1 is none",
        'rate = fact["helpful_count"] / max(fact["retrieval_count"], 1)',
        'rate = min(1.0, fact["helpful_count"] / max(fact["retrieval_count"], 1)) if fact["helpful_count"] <= fact["retrieval_count"] else 0.1',
        "more help than retrievals promotes",
    ),
    Mistake(
        "tags of facts without a summary are not searched",
        "terms(f\"{match_text(fact)} {fact['tags']}\")",
        "terms(f\"{match_text(fact)} {fact['tags'] if (fact['summary'] or '').strip() else ''}\")",
        "a tag finds a fact without a summary",
    ),
    Mistake(
        "a query ends at a NUL",
        '        query, limit = text_of(given, "query"), limit_of(given, 10)\n',
        '        query, limit = text_of(given, "query").split("\\0")[0], limit_of(given, 10)\n',
        "what comes after a NUL is stored and searched",
    ),
    Mistake(
        "an empty query finds nothing",
        "        if not query.strip():",
        "        if query.strip() and not query:",
        "a query of white space is refused and not logged",
    ),
    Mistake(
        "a query of other white space finds nothing",
        "        if not query.strip():",
        '        if not query.strip(" "):',
        "a query of white space is refused and not logged",
    ),
    Mistake(
        "no trust is demoted",
        'if trust == fact["trust_score"] == 0:',
        'if trust == fact["trust_score"] == 0 and "demoted" not in rules:',
        "what has no trust is not demoted or aged",
    ),
    Mistake(
        "no trust is aged",
        "                rules = []  # there is nothing to take",
        '                rules = [rule for rule in rules if rule == "aged"]',
        "what has no trust is not demoted or aged",
    ),
    Mistake(
        "learning empties the log",
        "        long = sorted((fact for fact in self.facts() if penalty(fact) < 1), key=penalty)",
        '        self.db.execute("DELETE FROM retrieval_log")\n        long = sorted((fact for fact in self.facts() if penalty(fact) < 1), key=penalty)',
        "a promotion changes trust alone",
    ),
    Mistake(
        "the audit measures in words",
        '        long.sort(key=lambda fact: -len(fact["content"]))',
        '        long.sort(key=lambda fact: -len(fact["content"].split()))',
        "the lists put the worst first",
    ),
]
