"""The tables of the memory file, their triggers, and the numbered migrations that lead to them.

Spec: fact-summary (backward compatible migration), retrieval-log (table schema), fact-history.
"""

import sqlite3
from collections.abc import Callable

from mnemo import version_tables
from mnemo.entities import entity_key

APPLICATION_ID = 0x6D6E656D  # "mnem" in the file's header: a file that we made or upgraded

_FACTS_COLUMNS = {
    "content": "TEXT NOT NULL DEFAULT ''",
    "category": "TEXT DEFAULT 'general'",
    "tags": "TEXT DEFAULT ''",
    "trust_score": "REAL DEFAULT 0.5",
    "retrieval_count": "INTEGER DEFAULT 0",
    "helpful_count": "INTEGER DEFAULT 0",
    "created_at": "TEXT",
    "updated_at": "TEXT",
}

_BASE_TABLES = (
    """CREATE TABLE IF NOT EXISTS facts (
        fact_id         INTEGER PRIMARY KEY AUTOINCREMENT,
        content         TEXT NOT NULL UNIQUE,
        category        TEXT DEFAULT 'general',
        tags            TEXT DEFAULT '',
        summary         TEXT DEFAULT NULL,
        trust_score     REAL DEFAULT 0.5,
        retrieval_count INTEGER DEFAULT 0,
        helpful_count   INTEGER DEFAULT 0,
        last_retrieved_at TEXT DEFAULT NULL,
        created_at      TEXT,
        updated_at      TEXT
    )""",
    """CREATE TABLE IF NOT EXISTS entities (
        entity_id   INTEGER PRIMARY KEY AUTOINCREMENT,
        name        TEXT NOT NULL,
        entity_type TEXT DEFAULT 'unknown',
        aliases     TEXT DEFAULT '',
        created_at  TEXT
    )""",
    """CREATE TABLE IF NOT EXISTS fact_entities (
        fact_id   INTEGER NOT NULL,
        entity_id INTEGER NOT NULL,
        PRIMARY KEY (fact_id, entity_id)
    )""",
)

_RETRIEVAL_LOG = """CREATE TABLE IF NOT EXISTS retrieval_log (
        id        INTEGER PRIMARY KEY AUTOINCREMENT,
        query     TEXT NOT NULL,
        results   TEXT NOT NULL,
        timestamp TEXT DEFAULT (datetime('now'))
    )"""

# The tokenizer only splits at spaces: text.py has already made the terms, and all but quotes may be in one.
_TOKENIZE = r"""tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~'" """

# facts_fts is the words that match, for whoever asks by SQL. index_terms has each fact's terms once, at its place:
# short facts first, so that a search may stop after the first few thousand holders of a common word.
_FTS_TABLE = (
    "CREATE VIRTUAL TABLE facts_fts USING fts5("
    f"content, tags, summary, content = 'index_documents', content_rowid = 'fact_id', {_TOKENIZE})"
)
_TERMS_TABLE = f"CREATE VIRTUAL TABLE index_terms USING fts5(terms, content = '', detail = none, {_TOKENIZE})"

_INDEX_TABLES = (
    """CREATE TABLE index_documents (
        fact_id     INTEGER PRIMARY KEY,
        place       INTEGER NOT NULL,
        fingerprint INTEGER NOT NULL,
        length      INTEGER NOT NULL,
        content     TEXT NOT NULL,
        tags        TEXT NOT NULL,
        summary     TEXT NOT NULL
    )""",
    "CREATE INDEX index_documents_fingerprint ON index_documents(fingerprint)",
    "CREATE TABLE index_ranks (rank INTEGER PRIMARY KEY, documents INTEGER NOT NULL, terms INTEGER NOT NULL)",
    "CREATE TABLE index_state (tokenizer TEXT NOT NULL)",
    "INSERT INTO index_state VALUES ('')",
    "CREATE TABLE index_notes (fact_id INTEGER PRIMARY KEY)",
)

# Other programs write this file too, so the triggers are plain SQL. NOT EXISTS instead of OR IGNORE: a conflict
# clause of the writer's statement would override the one in the trigger.
_NOTE = "INSERT INTO index_notes SELECT {id} WHERE NOT EXISTS (SELECT 1 FROM index_notes WHERE fact_id = {id});"
_TRIGGERS = (
    f"CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN {_NOTE.format(id='new.fact_id')} END",
    f"CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN {_NOTE.format(id='old.fact_id')} END",
    "CREATE TRIGGER facts_au AFTER UPDATE OF fact_id, content, tags, summary ON facts BEGIN "
    f"{_NOTE.format(id='old.fact_id')} {_NOTE.format(id='new.fact_id')} END",
)


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _add_missing_columns(connection: sqlite3.Connection, table: str, wanted: dict[str, str]) -> None:
    present = _columns(connection, table)
    for name, declaration in wanted.items():
        if name not in present:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {declaration}")


def _create_base_tables(connection: sqlite3.Connection) -> None:
    """1: facts and entities as the public contract has them; an older `facts` gains what 0.1.4 of the original had."""
    for statement in _BASE_TABLES:
        connection.execute(statement)
    _add_missing_columns(connection, "facts", _FACTS_COLUMNS)


