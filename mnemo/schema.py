"""The tables of the memory file, their triggers, and the numbered migrations that lead to them.

Spec: fact-summary (Backward compatible migration), retrieval-log (retrieval_log table schema), fact-history.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

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
_LEARNING_COLUMNS = {"summary": "TEXT DEFAULT NULL", "last_retrieved_at": "TEXT DEFAULT NULL"}
_STATE_COLUMNS = {"superseded_by": "INTEGER DEFAULT NULL", "expires_at": "TEXT DEFAULT NULL"}

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

# Small enough that counting the log, at each search, costs nothing.
_LOG_INDEX = "CREATE INDEX IF NOT EXISTS retrieval_log_ids ON retrieval_log(id)"

# The tokenizer only splits at spaces: text.py has already made the terms, and all but quotes may be in one.
_TOKENIZE = r"""tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~'" """

# facts_fts is the words that match, for whoever asks by SQL. index_terms has each fact's terms once, at its place:
# short facts first, so that a search may stop after the first few thousand holders of a common word.
_FTS_TABLE = (
    "CREATE VIRTUAL TABLE facts_fts USING fts5("
    f"content, tags, summary, content = 'index_documents', content_rowid = 'fact_id', {_TOKENIZE})"
)
_TERMS_TABLE = f"CREATE VIRTUAL TABLE index_terms USING fts5(terms, content = '', detail = none, {_TOKENIZE})"
# In one go with a whole batch of an import: every further segment is one more to look words up in, and to merge.
_FTS_SETTINGS = tuple(
    f"INSERT INTO {table}({table}, rank) VALUES ('hashsize', {64 << 20})" for table in ("facts_fts", "index_terms")
)

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

_STARTUP_TABLES = (
    """CREATE TABLE startup_learning (
            fact_id    INTEGER NOT NULL,
            rule       TEXT NOT NULL,
            applied_at TEXT NOT NULL,
            PRIMARY KEY (fact_id, rule)
        ) WITHOUT ROWID""",
)
_NAME_TABLES = (
    "CREATE TABLE entity_keys (key TEXT PRIMARY KEY, entity_id INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX entity_keys_entity ON entity_keys(entity_id)",
    "CREATE INDEX fact_entities_entity ON fact_entities(entity_id)",
)
_ORIGIN_TABLES = (
    """CREATE TABLE fact_origins (
            fact_id  INTEGER PRIMARY KEY,
            uid      TEXT NOT NULL UNIQUE,
            first_id INTEGER NOT NULL,
            synced   TEXT
        )""",
    """CREATE TABLE kept_versions (
            uid     TEXT NOT NULL,
            digest  TEXT NOT NULL,
            version TEXT NOT NULL,
            kept_at TEXT NOT NULL,
            PRIMARY KEY (uid, digest)
        )""",
)
_MARK_TABLES = ("CREATE TABLE fact_marks (fact_id INTEGER PRIMARY KEY, warnings TEXT NOT NULL)",)
_TAUGHT_TABLES = (
    "CREATE TABLE taught_words (phrase TEXT NOT NULL, meaning TEXT NOT NULL, fact_id INTEGER NOT NULL, "
    "PRIMARY KEY (phrase, meaning, fact_id)) WITHOUT ROWID",
    "CREATE INDEX taught_words_fact ON taught_words(fact_id)",
)

_LINK_TABLES = (
    "CREATE TABLE own_links (fact_id INTEGER NOT NULL, entity_id INTEGER NOT NULL, "
    "PRIMARY KEY (fact_id, entity_id)) WITHOUT ROWID",
)


def _named(*statements: str) -> dict[str, str]:
    """Return the statements that create something, by its name."""
    named = {}
    for statement in statements:
        created = re.match(r"CREATE (?:VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (?:IF NOT EXISTS )?(\w+)", statement)
        if created:
            named[created[1]] = statement
    return named


