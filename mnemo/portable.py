"""A fact outside of a memory: what identifies it, what it says, and one made of two versions of it."""

from collections.abc import Sequence
from hashlib import blake2b
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

from mnemo.derived.derive import Texts
from mnemo.facts import DEFAULT_CATEGORY, DEFAULT_TRUST, content_in, moment_in, number_in, text_in

_TEXTS = ("content", "summary", "category", "tags")
COLUMNS = (  # of the table of facts, in the order in which `portable` takes them
    "facts.fact_id, content, summary, category, tags, trust_score, retrieval_count, helpful_count, last_retrieved_at, "
    "created_at, updated_at, expires_at"
)


class PortableFact(NamedTuple):
    """A fact outside of a memory; None stands for what its source does not know.

    `fact_id` is the id under which it was first exported, `entities` the names in it (for readers; a memory finds
    them again). `expires_at` is empty where the fact never expires; `superseded_by` is the uid of the fact that took
    its place, empty where none did. `unknown` names the texts of which the source says nothing.
    """

    content: str
    summary: str | None = None
    category: str = DEFAULT_CATEGORY
    tags: str = ""
    trust_score: float | None = None
    retrieval_count: int = 0
    helpful_count: int = 0
    last_retrieved_at: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    expires_at: str | None = None
    superseded_by: str | None = None
    uid: str | None = None
    fact_id: int | None = None
    entities: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def texts(self) -> Texts:
        """Return what is searched for and in."""
        return Texts(self.content, self.tags, self.summary)

    @property
    def digest(self) -> str:
        """Return what two facts share if and only if their texts, category, tags and expiry are equal."""
        said = [getattr(self, name) or "" for name in _TEXTS]
        if self.expires_at:
            said.append(self.expires_at)
        texts = f"[{', '.join(map(encode_basestring_ascii, said))}]"  # a JSON list
        return blake2b(texts.encode(), digest_size=8).hexdigest()


def portable(row: Sequence[Any]) -> PortableFact:
    """Return the fact of a row that begins with `COLUMNS` and its uid; another program may have stored anything."""
    _, content, summary, category, tags, trust, retrievals, helpful, retrieved, created, updated, expiry, uid = row[:13]
    has_summary = isinstance(summary, str) and summary.strip()
    return PortableFact(
        content_in(content),
        summary if has_summary else None,
        text_in(category, "") or DEFAULT_CATEGORY,
        text_in(tags, ""),
        number_in(trust, DEFAULT_TRUST),
        int(number_in(retrievals, 0)),
        int(number_in(helpful, 0)),
        moment_in(retrieved),
        moment_in(created),
        moment_in(updated),
        moment_in(expiry) or "",
        uid=content_in(uid) or None,
    )


def columns(fact: PortableFact, trust: float | None = None, now: str | None = None) -> tuple[Any, ...]:
    """Return the columns of a fact as they are stored; `trust` and `now` are for a new one that comes without."""
    created, updated = fact.created_at, fact.updated_at
    if now is not None:
        created = created or now
        updated = updated or created
    return (
        fact.content,
        fact.summary,
        fact.category,
        fact.tags,
        trust if fact.trust_score is None else fact.trust_score,
        fact.retrieval_count,
        fact.helpful_count,
        fact.last_retrieved_at,
        created,
        updated,
        fact.expires_at or None,
    )


def joined(one: PortableFact, other: PortableFact, texts: PortableFact) -> PortableFact:
    """Return both in one, the texts from `texts`; the order of the two does not matter."""
    used = max(one, other, key=_usage)
    return texts._replace(
        trust_score=DEFAULT_TRUST if used.trust_score is None else used.trust_score,
        retrieval_count=max(one.retrieval_count, other.retrieval_count),
        helpful_count=max(one.helpful_count, other.helpful_count),
        last_retrieved_at=max(one.last_retrieved_at or "", other.last_retrieved_at or "") or None,
        created_at=min(filter(None, (one.created_at, other.created_at)), default=None),
        updated_at=max(one.updated_at or "", other.updated_at or "") or None,
    )


def _usage(fact: PortableFact) -> tuple[Any, ...]:
    trust = -1.0 if fact.trust_score is None else fact.trust_score
    return (
        fact.updated_at or "",
        fact.last_retrieved_at or "",
        fact.retrieval_count,
        fact.helpful_count,
        trust,
    )
