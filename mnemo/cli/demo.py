"""The demo: a real MCP session with the real server on a temporary memory, each answer checked.

Spec: fact-store, fact-retrieval, self-learning; as a newcomer meets them.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
import click
from mcp import Client, StdioServerParameters, stdio_client, types

from mnemo.cli import output
from mnemo.cli.cells import cells, cut, wrap
from mnemo.cli.messages import tr
from mnemo.learner import MIN_RETRIEVALS

LOG_SECONDS = 10.0  # the longest wait for what a server logs after its start
LOOK_SECONDS = 0.02
LOG = "server.log"
HELPFUL_ROUNDS = 11  # of 31 retrievals: a rate above 0.3
WIDTH = 96


class Session:
    """One MCP session with a server of its own."""

    def __init__(self, client: Client) -> None:
        """Use a connected client."""
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its answer; an error is an answer with `error`."""
        result = await self._client.call_tool(tool, arguments)
        first = result.content[0]
        answer: dict[str, Any] = json.loads(first.text) if isinstance(first, types.TextContent) else {}
        return answer


class Demo:
    """What the demo does and prints; `failures` holds what did not come as it should."""

    def __init__(self, folder: Path) -> None:
        """Keep the temporary memory in this folder."""
        self._folder = folder
        self._data = json.loads(files("mnemo").joinpath("data", "demo.json").read_text("utf-8"))
        self._ids: dict[str, int] = {}
        self.failures: list[str] = []

    async def run(self) -> None:
        """Play both sessions."""
        say(tr("Session 1: a new memory") + "\n")
        async with self._session() as (session, connected):
            say("  " + tr("connected to mnemo over stdio, protocol {version}", version=connected))
            await self._save(session)
            await self._search(session)
            await self._rate_and_learn(session)
            await self._audit(session)
            await self._logged(1)
        say("\n" + tr("Session 2: another server, the same memory") + "\n")
        async with self._session() as (session, _):
            await self._remember(session)
            await self._logged(2)

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[tuple[Session, str]]:
        environment = {**os.environ, "HOME": str(self._folder), "MNEMO_DB": str(self._folder / "facts.db")}
        command = StdioServerParameters(command=sys.executable, args=["-m", "mnemo", "serve"], env=environment)
        with (self._folder / LOG).open("a", encoding="utf-8") as log:
            async with Client(stdio_client(command, errlog=log), mode="legacy") as client:
                yield Session(client), str(client.session.protocol_version)

    async def _save(self, session: Session) -> None:
        facts = self._data["facts"]
        warned = 0
        for fact in facts:
            answer = await session.call("fact_store", action="add", **{k: v for k, v in fact.items() if k != "key"})
            self._check(answer.get("status") == "added", f"saving {fact['key']}", answer)
            self._ids[fact["key"]] = answer.get("fact_id", 0)
            warned += "warnings" in answer
        again = await session.call("fact_store", action="add", content=facts[0]["content"])
        self._check(again.get("status") == "duplicate", "saving a fact twice", again)
        self._check(warned == 1, "a warning for the one long fact without a summary", warned)
        said = (
            "saved {count} facts in Chinese and English; 1 said twice was recognised, "
            "{warned} is too long without a summary"
        )
        say(f"  {tr(said, count=len(facts), warned=warned)}\n")

    async def _search(self, session: Session) -> None:
        for search in self._data["searches"]:
            answer = await session.call("fact_store", action="search", query=search["query"], limit=3)
            results = answer.get("results") or [{"fact_id": 0, "content": "nothing", "score": 0.0}]
            is_right = results[0]["fact_id"] == self._ids[search["finds"]]
            self._check(is_right, f"searching {search['query']}", results[0])
            shown = results[0].get("summary") or results[0]["content"]
            verdict = tr("ok") if is_right else tr("BAD")
            say(shorten(f"  {verdict:3} {search['query']}  ->  {results[0]['score']:.2f}  {shown}"))
        skipped = await session.call("fact_store", action="search", query=self._data["skipped"])
        self._check("skipped" in skipped, "skipping an operation", skipped)
        say(f"  {tr('ok')}  {self._data['skipped']}  ->  {tr('only an operation, not searched')}\n")

    async def _rate_and_learn(self, session: Session) -> None:
        useful, useless = self._ids[self._data["useful"]], self._ids[self._data["useless"]]
        queries = {s["finds"]: s["query"] for s in self._data["searches"]}
        for _ in range(MIN_RETRIEVALS):
            await session.call("fact_store", action="search", query=queries[self._data["useful"]], limit=1)
        for _ in range(MIN_RETRIEVALS + 1):
            await session.call("fact_store", action="search", query=self._data["useless_query"], limit=1)
        trust = 0.5
        for _ in range(HELPFUL_ROUNDS):
            rating = await session.call("fact_feedback", action="helpful", fact_id=useful)
            trust = rating.get("new_trust", 0.0)
        said = "{rounds} times helpful: fact {id} has trust {trust} (it began with 0.50)"
        say("  " + tr(said, rounds=HELPFUL_ROUNDS, id=useful, trust=f"{trust:.2f}"))
        rated = await session.call("fact_feedback", action="unhelpful", fact_id=useful)
        self._check(abs(rated.get("new_trust", 0) - 0.9) < 1e-9, "1.00 less 0.10", rated)
        learned = await session.call("fact_store", action="learn")
        counts = {name: learned.get(name) for name in ("promoted", "demoted", "aged", "unchanged")}
        expected = {"promoted": 1, "demoted": 1, "aged": 0, "unchanged": len(self._ids) - 2}
        self._check(counts == expected, "learning", learned)
        facts = (await session.call("fact_store", action="list", limit=100)).get("facts", [])
        by_id = {fact["fact_id"]: fact["trust_score"] for fact in facts}
        said = (
            "learned from use: found often and helpful {before} -> {after}, "
            "found often and never helpful 0.50 -> {useless}"
        )
        trusts = {"before": 0.9, "after": by_id.get(useful, 0), "useless": by_id.get(useless, 0)}
        say(f"  {tr(said, **{name: f'{trust:.2f}' for name, trust in trusts.items()})}\n")
        self._check(abs(by_id.get(useful, 0) - 0.95) < 1e-9, "promotion by 0.05", by_id.get(useful))
        self._check(abs(by_id.get(useless, 0) - 0.45) < 1e-9, "demotion to nine tenths", by_id.get(useless))

    async def _audit(self, session: Session) -> None:
        audit = await session.call("fact_store", action="audit")
        long = [entry["id"] for entry in audit.get("long_without_summary", [])]
        low = [entry["id"] for entry in audit.get("low_helpful_rate", [])]
        self._check(long == [self._ids["notes"]], "the audit's long facts", long)
        self._check(low == [self._ids[self._data["useless"]]], "the audit's low rates", low)
        said = "audit of {count} facts: fact {long} needs a summary, fact {low} never helps"
        named = {"long": ", ".join(map(str, long)), "low": ", ".join(map(str, low))}
        say("  " + tr(said, count=audit.get("total_facts"), **named))

    async def _remember(self, session: Session) -> None:
        search = self._data["searches"][0]
        answer = await session.call("fact_store", action="search", query=search["query"], limit=1)
        results = answer.get("results") or [{}]
        self._check(results[0].get("fact_id") == self._ids[search["finds"]], "remembering", answer)
        say(f"  {tr('ok')}  {search['query']}  ->  {results[0].get('content')}  {tr('(still there)')}")

    async def _logged(self, lines: int) -> None:
        """Wait until the servers have logged this many lines: each learns once, a moment after its start."""
        with anyio.move_on_after(LOG_SECONDS):
            while (self._folder / LOG).read_text("utf-8").count("\n") < lines:
                await anyio.sleep(LOOK_SECONDS)

    def _check(self, holds: bool, what: str, came: Any) -> None:
        if not holds:
            self.failures.append(f"{what}: {json.dumps(came, ensure_ascii=False)[:200]}")


