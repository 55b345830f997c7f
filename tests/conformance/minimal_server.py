"""A second implementation of the profile `core`, in one file, for one purpose: to keep the specification honest.

It shares nothing with the product, knows the handshake eras alone, has no full-text index (each search reads every
fact) and uses the standard library only. What it cannot pass, the specification has no right to ask.
"""

import contextlib
import json
import math
import os
import re
import sqlite3
import sys
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
CATEGORIES = ("identity", "coding_style", "tool_pref", "workflow", "general")
FIELDS = (
    "fact_id, content, summary, category, tags, trust_score, retrieval_count, helpful_count, last_retrieved_at, "
    "created_at, updated_at"
)
TABLES = """
CREATE TABLE IF NOT EXISTS facts (
    fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, category TEXT DEFAULT 'general',
    tags TEXT DEFAULT '', summary TEXT DEFAULT NULL, trust_score REAL DEFAULT 0.5, retrieval_count INTEGER DEFAULT 0,
    helpful_count INTEGER DEFAULT 0, last_retrieved_at TEXT DEFAULT NULL,
    created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')));
CREATE TABLE IF NOT EXISTS retrieval_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, query TEXT NOT NULL, results TEXT NOT NULL,
    timestamp TEXT DEFAULT (datetime('now')));
"""
TOO_LONG = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"
WORD = re.compile(r"c\+\+|[cf]#|\.net\b|[^\W_]+")
DOUBLED = re.compile(r"([bdgmnprt])\1$")
HAN = re.compile(r"([\u3400-\u9fff]+)")


class CallError(Exception):
    """A call that cannot be done, in words for the client."""


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")


def days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S")


def stem(word: str) -> str:
    for ending, kept in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.isascii() and word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return DOUBLED.sub(r"\1", word[: -len(ending)].rstrip("e")) + kept
    return word.rstrip("e") if len(word) > 3 and word.isascii() else word


def terms(text: str) -> list[str]:
    """Split a text: words as stems, Chinese as pairs of characters, a lone character by itself."""
    found: list[str] = []
    for part in HAN.split(unicodedata.normalize("NFKC", text).lower()):
        if HAN.fullmatch(part):
            found += [part[i : i + 2] for i in range(len(part) - 1)] if len(part) > 1 else [part]
        else:
            found += [stem(word) for word in WORD.findall(part)]
    return found


def match_text(fact: dict[str, Any]) -> str:
    summary = fact["summary"] or ""
    return summary if summary.strip() else str(fact["content"])


def penalty(fact: dict[str, Any]) -> float:
    return min(1.0, 300 / max(1, len(match_text(fact))))


