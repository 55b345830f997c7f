"""The commands that show what facts were, bring that back, and destroy facts for good."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from mnemo.cli import output
from mnemo.cli.frame import FAILED, Option, command, fail, open_memory, own_limit, print_json, settings
from mnemo.cli.messages import tr
from mnemo.cli.usage import confirm
from mnemo.errors import FactNotFoundError
from mnemo.version_tables import TEXTS

if TYPE_CHECKING:
    from mnemo.memory import Memory

HISTORY_HEADS = ("version", "time (UTC)", "source", "action", "before")
REMOVED = 0  # stands for no version: the fact as it was when it was removed
SHOWN_FACTS = 10
MOST_VERSIONS = 1000


@command("history")
@click.argument("fact_id", type=int, metavar="ID")
@click.option("-n", "--limit", cls=Option, type=int, metavar="N", help="At most this many versions (all).")
@click.option(
    "--restore",
    cls=Option,
    type=click.IntRange(min=REMOVED),
    is_flag=False,
    flag_value=REMOVED,
    metavar="[VERSION]",
    help="Bring the fact back as it was before VERSION, or without one as it was when it was removed.",
)
def history_command(fact_id: int, limit: int | None, restore: int | None) -> int:
    """Show what a fact was before each change, newest first, also after it was removed."""
    most = own_limit(limit, MOST_VERSIONS, "all")
    asked: dict[str, Any] = {"action": "history", "limit": most}
    if restore is not None:
        asked = {"action": "restore", "version": restore or None}
    try:
        with open_memory() as memory:
            answer = memory.fact_store({**asked, "fact_id": fact_id})
    except FactNotFoundError:
        if settings().as_json:
            raise
        return fail(_unknown(fact_id))  # what others say of a missing fact would lead back to here
    if settings().as_json:
        print_json(answer)
    elif restore is not None:
        click.echo(tr("Brought fact {id} back.", id=fact_id))
    else:
        output.show_rows(HISTORY_HEADS, [_row(version) for version in answer["versions"]])
        output.notes(answer)
    return 0


def _unknown(fact_id: int) -> str:
    return tr("There is no fact {id}, and none is known to have been.", id=fact_id)


def _row(version: Mapping[str, Any]) -> list[str]:
    """Return a version as a row; a terminal gets names in the user's language too, and no empty values."""
    is_read = output.on_terminal()
    before = version.get("before", {})
    texts_first = sorted(before.items(), key=lambda item: item[0] not in TEXTS)
    was = "  ".join(
        f"{tr(name) if is_read else name}={'' if value is None else value}"
        for name, value in texts_first
        if not is_read or value not in (None, "")
    )
    return [str(version["version"]), version["changed_at"], tr(version["source"]), tr(version["action"]), was]


@command("undo")
@click.argument("what", type=click.Choice(["change", "learn", "import"]), default="change")
@click.option("--dry-run", cls=Option, is_flag=True, help="Only show what would be taken back.")
def undo_command(what: str, dry_run: bool) -> int:
    """Take the last change back, or all of the last learn or import; again takes back the one before."""
    with open_memory() as memory:
        history = memory.parts.history
        action = None if what == "change" else what
        undone = history.last_change(action) if dry_run else history.undo(action)
    if settings().as_json:
        fields = ("change_id", "action", "source", "changed_at", "facts", "left")
        print_json({"undone": None if undone is None else {name: getattr(undone, name) for name in fields}})
        return FAILED if undone is None else 0
    if undone is None:
        return fail(tr("There is nothing to take back."))
    said = "{source}, {time} UTC" if undone.source != undone.action else "{time} UTC"
    whence = tr(said, source=tr(undone.source), time=undone.changed_at)
    said = (
        "Would take back: {action} ({whence}), facts {ids}"
        if dry_run
        else "Took back: {action} ({whence}), facts {ids}"
    )
    click.echo(tr(said, action=tr(undone.action), whence=whence, ids=_named(undone.facts)))
    if undone.left:
        click.echo(tr("Changed again since, and left as they are: facts {ids}", ids=_named(undone.left)), err=True)
    return 0


def _named(fact_ids: Sequence[int]) -> str:
    shown = ", ".join(map(str, fact_ids[:SHOWN_FACTS]))
    return f"{shown} … ({len(fact_ids)})" if len(fact_ids) > SHOWN_FACTS else shown or "-"


def _is_known(memory: "Memory", fact_id: int) -> bool:
    try:
        memory.parts.history.of(fact_id)
    except FactNotFoundError:
        return False
    return True


@command("purge")
@click.argument("fact_ids", type=int, nargs=-1, required=True, metavar="ID...")
@click.option("-y", "--yes", cls=Option, is_flag=True, help="Do not ask.")
def purge_command(fact_ids: tuple[int, ...], yes: bool) -> int:
    """Destroy facts for good: every version, the index, the log entries about them; copies of the file stay."""
    with open_memory() as memory:
        known_of = [fact_id for fact_id in dict.fromkeys(fact_ids) if _is_known(memory, fact_id)]
        if known_of and not yes:
            facts = memory.fact_store({"action": "get", "fact_ids": list(fact_ids), "brief": True})["facts"]
            for fact in facts:
                click.echo(f"{fact['fact_id']}  {output.one_line(fact['text'])}", err=True)
            if not confirm(tr("Destroy {ids} for good?", ids=_named(known_of))):
                return FAILED
        known, is_clean = memory.parts.history.purge(fact_ids)
        beside = sorted(file.name for file in memory.path.parent.glob(f"{memory.path.name}.*"))
    missing = [fact_id for fact_id in fact_ids if fact_id not in known]
    if settings().as_json:
        print_json({"purged": known, "missing": missing, "rewritten": is_clean, "copies": beside})
        return FAILED if missing else 0
    for fact_id in known:
        click.echo(tr("Destroyed fact {id}.", id=fact_id))
    for fact_id in missing:
        fail(_unknown(fact_id))
    if not is_clean:
        click.echo(
            tr(
                "Another program uses the file, or its disk is full, so old pages may still be in it; "
                "do the same again when that has ended."
            ),
            err=True,
        )
    if known and beside:
        click.echo(tr("Copies beside the memory may still hold them: {files}", files=", ".join(beside)), err=True)
    return FAILED if missing else 0
