"""The command that searches, and says why it found what it did."""

from collections.abc import Mapping
from typing import Any

import click

from mnemo.cli import output
from mnemo.cli.facts import filters, min_trust_option
from mnemo.cli.frame import Option, command, open_memory, print_json, settings, write
from mnemo.cli.messages import tr

HEADS = ("id", "score", "trust", "category", "fact")


@command("search")
@click.argument("query", nargs=-1, required=True)
@filters
@min_trust_option(help="Only facts of at least this trust, 0 to 1 (0.3).")
@click.option("-n", "--limit", cls=Option, type=int, metavar="N", help="At most this many facts (10).")
@click.option("--explain", cls=Option, is_flag=True, help="Show the factors of each score.")
@click.option("--why", cls=Option, type=int, metavar="ID", help="Say why this fact is, or is not, among the results.")
@click.option(
    "--all",
    "everything",
    cls=Option,
    is_flag=True,
    help="Search also what is only an operation (git commit).",
)
def search_command(query: tuple[str, ...], explain: bool, why: int | None, everything: bool, **wanted: Any) -> None:
    """Find facts for a QUERY, in Chinese or English; put -- before one that begins with a dash."""
    words = " ".join(query)
    asked = {"query": words, **wanted, "refine": not everything}
    if why is not None:
        _tell_why(asked, why)
        return
    with open_memory() as memory:
        answer = memory.fact_store({"action": "search", **asked, "explain": explain})
        is_marked = answer["results"] and not settings().as_json and output.has_colour()
        marked = output.Marker(words, memory.parts.store.meanings(words)) if is_marked else None
    if settings().as_json:
        print_json(answer)
        return
    rows = [_row(fact) for fact in answer["results"]]
    output.show_rows(HEADS, rows, marked, [_note(fact) for fact in answer["results"]])
    if "skipped" in answer:
        click.echo(
            tr("The query is only an operation, so it was not searched; --all searches it all the same."),
            err=True,
        )
    elif not rows:
        click.echo(tr("No facts found."), err=True)
    output.notes(answer)


def _row(fact: Mapping[str, Any]) -> list[str]:
    return [
        str(fact["fact_id"]),
        f"{fact['score']:.4f}",
        f"{fact['trust_score']:.2f}",
        fact["category"],
        fact["summary"] or fact["content"],
    ]


def _note(fact: Mapping[str, Any]) -> str:
    factors = ", ".join(f"{name} {value:g}" for name, value in fact.get("explain", {}).items())
    return "; ".join(filter(None, (factors, output.remarks(fact))))


def _tell_why(asked: Mapping[str, Any], fact_id: int) -> None:
    from mnemo.cli.why import REASONS, why

    with open_memory() as memory:
        answer = why(memory, asked, fact_id)
    if settings().as_json:
        print_json(answer)
        return
    for reason in answer["reasons"]:
        values = {name: value for name, value in reason.items() if name not in ("reason", "text")}
        write(tr(REASONS[reason["reason"]], **values) + "\n")
