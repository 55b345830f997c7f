"""The commands that store, show, change, remove and rate facts: thin over the tools."""

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from mnemo.cli import output
from mnemo.cli.frame import (
    FAILED,
    Option,
    call,
    command,
    fail,
    no_such_fact,
    open_memory,
    own_limit,
    print_json,
    settings,
)
from mnemo.cli.messages import tr, translated
from mnemo.facts import CATEGORIES, DEFAULT_TRUST

LIST_LIMIT = 20
HEADS = ("id", "trust", "category", "fact")


class _Category(click.Choice[str]):
    """One of the categories, also by a name that people give it, such as 身份 or tools."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in CATEGORIES:
            from mnemo.importers.records import known_category

            value = known_category(value) or value
        return super().convert(value, param, ctx)


def category_option(help_text: str) -> Callable[[Any], Any]:
    """Give a command the option that names a category."""
    return click.option("-c", "--category", cls=Option, type=_Category(CATEGORIES), help=help_text)


def _replaces(function: Any) -> Any:
    return click.option(
        "--supersedes",
        cls=Option,
        type=int,
        metavar="ID",
        help="The id of the fact whose place it takes; that one is hidden.",
    )(function)


def _expires(*, help: str) -> Callable[[Any], Any]:
    return click.option("--expires", "expires_at", cls=Option, metavar="TIME", help=help)


def filters(function: Any) -> Any:
    """Give a command the options that choose facts."""
    for option in reversed(
        [
            category_option("Only facts of this category."),
            click.option("-t", "--tags", cls=Option, metavar="TAGS", help="Only facts that have all these tags."),
            click.option(
                "--after",
                cls=Option,
                metavar="TIME",
                help="Only facts changed since: a date, a time (UTC), or an age (7d).",
            ),
            click.option(
                "--before",
                cls=Option,
                metavar="TIME",
                help="Only facts changed before: a date, a time (UTC), or an age (7d).",
            ),
        ]
    ):
        function = option(function)
    return function


def min_trust_option(*, help: str) -> Callable[[Any], Any]:
    """Give a command the option that leaves out facts of less trust."""
    return click.option("--min-trust", cls=Option, type=float, metavar="NUMBER", help=help)


def _row(fact: Mapping[str, Any]) -> list[str]:
    """Return a fact as a row under `HEADS`: what stands for it in a search, and its tags."""
    tags = f"  [{fact['tags']}]" if fact["tags"] else ""
    return [
        str(fact["fact_id"]),
        f"{fact['trust_score']:.2f}",
        fact["category"],
        f"{fact['summary'] or fact['content']}{tags}",
    ]


def show_facts(facts: Sequence[Mapping[str, Any]]) -> None:
    """Print facts as rows, each with what is remarkable about it."""
    output.show_rows(HEADS, [_row(fact) for fact in facts], notes=[output.remarks(fact) for fact in facts])


@command("add")
@click.argument("content", nargs=-1)
@click.option(
    "-f",
    "--file",
    "file",
    cls=Option,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read the fact from a file.",
)
@click.option("--lines", cls=Option, is_flag=True, help="Take each line of the file or of stdin as one fact.")
@category_option(
    "The fact's category: identity (who you are), coding_style, tool_pref (tools), workflow, general (all else)."
)
@click.option("-t", "--tags", cls=Option, metavar="TAGS", help="Tags, separated by commas.")
@click.option(
    "-s", "--summary", cls=Option, metavar="TEXT", help="A summary; a search then finds the fact by it alone."
)
@_replaces
@_expires(help="When the fact is hidden from then on: a date, a time (UTC), or a span (30d).")
def add_command(
    content: tuple[str, ...],
    file: Path | None,
    lines: bool,
    category: str | None,
    tags: str | None,
    summary: str | None,
    supersedes: int | None,
    expires_at: str | None,
) -> int:
    """Store a fact: CONTENT, or what stands in a file or on stdin."""
    text = _read(" ".join(content) if content else None, file)
    if not (text.strip() or settings().as_json):
        raise _no_text()
    more = {"category": category, "tags": tags, "summary": summary, "supersedes": supersedes, "expires_at": expires_at}
    if lines:
        from mnemo.importers.records import lines_of

        contents = [line.strip() for line in lines_of(text) if line.strip()]
        answer = _add_lines(contents, more)
    else:
        answer = call(action="add", content=text.strip("\n"), **more)
    outcomes = answer.get("results", [answer])
    if settings().as_json:
        print_json(answer)
    else:
        for error, alike in groupby(outcomes, key=lambda outcome: outcome.get("error")):
            if error is None:
                for outcome in alike:
                    _tell_added(outcome, hides=supersedes is not None)
            else:
                _tell_refused(error, len(list(alike)))
        if supersedes and "error" not in outcomes[0]:
            click.echo(tr("Fact {id} is hidden from now on.", id=supersedes))
    return FAILED if any("error" in outcome for outcome in outcomes) else 0


def _add_lines(contents: Sequence[str], more: Mapping[str, Any]) -> dict[str, Any]:
    from mnemo.answers import error_answer
    from mnemo.arguments import MAX_ITEMS
    from mnemo.errors import MemoryFileError

    results: list[Any] = []
    with open_memory(adds=True) as memory:
        for start in range(0, len(contents), MAX_ITEMS):
            batch = contents[start : start + MAX_ITEMS]
            try:
                results += memory.fact_store({"action": "add", "contents": batch, **more})["results"]
            except MemoryFileError as error:
                if not results:
                    raise
                results += [error_answer(error)] * (len(contents) - start)  # the lines before these are stored
                break
    return {"results": results}


def _read(content: str | None, file: Path | None) -> str:
    if file is not None and content is not None:
        raise click.UsageError(tr("Give the fact either as an argument or as a file, not both."))
    if file is not None and str(file) != "-":
        try:
            return file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = "it is not text in UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
            raise click.ClickException(tr("{file} cannot be read: {error}", file=file, error=reason)) from error
    if content not in (None, "-"):
        return str(content)
    if sys.stdin.isatty() and content is None and file is None:
        raise _no_text()
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace")


def _no_text() -> click.UsageError:
    said = tr("Give the fact as an argument, on stdin or with --file.")
    return click.UsageError(said, click.get_current_context())


def _tell_refused(error: str, lines: int) -> None:
    said = translated(error)
    fail(said if lines == 1 else tr("{lines} lines were not stored: {error}", lines=lines, error=error))


def _tell_added(outcome: Mapping[str, Any], *, hides: bool) -> None:
    if outcome["status"] == "duplicate":
        if hides:
            click.echo(tr("Fact {id} already says this.", id=outcome["fact_id"]))
        else:
            click.echo(tr("Fact {id} already says this; nothing was changed.", id=outcome["fact_id"]))
    else:
        click.echo(tr("Added fact {id} ({category}).", id=outcome["fact_id"], category=outcome["category"]))
    for other in outcome.get("similar", []):
        said = output.one_line(other["content"])
        click.echo(tr("Similar: fact {id}: {content}", id=other["fact_id"], content=said), err=True)
    output.notes(outcome)
    warnings = outcome.get("warnings")
    if not warnings:
        return
    from mnemo.safety import names_secret

    if names_secret(warnings):
        click.echo(tr("If it must not be kept: `mnemo purge {id}`", id=outcome["fact_id"]), err=True)


@command("show")
@click.argument("fact_ids", type=int, nargs=-1, required=True, metavar="ID...")
def show_command(fact_ids: tuple[int, ...]) -> int:
    """Show facts whole, with all that is known about them."""
    answer = call(action="get", fact_ids=list(fact_ids))
    if settings().as_json:
        print_json(answer)
    else:
        for number, fact in enumerate(answer["facts"]):
            if number:
                click.echo()
            output.show_fields(fact)
        _tell_missing(answer["missing"])
    return FAILED if answer["missing"] else 0


def _tell_missing(missing: Sequence[int]) -> None:
    for fact_id in missing:
        fail(no_such_fact(fact_id))


@command("list")
@filters
@min_trust_option(help="Only facts of at least this trust, 0 to 1.")
@click.option("-n", "--limit", cls=Option, type=int, metavar="N", help="At most this many facts (20).")
@click.option("--offset", cls=Option, type=int, metavar="N", help="Leave out this many facts first.")
@click.option(
    "--superseded", "include_superseded", cls=Option, is_flag=True, help="Also facts that others took the place of."
)
def list_command(limit: int | None, **wanted: Any) -> None:
    """List facts, most trusted first."""
    answer = call(action="list", limit=own_limit(limit, LIST_LIMIT), **wanted)
    if settings().as_json:
        print_json(answer)
        return
    show_facts(answer["facts"])
    if output.on_terminal():
        click.echo(tr("{count} of {total} facts", count=answer["count"], total=answer["total"]), err=True)


@command("update")
@click.argument("fact_id", type=int, metavar="ID")
@click.option("--content", cls=Option, metavar="TEXT", help="The fact's new text.")
@click.option("-s", "--summary", cls=Option, metavar="TEXT", help='Its new summary; "" removes it.')
@click.option("-t", "--tags", cls=Option, metavar="TAGS", help='Its new tags, separated by commas; "" removes them.')
@category_option("Its new category.")
@_replaces
@_expires(help='When it is hidden from then on: a date, a time (UTC), or a span (30d); "" for never.')
@click.option("--trust-delta", cls=Option, type=float, metavar="NUMBER", help="Add this to its trust (-1 to 1).")
def update_command(fact_id: int, **changes: Any) -> None:
    """Change parts of a fact; what is not named stays as it is."""
    if all(value is None for value in changes.values()) and not settings().as_json:
        said = "Name what is to change, as with --content or --tags."
        raise click.UsageError(tr(said), click.get_current_context())
    answer = call(action="update", fact_id=fact_id, **changes)
    if settings().as_json:
        print_json(answer)
        return
    click.echo(tr("Updated fact {id}.", id=fact_id))
    output.notes(answer)


@command("remove")
@click.argument("fact_ids", type=int, nargs=-1, required=True, metavar="ID...")
def remove_command(fact_ids: tuple[int, ...]) -> int:
    """Remove facts."""
    if len(fact_ids) == 1:
        answer = call(action="remove", fact_id=fact_ids[0])
        removed, missing = ([], list(fact_ids)) if not answer["removed"] else (list(fact_ids), [])
    else:
        answer = call(action="remove", fact_ids=list(fact_ids))
        removed, missing = answer["removed"], answer["missing"]
    if settings().as_json:
        print_json(answer)
    else:
        for fact_id in removed:
            click.echo(tr("Removed fact {id}; `mnemo undo` brings it back.", id=fact_id))
        _tell_missing(missing)
        output.notes(answer)
    return FAILED if missing else 0


@command("feedback")
@click.argument("rating", type=click.Choice(["helpful", "unhelpful"]))
@click.argument("fact_id", type=int, metavar="ID")
def feedback_command(rating: str, fact_id: int) -> None:
    """Rate a fact: helpful (trust + 0.05) or unhelpful (trust - 0.10)."""
    with open_memory() as memory:
        answer = memory.fact_feedback({"action": rating, "fact_id": fact_id})
    if settings().as_json:
        print_json(answer)
        return
    old, new = answer.get("old_trust", DEFAULT_TRUST), answer["new_trust"]
    click.echo(tr("Trust of fact {id}: {old} -> {new}", id=fact_id, old=f"{old:.2f}", new=f"{new:.2f}"))
