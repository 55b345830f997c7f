"""A long life in short: trust keeps its meaning, nothing reaches 0 by learning, size and speed stay flat."""

from pathlib import Path

from mnemo.retrieval_log import LOG_CAPACITY
from tests.conftest import rows
from tests.faults.common import times
from tests.faults.long_life import drawing, live, table

DAYS = times(21, 364)  # whole weeks
SEARCHES = times(20, 200)
FLAT = 4.0  # times as long as in the first weeks may a search take with all the facts of a year


def test_trust_keeps_its_meaning(path: Path) -> None:
    weeks = list(live(path, DAYS, SEARCHES))
    last = weeks[-1]
    assert last.trust["useful"] > last.trust["misleading"]
    assert last.trust["useful"] >= 0.3
    assert last.sunk_useful < 0.05
    assert last.lowest > 0 or last.trust["misleading"] == 0
    assert rows(
        path,
        "SELECT count(*) FROM facts WHERE trust_score <= 0 AND fact_id NOT IN "
        "(SELECT fact_id FROM fact_versions WHERE action = 'feedback')",
    ) == [(0,)]
    assert rows(path, "SELECT count(*) FROM facts") == [(last.facts,)]
    (entries,) = rows(path, "SELECT count(*) FROM retrieval_log")[0]
    assert int(str(entries)) <= LOG_CAPACITY
    assert last.file_mb < 40
    early = max(weeks[min(3, len(weeks) - 1)].search_ms, 1.0)
    assert last.search_ms < FLAT * early + 10
    assert len(table(weeks, 1).splitlines()) == len(weeks) + 2
    assert drawing(weeks).count("<polyline") == 4
