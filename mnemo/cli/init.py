"""The command that connects assistants to the memory, and takes it out of them again."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mnemo.cli import output
from mnemo.cli.frame import FAILED, WRONG_USE, Option, command, fail, print_json, settings, write
from mnemo.cli.messages import tr, translated
from mnemo.cli.usage import confirm
from mnemo.clients import catalogue, commands, files, plans

if TYPE_CHECKING:
    from mnemo.clients.catalogue import Client
    from mnemo.clients.files import Plan

DONE = {
    files.ADD: "{client}: added to {file}.",
    files.UPDATE: "{client}: updated in {file}.",
    files.REMOVE: "{client}: removed from {file}.",
    files.NOTHING: "{client}: nothing to do in {file}.",
    files.FAIL: "{client}: {file} was left alone: {problem}",
}
PASSING = ("/tmp", "/var/tmp")  # noqa: S108 - to warn of memories there, wherever TMPDIR leads


@command("init")
@click.argument(
    "clients", nargs=-1, metavar="[CLIENT]...", type=click.Choice(list(catalogue.BY_KEY), case_sensitive=False)
)
@click.option("-y", "--yes", cls=Option, is_flag=True, help="Set up every assistant that is found, without asking.")
@click.option("--project", cls=Option, is_flag=True, help="Write into the files of this folder's project.")
@click.option("--hooks", cls=Option, is_flag=True, help="Let Claude Code also recall facts by itself (hooks).")
@click.option("--remove", cls=Option, is_flag=True, help="Take mnemo out again.")
@click.option("--dry-run", cls=Option, is_flag=True, help="Only show what would change.")
def init_command(
    clients: Sequence[str], yes: bool, project: bool, hooks: bool, remove: bool, dry_run: bool
) -> int | None:
    """Connect assistants: claude-code, codex, cursor, vscode, gemini, windsurf, zed, claude-desktop.

    Without a name, mnemo asks about every assistant that it finds. What else is in a file stays as it is,
    and the file is kept beside itself (.mnemo-backup) before the first change.
    """
    scope = catalogue.PROJECT if project else catalogue.USER
    if not remove:
        from mnemo.memory import check_settings

        check_settings()
    chosen = _chosen(clients, ask=not (yes or dry_run or remove), everyone=remove)
    if isinstance(chosen, int):
        return chosen
    planned = _removals(chosen, scope) if remove else _additions(chosen, scope, hooks=hooks)
    if remove and not clients:
        planned = [plan for plan in planned if plan.action != files.NOTHING and plan.concerns_us]
    outcomes = [plan if dry_run else _carried_out(plan) for plan in planned]
    trouble = None
    if not (dry_run or remove) and any(plan.action != files.FAIL for plan in outcomes):
        trouble = commands.trouble(_server())
    _report(outcomes, trouble, dry_run=dry_run, remove=remove)
    is_failed = trouble is not None or any(plan.action == files.FAIL for plan in outcomes)
    return FAILED if is_failed else 0


def _chosen(names: Sequence[str], *, ask: bool, everyone: bool) -> "Sequence[Client] | int":
    """Return the clients that are meant, or an exit status where that cannot be told."""
    if names:
        return [catalogue.BY_KEY[name] for name in dict.fromkeys(names)]
    if everyone:
        return catalogue.CLIENTS
    found = [client for client in catalogue.CLIENTS if client.is_installed()]
    if not found:
        return fail(tr("No assistant was found; name yours: {names}", names=", ".join(catalogue.BY_KEY)))
    if not ask:
        return found
    if not _can_ask():
        names = [client.key for client in found]
        fail(tr("Found {names}; name those that are to be set up, or say --yes for all.", names=", ".join(names)))
        return WRONG_USE
    return [client for client in found if confirm(tr("Set up {client}?", client=client.name), default=True)]


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _chosen_database() -> Path | None:
    """Return the memory that was named by an option or a variable, None if neither was."""
    from mnemo import paths

    return settings().database or (
        paths.database_path() if os.environ.get(paths.DATABASE_VARIABLE, "").strip() else None
    )


def _unless_usual(database: Path | None) -> Path | None:
    """Return a memory's file if it is not the usual one: a client does not have this shell's variables."""
    from mnemo import paths

    return None if database == paths.default_path() else database


def _passes_away(path: Path) -> bool:
    """Tell whether a path lies in a folder of temporary files, which the system empties."""
    import tempfile

    folders = {Path(folder).resolve() for folder in (tempfile.gettempdir(), *PASSING)}
    return not folders.isdisjoint(path.resolve().parents)


def _tell_memories(outcomes: "Sequence[Plan]") -> None:
    """Say which memories the entries name, if not the usual one, and whose changes."""
    entries = [(plan.client, plan.former, plan.entry) for plan in outcomes if plan.entry and plan.action != files.FAIL]
    memories = [_unless_usual(entry.database) for _, _, entry in entries if entry]
    for database in dict.fromkeys(filter(None, memories)):
        click.echo(output.one_line(tr("The assistant will use the memory {file}.", file=database)))
        if _passes_away(database):
            said = (
                "That lies in a folder of temporary files, which are deleted some day. For the usual memory, "
                "`unset MNEMO_DB` (or leave out --db) and run this again."
            )
            click.echo(output.style(tr("Note: "), fg="yellow") + tr(said), err=True)
    for client, former, entry in entries:
        if entry and entry.is_told_by_variable and _unless_usual(entry.database):
            text = tr("{client}: MNEMO_DB in its entry names that; --db FILE chooses another.", client=client.name)
            click.echo(output.one_line(text))
        if entry and former and former.is_ours and former.database not in (None, entry.database):
            text = tr("{client}: until now it used the memory {file}.", client=client.name, file=former.database)
            click.echo(output.one_line(text))


def _tell_settings(outcomes: "Sequence[Plan]") -> None:
    """Say which settings the entries hold, which are the servers' whatever a shell sets."""
    for client, settings_told in _settings_in(outcomes):
        text = tr("{client}: its server runs with {settings}.", client=client.name, settings=settings_told)
        click.echo(output.one_line(text))


