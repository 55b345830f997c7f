"""The clock of the program, and times as they are stored; the file's own triggers take SQLite's."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC, cut to whole seconds, as stored times are."""
    return datetime.now(UTC).replace(microsecond=0)


def timestamp(moment: datetime) -> str:
    """Return a moment as stored in the file: UTC, `YYYY-MM-DD HH:MM:SS`."""
    # strftime would leave the zeros of years before 1000 out
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "seconds")
