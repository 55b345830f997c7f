"""What a scenario knows while it runs: its driver, the facts that have labels, the last answer."""

import json
import math
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemo.conformance import values
from mnemo.conformance.driver import Answer, Driver

ADD_ARGUMENTS = ("content", "category", "tags", "summary")
LABEL = "fact"
POLLS = 40
MOST_BUSY = 3
POLL_SECONDS = 0.05  # 40 times this: what stands in the file may be up to 2 seconds late
COUNTS = ("promoted", "demoted", "aged", "unchanged")
LEARNED_FROM = frozenset({"retrieval_count", "helpful_count", "last_retrieved_at"})
LEARNING_FORM = "learned: promoted 0, demoted 0, aged 1, unchanged 0"
LONGEST_LINE = 300  # characters of a line that is shown
SETTLE_SECONDS = 0.7  # how long to wait for a late write that must not come


class Situation:
    """The state that the steps of one scenario share."""

    def __init__(self, driver: Driver) -> None:
        """Begin with a driver whose server has not been started."""
        self.driver = driver
        self.answer: Answer | None = None
        self.result: dict[str, Any] | None = None
        self.refusal: str | None = None
        self.added: dict[str, Answer] = {}
        self.noted: dict[str, list[dict[str, Any]]] = {}
        self.unlock: Callable[[], None] | None = None
        self._ids: dict[str, int] = {}
        self._start_is_over = False
        self._moment: str | None = None
        self._contents: dict[str, str] = {}

    def now(self) -> str:
        """Return the server's time, or the one moment in which a whole table is set."""
        return self._moment or self.driver.now()

    def add_all(self, rows: Sequence[Mapping[str, str]]) -> None:
        """Add the facts of a table; equal ages in it are one and the same time, however long the adding takes."""
        self._moment = self.driver.now()
        try:
            for row in rows:
                self.add(row)
        finally:
            self._moment = None

    def id_of(self, label: str) -> int:
        """Return the id of a labelled fact."""
        assert label in self._ids, f"no step has added a fact {label!r}"
        return self._ids[label]

    def content_of(self, label: str) -> str:
        """Return the content that was given to a labelled fact."""
        return self._contents[label]

    def name_fact(self, label: str, fact_id: int, content: str) -> None:
        """Let a label stand for a fact."""
        assert label not in self._ids, f"two facts are called {label!r}"
        self._ids[label] = fact_id
        self._contents[label] = content

    def label_of(self, fact_id: Any) -> str:
        """Return the label of a fact, or its id as a text where it has none."""
        return next((label for label, known in self._ids.items() if known == fact_id), f"fact {fact_id}")

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool and keep the answer as the one that later steps speak of."""
        self.answer = self.driver.call(tool, values.given(dict(arguments), self))
        return self.answer

    def search(self, query: str, options: Mapping[str, Any] | None = None) -> Answer:
        """Search; the query is sent as it stands."""
        self.answer = self.driver.call(
            "fact_store", {"action": "search", "query": query, **values.given(dict(options or {}), self)}
        )
        return self.answer

    def value(self) -> dict[str, Any]:
        """Return the JSON object of the last answer, which must be no error."""
        assert self.answer is not None, "no step has called a tool"
        assert not self.answer.is_error, f"the answer is an error: {self.answer.text}"
        assert isinstance(self.answer.value, dict), f"the answer is no object: {self.answer.text[:500]}"
        return self.answer.value

    def facts(self) -> list[dict[str, Any]]:
        """Return the facts of the last answer, whether they came as `results` or as `facts`."""
        value = self.value()
        found = value.get("results", value.get("facts"))
        assert isinstance(found, list), f"the answer holds neither results nor facts: {values.shown(value)}"
        return found

    def labels(self) -> list[str]:
        """Return the labels of the facts of the last answer, in its order."""
        return [self.label_of(fact.get("fact_id")) for fact in self.facts()]

    def result_of(self, label: str) -> dict[str, Any]:
        """Return the one fact of the last answer that has this label."""
        found = [fact for fact in self.facts() if fact.get("fact_id") == self.id_of(label)]
        assert len(found) == 1, f"{label!r} stands {len(found)} times among the results {self.labels()}"
        return found[0]

    def add(self, row: Mapping[str, str]) -> None:
        """Add one fact of a table through the tool, and set by SQL what no client can set."""
        label = row.get(LABEL)
        given = {name: values.given(text, self) for name, text in row.items() if name != LABEL}
        tool = {name: given[name] for name in ADD_ARGUMENTS if name in given and given[name] is not None}
        answer = self.call("fact_store", {"action": "add", **tool})
        fact_id = self.value().get("fact_id")
        assert isinstance(fact_id, int), f"add answers no fact_id: {answer.text}"
        status = self.value().get("status")
        assert status in ("added", "duplicate"), f"add answers the status {status!r}: {answer.text[:500]}"
        if label:
            self.name_fact(label, fact_id, given["content"])
            self.added[label] = answer
        rest = {name: values.cell(text) if isinstance(text, str) else text for name, text in given.items()}
        self.set_in_file(fact_id, {name: rest[name] for name in rest if name not in ADD_ARGUMENTS})

    def set_in_file(self, fact_id: int, columns: Mapping[str, Any]) -> None:
        """Set columns of a fact as another program would, by SQL on the public file."""
        if LEARNED_FROM & columns.keys():
            self.let_start_end()
        if columns:
            assignments = ", ".join(f"{name} = ?" for name in columns)
            statement = f"UPDATE facts SET {assignments} WHERE fact_id = ?"  # noqa: S608 - columns of a scenario
            self.driver.sql(statement, [*columns.values(), fact_id])

    def let_start_end(self) -> None:
        """Wait for the first start's own learning: it could still come, and take what a step arranges for its own."""
        if not self._start_is_over:
            wait_for(lambda: bool(learned_lines(self.driver.stderr())))
            self._start_is_over = True

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return every row of a table of the public file as objects, in the order of the row ids."""
        names = [str(row[0]) for row in self.driver.sql("SELECT name FROM pragma_table_info(?)", [table])]
        rows = self.driver.sql(f"SELECT {', '.join(names)} FROM {table} ORDER BY rowid")  # noqa: S608
        return [dict(zip(names, row, strict=True)) for row in rows]


def parse(text: str) -> Any:
    """Return the JSON in a step, with a sentence of its own if there is none."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise AssertionError(f"the step holds no JSON ({error}): {text}") from error


