"""The tables and triggers that keep what every fact was before each change, whoever makes it.

The triggers are plain SQL, because other programs write the file too. They note what changed; who changed it is added
by mnemo itself, for its own changes, within the same transaction.

Spec: fact-history.
"""

TEXTS = ("content", "summary", "tags", "category")
FIGURES = ("trust_score", "helpful_count", "superseded_by", "expires_at")
SHARED = (*TEXTS, "superseded_by", "expires_at")  # what other memories take over by the newer `updated_at`
_TIMES = ("retrieval_count", "last_retrieved_at", "created_at", "updated_at")
KEPT = (*FIGURES, *_TIMES, "category", "tags", "summary", "content")

# The two states in which a fact is hidden. A fact shows again when the one that took its place is gone.
NOT_SUPERSEDED = (
    "(facts.superseded_by IS NULL OR NOT EXISTS "
    "(SELECT 1 FROM facts AS newer WHERE newer.fact_id = facts.superseded_by))"
)
NOT_EXPIRED = "(facts.expires_at IS NULL OR coalesce(datetime(facts.expires_at) > :now, 1))"

ROW_BYTES = 200  # about what a version takes besides its texts
_NOW = "datetime('now')"

# A version has no change until it is signed: it would stand in the index twice, on two pages.
CHANGE_INDEX = "CREATE INDEX fact_versions_change ON fact_versions(change_id) WHERE change_id IS NOT NULL"
TABLES = (
    """CREATE TABLE fact_versions (
        version_id INTEGER PRIMARY KEY AUTOINCREMENT,
        fact_id    INTEGER NOT NULL,
        kind       TEXT NOT NULL,
        size       INTEGER NOT NULL,
        changed_at TEXT NOT NULL,
        change_id  INTEGER,
        action     TEXT,
        source     TEXT,
        undoes     INTEGER,
        trust_score, helpful_count, superseded_by, expires_at, retrieval_count, last_retrieved_at, created_at,
        updated_at, category, tags, summary, content
    )""",
    "CREATE INDEX fact_versions_fact ON fact_versions(fact_id, version_id)",
    CHANGE_INDEX,
    f"CREATE TABLE replaced_facts (fact_id INTEGER PRIMARY KEY, {', '.join(KEPT)})",
)


def _differ(names: tuple[str, ...]) -> str:
    return " OR ".join(f"old.{name} IS NOT new.{name}" for name in names)


def _keep(kind: str, kept: tuple[str, ...] = KEPT, given: str = "") -> str:
    """Return the statement that keeps what `old` was, with or without its texts."""
    measured = [name for name in ("content", "summary", "tags") if name in kept]
    size = " + ".join([str(ROW_BYTES), *(f"coalesce(length(CAST(old.{name} AS BLOB)), 0)" for name in measured)])
    return (
        f"INSERT INTO fact_versions(fact_id, kind, size, changed_at, {', '.join(kept)}) "
        f"SELECT old.fact_id, '{kind}', {size}, {_NOW}, {', '.join(f'old.{name}' for name in kept)} {given};"
    )


def _trigger(name: str, event: str, when: str, *statements: str) -> str:
    condition = f"WHEN {when} " if when else ""
    return f"CREATE TRIGGER facts_history_{name} {event} ON facts {condition}BEGIN {' '.join(statements)} END"


_ADDED = f"INSERT INTO fact_versions(fact_id, kind, size, changed_at) VALUES (new.fact_id, 'add', {ROW_BYTES}, {_NOW});"
# The row whose place INSERT OR REPLACE takes goes without a trigger, so it is put aside before. The statement may
# also be ignored: then the row is still there, and what was put aside means nothing.
_REPLACED = "FROM facts AS old WHERE old.content = new.content OR old.fact_id = new.fact_id"
_PUT_ASIDE = (
    f"INSERT INTO replaced_facts(fact_id, {', '.join(KEPT)}) "
    f"SELECT old.fact_id, {', '.join(f'old.{name}' for name in KEPT)} {_REPLACED};"
)
_IS_GONE = "old.fact_id = new.fact_id OR NOT EXISTS (SELECT 1 FROM facts WHERE facts.fact_id = old.fact_id)"
_SAME = "old.fact_id = new.fact_id"

TRIGGERS = (
    _trigger("bi", "BEFORE INSERT", f"EXISTS (SELECT 1 {_REPLACED})", "DELETE FROM replaced_facts;", _PUT_ASIDE),
    _trigger(
        "ai",
        "AFTER INSERT",
        "",
        _keep("remove", given=f"FROM replaced_facts AS old WHERE {_IS_GONE}"),
        "DELETE FROM replaced_facts;",
        _ADDED,
    ),
    _trigger(
        "ad",
        "AFTER DELETE",
        "",
        _keep("remove"),
        "DELETE FROM replaced_facts WHERE fact_id = old.fact_id;",
    ),
    _trigger("au", f"AFTER UPDATE OF {', '.join(TEXTS)}", f"{_SAME} AND ({_differ(TEXTS)})", _keep("texts")),
    # What a change of figures alone leaves as it is, is not kept again: it may be a million characters.
    _trigger(
        "uu",
        f"AFTER UPDATE OF {', '.join(FIGURES)}",
        f"{_SAME} AND ({_differ(FIGURES)}) AND NOT ({_differ(TEXTS)})",
        _keep("use", tuple(name for name in KEPT if name not in TEXTS)),
    ),
    _trigger("ui", "AFTER UPDATE OF fact_id", "old.fact_id <> new.fact_id", _keep("remove"), _ADDED),
)
