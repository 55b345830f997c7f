"""The command behind hooks: facts in front of a prompt. Whatever happens, it ends with 0 and lets the host go on."""

import json
import os
import sys
import threading
from io import UnsupportedOperation
from typing import Any

import click

from mnemo.cli.frame import Command, Option, command, memory_path, print_json, settings, write
from mnemo.cli.messages import tr
from mnemo.cli.usage import problem

STDIN_SECONDS = 2.0  # a hook's input is there at once; a pipe that nobody writes to must not hold up anything
WAIT_SECONDS = 0.1  # for another program's write
SESSION_START = "SessionStart"
BUDGET, LEAST_BUDGET = 2_000, 400  # characters


class _Harmless(Command):
    """A command that ends with 0 even where it is called wrongly: a hook's status 2 would block the prompt."""

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Return the context; explain wrong use on stderr and end with 0."""
        try:
            return super().make_context(*arguments, **extra)
        except click.UsageError as error:
            click.echo(problem(error), err=True)
            raise click.exceptions.Exit(0) from None


@command("recall", cls=_Harmless)
@click.argument("query", nargs=-1)
@click.option(
    "--budget",
    cls=Option,
    type=click.IntRange(min=LEAST_BUDGET),
    default=BUDGET,
    metavar="N",
    help="At most this many characters (2000).",
)
@click.option("--hook", cls=Option, is_flag=True, help="Read a hook's JSON on stdin and answer in its form.")
def recall_command(query: tuple[str, ...], budget: int, hook: bool) -> None:
    """Print the facts that bear on QUERY (or stdin), or the most trusted ones; nothing where none is relevant."""
    try:
        _recall(" ".join(query) if query else None, budget, is_hook=hook)
    except Exception as error:  # whatever it is, the host goes on
        click.echo(f"mnemo: {tr('Nothing was recalled: {error}', error=error)}", err=True)


def _recall(query: str | None, budget: int, *, is_hook: bool) -> None:
    event = ""
    if is_hook or query is None:
        given = _read_stdin()
        asked = _hook_input(given, required=is_hook)
        if asked is not None:
            event = str(asked.get("hook_event_name", ""))
            query = _query_of(asked)
        elif given.strip():
            query = given.strip()
    text, facts = _facts(query, budget)
    if settings().as_json:
        print_json({"text": text, "facts": facts})
    elif text and event:
        print_json({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
    else:
        write(text)


def _query_of(asked: dict[str, Any]) -> str | None:
    """Return what a hook asks about: its prompt, None (the most trusted facts) at a session's start, else nothing."""
    prompt = asked.get("prompt")
    if isinstance(prompt, str):
        return prompt
    return None if asked["hook_event_name"] == SESSION_START else ""


def _hook_input(given: str, *, required: bool) -> dict[str, Any] | None:
    """Return a hook's input, None if this is plain text; a hook's own must be JSON."""
    try:
        asked = json.loads(given)
    except ValueError as error:
        if required:
            raise ValueError("there is no JSON of a hook on stdin") from error
        return None
    if isinstance(asked, dict) and "hook_event_name" in asked:
        return asked
    if required:
        raise ValueError("the JSON on stdin has no hook_event_name")
    return None


def _facts(query: str | None, budget: int) -> tuple[str, list[int]]:
    from mnemo.recall import recall
    from mnemo.storage.database import Database
    from mnemo.store import FactStore

    path = memory_path()
    if not path.exists() or (query is not None and not query.strip()):
        return "", []
    database = Database(path, wait_seconds=WAIT_SECONDS)  # alone: the whole memory would take longer to import
    try:
        recalled = recall(FactStore(database), query, budget)
    finally:
        database.close()
    return recalled.text, [fact.fact_id for fact in recalled.facts]


def _read_stdin() -> str:
    """Return what is piped in, nothing from a terminal or from a pipe into which nothing comes."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        descriptor = sys.stdin.fileno()
    except UnsupportedOperation:
        return sys.stdin.read()
    parts: list[bytes] = []
    # Not through sys.stdin, whose lock a waiting thread would hold when the program ends.
    reader = threading.Thread(target=_read_all, args=(descriptor, parts), daemon=True)
    reader.start()
    reader.join(STDIN_SECONDS)
    return b"".join(parts).decode("utf-8-sig", "replace")


def _read_all(descriptor: int, parts: list[bytes]) -> None:
    try:
        while part := os.read(descriptor, 65_536):
            parts.append(part)
    except OSError:
        parts.clear()
