"""What is compared: mnemo through its tools, and plain ways to search the same facts."""

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from mnemo.language.stemming import porter
from mnemo.language.vocabulary import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS
from mnemo.memory import Memory

LIMIT = 10
_BATCH = 100

Search = Callable[[str], list[str]]  # a question in, the keys of the best facts out
System = Callable[[Mapping[str, str]], Search]


class Mnemo:
    """Search with mnemo, as an assistant does: every fact added, every question asked through `fact_store`.

    Memories are filled once and kept until the end of the `with` block, so that several ways to search them can be
    compared.
    """

    def __init__(self) -> None:
        """Start without any memory."""
        self._searches: dict[int, Search] = {}
        self._open = ExitStack()

    def __enter__(self) -> "Mnemo":
        """Return the system itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close and remove the memories."""
        self._open.close()

    def __call__(self, facts: Mapping[str, str]) -> Search:
        """Return the search over these facts."""
        if id(facts) not in self._searches:
            self._searches[id(facts)] = self._filled(facts)
        return self._searches[id(facts)]

    def _filled(self, facts: Mapping[str, str]) -> Search:
        memory = Memory(Path(self._open.enter_context(TemporaryDirectory())) / "facts.db")
        self._open.callback(memory.close)
        keys: dict[int, str] = {}
        entries = list(facts.items())
        for start in range(0, len(entries), _BATCH):
            batch = entries[start : start + _BATCH]
            answer = memory.fact_store({"action": "add", "contents": [text for _, text in batch]})
            for (key, _), result in zip(batch, answer["results"], strict=True):
                keys.setdefault(result["fact_id"], key)

        def search(question: str) -> list[str]:
            answer = memory.fact_store({"action": "search", "query": question, "limit": LIMIT})
            return [keys[fact["fact_id"]] for fact in answer["results"]]

        return search


def _fts5(tokenizer: str, tokens: Callable[[str], list[str]]) -> System:
    def build(facts: Mapping[str, str]) -> Search:
        connection = sqlite3.connect(":memory:")
        connection.execute(f"CREATE VIRTUAL TABLE facts USING fts5(key UNINDEXED, text, tokenize = '{tokenizer}')")
        connection.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())

        def search(question: str) -> list[str]:
            wanted = dict.fromkeys(tokens(question))
            if not wanted:
                return []
            query = " OR ".join(f'"{token}"' for token in wanted)
            rows = connection.execute("SELECT key FROM facts WHERE facts MATCH ? ORDER BY rank LIMIT ?", (query, LIMIT))
            return [row[0] for row in rows]

        return search

    return build


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _words_and_characters(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[^\W_a-z0-9]", text.lower())


def _trigrams(text: str) -> list[str]:
    return [word[i : i + 3] for word in _words(text) for i in range(len(word) - 2)]


def bm25_library(facts: Mapping[str, str]) -> Search:
    """Search with the package rank-bm25 over words and single Chinese characters."""
    index = import_module("rank_bm25").BM25Okapi([_words_and_characters(text) for text in facts.values()])
    keys = list(facts)

    def search(question: str) -> list[str]:
        scores = index.get_scores(_words_and_characters(question))
        best = sorted(range(len(keys)), key=lambda number: -scores[number])[:LIMIT]
        return [keys[number] for number in best if scores[number] > 0]

    return search


def _stems_and_pairs(text: str) -> list[str]:
    stem = porter()
    tokens: list[str] = []
    for run in re.findall(r"[a-z0-9]+|[^\W_a-z0-9]+", text.lower()):
        if run.isascii():
            tokens.append(run if run in ENGLISH_STOP_WORDS else stem(run))
        else:
            tokens += [run[start : start + 2] for start in range(max(len(run) - 1, 1))]
    return [token for token in tokens if token not in ENGLISH_STOP_WORDS | CHINESE_STOP_WORDS]


def stems_and_pairs(facts: Mapping[str, str]) -> Search:
    """Search with the plain form of mnemo's formula: BM25 of FTS5, as a share of the best, and jaccard in equal parts.

    Terms are English stems and pairs of Chinese characters, without stop words.
    """
    tokens = {key: _stems_and_pairs(text) for key, text in facts.items()}
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE facts USING fts5(key UNINDEXED, text, tokenize = 'unicode61')")
    connection.executemany("INSERT INTO facts VALUES (?, ?)", ((key, " ".join(found)) for key, found in tokens.items()))

    def search(question: str) -> list[str]:
        wanted = set(_stems_and_pairs(question))
        query = " OR ".join(f'"{token}"' for token in sorted(wanted))
        rows = connection.execute("SELECT key, -rank FROM facts WHERE facts MATCH ?", (query or '""',)).fetchall()
        best = max((bm25 for _, bm25 in rows), default=1.0)

        def score(row: tuple[str, float]) -> float:
            held = set(tokens[row[0]])
            return row[1] / best + len(wanted & held) / len(wanted | held)

        return [key for key, _ in sorted(rows, key=score, reverse=True)[:LIMIT]]

    return search


BASELINES: dict[str, System] = {
    "FTS5 porter": _fts5("porter unicode61", _words),
    "FTS5 trigram": _fts5("trigram", _trigrams),
    "rank-bm25": bm25_library,
    "stems, pairs and jaccard": stems_and_pairs,
}
