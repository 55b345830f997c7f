"""Questions about names: all about one, what is near it, what several have in common, what contradicts.

Spec: entity-graph.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from mnemo import contradictions
from mnemo.contradictions import Contradiction
from mnemo.facts import Fact, FactFilter
from mnemo.links import LinkStore
from mnemo.store import FactStore

VISIBLE = FactFilter()
MOST_HIDDEN = 200  # facts near a name that may be left out before others are missed
MOST_FILTERED = 20_000  # the same where filters choose among them


class Graph:
    """The entity graph over one memory; asking it counts as no retrieval.

    Facts that are superseded or expired are left out; `wanted` can let superseded ones in and choose among the rest.
    Each answer begins after the first `offset` facts.
    """

    def __init__(self, store: FactStore, links: LinkStore) -> None:
        """Read facts from this store and their links from `links`."""
        self._store = store
        self._links = links

    def probe(self, entity: str, limit: int, wanted: FactFilter = VISIBLE, offset: int = 0) -> list[Fact]:
        """Return all facts about an entity, most trusted first.

        Spec: entity-graph (Probe returns all about one name).
        """
        return self._about([entity], limit, wanted, offset)

    def related(self, entity: str, limit: int, wanted: FactFilter = VISIBLE, offset: int = 0) -> list[Fact]:
        """Return facts of the entities that share a fact with this one, without its own, the nearest first.

        Spec: entity-graph (Related leads from a name to its neighbours).
        """
        is_filtered = replace(wanted, include_superseded=False) != VISIBLE
        most_hidden = MOST_FILTERED if is_filtered else MOST_HIDDEN
        with self._store.snapshot():
            own = self._links.facts_about(entity)
            facts, _ = self._store.get(self._links.neighbours(own, limit + offset + most_hidden), wanted)
        return facts[offset : offset + limit]

    def reason(self, entities: Sequence[str], limit: int, wanted: FactFilter = VISIBLE, offset: int = 0) -> list[Fact]:
        """Return the facts that all of these entities have in common, most trusted first.

        Spec: entity-graph (Reason returns what names have in common).
        """
        return self._about(entities, limit, wanted, offset)

    def contradict(self, category: str | None, limit: int) -> list[Contradiction]:
        """Return pairs of facts that may contradict each other, likeliest first; nothing is changed.

        Spec: entity-graph (Contradict reports pairs that disagree).
        """
        with self._store.snapshot():
            portraits = self._links.portraits(category)
        return contradictions.find(portraits, limit)

    def _about(self, entities: Sequence[str], limit: int, wanted: FactFilter, offset: int) -> list[Fact]:
        """Return facts about all of these; texts are read in the order of the answer, and no more than it takes."""
        with self._store.snapshot():
            about = self._links.about(entities)
            ranked = self._store.ranked(about.likely, wanted)
            facts = (fact for fact in ranked if about.holds(fact.fact_id, fact.match_text))
            return list(islice(facts, offset, offset + limit))
