"""Concepts: a query word with the words that mean the same, in either language."""

from dataclasses import dataclass

from mnemo import text


@dataclass(frozen=True)
class Concept:
    """A query term and its alternatives, each with a weight in (0, 1]; the term itself stands first with 1."""

    term: str
    alternatives: tuple[tuple[str, float], ...]


def concepts(query: str) -> list[Concept]:
    """Return the concepts of a query, one for each different term, in order of appearance.

    Spec: bilingual-retrieval.
    """
    return [Concept(term, ((term, 1.0),)) for term in dict.fromkeys(text.content_terms(query))]
