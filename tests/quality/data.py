"""Questions over memories, as JSON lines, and the sets across languages that are made of them.

A file `<set>.jsonl` holds one memory a line:

    {"store": "x-en-00",
     "facts": [{"key": "3u", "text": "..."}],
     "queries": [{"q": "...", "gold": ["3u"], "lang": "en"}]}

`gold` names the facts that answer the question, `lang` is "en" or "zh". Two sets whose names differ in `en` against
`zh` or `cn` alone are taken for translations of each other: stores are paired by what is left of their names, facts by
their keys, and the questions of one are asked of the facts of the other.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_LANGUAGE = re.compile(r"(?<![a-z])(en|zh|cn)(?![a-z])")


@dataclass(frozen=True)
class Question:
    """A question and the keys of the facts that answer it."""

    text: str
    gold: frozenset[str]
    language: str


@dataclass(frozen=True)
class Store:
    """One memory: its facts by key, and questions about them."""

    name: str
    facts: dict[str, str]
    questions: list[Question]


@dataclass(frozen=True)
class QuestionSet:
    """Memories of one kind; `group` says which language asks which."""

    name: str
    group: str
    stores: list[Store]


def _read_stores(file: Path) -> list[Store]:
    stores = []
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        facts = {fact["key"]: fact["text"] for fact in row["facts"]}
        questions = [Question(q["q"], frozenset(q["gold"]), q["lang"]) for q in row["queries"]]
        stores.append(Store(row["store"], facts, questions))
    return stores


def _across(asking: Sequence[Store], answering: Sequence[Store]) -> list[Store]:
    by_name = {_LANGUAGE.sub("", store.name): store for store in answering}
    found = []
    for store in asking:
        other = by_name.get(_LANGUAGE.sub("", store.name))
        if other is not None:
            questions = [
                Question(question.text, gold, question.language)
                for question in store.questions
                if (gold := question.gold & other.facts.keys())
            ]
            found.append(Store(f"{store.name} of {other.name}", other.facts, questions))
    return found


def read_sets(folder: Path) -> Iterator[QuestionSet]:
    """Yield the sets of a folder, by language, and then those across languages."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise SystemExit(f"{folder} holds no .jsonl files")
    sets = [(file.stem, _read_stores(file)) for file in files]
    languages = {name: stores[0].questions[0].language for name, stores in sets}
    for language in ("en", "zh"):
        for name, stores in sets:
            if languages[name] == language:
                yield QuestionSet(name, f"{language}", stores)
    for asked, answered in (("zh", "en"), ("en", "zh")):
        for name, stores in sets:
            for other_name, others in sets:
                same = _LANGUAGE.sub("", name.replace("_", "-")) == _LANGUAGE.sub("", other_name.replace("_", "-"))
                if same and (languages[name], languages[other_name]) == (asked, answered):
                    yield QuestionSet(f"{name} > {other_name}", f"{asked} > {answered}", _across(stores, others))
