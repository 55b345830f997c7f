"""A fact and what is asked of facts, as plain values.

Spec: fact-store.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from mnemo import clock, text
from mnemo.language import late

CATEGORIES = ("identity", "coding_style", "tool_pref", "workflow", "general")
DEFAULT_CATEGORY = "general"
DEFAULT_TRUST = 0.5
TRUST_PLACES = 10  # that are stored
MAX_CONTENT = 1_000_000  # characters
SEARCH_MIN_TRUST = 0.3  # below which searches do not see a fact unless they ask for less
_FINAL_PUNCTUATION = " .。!！;；,，、"
_RAISED = late.pattern("[²³¹⁰-ⁿ₀-₎]")  # which are plain digits when folded
_FINGERPRINT_BYTES = 8
_TOO_LARGE = 2**63  # for a column; no comparison with a NaN is true
_TIME_LENGTH, _DAY_END = len("2026-05-08 14:30:00"), len("2026-05-08")
_SQL_TIME = late.pattern(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?")


def match_text(content: str, summary: str | None) -> str:
    """Return the text that stands for a fact in retrieval: the summary if it holds anything, else the content.

    Spec: fact-summary.
    """
    return summary if summary is not None and summary.strip() else content


class Fact(NamedTuple):
    """One fact as it stands in the file; other programs may have left any value but id and content out."""

    fact_id: int
    content: str
    summary: str | None
    category: str
    tags: str
    trust_score: float
    retrieval_count: int
    helpful_count: int
    last_retrieved_at: str | None
    created_at: str | None
    updated_at: str | None
    superseded_by: int | None = None
    expires_at: str | None = None

    @property
    def match_text(self) -> str:
        """Return what stands for the fact in retrieval: its summary if it has one, else its content."""
        return match_text(self.content, self.summary)

    def as_dict(self) -> dict[str, Any]:
        """Return the fact as an answer shows it: a state that hides it is named where it has one."""
        shown = self._asdict()
        for state in ("superseded_by", "expires_at"):
            if shown[state] is None:
                del shown[state]
        return shown


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be added; a summary of None means that it has none.

    `supersedes` is the id of a fact that it takes the place of, `expires_at` the moment (UTC) from which it is hidden.
    """

    content: str
    category: str = DEFAULT_CATEGORY
    tags: str = ""
    summary: str | None = None
    supersedes: int | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class FactChange:
    """What an update names; None leaves a value as it is, an empty summary or time clears it."""

    content: str | None = None
    summary: str | None = None
    tags: str | None = None
    category: str | None = None
    trust_delta: float | None = None
    supersedes: int | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts are asked for; the defaults let every fact pass that is neither superseded nor expired.

    `tags` must all be there, `min_trust` and `after` are inclusive, `before` is exclusive (UTC, on `updated_at`).
    """

    category: str | None = None
    tags: tuple[str, ...] = ()
    after: str | None = None
    before: str | None = None
    min_trust: float = 0.0
    include_superseded: bool = False


def storable(value: str) -> str:
    """Return a text as it can be stored: half a surrogate pair is no UTF-8, and a NUL ends a text in SQL."""
    try:
        value.encode()
    except UnicodeEncodeError:
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value.replace("\0", "\ufffd")


def split_tags(tags: str | None) -> list[str]:
    """Return the tags of a comma-separated list, trimmed, without empty ones; `，` and `、` separate too."""
    parts = (tags or "").replace("，", ",").replace("、", ",").split(",")
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def has_tags(tags: str | None, wanted: str) -> bool:
    """Tell whether a list of tags holds all of another, whatever their case and width."""
    return _folded(wanted) <= set(map(text.normalise, split_tags(tags)))


@lru_cache(maxsize=16)  # the same for every fact that is looked at
def _folded(wanted: str) -> frozenset[str]:
    return frozenset(text.normalise(tag).strip() for tag in split_tags(wanted))


def duplicate_key(content: str) -> str:
    """Return the form of a content in which duplicates are equal: case, width, spacing and final punctuation folded.

    10² is not 102, and a dot that stands by itself is a folder.
    """
    if not content.isascii() and _RAISED.search(content):
        content = _RAISED.sub(r"^\g<0>", content)
    key = " ".join(text.normalise(content).split())
    said = key.rstrip(_FINAL_PUNCTUATION)
    return key if key.startswith(" .", len(said)) else said


def fingerprint(content: str) -> int:
    """Return a signed 64-bit number that duplicates share."""
    import hashlib  # loads OpenSSL, which a search does not need

    key = duplicate_key(content).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(key, digest_size=_FINGERPRINT_BYTES).digest(), "big", signed=True)


def text_in(value: Any, default: str) -> str:
    """Return what a column holds as a text; another program may have stored anything there."""
    return value if isinstance(value, str) else default


def content_in(value: Any) -> str:
    """Return what a column that must hold a text holds: of bytes, which another program may have stored, their text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else text_in(value, "")


def number_in(value: Any, default: float) -> float:
    """Return what a column holds as a finite number of at most 64 bits."""
    return value if isinstance(value, int | float) and abs(value) < _TOO_LARGE else default


def time_in(value: Any) -> str | None:
    """Return what a column holds as a time: in UTC as mnemo writes it, or as it is where it cannot be read; else None.

    What has the form in which mnemo writes is not looked at any closer, so that reading many facts stays quick.
    """
    value = content_in(value) if isinstance(value, bytes) else value  # as SQLite's own functions read it
    if isinstance(value, str):
        return value if len(value) == _TIME_LENGTH and value[_DAY_END] == " " else moment_in(value) or value
    return str(value) if isinstance(value, int | float) else None


def moment_in(value: Any) -> str | None:
    """Return the time that a column holds, in UTC as mnemo writes it; None where SQLite reads none."""
    return _moment_of(content_in(value))


@lru_cache(maxsize=1024)  # facts that were added together share their times
def _moment_of(written: str) -> str | None:
    if not _SQL_TIME.fullmatch(written):
        return None
    try:
        moment = datetime.fromisoformat(written)
        return clock.timestamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except ValueError:
        return None
    except OverflowError:  # at an end of time that an offset goes beyond: the day is near enough
        return written[:_DAY_END]
