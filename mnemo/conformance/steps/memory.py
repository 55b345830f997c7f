"""Steps that arrange a memory: facts, log entries, old files, what other programs write."""

import json
from typing import Any

import pytest
from pytest_bdd import parsers, step

from mnemo.conformance import values
from mnemo.conformance.driver import Driver, Statement
from mnemo.conformance.situation import LABEL, LEARNED_FROM, Situation, objects, parse

OLD_FILE = (
    """CREATE TABLE facts (
        fact_id         INTEGER PRIMARY KEY AUTOINCREMENT,
        content         TEXT NOT NULL UNIQUE,
        category        TEXT DEFAULT 'general',
        tags            TEXT DEFAULT '',
        trust_score     REAL DEFAULT 0.5,
        retrieval_count INTEGER DEFAULT 0,
        helpful_count   INTEGER DEFAULT 0,
        created_at      TEXT DEFAULT (datetime('now', 'localtime')),
        updated_at      TEXT DEFAULT (datetime('now', 'localtime'))
    )""",
    """CREATE TABLE entities (
        entity_id   INTEGER PRIMARY KEY AUTOINCREMENT,
        name        TEXT NOT NULL,
        entity_type TEXT DEFAULT 'unknown',
        aliases     TEXT DEFAULT '',
        created_at  TEXT DEFAULT (datetime('now', 'localtime'))
    )""",
    "CREATE TABLE fact_entities (fact_id INTEGER, entity_id INTEGER, PRIMARY KEY (fact_id, entity_id))",
    "CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content = 'facts', content_rowid = 'fact_id')",
    """CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
        INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
    END""",
    """CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
        INSERT INTO facts_fts(facts_fts, rowid, content, tags)
        VALUES ('delete', old.fact_id, old.content, old.tags);
    END""",
    """CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN
        INSERT INTO facts_fts(facts_fts, rowid, content, tags)
        VALUES ('delete', old.fact_id, old.content, old.tags);
        INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
    END""",
)


@pytest.fixture
def situation(driver: Driver) -> Situation:
    """Give the state that the steps of one scenario share."""
    return Situation(driver)


def pytest_bdd_step_error(
    request: pytest.FixtureRequest, feature: Any, scenario: Any, step: Any, exception: BaseException
) -> None:
    """Say with each failure where in the specification it is, and what the server said last."""
    rule = f"\n  requirement: {scenario.rule.name}" if scenario.rule else ""
    place = f"capability: {feature.name}{rule}\n  scenario: {scenario.name}\n  step: {step.keyword} {step.name}"
    exception.add_note(f"  {place}\n{request.getfixturevalue('driver').evidence()}")


@step("an empty memory")
def empty_memory(situation: Situation) -> None:
    """Start the server on no file; its first answer means that it has made one."""
    answer = situation.driver.call("fact_store", {"action": "list"})
    assert not answer.is_error, f"the fresh server answers a list with: {answer.text}"


@step(parsers.re(r"a memory with these facts:|these facts besides:|the client adds these facts:"))
def facts_of_table(situation: Situation, datatable: list[list[str]]) -> None:
    """Add each row of the table; columns that are no arguments of `add` are set in the file."""
    situation.add_all(objects(datatable))


@step(parsers.re(r'(?P<count>\d+) facts like "(?P<pattern>.+)"'))
def facts_like(situation: Situation, count: str, pattern: str) -> None:
    """Insert facts as another program would; `#` in the pattern is their number."""
    empty_memory(situation)
    contents = [values.given(pattern.replace("#", str(number)), situation) for number in range(1, int(count) + 1)]
    now = situation.now()
    statement = "INSERT INTO facts(content, created_at, updated_at) SELECT value, ?, ? FROM json_each(?)"
    situation.driver.sql(statement, [now, now, json.dumps(contents)])


@step(parsers.re(r"a log with (?P<count>\d+) entries"))
def log_with_entries(situation: Situation, count: str) -> None:
    """Fill the log as another program would, with the ids 1 to `count`."""
    empty_memory(situation)
    numbers = json.dumps(list(range(1, int(count) + 1)))
    statement = (
        "INSERT INTO retrieval_log(id, query, results, timestamp) "
        "SELECT value, 'old query ' || value, '[]', ? FROM json_each(?)"
    )
    situation.driver.sql(statement, [situation.now(), numbers])


@step(parsers.re(r"a file of version 0\.1\.4 with these facts:"))
def old_file(situation: Situation, datatable: list[list[str]]) -> None:
    """Build the file as version 0.1.4 of the original left it, before the server's first start."""
    statements: list[Statement] = [(statement, ()) for statement in OLD_FILE]
    for number, row in enumerate(objects(datatable), start=1):
        content = values.given(row["content"], situation)
        situation.name_fact(row[LABEL], number, content)
        columns = {name: values.cell(values.given(text, situation)) for name, text in row.items() if name != LABEL}
        columns["fact_id"] = number
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        statement = f"INSERT INTO facts({names}) VALUES ({marks})"  # noqa: S608 - columns of a scenario
        statements.append((statement, list(columns.values())))
    situation.driver.before_start(statements)


@step(parsers.re(r'the fact "(?P<label>[^"]+)" has in the file (?P<columns>\{.*\})'))
def set_in_file(situation: Situation, label: str, columns: str) -> None:
    """Set columns of a fact by SQL."""
    situation.set_in_file(situation.id_of(label), values.given(parse(columns), situation))


@step(parsers.re(r'another program runs "(?P<statement>.*)"'))
def run_sql(situation: Situation, statement: str) -> None:
    """Run one statement on the public file."""
    if any(column in statement for column in LEARNED_FROM):
        situation.let_start_end()
    situation.driver.sql(statement)


@step(parsers.re(r'the environment variable "(?P<name>[A-Z_]+)" is "(?P<value>.*)"'))
def set_environment(situation: Situation, name: str, value: str) -> None:
    """Set an environment variable for the server before it starts."""
    situation.driver.before_start(environment={name: value})


@step("what the file holds is noted")
def note_file(situation: Situation) -> None:
    """Keep a copy of the tables of facts and of the log."""
    situation.noted = {table: situation.rows(table) for table in ("facts", "retrieval_log")}
