"""One mistake in a copy of the minimal implementation, and the scenario that must notice it."""

from dataclasses import dataclass
from pathlib import Path

MINIMAL = Path(__file__).parent / "minimal_server.py"


@dataclass(frozen=True)
class Mistake:
    """A small change of the right server, and a scenario that must notice it; `also` are further texts to replace."""

    name: str
    old: str
    new: str
    scenario: str
    also: tuple[tuple[str, str], ...] = ()

    def source(self) -> str:
        """Return the broken server's source; each text to replace stands in the right one exactly once."""
        text = MINIMAL.read_text(encoding="utf-8")
        for old, new in ((self.old, self.new), *self.also):
            assert text.count(old) == 1, f"{self.name}: {old!r} stands {text.count(old)} times"
            text = text.replace(old, new)
        return text