class Memory:
    def __init__(self) -> None:
        path = Path.home() / ".mnemo" / "facts.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(path, timeout=1, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.is_ready = False
        with contextlib.suppress(CallError):
            self.prepare()

    def prepare(self) -> None:
        try:
            if not self.is_ready:
                self.upgrade()
        except sqlite3.OperationalError:
            raise CallError("the memory file has to be upgraded first and is locked; try again") from None

    def upgrade(self) -> None:
        self.db.executescript(TABLES)
        columns = {row["name"] for row in self.db.execute("PRAGMA table_info(facts)")}
        for column in {"summary", "last_retrieved_at"} - columns:
            self.db.execute(f"ALTER TABLE facts ADD COLUMN {column} TEXT DEFAULT NULL")
        self.db.execute("PRAGMA busy_timeout = 10000")
        self.is_ready = True

    def facts(self, where: str = "1", *values: Any) -> list[dict[str, Any]]:
        rows = self.db.execute(f"SELECT {FIELDS} FROM facts WHERE {where} ORDER BY fact_id", values)
        found = [dict(row) for row in rows]
        for fact in found:
            for name, value in (("trust_score", 0.5), ("retrieval_count", 0), ("helpful_count", 0), ("tags", "")):
                fact[name] = value if fact[name] is None else fact[name]
            fact["category"] = fact["category"] or "general"
        return found

    def fact(self, fact_id: int) -> dict[str, Any]:
        found = self.facts("fact_id = ?", fact_id)
        if not found:
            raise CallError(f"fact_id {fact_id} not found")
        return found[0]

    def add(self, given: dict[str, Any]) -> dict[str, Any]:
        content = text_of(given, "content")
        category = category_of(given) or "general"
        if not content.strip():
            raise CallError("content must hold more than spaces")
        known = self.facts("content = ?", content)
        if known:
            return {"fact_id": known[0]["fact_id"], "status": "duplicate", "category": known[0]["category"]}
        summary = given.get("summary")
        values = (content, category, given.get("tags") or "", summary, now(), now())
        columns = "content, category, tags, summary, created_at, updated_at"
        fact_id = self.db.execute(f"INSERT INTO facts({columns}) VALUES (?, ?, ?, ?, ?, ?)", values).lastrowid
        self.prune()
        return {"fact_id": fact_id, "status": "added", "category": category, **self.warnings(fact_id or 0)}

    def warnings(self, fact_id: int) -> dict[str, Any]:
        fact = self.fact(fact_id)
        is_long = len(fact["content"]) > 500 and not (fact["summary"] or "").strip()
        return {"warnings": [TOO_LONG]} if is_long else {}

    def update(self, given: dict[str, Any]) -> dict[str, Any]:
        fact = self.fact(id_of(given))
        named = {name: given[name] for name in ("content", "summary", "tags") if given.get(name) is not None}
        if category := category_of(given):
            named["category"] = category
        if "content" in named and not named["content"].strip():
            raise CallError("content must hold more than spaces")
        if given.get("trust_delta") is not None:
            named["trust_score"] = min(1.0, max(0.0, round(fact["trust_score"] + given["trust_delta"], 10)))
        if "content" in named and self.facts("content = ? AND fact_id <> ?", named["content"], fact["fact_id"]):
            raise CallError("another fact says exactly this")
        named["updated_at"] = now()
        sets = ", ".join(f"{name} = ?" for name in named)
        self.db.execute(f"UPDATE facts SET {sets} WHERE fact_id = ?", (*named.values(), fact["fact_id"]))
        self.prune()
        return {"fact_id": fact["fact_id"], "updated": True, **self.warnings(fact["fact_id"])}

    def remove(self, given: dict[str, Any]) -> dict[str, Any]:
        fact_id = id_of(given)
        gone = self.db.execute("DELETE FROM facts WHERE fact_id = ?", (fact_id,)).rowcount
        return {"fact_id": fact_id, "removed": bool(gone)}

    def get(self, given: dict[str, Any]) -> dict[str, Any]:
        fact_id = id_of(given)
        found = self.facts("fact_id = ?", fact_id)
        return {"facts": found, "count": len(found), "missing": [] if found else [fact_id]}

    def list_facts(self, given: dict[str, Any]) -> dict[str, Any]:
        limit, chosen = limit_of(given, 10), self.chosen(given, 0.0)
        chosen.sort(key=lambda fact: -fact["trust_score"])
        return {"facts": chosen[:limit], "count": len(chosen[:limit]), "total": len(chosen)}

    def chosen(self, given: dict[str, Any], min_trust: float) -> list[dict[str, Any]]:
        category, least = category_of(given), given.get("min_trust")
        least = min_trust if least is None else least
        return [
            fact
            for fact in self.facts()
            if fact["trust_score"] >= least and (not category or fact["category"] == category)
        ]

    def search(self, given: dict[str, Any]) -> dict[str, Any]:
        query, limit = text_of(given, "query"), limit_of(given, 10)
        if not query.strip():
            raise CallError("query must hold more than spaces")
        found = self.ranked(query, self.chosen(given, 0.3))[:limit]
        log = [{"id": fact["fact_id"], "score": fact["score"]} for fact in found]
        moment = now()
        self.db.execute(
            "INSERT INTO retrieval_log(query, results, timestamp) VALUES (?, ?, ?)", (query, compact(log), moment)
        )
        self.db.executemany(
            "UPDATE facts SET retrieval_count = coalesce(retrieval_count, 0) + 1, last_retrieved_at = ? "
            "WHERE fact_id = ?",
            [(moment, fact["fact_id"]) for fact in found],
        )
        self.prune()
        if not given.get("explain"):
            for fact in found:
                del fact["explain"]
        return {"results": found, "count": len(found)}

    def ranked(self, query: str, facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        wanted = set(terms(query))
        documents = {fact["fact_id"]: terms(f"{match_text(fact)} {fact['tags']}") for fact in facts}
        average = sum(map(len, documents.values())) / max(1, len(documents))

        def times(term: str, fact_id: int) -> int:
            if len(term) == 1 and HAN.fullmatch(term):  # a lone character may stand inside any pair
                return sum(term in other for other in documents[fact_id])
            return documents[fact_id].count(term)

        rarity = {
            term: math.log(1 + len(facts) / (0.5 + sum(times(term, fact_id) > 0 for fact_id in documents)))
            for term in wanted
        }
        found = []
        for fact in facts:
            counts = {term: n for term in wanted if (n := times(term, fact["fact_id"]))}
            length = len(documents[fact["fact_id"]]) / max(1.0, average)
            bm25 = sum(rarity[term] * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length)) for term, n in counts.items())
            if counts:
                union = len(wanted | set(documents[fact["fact_id"]]))
                found.append((fact, bm25, min(1.0, len(counts) / union)))
        best = max((bm25 for _, bm25, _ in found), default=1.0)
        for fact, bm25, jaccard in found:
            relevance = 0.5 * bm25 / best + 0.5 * jaccard
            parts = {"fts": bm25 / best, "jaccard": jaccard, "relevance": relevance, "trust": fact["trust_score"]}
            parts |= {"decay": 1.0, "length_penalty": penalty(fact)}
            fact["score"] = round(relevance * fact["trust_score"] * penalty(fact), 4)
            fact["explain"] = {name: round(value, 4) for name, value in parts.items()}
        results = [fact for fact, _, _ in found]
        results.sort(key=lambda fact: fact["updated_at"] or fact["created_at"] or "", reverse=True)
        results.sort(key=lambda fact: (-fact["score"], -fact["trust_score"]))
        return results

    def prune(self) -> None:
        self.db.execute(
            "DELETE FROM retrieval_log WHERE id NOT IN (SELECT id FROM retrieval_log ORDER BY id DESC LIMIT 5000)"
        )

    def learn(self, given: dict[str, Any]) -> dict[str, Any]:
        limit, counts = limit_of(given, 50), {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 0}
        for fact in self.facts():
            trust = fact["trust_score"]
            rate = fact["helpful_count"] / max(fact["retrieval_count"], 1)
            rules = []
            if fact["retrieval_count"] > 30 and rate < 0.05:
                rules, trust = ["demoted"], trust * 0.9
            elif fact["retrieval_count"] > 30 and rate > 0.3 and trust < 1:
                rules, trust = ["promoted"], min(1.0, trust + 0.05)
            if (fact["last_retrieved_at"] or "9") < days_ago(60):
                rules, trust = [*rules, "aged"], trust * 0.95
            if trust == fact["trust_score"] == 0:
                rules = []  # there is nothing to take
            for rule in rules or ["unchanged"]:
                counts[rule] += 1
            if rules:
                self.db.execute("UPDATE facts SET trust_score = ? WHERE fact_id = ?", (trust, fact["fact_id"]))
        long = sorted((fact for fact in self.facts() if penalty(fact) < 1), key=penalty)
        listed = [
            {
                "id": fact["fact_id"],
                "content_length": len(fact["content"]),
                "penalty": round(penalty(fact), 3),
                "has_summary": bool((fact["summary"] or "").strip()),
            }
            for fact in long
        ]
        return {**counts, "long_facts": listed[:limit]}

    def audit(self, given: dict[str, Any]) -> dict[str, Any]:
        limit, facts = limit_of(given, 50), self.facts()
        long = [fact for fact in facts if len(fact["content"]) > 500 and not (fact["summary"] or "").strip()]
        long.sort(key=lambda fact: -len(fact["content"]))
        low = [fact for fact in facts if fact["retrieval_count"] > 30]
        rates = {fact["fact_id"]: fact["helpful_count"] / fact["retrieval_count"] for fact in low}
        low = sorted((fact for fact in low if rates[fact["fact_id"]] < 0.05), key=lambda fact: rates[fact["fact_id"]])
        old = [fact for fact in facts if (fact["last_retrieved_at"] or "9") < days_ago(60)]
        old.sort(key=lambda fact: fact["last_retrieved_at"])
        return {
            "total_facts": len(facts),
            "long_without_summary": [
                {"id": fact["fact_id"], "content_length": len(fact["content"])} for fact in long[:limit]
            ],
            "low_helpful_rate": [
                {
                    "id": fact["fact_id"],
                    "rate": rates[fact["fact_id"]],
                    "retrieval_count": fact["retrieval_count"],
                    "helpful_count": fact["helpful_count"],
                }
                for fact in low[:limit]
            ],
            "aging_candidates": [
                {"id": fact["fact_id"], "last_retrieved_at": fact["last_retrieved_at"]} for fact in old[:limit]
            ],
            "statistics": {"categories": {name: sum(f["category"] == name for f in facts) for name in CATEGORIES}},
        }

    def feedback(self, given: dict[str, Any]) -> dict[str, Any]:
        helpful = {"helpful": True, "unhelpful": False}.get(text_of(given, "action"))
        if helpful is None:
            raise CallError(f"Unknown action: {given['action']}")
        fact = self.fact(id_of(given))
        trust = round(min(1.0, max(0.0, fact["trust_score"] + (0.05 if helpful else -0.1))), 10)
        count = fact["helpful_count"] + helpful
        self.db.execute(
            "UPDATE facts SET trust_score = ?, helpful_count = ? WHERE fact_id = ?", (trust, count, fact["fact_id"])
        )
        return {
            "fact_id": fact["fact_id"],
            "old_trust": fact["trust_score"],
            "new_trust": trust,
            "helpful_count": count,
        }