def width() -> int:
    """Return how many cells of a line there are: no more than the terminal has, where it is one."""
    return min(WIDTH, output.terminal_width()) if output.on_terminal() else WIDTH


def shorten(line: str) -> str:
    """Cut a line to the width of a screen; a Chinese character counts as two."""
    return line if cells(line) <= width() else cut(line, width() - 1) + "…"


def say(text: str) -> None:
    """Print lines of the story, on a terminal broken where they would not fit."""
    for line in text.split("\n"):
        said = line.lstrip()
        indent = line[: len(line) - len(said)]
        room = max(width() - len(indent), output.MIN_TEXT_WIDTH)
        for part in wrap(said, room) if output.on_terminal() else [said]:
            click.echo(f"{indent}{part}")


def run() -> int:
    """Play the demo; return 0 if every answer was right, else 1.

    Raises:
        BrokenPipeError: nobody reads it any more.
    """
    folder = Path(tempfile.mkdtemp(prefix="mnemo-demo-"))
    demo = Demo(folder)
    is_read = True
    try:
        anyio.run(demo.run)
        log = (folder / LOG).read_text("utf-8").strip()
    except* BrokenPipeError:  # of stdout, out of the task groups of the session
        is_read = False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not is_read:
        raise BrokenPipeError
    logged = tr("What both servers logged meanwhile (each learns from use a moment after its start):")
    say(f"\n{logged}\n" + "\n".join(f"  {line}" for line in log.splitlines()))
    if demo.failures:
        wrong = "\n".join(f"  {failure}" for failure in demo.failures)
        click.echo(f"\n{tr('Not as it should be:')}\n{wrong}", err=True)
        return 1
    say("\n" + tr("Every answer was right. Next: `mnemo init` connects your assistant."))
    return 0