# What can be made again from the facts, so that it is as we make it or not at all...
_ALL_TRIGGERS = _named(*_TRIGGERS, *version_tables.TRIGGERS)
_WHOLE_INDEX = _named(_FTS_TABLE, _TERMS_TABLE, *_INDEX_TABLES)
# ...and what holds more than that, so that it is made where it is missing, and never dropped.
_OTHER_TABLES = _named(
    *_BASE_TABLES[1:],
    _RETRIEVAL_LOG,
    _LOG_INDEX,
    *_STARTUP_TABLES,
    *_NAME_TABLES,
    *_ORIGIN_TABLES,
    *_MARK_TABLES,
    *_TAUGHT_TABLES,
    *_LINK_TABLES,
    *version_tables.TABLES,
)


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _add_missing_columns(connection: sqlite3.Connection, table: str, wanted: dict[str, str]) -> None:
    present = _columns(connection, table)
    for name, declaration in wanted.items():
        if name not in present:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {declaration}")


def _create(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        connection.execute(statement)


def _create_base_tables(connection: sqlite3.Connection) -> None:
    """1: facts and entities as the public contract has them; an older `facts` gains what 0.1.4 of the original had."""
    for statement in _BASE_TABLES:
        connection.execute(statement)
    _add_missing_columns(connection, "facts", _FACTS_COLUMNS)


def _add_self_learning(connection: sqlite3.Connection) -> None:
    """2: the log of the change memory-self-learning, and its columns where `facts` is older than that."""
    _add_missing_columns(connection, "facts", _LEARNING_COLUMNS)
    connection.execute(_RETRIEVAL_LOG)
    connection.execute(_LOG_INDEX)


def _index_terms(connection: sqlite3.Connection) -> None:
    """3: an index of our own terms in place of any other, with every fact noted as not indexed yet."""
    for trigger in ("facts_ai", "facts_ad", "facts_au"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    connection.execute("DROP TABLE IF EXISTS facts_fts")
    _create(connection, (_FTS_TABLE, _TERMS_TABLE, *_FTS_SETTINGS, *_INDEX_TABLES, *_TRIGGERS))
    connection.execute("INSERT INTO index_notes SELECT fact_id FROM facts")


def empty_index(connection: sqlite3.Connection, tokenizer: str) -> None:
    """Empty the index, note every fact as not indexed yet, and record which tokenizer will fill it."""
    for table in ("facts_fts", "index_terms"):
        connection.execute(f"DROP TABLE {table}")
    _create(connection, (_FTS_TABLE, _TERMS_TABLE, *_FTS_SETTINGS))
    for table in ("index_documents", "index_ranks", "index_notes"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("INSERT INTO index_notes SELECT fact_id FROM facts")
    connection.execute("UPDATE index_state SET tokenizer = ?", (tokenizer,))


def _remember_startup_learning(connection: sqlite3.Connection) -> None:
    """4: when a start-up run last applied which rule to which fact."""
    _create(connection, _STARTUP_TABLES)


def _key_entities(connection: sqlite3.Connection) -> None:
    """5: names found by their key, whatever their spelling; every fact is noted, so that its names are found."""
    _create(connection, _NAME_TABLES)
    _fill_keys(connection)
    connection.execute("INSERT OR IGNORE INTO index_notes SELECT fact_id FROM facts")


def _fill_keys(connection: sqlite3.Connection) -> None:
    for entity_id, name in connection.execute("SELECT entity_id, name FROM entities").fetchall():
        connection.execute("INSERT OR IGNORE INTO entity_keys VALUES (?, ?)", (entity_key(str(name)), entity_id))


def _remember_origins(connection: sqlite3.Connection) -> None:
    """6: by what name other memories know a fact, and the versions that a merge with them did not take."""
    _create(connection, _ORIGIN_TABLES)


def _mark_facts(connection: sqlite3.Connection) -> None:
    """7: what looks like a secret or an instruction; every fact is noted, so that it is looked through."""
    _create(connection, _MARK_TABLES)
    connection.execute("INSERT OR IGNORE INTO index_notes SELECT fact_id FROM facts")


def _keep_taught_words(connection: sqlite3.Connection) -> None:
    """8: the word pairs that facts teach; every fact is noted, so that it is read for them."""
    _create(connection, _TAUGHT_TABLES)
    connection.execute("INSERT OR IGNORE INTO index_notes SELECT fact_id FROM facts")


def _keep_versions(connection: sqlite3.Connection) -> None:
    """9: what every fact was before each change, and the two states in which a fact is hidden."""
    _add_missing_columns(connection, "facts", _STATE_COLUMNS)
    _create(connection, (*version_tables.TABLES, *version_tables.TRIGGERS))


def _own_links(connection: sqlite3.Connection) -> None:
    """10: which links of facts to names we made, so that those of other programs are never taken for ours."""
    _create(connection, _LINK_TABLES)
    if connection.execute("SELECT tokenizer FROM index_state").fetchone()[0]:  # else no fact was read for names yet
        connection.execute("INSERT INTO own_links SELECT DISTINCT fact_id, entity_id FROM fact_entities")


def _index_signed_versions(connection: sqlite3.Connection) -> None:
    """11: an index of the versions of a change without those that have none yet."""
    connection.execute("DROP INDEX IF EXISTS fact_versions_change")
    if _columns(connection, "fact_versions"):  # else another program dropped it, and it is made anew with its index
        connection.execute(version_tables.CHANGE_INDEX)


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
    _own_links,
    _index_signed_versions,
)
SCHEMA_VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, from_version: int) -> None:
    """Apply the migrations after `from_version` and record the new version; the caller's transaction holds all."""
    for migration in MIGRATIONS[from_version:]:
        migration(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def has_triggers_of_others(connection: sqlite3.Connection, *tables: str) -> bool:
    """Tell whether another program has triggers on these tables."""
    triggers = connection.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
    return any(name not in _ALL_TRIGGERS and table.lower() in tables for name, table in triggers)


@contextmanager
def without_insert_triggers(connection: sqlite3.Connection) -> Iterator[None]:
    """Add facts without the triggers within the block; the caller's write transaction holds the block and more.

    So nobody else ever sees a file without them. What they would keep of each fact is left to the caller.
    """
    triggers = {name: sql for name, sql in _ALL_TRIGGERS.items() if " INSERT ON facts" in sql}
    for name in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    _create(connection, triggers.values())


def is_whole(connection: sqlite3.Connection) -> bool:
    """Tell whether all that stands beside the facts is there, and the triggers and the index are as we make them."""
    exact = _ALL_TRIGGERS | _WHOLE_INDEX
    found = dict(
        connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE name IN (SELECT value FROM json_each(?))",
            (json.dumps([*exact, *_OTHER_TABLES]),),
        )
    )
    return _OTHER_TABLES.keys() <= found.keys() and all(found.get(name) == exact[name] for name in exact)


def repair(connection: sqlite3.Connection) -> None:
    """Make again what another program dropped or replaced beside the facts, and note every fact as not indexed yet.

    The caller's write transaction holds all of it. The facts, their history and the log are left as they are.
    """
    for trigger in _ALL_TRIGGERS:
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    for table, statement in _WHOLE_INDEX.items():
        if not statement.startswith("CREATE INDEX"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    _add_missing_columns(connection, "facts", _FACTS_COLUMNS | _LEARNING_COLUMNS | _STATE_COLUMNS)
    present = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    _create(connection, (statement for name, statement in _OTHER_TABLES.items() if name not in present))
    _create(connection, (_FTS_TABLE, _TERMS_TABLE, *_FTS_SETTINGS, *_INDEX_TABLES, *_ALL_TRIGGERS.values()))
    if "own_links" not in present:
        connection.execute("INSERT INTO own_links SELECT DISTINCT fact_id, entity_id FROM fact_entities")
    _fill_keys(connection)
    for table in ("facts", "own_links", "fact_marks", "taught_words"):  # facts may have gone unseen
        connection.execute(f"INSERT OR IGNORE INTO index_notes SELECT fact_id FROM {table}")
