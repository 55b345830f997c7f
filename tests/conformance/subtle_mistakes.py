# ruff: noqa: E501 - a table of texts to replace
"""Mistakes that another author's server could hold and pass: what shows only in two values at once, late, or in much."""

from tests.conformance.mistake import Mistake

AT_ONCE = "everything that an update names at once is changed"
ALONE = "no change of one value touches another"
ONCE_A_START = "learning at start-up happens once a start"
MANY = "each of 120 returned facts is logged and counted"
NULLS = "a row with nulls is ranked, listed and chosen as what it counts as"
TYPES = "objects are no texts and texts no numbers"
IDS = "what is no whole number is an id for no action"
LENGTHS = "texts of any length are stored and returned whole"

_IS_LATER = '__import__("threading").Timer({seconds}, again)'
_RAW = 'self.db.execute("SELECT {column} FROM facts WHERE fact_id = ?", (fact["fact_id"],)).fetchone()[0]'
_RAW_TRUST, _RAW_CATEGORY = _RAW.format(column="trust_score"), _RAW.format(column="category")
_START = "            counts = memory.learn({})\n"
_PENALISED = 'round(relevance * fact["trust_score"] * penalty(fact), 4)'


def _learning_again(seconds: int, *, for_ever: bool) -> str:
    """Return a start that learns again after some seconds, once or for ever, without a word."""
    timer = _IS_LATER.format(seconds=seconds)
    body = f"                Memory().learn({{}})\n{'                later()' if for_ever else ''}\n"
    later = f"            def later() -> None:\n                timer = {timer}\n                timer.daemon = True\n                timer.start()\n"
    return f"            def again() -> None:\n{body}\n{later}\n            later()\n{_START}"


