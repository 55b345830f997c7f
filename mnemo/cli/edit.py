"""The command that opens a fact in the user's editor."""

import re
import tempfile
from collections.abc import Mapping
from typing import Any

import click

from mnemo.cli import output
from mnemo.cli.frame import command, fail, open_memory, print_json, settings
from mnemo.cli.messages import tr
from mnemo.errors import FactNotFoundError, MnemoError

RULE = "---"
FIELDS = ("category", "tags", "summary")
_RULE = re.compile(rf"^{RULE}[ \t]*(?:\n|\Z)", re.MULTILINE)
_FIELD = re.compile(rf"\s*(?P<name>{'|'.join(FIELDS)})\s*[:：](?P<value>.*)")


@command("edit")
@click.argument("fact_id", type=int, metavar="ID")
def edit_command(fact_id: int) -> int:
    """Change a fact in your editor (VISUAL or EDITOR)."""
    with open_memory() as memory:
        facts = memory.fact_store({"action": "get", "fact_id": fact_id})["facts"]
        if not facts:
            raise FactNotFoundError(fact_id)
        before = as_text(facts[0])
        try:
            after = click.edit(before, extension=".txt", require_save=False)
        except click.ClickException as error:
            raise click.ClickException(tr("{error}; EDITOR names the program to use.", error=error)) from None
        try:
            changes = {} if after is None else changed(before, after)
            if not changes:
                click.echo(tr("Nothing was changed."), err=True)
                return 0
            if not str(changes.get("content", "x")).strip():
                return fail(tr("The fact has no text any more; `mnemo remove {id}` removes it.", id=fact_id))
            answer = memory.fact_store({"action": "update", "fact_id": fact_id, **changes})
        except (MnemoError, click.UsageError):
            click.echo(tr("What you wrote is kept in {file}.", file=_kept(str(after))), err=True)
            raise
    if settings().as_json:
        print_json(answer)
    else:
        click.echo(tr("Updated fact {id}.", id=fact_id))
        output.notes(answer)
    return 0


def _kept(text: str) -> str:
    """Write what was not taken to a file of its own, and return its name."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="mnemo-", suffix=".txt", delete=False) as file:
        file.write(text)
    return file.name


def as_text(fact: Mapping[str, Any]) -> str:
    """Return a fact as it is edited: a line for each field, a rule, the content."""
    lines = [f"{name}: {' '.join(str(fact[name] or '').split())}" for name in FIELDS]
    return "\n".join([*lines, RULE, fact["content"], ""])


def changed(before: str, after: str) -> dict[str, str]:
    """Return what differs between two such texts, by field; a field whose line is gone is left as it was.

    Raises:
        UsageError: it cannot be told what is a field and what is content.
    """
    old, new = _fields(before), _fields(after)
    return {name: value for name, value in new.items() if value != old.get(name)}


def _fields(text: str) -> dict[str, str]:
    text = text.replace("\r\n", "\n")
    rule = _RULE.search(text)
    if rule is None:
        if any(map(_field, text.splitlines())):
            raise click.UsageError(tr("The line --- between the fields and the content is gone; put it back."))
        return {"content": text.strip("\n")}
    fields: dict[str, str] = {}
    for line in filter(str.strip, text[: rule.start()].splitlines()):
        found = _field(line)
        if found is None or found["name"] in fields:
            said = "This line above --- is no field: {line}. Fields are {names}, each once, in one line, with a colon."
            raise click.UsageError(tr(said, line=line.strip(), names=", ".join(FIELDS)))
        fields[found["name"]] = found["value"].strip()
    return {**fields, "content": text[rule.end() :].strip("\n")}


def _field(line: str) -> re.Match[str] | None:
    return _FIELD.fullmatch(line)
