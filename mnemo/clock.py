"""The one clock: every stored time and every comparison of times starts here."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC, cut to whole seconds, as stored times are."""
    return datetime.now(UTC).replace(microsecond=0)


def timestamp(moment: datetime) -> str:
    """Return a moment as stored in the file: UTC, `YYYY-MM-DD HH:MM:SS`."""
    # strftime would leave the zeros of years before 1000 out
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "seconds")