def labels_in(text: str) -> list[str]:
    """Return the quoted names of a step, as in `"a", "b"`."""
    return [part.strip().strip('"') for part in text.split('", "')]


def learned_lines(stderr: str) -> list[dict[str, int]]:
    """Return the four counts of each line that names all of them, however it is punctuated."""
    found = []
    for line in stderr.splitlines():
        counts = {name: re.search(rf"\b{name}\b\W{{0,4}}(\d+)", line) for name in COUNTS}
        if all(counts.values()):
            found.append({name: int(match[1]) for name, match in counts.items() if match})
    return found


def said_of_learning(stderr: str) -> str:
    """Return what was wanted of the line about learning, how long was waited for it, and what was seen instead."""
    words = re.compile(rf"\b({'|'.join(COUNTS)})\b", re.IGNORECASE)
    seen = [line for line in stderr.splitlines() if words.search(line)]
    found = "\n".join(f"  {line[:LONGEST_LINE]}" for line in seen) if seen else "  (no line with one of these words)"
    form = f"each of {', '.join(COUNTS)} followed by its number, as in `{LEARNING_FORM}`"
    return f"waited {POLLS * POLL_SECONDS:g} seconds or more for one line on stderr with {form}; seen:\n{found}"


def wait_for(condition: Callable[[], bool]) -> bool:
    """Return whether a condition came true within 2 seconds, or longer where others use the machine too.

    Counts pauses instead of looking at a clock, since a test may have stopped the clock.
    """
    for _ in range(POLLS * busyness()):
        if condition():
            return True
        time.sleep(POLL_SECONDS)
    return condition()


def busyness() -> int:
    """Return how many processes share each core, in [1, 3]: what comes late may take so many times as long."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return min(max(1, math.ceil(load / (os.cpu_count() or 1))), MOST_BUSY)


def soon(problem: Callable[[], str]) -> None:
    """Fail with the problem's text if it still exists after 2 seconds (longer on a busy machine)."""
    assert wait_for(lambda: not problem()), problem()


def settle() -> None:
    """Give a write that must not happen the time to happen."""
    time.sleep(SETTLE_SECONDS)


def objects(datatable: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Return the rows of a step's table as objects, named by its header."""
    header, *rows = datatable
    return [dict(zip(header, row, strict=True)) for row in rows]
