"""The candidates of a query: a bounded number of postings read best first, and the facts among them that may win.

Whatever the size of the memory, a search reads a few thousand places in the index. A word with fewer holders is read
whole. Of a more common one the shortest facts are read, and the facts that hold it together with another word of the
query are looked up as such, for those beat any that holds just one.

Spec: fact-retrieval.
"""

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import nlargest
from itertools import combinations, islice

from mnemo import text
from mnemo.facts import DEFAULT_TRUST, FactFilter
from mnemo.index import (
    ID_BITS,
    LARGEST_ID,
    LARGEST_RANK,
    MATCH_LENGTH,
    RANK_BITS,
    TWICE,
    fact_at,
    filter_condition,
    rank_at,
)
from mnemo.lexicon import Concept
from mnemo.scoring import (
    BM25_B,
    BM25_K1,
    FTS_WEIGHT,
    JACCARD_WEIGHT,
    PENALTY_FREE_LENGTH,
    Corpus,
)

FEW = 300  # facts that are all scored exactly, so that no score depends on how many results are wanted
POSTINGS = 5_000
MOST_POSTINGS = 1_500  # of one word
LEAST_POSTINGS = 100  # of each word, however many the query has
PAIR_POSTINGS = 300  # of each combination of words
PAIRED_WORDS = 4
ALIKE_POSTINGS = 40  # of each word, when facts much like another are looked for
SAMPLED_HOLDERS = 250  # from each end of the memory
LOOKED_UP = 80  # facts whose trust is looked up at once
MOST_LOOKED_UP = 1_500
BEST_BY_TEXT = 8  # facts kept for their BM25 alone, by which that of the others is divided
WEIGHT = (  # trust times length penalty; another program may have stored anything as trust
    "iif(typeof(facts.trust_score) IN ('integer', 'real') AND abs(facts.trust_score) < 9e99, facts.trust_score, "
    f"{DEFAULT_TRUST}) * min(1.0, {float(PENALTY_FREE_LENGTH)} / max(1, {MATCH_LENGTH}))"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The facts to be scored exactly, and the figures of the memory that BM25 needs."""

    corpus: Corpus
    fact_ids: list[int]


@dataclass(slots=True)
class _Word:
    """A concept's own term, or the others that stand for it, with as many of their places as were read."""

    concept: int
    weight: float
    match: str
    twice: str
    has_character: bool
    bit: int
    places: list[int] = field(default_factory=list)
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class _Ranks:
    """How many facts, and how many terms, the memory holds at each rank."""

    documents: Mapping[int, int]
    terms: int

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> "_Ranks":
        rows = connection.execute("SELECT rank, documents, terms FROM index_ranks WHERE documents > 0").fetchall()
        return cls({row[0]: row[1] for row in rows}, sum(row[2] for row in rows))

    @property
    def different_terms(self) -> int:
        """Return the sum over all facts of how many different terms each holds."""
        return sum(rank * count for rank, count in self.documents.items())

    def holders(self, places: Sequence[int]) -> int:
        """Estimate how many facts hold a word of which the first places are known.

        It is taken to be as frequent among the terms of all facts as among those of the facts that were passed.
        """
        last = rank_at(places[-1])
        held = sum(1 for place in places if rank_at(place) < last)
        passed = sum(rank * count for rank, count in self.documents.items() if rank < last)
        if held < len(places) // 2:  # most stand at the last rank, of which only a part was read
            held, passed = len(places), passed + last * self.documents.get(last, 0)
        return held * self.different_terms // max(passed, 1)


def choose(connection: sqlite3.Connection, concepts: Sequence[Concept], wanted: FactFilter, limit: int) -> Choice:
    """Return about `limit` facts that may be the best for these concepts; of a few, some may not pass the filter."""
    ranks = _Ranks.read(connection)
    documents = sum(ranks.documents.values())
    asked = [concept for concept in concepts if concept.finds]
    words = list(_words(asked))
    most = max(min(MOST_POSTINGS, POSTINGS // max(len(words), 1)), LEAST_POSTINGS, limit)
    found: dict[int, int] = {}
    for word in words:
        word.places = _read(connection, word.match, most)
        word.is_whole = len(word.places) < most
        _mark(found, word.places, word.bit)
    frequencies = _frequencies(connection, asked, words, ranks)
    corpus = Corpus(documents, ranks.terms / documents if documents else 0.0, frequencies)
    if len(found) <= max(limit, FEW) and all(word.is_whole for word in words):
        return Choice(corpus, list(map(fact_at, found)))
    _mark_combinations(connection, found, words, [frequencies[concept.term] for concept in asked])
    for word in words:
        _mark(found, _read(connection, word.twice, most), word.bit << len(words))
    likeness = _Likeness.of(asked, words, corpus, ranks)
    chosen = _choose_among(connection, found, likeness, wanted, limit)
    if len(chosen) < limit and not all(word.is_whole for word in words):
        # The filter took most of what was read: let it choose first, however many places that takes.
        for word in words:
            if not word.is_whole:
                _mark(found, _read(connection, word.match, most, wanted), word.bit)
        chosen = _choose_among(connection, found, likeness, wanted, limit)
    return Choice(corpus, chosen)


def alike(connection: sqlite3.Connection, terms: Sequence[str], share: float, limit: int) -> list[int]:
    """Return up to `limit` facts that may have at least `share` of all terms in common with these, likeliest first.

    Such a fact holds so many of the terms that it is among the holders of any few of them, and has about as many
    terms itself. Words that many such facts hold say little and are passed over, so that the work stays bounded.
    """
    least = math.ceil(share * len(terms) - 1e-9)
    low, high = least << ID_BITS, (int(len(terms) / share) + 1 << ID_BITS) - 1
    needed = len(terms) - least + 1  # one of so many terms is in every fact that qualifies
    shared: Counter[int] = Counter()
    for term in terms:
        rows = connection.execute(
            "SELECT rowid FROM index_terms WHERE index_terms MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?",
            (_quoted(term), low, high, ALIKE_POSTINGS),
        ).fetchall()
        shared.update(place for (place,) in rows)
        needed -= len(rows) < ALIKE_POSTINGS
        if not needed:
            break
    return [fact_at(place) for place, _ in shared.most_common(limit)]


def _words(concepts: Sequence[Concept]) -> Iterator[_Word]:
    number = 0
    for position, concept in enumerate(concepts):
        own = [(term, weight) for term, weight in concept.alternatives if term == concept.term]
        others = [(term, weight) for term, weight in concept.alternatives if term != concept.term]
        for alternatives in filter(None, (own, others)):
            match = " OR ".join(_quoted(term) for term, _ in alternatives)
            twice = " OR ".join(_quoted(term, TWICE) for term, _ in alternatives)
            has_character = any(text.is_character(term) for term, _ in alternatives)
            weight = max(weight for _, weight in alternatives)
            yield _Word(position, weight, match, twice, has_character, 1 << number)
            number += 1


def _quoted(alternative: str, mark: str = "") -> str:
    """Return an alternative for MATCH; the terms of a phrase must all be there."""
    quoted = ['"' + (term + mark).replace('"', '""') + '"' for term in alternative.split(" ")]
    return quoted[0] if len(quoted) == 1 else f"({' AND '.join(quoted)})"


def _read(connection: sqlite3.Connection, match: str, limit: int, wanted: FactFilter | None = None) -> list[int]:
    """Return the first places that match, and pass the filter if one is given."""
    if wanted is None:
        rows = connection.execute(
            "SELECT rowid FROM index_terms WHERE index_terms MATCH ? ORDER BY rowid LIMIT ?", (match, limit)
        )
    else:
        condition, parameters = filter_condition(wanted)
        rows = connection.execute(
            "SELECT index_terms.rowid FROM index_terms "
            f"CROSS JOIN facts ON facts.fact_id = {LARGEST_ID} - (index_terms.rowid & {LARGEST_ID}) "
            f"WHERE index_terms MATCH ? AND {condition} ORDER BY index_terms.rowid LIMIT ?",
            (match, *parameters, limit),
        )
    return [place for (place,) in rows]


def _mark(found: dict[int, int], places: Iterable[int], bits: int) -> None:
    if not found:
        found.update(dict.fromkeys(places, bits))
        return
    get = found.get
    for place in places:
        found[place] = get(place, 0) | bits


def _frequencies(
    connection: sqlite3.Connection, concepts: Sequence[Concept], words: Sequence[_Word], ranks: _Ranks
) -> dict[str, int]:
    """Return how many facts hold each concept: counted, or estimated where not all of them were read."""
    own: dict[int, list[_Word]] = {position: [] for position in range(len(concepts))}
    for word in words:
        own[word.concept].append(word)
    documents = sum(ranks.documents.values())
    frequencies = {}
    for position, concept in enumerate(concepts):
        if all(word.is_whole for word in own[position]):
            holders = len(set().union(*(word.places for word in own[position])))
        else:
            holders = sum(_holders(connection, word, ranks) for word in own[position])
        frequencies[concept.term] = min(holders, documents)
    return frequencies


def _holders(connection: sqlite3.Connection, word: _Word, ranks: _Ranks) -> int:
    if word.is_whole:
        return len(word.places)
    if word.has_character:  # which facts_fts has in longer terms only
        return max(len(word.places), ranks.holders(word.places))
    first, last = connection.execute(
        "SELECT (SELECT min(fact_id) FROM index_documents), (SELECT max(fact_id) FROM index_documents)"
    ).fetchone()
    held = passed = 0
    for order, end in (("ASC", first), ("DESC", last)):
        rows = connection.execute(
            f"SELECT rowid FROM facts_fts WHERE facts_fts MATCH ? ORDER BY rowid {order} LIMIT ?",
            (word.match, SAMPLED_HOLDERS),
        ).fetchall()
        held += len(rows)
        passed += abs(rows[-1][0] - end) + 1
    documents = sum(ranks.documents.values())
    share = passed / (last - first + 1)  # of the facts; more than all where the ends overlap
    return max(len(word.places), min(documents, int(held / max(share, held / documents))))


def _mark_combinations(
    connection: sqlite3.Connection, found: dict[int, int], words: Sequence[_Word], holders: Sequence[int]
) -> None:
    """Find the facts that hold several concepts of which not all holders were read."""
    cut = {word.concept for word in words if not word.is_whole}
    rarest = sorted((i for i, count in enumerate(holders) if count), key=lambda i: holders[i])[:PAIRED_WORDS]
    groups: list[tuple[int, ...]] = [pair for pair in combinations(rarest, 2) if not cut.isdisjoint(pair)]
    if len(rarest) > 2 and not cut.isdisjoint(rarest):
        groups.append(tuple(rarest))
    for group in groups:
        own = [[word for word in words if word.concept == position and word.places] for position in group]
        match = " AND ".join("(" + " OR ".join(word.match for word in of_one) + ")" for of_one in own)
        _mark(found, _read(connection, match, PAIR_POSTINGS), sum(of_one[0].bit for of_one in own))


@dataclass(frozen=True, slots=True)
class _Likeness:
    """BM25 and Jaccard as far as a place tells them: of which words a fact holds, whether twice, and of its rank."""

    bm25: Callable[[int, int], float]
    jaccard: Callable[[int, int], float]

    @classmethod
    def of(cls, concepts: Sequence[Concept], words: Sequence[_Word], corpus: Corpus, ranks: _Ranks) -> "_Likeness":
        rarities = []
        for concept in concepts:
            holders = corpus.document_frequencies[concept.term]
            rarity = math.log(1 + (corpus.documents - holders + 0.5) / (holders + 0.5))
            rarities.append(concept.telling * rarity)
        length_by_rank = ranks.terms / max(ranks.different_terms, 1) / max(corpus.average_length, 1.0)

        @cache
        def held(bits: int) -> tuple[dict[int, float], int]:
            best: dict[int, float] = {}
            for word in words:
                if bits & word.bit:
                    frequency = word.weight * (2 if bits & word.bit << len(words) else 1)
                    best[word.concept] = max(best.get(word.concept, 0.0), frequency)
            return best, sum(1 for word in words if bits & word.bit)

        def bm25(bits: int, rank: int) -> float:
            norm = BM25_K1 * (1 - BM25_B + BM25_B * rank * length_by_rank)
            return sum(rarities[c] * f * (BM25_K1 + 1) / (f + norm) for c, f in held(bits)[0].items())

        def jaccard(bits: int, rank: int) -> float:
            matched, terms = held(bits)
            return len(matched) / (len(concepts) + max(rank - terms, 0))

        return cls(bm25, jaccard)


def _choose_among(
    connection: sqlite3.Connection, found: Mapping[int, int], likeness: _Likeness, wanted: FactFilter, limit: int
) -> list[int]:
    """Return facts found that pass the filter, about `limit`: those that promise the highest scores."""
    alike: defaultdict[int, list[int]] = defaultdict(list)  # one integer for words held and rank: a loop over thousands
    for place, bits in found.items():
        alike[bits << RANK_BITS | place >> ID_BITS].append(place)
    promised = {kind: likeness.bm25(kind >> RANK_BITS, kind & LARGEST_RANK) for kind in alike}
    best = max(promised.values(), default=1.0) or 1.0
    relevance = {
        kind: FTS_WEIGHT * score / best + JACCARD_WEIGHT * likeness.jaccard(kind >> RANK_BITS, kind & LARGEST_RANK)
        for kind, score in promised.items()
    }
    by_text: list[int] = []
    for kind in nlargest(BEST_BY_TEXT, promised, key=promised.__getitem__):
        by_text += map(fact_at, alike[kind][: BEST_BY_TEXT - len(by_text)])
    in_order = (
        (relevance[kind], fact_at(place))
        for kind in sorted(relevance, key=relevance.__getitem__, reverse=True)
        for place in alike[kind]
    )
    factors = _factors(connection, by_text, wanted)
    passing: dict[int, float] = {}
    while chunk := dict[int, float]((fact_id, likely) for likely, fact_id in islice(in_order, LOOKED_UP)):
        if len(passing) >= limit:
            # No fact of the chunk is likely to be among the best, even with the highest trust seen.
            likeliest = next(iter(chunk.values())) * max(factors.values())
            if len(passing) >= MOST_LOOKED_UP or likeliest <= nlargest(limit, passing.values())[-1]:
                break
        looked_up = _factors(connection, chunk, wanted)
        factors |= looked_up
        for fact_id, factor in looked_up.items():
            passing[fact_id] = chunk[fact_id] * factor
    chosen = nlargest(limit, passing, key=passing.__getitem__)
    return list(dict.fromkeys([*chosen, *(fact_id for fact_id in by_text if fact_id in factors)]))


def _factors(connection: sqlite3.Connection, fact_ids: Iterable[int], wanted: FactFilter) -> dict[int, float]:
    """Return, of the facts that pass the filter, trust times length penalty."""
    condition, parameters = filter_condition(wanted)
    rows = connection.execute(
        f"SELECT fact_id, {WEIGHT} FROM facts WHERE fact_id IN (SELECT value FROM json_each(?)) AND {condition}",
        (json.dumps(list(fact_ids)), *parameters),
    )
    return dict(rows.fetchall())
