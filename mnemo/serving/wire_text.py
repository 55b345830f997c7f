"""The lines of a client as they come in, mended where the SDK would drop a whole request unanswered.

Spec: fact-store (arguments as clients send them).
"""

import re
from contextlib import suppress
from io import TextIOWrapper

# A pair of halves, one half alone, or any other escape: those are passed over, so that `\\ud800` stays what it is.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_MAY_HOLD_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def mended(line: str) -> str:
    """Return a line of JSON in which each escaped half of a surrogate pair, which is no character, is U+FFFD."""
    if not _MAY_HOLD_HALF.search(line):
        return line
    return _ESCAPE.sub(lambda found: r"\ufffd" if found["half"] else found[0], line)


class WireText(TextIOWrapper):
    """The text of stdin, line by line; closing it leaves the bytes below open, which are not ours to close."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the next line, mended."""
        return mended(super().readline(-1 if size is None else size))

    def close(self) -> None:
        """Let go of the bytes below."""
        with suppress(ValueError):  # let go of already
            self.detach()