def _settings_in(outcomes: "Sequence[Plan]") -> "Iterator[tuple[Client, str]]":
    from mnemo.memory import SETTINGS

    for plan in outcomes:
        environment = plan.entry.environment if plan.entry and plan.action != files.FAIL else {}
        told = ", ".join(f"{name}={environment[name]}" for name in SETTINGS if name in environment)
        if told:
            yield plan.client, told


def _tell_switch(plan: "Plan") -> None:
    """Say that the user has switched the entry off, and by which setting: that is left to the user."""
    if plan.entry is not None and plan.entry.switch and plan.action != files.FAIL:
        values = {"client": plan.client.name, "file": plan.path, "setting": plan.entry.switch}
        said = "{client}: mnemo is switched off there ({setting} in {file}); switch it on to use it."
        click.echo(output.style(tr("Note: "), fg="yellow") + output.one_line(tr(said, **values)), err=True)


def _tell_of_another(plan: "Plan", *, remove: bool) -> None:
    """Say which other program an entry of mnemo's name started, or still starts."""
    former = plan.former
    if former is None or former.is_ours or not former.leads_to or plan.action == files.FAIL:
        return
    values = {"client": plan.client.name, "command": former.leads_to}
    if remove:
        text = tr("{client}: its entry mnemo starts another program, which stays: {command}", **values)
    else:
        said = "{client}: its entry mnemo started another program until now: {command}. --remove brings that back."
        text = tr(said, **values)
    click.echo(output.one_line(text))


def _server() -> list[str]:
    return commands.server(_unless_usual(_chosen_database()))


def _project() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise click.ClickException(tr("The current folder is not there any more; change to another one.")) from error


