"""The commands that follow names from fact to fact, and the report of contradictions."""

from typing import Any

import click

from mnemo.cli import output
from mnemo.cli.facts import category_option, show_facts
from mnemo.cli.frame import Option, call, command, print_json, settings
from mnemo.cli.messages import tr


def _limit(function: Any) -> Any:
    return click.option("-n", "--limit", cls=Option, type=int, metavar="N", help="At most this many results (10).")(
        function
    )


def _show(answer: dict[str, Any]) -> None:
    if settings().as_json:
        print_json(answer)
        return
    show_facts(answer["results"])
    if not answer["results"]:
        click.echo(tr("No facts found."), err=True)
    output.notes(answer)


@command("probe")
@click.argument("entity", metavar="NAME")
@_limit
def probe_command(entity: str, limit: int | None) -> None:
    """Find all facts about one name: a project, a person, a file ..."""
    _show(call(action="probe", entity=entity, limit=limit))


@command("related")
@click.argument("entity", metavar="NAME")
@_limit
def related_command(entity: str, limit: int | None) -> None:
    """Find facts about names that stand together with NAME in others."""
    _show(call(action="related", entity=entity, limit=limit))


@command("reason")
@click.argument("entities", nargs=-1, required=True, metavar="NAME...")
@_limit
def reason_command(entities: tuple[str, ...], limit: int | None) -> None:
    """Find facts that several names have in common."""
    _show(call(action="reason", entities=list(entities), limit=limit))


@command("contradict")
@category_option("Only facts of this category.")
@_limit
def contradict_command(category: str | None, limit: int | None) -> None:
    """Find pairs of facts that may contradict each other; nothing is changed."""
    answer = call(action="contradict", category=category, limit=limit)
    if settings().as_json:
        print_json(answer)
        return
    rows = [
        [
            f"{pair['contradiction_score']:.2f}",
            f"{pair['fact_a']['fact_id']} / {pair['fact_b']['fact_id']}",
            ", ".join(pair["shared_entities"]),
            f"{pair['fact_a']['content']}  <>  {pair['fact_b']['content']}",
        ]
        for pair in answer["results"]
    ]
    output.show_rows(("score", "ids", "names", "facts"), rows)
    if not rows:
        click.echo(tr("No contradictions found."), err=True)
    elif output.on_terminal():
        said = "Where one has taken the other's place, `mnemo update ID --supersedes OLD_ID` hides the old one."
        click.echo(tr(said), err=True)
