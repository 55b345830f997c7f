"""One mistake in a copy of the minimal implementation, and the scenario that must notice it."""

from dataclasses import dataclass
from pathlib import Path

MINIMAL = Path(__file__).parent / "minimal_server.py"


@dataclass(frozen=True)
class Mistake:
    """A small change of the right server, and a scenario that must notice it."""

    name: str
    old: str
    new: str
    scenario: str

    def source(self) -> str:
        """Return the broken server's source; the text to replace stands in the right one exactly once."""
        text = MINIMAL.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.name}: {self.old!r} stands {text.count(self.old)} times"
        return text.replace(self.old, self.new)