def sensible(given: Any) -> dict[str, Any]:
    """Refuse what is of a senseless type, and take halves of characters out of texts: the file cannot hold them."""
    if not isinstance(given, dict):
        raise CallError("arguments must be an object")
    for name, value in given.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if name in ("limit", "min_trust", "trust_delta") and value is not None and not is_number:
            raise CallError(f"{name} must be a number")
        if name in ("action", "category", "content", "query", "tags", "summary") and not isinstance(value, str | None):
            raise CallError(f"{name} must be a text")
    return {name: whole(value) for name, value in given.items()}


def whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def text_of(given: dict[str, Any], name: str) -> str:
    if given.get(name) is None:
        raise CallError(f"Missing required argument: {name}")
    return str(given[name])


def id_of(given: dict[str, Any]) -> int:
    text = text_of(given, "fact_id")
    if not re.fullmatch(r"-?\d{1,18}", text):
        raise CallError(f"fact_id must be a whole number, not {text!r}")
    return int(text)


def limit_of(given: dict[str, Any], default: int) -> int:
    limit = default if given.get("limit") is None else int(given["limit"])
    if limit != (given.get("limit") or limit):
        raise CallError("limit must be a whole number")
    if limit < 1:
        raise CallError("limit must be at least 1")
    return min(limit, 1000)


