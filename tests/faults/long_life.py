"""A year of use in some minutes: what becomes of trust, of the size of the file and of the time a search takes.

`python -m tests.faults.long_life [--days 365] [--searches 200]` prints a table in Markdown; `--svg FILE` draws it.

Facts are of four kinds. Useful ones are rated helpful now and then when they are found, useless ones are found and
never rated, misleading ones are rated unhelpful now and then, quiet ones are on matters that nobody asks about.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from mnemo import clock
from mnemo.memory import Memory
from tests.conftest import rows

KINDS = {"useful": 0.4, "useless": 0.3, "misleading": 0.1, "quiet": 0.2}
RATED = {"useful": 0.15, "misleading": 0.05}  # shares of the times that such a fact is found
FACTS_A_WEEK = 50
STARTS_A_DAY = 3
BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
THINGS = ("harbour", "orchard", "lantern", "quarry", "ferry", "港口", "果园", "灯塔", "采石场", "渡轮")
SIDES = ("budget", "owner", "schedule", "repair", "permit", "预算", "负责人", "时间表", "维修", "许可")


@dataclass
class Week:
    """How the memory is at the end of a week."""

    week: int
    facts: int
    trust: dict[str, float]  # median, by kind
    lowest: float
    sunk_useful: float  # share of useful facts below 0.3, where searches see them no more
    file_mb: float
    search_ms: float  # of the processor, median of the week


@dataclass
class Life:
    """A memory, the time that it believes in, and what is known of its facts."""

    memory_path: Path
    searches_a_day: int
    chance: random.Random
    kind_of: dict[int, str] = field(default_factory=dict)
    topics: list[str] = field(default_factory=list)
    moment: datetime = BEGIN
    taken: list[float] = field(default_factory=list)
    memory: Any = None

    def day(self, number: int) -> None:
        """Live one day: several starts, some new facts, many searches, a few ratings."""
        for start in range(STARTS_A_DAY):
            self.moment = BEGIN + timedelta(days=number, hours=4 * start)
            self.memory = Memory(self.memory_path)
            self.memory.learn_at_startup()
            for _ in range(self._share(FACTS_A_WEEK / 7 / STARTS_A_DAY)):
                self._add()
            for _ in range(self._share(self.searches_a_day / STARTS_A_DAY)):
                self.moment += timedelta(seconds=40)
                self._search()
            self.memory.close()

    def _share(self, mean: float) -> int:
        return int(mean) + (self.chance.random() < mean % 1)

    def _add(self) -> None:
        kind = self.chance.choices(list(KINDS), list(KINDS.values()))[0]
        number = len(self.kind_of)
        topic = f"{self.chance.choice(THINGS)}{number // 40} {self.chance.choice(SIDES)}"
        text = f"{topic} note {number}: decided on {self.chance.randrange(1, 28)} by team {self.chance.randrange(90)}"
        answer = self.memory.fact_store({"action": "add", "content": text})
        self.kind_of[answer["fact_id"]] = kind
        if kind != "quiet":
            self.topics.append(topic)

    def _search(self) -> None:
        if not self.topics:
            return
        # Newer matters are asked about more often.
        back = min(int(self.chance.expovariate(1 / 150)), len(self.topics) - 1)
        began = time.process_time()
        answer = self.memory.fact_store({"action": "search", "query": self.topics[-1 - back], "limit": 5})
        self.taken.append((time.process_time() - began) * 1000)
        for fact in answer["results"]:
            kind = self.kind_of[fact["fact_id"]]
            if self.chance.random() < RATED.get(kind, 0):
                rating = "helpful" if kind == "useful" else "unhelpful"
                self.memory.fact_feedback({"action": rating, "fact_id": fact["fact_id"]})

    def week(self, number: int) -> Week:
        """Look at the memory from outside."""
        trust: dict[str, list[float]] = defaultdict(list)
        for fact_id, value in rows(self.memory_path, "SELECT fact_id, trust_score FROM facts"):
            trust[self.kind_of[int(str(fact_id))]].append(float(str(value)))
        useful = trust["useful"] or [1.0]
        week = Week(
            number,
            len(self.kind_of),
            {kind: median(trust[kind]) for kind in KINDS if trust[kind]},
            min(min(values) for values in trust.values()),
            sum(value < 0.3 for value in useful) / len(useful),
            self.memory_path.stat().st_size / 1e6,
            median(self.taken or [0.0]),
        )
        self.taken.clear()
        return week


def live(path: Path, days: int, searches_a_day: int, seed: int = 1) -> Iterator[Week]:
    """Let a memory live, and yield how it is at the end of each week."""
    life = Life(path, searches_a_day, random.Random(seed))  # noqa: S311 - made-up use
    with patch.object(clock, "now", lambda: life.moment.replace(microsecond=0)):
        for number in range(days):
            life.day(number)
            if number % 7 == 6:
                yield life.week(number // 7 + 1)


def table(weeks: Sequence[Week], every: int) -> str:
    """Return weeks as a table in Markdown."""
    heads = [
        "week",
        "facts",
        *(f"trust, {kind}" for kind in KINDS),
        "lowest",
        "useful below 0.3",
        "file MB",
        "search, CPU ms",
    ]
    lines = ["| " + " | ".join(heads) + " |", "|" + " ---: |" * len(heads)]
    for week in weeks:
        if week.week % every and week is not weeks[-1]:
            continue
        trust = [f"{week.trust.get(kind, 0):.2f}" for kind in KINDS]
        cells = [week.week, week.facts, *trust, f"{week.lowest:.3f}", f"{week.sunk_useful:.1%}"]
        lines.append("| " + " | ".join(map(str, [*cells, f"{week.file_mb:.1f}", f"{week.search_ms:.1f}"])) + " |")
    return "\n".join(lines)


def drawing(weeks: Sequence[Week]) -> str:
    """Return the median trust of each kind over the weeks as a small SVG."""
    width, height, margin = 640, 240, 36
    colours = dict(zip(KINDS, ("#1a7f37", "#9a6700", "#cf222e", "#57606a"), strict=True))
    last = max(week.week for week in weeks)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 110} {height + 2 * margin}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width + 110}" height="{height + 2 * margin}" fill="#fff"/>',
    ]
    for level in (0.0, 0.3, 0.5, 1.0):
        y = margin + height * (1 - level)
        parts.append(f'<line x1="{margin}" x2="{width}" y1="{y}" y2="{y}" stroke="#d0d7de"/>')
        parts.append(f'<text x="{margin - 8}" y="{y + 4}" text-anchor="end">{level}</text>')
    for kind, colour in colours.items():
        points = [
            (margin + (width - margin) * week.week / last, margin + height * (1 - week.trust[kind]))
            for week in weeks
            if kind in week.trust
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>')
        parts.append(f'<text x="{width + 8}" y="{points[-1][1] + 4:.1f}" fill="{colour}">{kind}</text>')
    parts.append(f'<text x="{width}" y="{height + 2 * margin - 8}" text-anchor="end">week {last}</text></svg>')
    return "\n".join(parts) + "\n"


def main() -> None:
    """Live as the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.long_life", description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--searches", type=int, default=200, help="a day")
    parser.add_argument("--every", type=int, default=4, help="weeks between the lines of the table")
    parser.add_argument("--svg", type=Path, help="draw the trust of each kind into this file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mnemo-life-") as folder:
        path = Path(folder) / "facts.db"
        weeks = list(live(path, given.days, given.searches))
        with closing(Memory(path)) as memory:
            statistics = memory.fact_store({"action": "audit"})["statistics"]
    sys.stdout.write(table(weeks, given.every) + "\n\n")
    sys.stdout.write(f"facts ever retrieved: {statistics['share_retrieved']:.0%}\n")
    if given.svg:
        given.svg.write_text(drawing(weeks), encoding="utf-8")


if __name__ == "__main__":
    main()