SUBTLE_MISTAKES = [
    Mistake(
        "a delta beside new content is dropped",
        'if given.get("trust_delta") is not None:',
        'if given.get("trust_delta") is not None and "content" not in named:',
        AT_ONCE,
    ),
    Mistake(
        "a category beside new tags is dropped",
        "if category := category_of(given):",
        'if (category := category_of(given)) and "tags" not in named:',
        AT_ONCE,
    ),
    Mistake(
        "a summary beside new content is dropped",
        '        named["updated_at"] = now()\n',
        '        named["updated_at"] = now()\n        if "content" in named:\n            named.pop("summary", None)\n',
        AT_ONCE,
    ),
    Mistake(
        "a delta resets the retrievals",
        '            named["trust_score"] = min',
        '            named["retrieval_count"] = 0\n            named["trust_score"] = min',
        ALONE,
    ),
    Mistake(
        "a summary resets the help",
        '        named["updated_at"] = now()\n',
        '        named["updated_at"] = now()\n        if "summary" in named:\n            named["helpful_count"] = 0\n',
        ALONE,
    ),
    Mistake(
        "a category makes a fact new",
        '            named["category"] = category\n',
        '            named["category"], named["created_at"] = category, now()\n',
        ALONE,
    ),
    Mistake("learns again after 4 seconds", _START, _learning_again(4, for_ever=False), ONCE_A_START),
    Mistake("learns every 5 seconds", _START, _learning_again(5, for_ever=True), ONCE_A_START),
    Mistake(
        "the database speaks when its file is locked",
        "    except CallError as error:\n        return",
        "    except (CallError, sqlite3.OperationalError) as error:\n        return",
        "a file that is locked for long is told of without the database's words",
        also=(("busy_timeout = 10000", "busy_timeout = 500"),),
    ),
    Mistake(
        "ten results are logged", "for fact in found]\n        moment", "for fact in found[:10]]\n        moment", MANY
    ),
    Mistake(
        "ten results are counted",
        '(moment, fact["fact_id"]) for fact in found]',
        '(moment, fact["fact_id"]) for fact in found[:10]]',
        MANY,
    ),
    Mistake(
        "no category is in no category",
        '(not category or fact["category"] == category)',
        f"(not category or {_RAW_CATEGORY} == category)",
        NULLS,
    ),
    Mistake(
        "a list within a category leaves out rows without one",
        "limit_of(given, 10), self.chosen(given, 0.0)\n",
        f'limit_of(given, 10), self.chosen(given, 0.0)\n        chosen = [fact for fact in chosen if not given.get("category") or {_RAW_CATEGORY}]\n',
        NULLS,
    ),
    Mistake("no trust ranks as 0", _PENALISED, f"round(relevance * ({_RAW_TRUST} or 0.0) * penalty(fact), 4)", NULLS),
    Mistake(
        "no trust is listed as 0",
        'chosen.sort(key=lambda fact: -fact["trust_score"])',
        f"chosen.sort(key=lambda fact: -({_RAW_TRUST} or 0.0))",
        NULLS,
    ),
    Mistake(
        "listed by one place of the trust",
        'chosen.sort(key=lambda fact: -fact["trust_score"])',
        'chosen.sort(key=lambda fact: -round(fact["trust_score"], 1))',
        "trusts that differ in the fourth place are listed in their order",
    ),
    Mistake(
        "ranked by two places of the score",
        '(-fact["score"], -fact["trust_score"])',
        '(-round(fact["score"], 2), -fact["trust_score"])',
        "a score that is higher in the fourth place comes first",
    ),
    Mistake(
        "tags may be an object",
        '"query", "tags", "summary") and not',
        '"query", "summary") and not',
        TYPES,
        also=(('given.get("tags") or "", summary', 'str(given.get("tags") or ""), summary'),),
    ),
    Mistake(
        "a query may be an object",
        '"content", "query", "tags", "summary") and not',
        '"content", "tags", "summary") and not',
        TYPES,
    ),
    Mistake(
        "a search forgives a min_trust that is no number",
        "    for name, value in given.items():\n        is_number",
        '    if given.get("action") == "search" and isinstance(given.get("min_trust"), str):\n        given = {**given, "min_trust": None}\n    for name, value in given.items():\n        is_number',
        TYPES,
    ),
    Mistake(
        "true is the first id",
        "        fact = self.fact(id_of(given))\n        trust",
        '        fact = self.fact(1 if given.get("fact_id") is True else id_of(given))\n        trust',
        IDS,
    ),
    Mistake(
        "a get of what is no id finds nothing",
        "        fact_id = id_of(given)\n        found",
        '        fact_id = given["fact_id"]\n        found',
        IDS,
    ),
    Mistake(
        "content is cut at 30000 characters",
        '        content = text_of(given, "content")\n',
        '        content = text_of(given, "content")[:30000]\n',
        LENGTHS,
    ),
    Mistake(
        "content is cut in results",
        '        return {"results": found, "count": len(found)}',
        '        for fact in found:\n            fact["content"] = fact["content"][:2500]\n        return {"results": found, "count": len(found)}',
        LENGTHS,
    ),
    Mistake(
        "queries are cut in the log at 3000 characters",
        "(query, compact(log), moment)",
        "(query[:3000], compact(log), moment)",
        "a query of 9000 characters is searched and logged whole",
    ),
    Mistake(
        "doubled consonants stay",
        'DOUBLED.sub(r"\\1", word[: -len(ending)].rstrip("e"))',
        'word[: -len(ending)].rstrip("e")',
        "a word is found by its forms with a doubled consonant",
    ),
    Mistake(
        "past tenses in -ied are unknown",
        '("ied", "y"), ',
        "",
        "a past tense in -ied finds its verb, and the verb finds it",
    ),
    Mistake(
        "fts by its square root",
        "relevance = 0.5 * bm25 / best",
        "relevance = 0.5 * math.sqrt(bm25 / best)",
        "what two words count in fts adds up",
        also=(('"fts": bm25 / best', '"fts": math.sqrt(bm25 / best)'),),
    ),
    Mistake(
        "years count against a fact",
        _PENALISED,
        'round(relevance * fact["trust_score"] * penalty(fact) * (0.5 if (fact["updated_at"] or "9") < days_ago(500) else 1.0), 4)',
        "an old fact has no decay by default",
    ),
]