def _add_self_learning(connection: sqlite3.Connection) -> None:
    """2: the log of the change memory-self-learning, and its columns where `facts` is older than that."""
    _add_missing_columns(
        connection, "facts", {"summary": "TEXT DEFAULT NULL", "last_retrieved_at": "TEXT DEFAULT NULL"}
    )
    connection.execute(_RETRIEVAL_LOG)
    # Small enough that counting the log, at each search, costs nothing.
    connection.execute("CREATE INDEX IF NOT EXISTS retrieval_log_ids ON retrieval_log(id)")


def _index_terms(connection: sqlite3.Connection) -> None:
    """3: an index of our own terms in place of any other, with every fact noted as not indexed yet."""
    for trigger in ("facts_ai", "facts_ad", "facts_au"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    connection.execute("DROP TABLE IF EXISTS facts_fts")
    for statement in (_FTS_TABLE, _TERMS_TABLE, *_INDEX_TABLES, *_TRIGGERS):
        connection.execute(statement)
    connection.execute("INSERT INTO index_notes SELECT fact_id FROM facts")


def empty_index(connection: sqlite3.Connection, tokenizer: str) -> None:
    """Empty the index, note every fact as not indexed yet, and record which tokenizer will fill it."""
    for table in ("facts_fts", "index_terms"):
        connection.execute(f"DROP TABLE {table}")
    for statement in (_FTS_TABLE, _TERMS_TABLE):
        connection.execute(statement)
    for table in ("index_documents", "index_ranks", "index_notes"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("INSERT INTO index_notes SELECT fact_id FROM facts")
    connection.execute("UPDATE index_state SET tokenizer = ?", (tokenizer,))


def _remember_startup_learning(connection: sqlite3.Connection) -> None:
    """4: when a start-up run last applied which rule to which fact."""
    connection.execute(
        """CREATE TABLE startup_learning (
            fact_id    INTEGER NOT NULL,
            rule       TEXT NOT NULL,
            applied_at TEXT NOT NULL,
            PRIMARY KEY (fact_id, rule)
        ) WITHOUT ROWID"""
    )


def _key_entities(connection: sqlite3.Connection) -> None:
    """5: names found by their key, whatever their spelling; every fact is noted, so that its names are found."""
    connection.execute("CREATE TABLE entity_keys (key TEXT PRIMARY KEY, entity_id INTEGER NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE INDEX entity_keys_entity ON entity_keys(entity_id)")
    connection.execute("CREATE INDEX fact_entities_entity ON fact_entities(entity_id)")
    for entity_id, name in connection.execute("SELECT entity_id, name FROM entities").fetchall():
        connection.execute("INSERT OR IGNORE INTO entity_keys VALUES (?, ?)", (entity_key(str(name)), entity_id))
    connection.execute("INSERT OR IGNORE INTO index_notes SELECT fact_id FROM facts")


def _remember_origins(connection: sqlite3.Connection) -> None:
    """6: by what name other memories know a fact, and the versions that a merge with them did not take."""
    connection.execute(
        """CREATE TABLE fact_origins (
            fact_id  INTEGER PRIMARY KEY,
            uid      TEXT NOT NULL UNIQUE,
            first_id INTEGER NOT NULL,
            synced   TEXT
        )"""
    )
    connection.execute(
        """CREATE TABLE kept_versions (
            uid     TEXT NOT NULL,
            digest  TEXT NOT NULL,
            version TEXT NOT NULL,
            kept_at TEXT NOT NULL,
            PRIMARY KEY (uid, digest)
        )"""
    )


def _mark_facts(connection: sqlite3.Connection) -> None:
    """7: what looks like a secret or an instruction; every fact is noted, so that it is looked through."""
    connection.execute("CREATE TABLE fact_marks (fact_id INTEGER PRIMARY KEY, warnings TEXT NOT NULL)")
    connection.execute("INSERT OR IGNORE INTO index_notes SELECT fact_id FROM facts")


def _keep_taught_words(connection: sqlite3.Connection) -> None:
    """8: the word pairs that facts teach; every fact is noted, so that it is read for them."""
    connection.execute(
        "CREATE TABLE taught_words (phrase TEXT NOT NULL, meaning TEXT NOT NULL, fact_id INTEGER NOT NULL, "
        "PRIMARY KEY (phrase, meaning, fact_id)) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX taught_words_fact ON taught_words(fact_id)")
    connection.execute("INSERT OR IGNORE INTO index_notes SELECT fact_id FROM facts")


def _keep_versions(connection: sqlite3.Connection) -> None:
    """9: what every fact was before each change, and the two states in which a fact is hidden."""
    _add_missing_columns(
        connection, "facts", {"superseded_by": "INTEGER DEFAULT NULL", "expires_at": "TEXT DEFAULT NULL"}
    )
    for statement in version_tables.STATEMENTS:
        connection.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _create_base_tables,
    _add_self_learning,
    _index_terms,
    _remember_startup_learning,
    _key_entities,
    _remember_origins,
    _mark_facts,
    _keep_taught_words,
    _keep_versions,
)
SCHEMA_VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, from_version: int) -> None:
    """Apply the migrations after `from_version` and record the new version; the caller's transaction holds all."""
    for migration in MIGRATIONS[from_version:]:
        migration(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