def _additions(chosen: "Sequence[Client]", scope: str, *, hooks: bool) -> "list[Plan]":
    from mnemo.memory import chosen_settings

    planned = []
    if hooks and catalogue.BY_KEY["claude-code"] not in chosen:
        click.echo(tr("--hooks is for Claude Code, which is not among these; nothing comes of it."), err=True)
    for client in chosen:
        database = _chosen_database()
        plan = plans.install(client, scope, _project(), _server(), database, chosen_settings())
        if plan is None:
            click.echo(tr("{client} has no file for a project; leave out --project.", client=client.name), err=True)
            continue
        planned.append(plan)
        # Hooks that are there follow the entry, or they would go on with another program or memory.
        if client.key == "claude-code" and (hooks or plans.has_hooks(scope, _project())):
            database = plan.entry.database if plan.entry and plan.entry.database else _chosen_database()
            planned.append(plans.install_hooks(client, scope, _project(), _unless_usual(database)))
    return planned


def _removals(chosen: "Sequence[Client]", scope: str) -> "list[Plan]":
    planned = []
    for client in chosen:
        plan = plans.uninstall(client, scope, _project())
        planned += [plan] if plan else []
        if client.key == "claude-code":
            planned.append(plans.uninstall_hooks(client, scope, _project()))
    return planned


def _carried_out(plan: "Plan") -> "Plan":
    from dataclasses import replace

    try:
        files.carry_out(plan)
    except OSError as error:
        return replace(plan, action=files.FAIL, problem=error.strerror or str(error))
    return plan


def _report(outcomes: "Sequence[Plan]", trouble: str | None, *, dry_run: bool, remove: bool) -> None:
    if settings().as_json:
        print_json(_answer(outcomes, trouble, dry_run=dry_run, remove=remove))
        return
    for plan in outcomes:
        if dry_run and plan.action not in (files.NOTHING, files.FAIL):
            write(output.clean(plan.diff()))
            continue
        values = {"client": plan.client.name, "file": plan.path, "problem": translated(plan.problem)}
        text = output.one_line(tr(DONE[plan.action], **values))
        click.echo(text, err=plan.action == files.FAIL)
        _tell_of_another(plan, remove=remove)
    if not remove:
        _tell_memories(outcomes)
        _tell_settings(outcomes)
        for plan in outcomes:
            _tell_switch(plan)
    if not outcomes:
        click.echo(tr("Nothing was changed."))
    elif trouble is not None:
        command, problem = " ".join(_server()), translated(trouble)
        fail(tr("The command {command} does not answer: {problem}", command=command, problem=problem))
    elif not (dry_run or remove) and any(plan.action != files.FAIL for plan in outcomes):
        is_news = any(
            plan.action in (files.ADD, files.UPDATE) and not (plan.entry and plan.entry.switch) for plan in outcomes
        )
        said = "The server answers. Restart the assistant, and ask it to remember something."
        click.echo(tr(said) if is_news else tr("The server answers."))


def _answer(outcomes: "Sequence[Plan]", trouble: str | None, *, dry_run: bool, remove: bool) -> dict[str, Any]:
    told = []
    for plan in outcomes:
        one = {"client": plan.client.key, "file": str(plan.path), "action": plan.action}
        if plan.problem:
            one["problem"] = plan.problem
        if plan.former is not None and not plan.former.is_ours:
            one["other_program"] = plan.former.leads_to
        if not remove and plan.entry is not None and plan.action != files.FAIL:
            memory = _unless_usual(plan.entry.database)
            one |= {"memory": str(memory)} if memory else {}
            one |= {"switched_off": plan.entry.switch} if plan.entry.switch else {}
        if dry_run:
            one["diff"] = plan.diff()
        elif plan.backup.exists():
            one["backup"] = str(plan.backup)
        told.append(one)
    answer: dict[str, Any] = {"files": told}
    if not remove:
        answer["command"] = _server()
    if trouble is not None:
        answer["error"] = trouble
    return answer