def category_of(given: dict[str, Any]) -> str | None:
    category = given.get("category")
    if category is not None and category not in CATEGORIES:
        raise CallError(f"category must be one of {', '.join(CATEGORIES)}")
    return category


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


ACTIONS: dict[str, Callable[[Memory, dict[str, Any]], dict[str, Any]]] = {
    "add": Memory.add,
    "search": Memory.search,
    "get": Memory.get,
    "update": Memory.update,
    "remove": Memory.remove,
    "list": Memory.list_facts,
    "learn": Memory.learn,
    "audit": Memory.audit,
}
TEXT, NUMBER = {"type": "string"}, {"type": "number"}
FACT_STORE = {
    "action": {"type": "string", "enum": list(ACTIONS)},
    "category": {"type": "string", "enum": list(CATEGORIES)},
    **dict.fromkeys(("content", "query", "tags", "summary"), TEXT),
    **dict.fromkeys(("fact_id", "limit", "min_trust", "trust_delta"), NUMBER),
    "explain": {"type": "boolean"},
}
FEEDBACK = {"action": {"type": "string", "enum": ["helpful", "unhelpful"]}, "fact_id": NUMBER}
TOOLS = [
    {"name": name, "description": name, "inputSchema": {"type": "object", "properties": properties}}
    for name, properties in (("fact_store", FACT_STORE), ("fact_feedback", FEEDBACK))
]


def call(memory: Memory, tool: str, arguments: Any) -> dict[str, Any]:
    try:
        given = sensible(arguments)
        memory.prepare()
        if tool == "fact_feedback":
            answer = memory.feedback(given)
        else:
            action = text_of(given, "action")
            if action not in ACTIONS:
                raise CallError(f"Unknown action: {action}")
            answer = ACTIONS[action](memory, given)
        return {"content": [{"type": "text", "text": compact(answer)}]}
    except CallError as error:
        return {"content": [{"type": "text", "text": compact({"error": str(error)})}], "isError": True}


def answer_to(memory: Memory, message: dict[str, Any]) -> dict[str, Any]:
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        wanted = params.get("protocolVersion")
        version = wanted if wanted in VERSIONS else VERSIONS[0]
        server = {"name": "minimal", "version": "1"}
        return {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call" and params.get("name") in ("fact_store", "fact_feedback"):
        return {"result": call(memory, params["name"], params.get("arguments") or {})}
    if method == "tools/call":
        return {"error": {"code": -32602, "message": f"there is no tool {params.get('name')}"}}
    return {"error": {"code": -32601, "message": f"there is no method {method}"}}


def main() -> None:
    memory = Memory()
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" in message:
            reply = {"jsonrpc": "2.0", "id": message["id"], **answer_to(memory, message)}
            os.write(1, (compact(reply) + "\n").encode())
        elif message.get("method") == "notifications/initialized":
            if not memory.is_ready:
                continue
            counts = memory.learn({})
            shown = ", ".join(f"{name} {counts[name]}" for name in ("promoted", "demoted", "aged", "unchanged"))
            print(f"learned: {shown}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
