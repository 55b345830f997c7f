"""All that is found in one fact's texts: its terms, names, warnings and taught pairs, from the texts alone.

Whoever indexes many facts may have this done beforehand, outside of any transaction, or by other processes.

Spec: fact-summary, entity-graph, content-safety, bilingual-retrieval (Taught pairs stand for each other).
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from mnemo import lexicon, safety, text
from mnemo.entities import entity_key, extract_entities
from mnemo.facts import fingerprint, match_text

TWICE = "²"  # marks a term that a fact holds more than once; text.py folds this character, so no term has it


class Texts(NamedTuple):
    """What a fact says; None stands for what is missing or is no text."""

    content: str | None
    tags: str | None
    summary: str | None

    @classmethod
    def of(cls, content: object, tags: object, summary: object) -> "Texts":
        """Take what a row holds, which another program may have written."""
        return cls(*(value if isinstance(value, str) else None for value in (content, tags, summary)))


class Name(NamedTuple):
    """A name in a fact, its kind, and what all spellings of it have in common."""

    name: str
    kind: str
    key: str


class Derived(NamedTuple):
    """What is kept of a fact beside its texts; terms are joined by spaces.

    `length` counts its terms and `rank` the different ones, both without stop words; `posted` is what finds it.
    """

    fingerprint: int
    rank: int
    length: int
    content: str
    tags: str
    summary: str
    posted: str
    warnings: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    names: tuple[Name, ...]


def derive(texts: Texts) -> Derived:
    """Return all that is found in a fact with these texts."""
    content, tags, summary = (part or "" for part in texts)
    matched = match_text(content, summary)
    match_terms, tag_terms = text.terms(matched), text.terms(tags)
    counts = Counter(match_terms + tag_terms)
    weighty = text.counted(counts)
    joined = " ".join(match_terms)
    named = "\n".join(part for part in (texts.content, texts.summary) if part is not None)
    return Derived(
        fingerprint(content),
        len(weighty),
        sum(map(counts.__getitem__, weighty)),
        joined if matched == content else "",
        " ".join(tag_terms),
        "" if matched == content else joined,
        posted(counts),
        warnings_of(texts),
        tuple(lexicon.taught_pairs(content)),
        tuple(Name(entity.name, entity.kind, entity_key(entity.name)) for entity in extract_entities(named)),
    )


def posted(counts: Mapping[str, int]) -> str:
    """Return each different term, again with a mark if it is repeated, and the characters that terms start with."""
    characters = dict.fromkeys([term[0] for term in counts if term > "\u3000"])
    alone = [character for character in characters if character not in counts and text.is_cjk(character)]
    return " ".join([*counts, *alone, *[term + TWICE for term, count in counts.items() if count > 1]])


def warnings_of(texts: Texts) -> tuple[str, ...]:
    """Return one sentence for each kind of secret, instruction or hidden text in a fact."""
    parts = (texts.content, texts.summary, texts.tags)
    return tuple(dict.fromkeys(warning for part in parts if part for warning in safety.warnings_for(part)))


def of_all(facts: Mapping[int, Texts], known: Mapping[Texts, Derived]) -> dict[int, Derived]:
    """Return what is found in each fact, by its id; what is known already is not looked for again."""
    return {fact_id: known.get(texts) or derive(texts) for fact_id, texts in facts.items()}
