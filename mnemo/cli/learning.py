"""The commands about use: learning, the report on quality, figures."""

from typing import Any

import click

from mnemo.cli import output
from mnemo.cli.frame import Option, call, command, is_missing, memory_path, open_memory, print_json, settings
from mnemo.cli.messages import facts, tr, translated


@command("learn")
@click.option("--dry-run", cls=Option, is_flag=True, help="Only show what would change.")
@click.option("-n", "--limit", cls=Option, type=int, metavar="N", help="At most this many entries of each list (50).")
def learn_command(dry_run: bool, limit: int | None) -> None:
    """Move trust by how facts were found and rated: often found but unhelpful sinks, helpful rises, stale ages."""
    answer = _rehearsed(limit) if dry_run else call(action="learn", limit=limit)
    if settings().as_json:
        print_json(answer)
        return
    for change in answer.get("changes", []):
        text = output.one_line(change["content"])
        old, new = f"{change['old_trust']:.3f}", f"{change['new_trust']:.3f}"
        click.echo(tr("Fact {id}: {old} -> {new}  {content}", id=change["fact_id"], old=old, new=new, content=text))
    counts = {name: answer[name] for name in ("promoted", "demoted", "aged", "unchanged")}
    said = (
        "Would change: {promoted} promoted, {demoted} demoted, {aged} aged, {unchanged} unchanged."
        if dry_run
        else "{promoted} promoted, {demoted} demoted, {aged} aged, {unchanged} unchanged."
    )
    click.echo(tr(said, **counts))
    for fact in answer["long_facts"]:
        if not fact["has_summary"]:
            values = {"id": fact["id"], "length": fact["content_length"], "penalty": fact["penalty"]}
            click.echo(tr("Fact {id} has {length} characters (score x {penalty}); give it a summary.", **values))


def _rehearsed(limit: int | None) -> dict[str, Any]:
    """Learn on a copy, and return the answer with the facts whose trust changed."""
    from mnemo import copies

    with copies.rehearsal(memory_path()) as memory:
        before = copies.trust_scores(memory)
        answer = memory.fact_store({"action": "learn", "limit": limit})
        changes = copies.trust_changes(memory, before)
    return {**answer, "changes": changes, "dry_run": True}


CARE = ("long_without_summary", "low_helpful_rate", "aging_candidates", "expired")


@command("audit")
@click.option("-n", "--limit", cls=Option, type=int, metavar="N", help="At most this many entries of each list (50).")
def audit_command(limit: int | None) -> None:
    """Report which facts need care; nothing is changed."""
    answer = call(action="audit", limit=limit)
    if settings().as_json:
        print_json(answer)
        return
    click.echo(facts(answer["total_facts"]))
    for fact in answer["long_without_summary"]:
        click.echo(
            tr("Fact {id} has {length} characters and no summary.", id=fact["id"], length=fact["content_length"])
        )
    for fact in answer["low_helpful_rate"]:
        said = "Fact {id} was found {retrievals} times and helped {helpful} times."
        click.echo(tr(said, id=fact["id"], retrievals=fact["retrieval_count"], helpful=fact["helpful_count"]))
    for fact in answer["aging_candidates"]:
        click.echo(tr("Fact {id} was last found at {time} (UTC).", id=fact["id"], time=fact["last_retrieved_at"]))
    for fact in answer["expired"]:
        said = "Fact {id} expired at {time} (UTC); `mnemo update {id} --expires ''` shows it again."
        click.echo(tr(said, id=fact["id"], time=fact["expires_at"]))
    if answer["total_facts"] and not any(answer[kind] for kind in CARE):
        click.echo(tr("None needs care."))


@command("stats")
def stats_command() -> None:
    """Show figures of the whole memory."""
    with open_memory() as memory:
        figures = memory.fact_store({"action": "audit", "limit": 1})["statistics"]
        if is_missing():
            figures["file_bytes"] = 0
    if settings().as_json:
        print_json(figures)
        return
    categories = ", ".join(f"{name} {count}" for name, count in figures["categories"].items())
    state = translated(figures["index"]) if output.on_terminal() else figures["index"]
    output.show_fields({**figures, "categories": categories, "index": state})
