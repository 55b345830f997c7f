"""Steps about the public file: rows, the log, times. What stands there may be up to 2 seconds late."""

import json

from pytest_bdd import parsers, step

from mnemo.conformance import database, values
from mnemo.conformance.situation import LABEL, Situation, labels_in, objects, parse, settle, soon


@step(parsers.re(r"(?:within 2 seconds )?the file has these facts:"))
def file_has_facts(situation: Situation, datatable: list[list[str]]) -> None:
    """Compare the named columns of every fact in the file, in the order of the ids."""
    wanted = []
    for row in objects(datatable):
        columns = {name: values.cell(text) for name, text in row.items() if name != LABEL}
        wanted.append({"fact_id": situation.id_of(row[LABEL])} | values.expected(columns, situation))
    soon(lambda: values.comparison(wanted, situation.rows("facts"), place="facts"))


@step(parsers.re(r'the file answers "(?P<statement>.*)" with (?P<wanted>\[\[.*\]\])'))
def file_answers(situation: Situation, statement: str, wanted: str) -> None:
    """Run a query on the file and compare its rows."""
    rows = values.expected(parse(wanted), situation)
    soon(lambda: values.comparison(rows, situation.driver.sql(statement), exact=True, place=statement))


@step(parsers.re(r'the file\'s time "(?P<statement>.*)" is now'))
def file_time_is_now(situation: Situation, statement: str) -> None:
    """Compare the one value of a query with the present time in UTC, within a minute."""
    now = values.expected("[now]", situation)
    soon(lambda: values.comparison([[now]], situation.driver.sql(statement), place=statement))


@step(parsers.re(r"the log has (?P<count>\d+) (?:entry|entries)"))
def log_has(situation: Situation, count: str) -> None:
    """Count the log; an empty one must also stay empty."""
    if count == "0":
        settle()
    file_answers(situation, "SELECT count(*) FROM retrieval_log", f"[[{count}]]")


@step(parsers.re(r'the newest log entry holds the query "(?P<query>.*)" with the ids and scores of the answer'))
def log_holds_answer(situation: Situation, query: str) -> None:
    """Compare the newest entry with the results of the answer: the same facts, order and numbers."""
    assert situation.facts(), "the answer has no results"
    wanted = [{"id": fact["fact_id"], "score": fact["score"]} for fact in situation.facts()]

    def problem() -> str:
        rows = situation.driver.sql("SELECT query, results FROM retrieval_log ORDER BY id DESC LIMIT 1")
        if not rows:
            return "the log is empty"
        logged = [rows[0][0], json.loads(rows[0][1])]
        return values.comparison([query, wanted], logged, exact=True, place="newest log entry")

    soon(problem)


@step("the tables facts and retrieval_log hold what was noted")
def file_is_as_noted(situation: Situation) -> None:
    """Compare both tables with their copies, after a time in which a late write would have come."""
    settle()
    for table, rows in situation.noted.items():
        problem = values.comparison(rows, situation.rows(table), exact=True, place=table)
        assert not problem, problem


@step(parsers.re(r'the fact "(?P<label>[^"]+)" differs from what was noted in (?P<columns>"\w+"(?:, "\w+")*) alone'))
def fact_differs(situation: Situation, label: str, columns: str) -> None:
    """Compare every column of a fact with its copy: the named ones differ, the others do not."""
    fact_id, named = situation.id_of(label), set(labels_in(columns))
    before = next(row for row in situation.noted["facts"] if row["fact_id"] == fact_id)

    def problem() -> str:
        after = [row for row in situation.rows("facts") if row["fact_id"] == fact_id]
        if not after:
            return f"the fact {label!r} is gone"
        changed = {name for name in before if after[0][name] != before[name]}
        return "" if changed == named else f"{sorted(changed)} differ, wanted: {sorted(named)}"

    soon(problem)


@step(parsers.re(r'the id of "(?P<later>[^"]+)" is higher than that of "(?P<earlier>[^"]+)"'))
def id_is_higher(situation: Situation, later: str, earlier: str) -> None:
    """Compare two ids."""
    assert situation.id_of(later) > situation.id_of(earlier), (
        f"{later!r} has the id {situation.id_of(later)}, {earlier!r} has {situation.id_of(earlier)}"
    )


@step(parsers.re(r"another program keeps the file locked for (?P<seconds>\d+) seconds"))
def keep_locked(situation: Situation, seconds: str) -> None:
    """Hold the lock of a writer, until a step ends that or the time is over."""
    situation.unlock = database.lock_file(situation.driver.database, int(seconds))


@step("the other program lets go of the file")
def let_go(situation: Situation) -> None:
    """End the lock of the step before."""
    assert situation.unlock is not None, "no step has locked the file"
    situation.unlock()
