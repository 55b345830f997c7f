# ruff: noqa: E501 - a table of texts to replace
"""Plausible mistakes in keeping facts and in the two tools, each made in the minimal implementation by replacing one text."""

from tests.conformance.mistake import Mistake

KEEPING_MISTAKES = [
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
    Mistake(
        "the warning measures without spaces around the content",
        'is_long = len(fact["content"]) > 500',
        'is_long = len(fact["content"].strip()) > 500',
        "spaces around the content count for the warning",
    ),
    Mistake(
        "content ends at a NUL",
        "        values = (content, category,",
        '        values = (content.split("\\0")[0], category,',
        "what comes after a NUL is stored and searched",
    ),
    Mistake(
        "a row with nulls is shown as it stands",
        'fact["category"] = fact["category"] or "general"',
        'fact["category"] = fact["category"] or ""',
        "a row with nulls is read and changed",
    ),
    Mistake(
        "a row with nulls loses its trust by a change",
        'round(fact["trust_score"] + given["trust_delta"], 10)',
        'round((self.db.execute("SELECT trust_score FROM facts WHERE fact_id = ?", (fact["fact_id"],)).fetchone()[0] or 0) + given["trust_delta"], 10)',
        "a row with nulls is read and changed",
    ),
    Mistake(
        "the fraction of a limit is cut off",
        '    if limit != (given.get("limit") or limit):',
        "    if not limit:",
        "a limit has no fraction, however it is written",
    ),
    Mistake(
        "a point makes an id no number",
        "    return int(value) if isinstance(value, float) and value.is_integer() else value",
        "    return value",
        "a limit has no fraction, however it is written",
    ),
    Mistake(
        "an argument that is not declared",
        '("content", "query", "tags", "summary"), TEXT)',
        '("content", "query", "tags"), TEXT)',
        "the schemas declare what the actions take",
    ),
    Mistake(
        "a locked file ends the server",
        "        with contextlib.suppress(CallError):\n            self.prepare()",
        "        self.upgrade()",
        "an old file that is locked is upgraded as soon as it is not",
    ),
    Mistake(
        "waits for a lock as long as it takes",
        "timeout=1, isolation_level",
        "timeout=20, isolation_level",
        "an old file that is locked is upgraded as soon as it is not",
    ),
    Mistake(
        "a locked file is upgraded at a start alone",
        "        memory.prepare()\n",
        '        if not memory.is_ready:\n            raise CallError("the memory file has to be upgraded first and is locked; try again")\n',
        "an old file that is locked is upgraded as soon as it is not",
    ),
    Mistake(
        "an old file that is locked is read as an empty memory",
        "        memory.prepare()\n",
        '        if not memory.is_ready and given.get("action") == "search":\n            return {"content": [{"type": "text", "text": compact({"results": [], "count": 0})}]}\n        memory.prepare()\n',
        "an old file that is locked is upgraded as soon as it is not",
    ),
]
