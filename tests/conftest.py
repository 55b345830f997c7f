"""States that many tests start from: a home of their own, an empty memory, a file of the original program."""

import json
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mnemo.imports import ImportReport, import_facts
from mnemo.memory import Memory
from mnemo.storage.database import Database
from mnemo.store import FactStore
from tests.commands import Run, invoke

# The layout of the original program, version 0.1.4: an external-content index and triggers that feed it.
ORIGINAL_LAYOUT = """
CREATE TABLE facts (
    fact_id INTEGER PRIMARY KEY AUTOINCREMENT,
    content TEXT NOT NULL UNIQUE,
    category TEXT DEFAULT 'general',
    tags TEXT DEFAULT '',
    trust_score REAL DEFAULT 0.5,
    retrieval_count INTEGER DEFAULT 0,
    helpful_count INTEGER DEFAULT 0,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE entities (
    entity_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    entity_type TEXT DEFAULT 'unknown',
    aliases TEXT DEFAULT '',
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE fact_entities (fact_id INTEGER, entity_id INTEGER, PRIMARY KEY (fact_id, entity_id));
CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content=facts, content_rowid=fact_id);
CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
    INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
    INSERT INTO facts_fts(facts_fts, rowid, content, tags)
    VALUES ('delete', old.fact_id, old.content, old.tags);
END;
CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN
    INSERT INTO facts_fts(facts_fts, rowid, content, tags)
    VALUES ('delete', old.fact_id, old.content, old.tags);
    INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
"""
# id, content, category, tags, trust, retrievals, helpful, created, updated (local times, as it wrote them)
_THEME = (
    1,
    "用户偏好深色主题",
    "tool_pref",
    "ui,theme",
    0.85,
    42,
    17,
    "2025-11-03 21:14:09",
    "2026-01-20 08:00:00",
)
_FERRY = (2, "The ferry to Nordby leaves at seven", "general", "", 0.5, 3, 0, "2025-12-01 10:00:00", None)
_REVIEW = (7, "Kasper reviews every change", "workflow", "review", 0.35, 0, 0, "2026-02-11 17:45:30", None)
ORIGINAL_FACTS = [_THEME, _FERRY, _REVIEW]


def imported(path: Path, facts: Iterable[Mapping[str, Any]]) -> ImportReport:
    """Import facts into a memory as lines of JSON; it is closed at the end, whatever happens."""
    with closing(Memory(path)) as memory:
        return import_facts(memory, "".join(json.dumps(fact) + "\n" for fact in facts).encode())


def insert(opened: Database, content: str) -> None:
    """Insert a fact by SQL, through the writer of an open memory file."""
    with opened.writing() as connection:
        connection.execute("INSERT INTO facts(content) VALUES (?)", (content,))


def mode(path: Path) -> int:
    """Return the rights of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def copies(path: Path) -> list[Path]:
    """Return the copies that an upgrade made of a memory file."""
    return sorted(path.parent.glob("*.before-mnemo-*"))


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with closing(Database(path, wait_seconds=5)) as database:
        yield database


@pytest.fixture
def opened(path: Path) -> Iterator[Database]:
    """Give an open memory file that waits for others only for a moment."""
    with closing(Database(path, wait_seconds=0.2)) as opened:
        yield opened


@pytest.fixture
def store(database: Database) -> FactStore:
    return FactStore(database)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give each test a home folder of its own, so that none can reach the user's memory."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("USERPROFILE", str(folder))
        patch.delenv("MNEMO_DB", raising=False)
        patch.delenv("MNEMO_HALF_LIFE_DAYS", raising=False)
        yield folder


@pytest.fixture
def run() -> Run:
    """Give what runs a command."""
    return invoke


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands speak English, in colour where they would."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands speak Chinese."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a memory file that does not exist yet."""
    return tmp_path / "facts.db"


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    """Give an empty memory that waits 0.2 seconds, not 5, for other writers."""
    memory = Memory(path, wait_seconds=0.2)
    yield memory
    memory.close()


@pytest.fixture
def original_file(path: Path) -> Path:
    """Make a file of the original program, version 0.1.4, with facts in both languages."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ORIGINAL_LAYOUT)
        connection.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ORIGINAL_FACTS)
        connection.execute("INSERT INTO entities VALUES (1, 'Kasper', 'person', '', '2026-02-11 17:45:30')")
        connection.execute("INSERT INTO fact_entities VALUES (7, 1)")
        connection.commit()
    return path


def rows(path: Path, statement: str, *parameters: object) -> list[tuple[object, ...]]:
    """Run one statement on a file as another program would, and return its rows."""
    with closing(sqlite3.connect(path, timeout=5)) as connection, connection:
        return connection.execute(statement, parameters).fetchall()
