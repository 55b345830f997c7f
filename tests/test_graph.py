"""Questions about names over one memory: order, limits, and that asking changes nothing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from mnemo.facts import Fact, FactChange, FactFilter, NewFact
from mnemo.graph import Graph
from mnemo.links import LinkStore
from mnemo.storage.database import Database
from mnemo.store import FactStore
from tests.conftest import rows

CONTENTS = (
    "Nadia Okonkwo maintains HeronGateway",
    "HeronGateway runs in Oslo",
    "账单问题找 Nadia Okonkwo",
    "The harbour of Oslo freezes",
    "缩进用 2 个空格",
    "缩进用 4 个空格",
)


@pytest.fixture
def store(path: Path) -> Iterator[FactStore]:
    database = Database(path, wait_seconds=0.2)
    store = FactStore(database)
    store.add([NewFact(content, category="workflow" if "缩进" in content else "general") for content in CONTENTS])
    yield store
    database.close()


@pytest.fixture
def graph(store: FactStore) -> Graph:
    return Graph(store, LinkStore(store._database))


def ids(facts: Sequence[Fact]) -> list[int]:
    return [fact.fact_id for fact in facts]


def test_probe_puts_the_most_trusted_first_and_stops_at_the_limit(graph: Graph, store: FactStore) -> None:
    assert ids(graph.probe("nadia okonkwo", 10)) == [1, 3]
    store.update(3, FactChange(trust_delta=0.2))
    assert ids(graph.probe("Nadia Okonkwo", 10)) == [3, 1]
    assert ids(graph.probe("Nadia Okonkwo", 1)) == [3]
    assert graph.probe("Redis", 10) == []


def test_probe_puts_the_newer_of_equally_trusted_facts_first(graph: Graph, path: Path) -> None:
    rows(path, "UPDATE facts SET updated_at = '2020-01-01 00:00:00' WHERE fact_id = 1")
    assert ids(graph.probe("Nadia Okonkwo", 10)) == [3, 1]


def test_probe_bears_rows_without_times_and_trust(graph: Graph, path: Path) -> None:
    rows(path, "UPDATE facts SET updated_at = NULL, created_at = NULL, trust_score = NULL WHERE fact_id = 3")
    assert ids(graph.probe("Nadia Okonkwo", 10)) == [1, 3]


def test_related_leaves_the_name_s_own_facts_out(graph: Graph) -> None:
    assert ids(graph.related("Nadia Okonkwo", 10)) == [2]
    assert ids(graph.related("HeronGateway", 10)) == [3, 4]
    assert ids(graph.related("HeronGateway", 1)) == [3]
    assert graph.related("Redis", 10) == []


def test_reason_wants_every_name(graph: Graph) -> None:
    assert ids(graph.reason(["HeronGateway"], 10)) == [1, 2]
    assert ids(graph.reason(["HeronGateway", "oslo"], 10)) == [2]
    assert graph.reason(["HeronGateway", "Redis"], 10) == []
    assert graph.reason([], 10) == []


def test_contradict_looks_at_one_category_or_at_all(graph: Graph) -> None:
    (pair,) = graph.contradict("workflow", 10)
    assert (pair.fact_a.fact_id, pair.fact_b.fact_id) == (5, 6)
    assert graph.contradict("identity", 10) == []
    assert pair in graph.contradict(None, 10)


def test_questions_change_no_row(graph: Graph, path: Path) -> None:
    before = rows(path, "SELECT * FROM facts")
    graph.probe("Nadia Okonkwo", 10)
    graph.related("Nadia Okonkwo", 10)
    graph.reason(["Nadia Okonkwo"], 10)
    graph.contradict(None, 10)
    assert rows(path, "SELECT * FROM facts") == before
    assert rows(path, "SELECT count(*) FROM retrieval_log") == [(0,)]


def test_questions_see_what_another_program_wrote(graph: Graph, path: Path) -> None:
    rows(path, "INSERT INTO facts(content) VALUES ('Nadia Okonkwo speaks Danish')")
    assert 7 in ids(graph.probe("Nadia Okonkwo", 10))


def test_a_name_that_more_than_a_thousand_facts_mention_hides_none_of_them(store: FactStore, graph: Graph) -> None:
    first = "the gateway speaks to Alphasystem daily"
    fact_id, *_ = (one.fact_id for one in store.add([NewFact(first)]))
    store.add([NewFact(f"gateway note {number}") for number in range(1005)])
    assert [fact.content for fact in graph.reason(["gateway", "Alphasystem"], 10)] == [first]
    assert len(graph.probe("gateway", 2000)) == 1006
    assert len(graph.probe("gateway", 1000, offset=1000)) == 6
    store.update(fact_id, FactChange(category="identity"))
    assert ids(graph.probe("gateway", 10, FactFilter(category="identity"))) == [fact_id]
    assert graph.related("gateway", 10) == []


def test_texts_are_read_only_as_far_as_the_answer_goes(
    store: FactStore, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add([NewFact(f"gateway note {number}") for number in range(600)])
    read: list[int] = []
    get = store.get

    def noticed(fact_ids: Sequence[int]) -> tuple[list[Fact], list[int]]:
        read.extend(fact_ids)
        return get(fact_ids)

    monkeypatch.setattr(store, "get", noticed)
    assert len(graph.probe("gateway", 10)) == 10
    assert 10 <= len(read) < 600
