"""The commands that write facts out and take them in."""

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mnemo.cli import output
from mnemo.cli.frame import (
    FAILED,
    Option,
    command,
    memory_path,
    open_memory,
    print_json,
    require_memory,
    settings,
    write,
)
from mnemo.cli.messages import facts, tr

if TYPE_CHECKING:
    from mnemo.memory import Memory

FORMATS = {"jsonl": "jsonl", "md": "md", "markdown": "md", "csv": "csv"}  # by name, which may be a file's ending
SHOWN_ERRORS = 20
LINES_AT_ONCE = 1000
CONFLICTS = {
    "file": "Line {line}: fact {fact_id} was changed on both sides; "
    "the file's newer version won, the other was kept: {kept}",
    "memory": "Line {line}: fact {fact_id} was changed on both sides; "
    "the memory's newer version stays, the file's was kept: {kept}",
}
_STDIN = Path("-")
STDOUT = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}


@command("export")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "-o", "--output", "target", cls=Option, type=click.Path(path_type=Path, dir_okay=False), help="Write to this file."
)
@click.option(
    "--format",
    "form",
    cls=Option,
    type=click.Choice([*FORMATS]),
    help="jsonl (complete), csv (complete) or md (to read; without trust and times).",
)
@click.option("--kept", cls=Option, is_flag=True, help="Write the versions that imports did not take instead.")
def export_command(file: Path | None, target: Path | None, form: str | None, kept: bool) -> None:
    """Write all facts to FILE or stdout: JSONL (a fact a line, for import and git), Markdown or CSV."""
    from mnemo import exports

    target = target or file
    chosen = FORMATS[form] if form is not None else _format_of(target)
    require_memory()  # the path may be wrong, and an empty export would take the place of a good one
    with open_memory() as memory, closing(_lines(memory, chosen, kept=kept)) as lines:
        if target is not None and str(target) not in STDOUT:
            count = exports.write_file(target, lines, memory.path)
            _tell_exported(target, "jsonl" if kept else chosen, count)
        elif settings().as_json:
            records = exports.export_records(memory, kept=kept)
            print_json({"facts": records, "count": len(records)})
        else:
            while batch := list(islice(lines, LINES_AT_ONCE)):
                write("".join(batch))


def _lines(memory: "Memory", form: str, *, kept: bool) -> Generator[str, None, None]:
    from mnemo import exports

    yield from exports.export_kept(memory) if kept else exports.export(memory, form)


def _format_of(target: Path | None) -> str:
    ending = target.suffix.lower().lstrip(".") if target is not None else ""
    return FORMATS.get(ending, "jsonl")


def _tell_exported(target: Path, form: str, texts: int) -> None:
    from mnemo.exports import HEADED

    count = texts - (form in HEADED)
    if settings().as_json:
        print_json({"file": str(target), "format": form, "facts": count})
    else:
        click.echo(tr("Wrote {facts} to {file}.", facts=facts(count), file=target), err=True)


@command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--format",
    "form",
    cls=Option,
    metavar="NAME",
    help="The file's format where it is not recognised: "
    "jsonl, csv, json, server-memory, sqlite, mem0, markdown, chatgpt or lines.",
)
@click.option("--dry-run", cls=Option, is_flag=True, help="Only say what would happen.")
def import_command(file: Path, form: str | None, dry_run: bool) -> int:
    """Merge the facts of FILE (- for stdin) into the memory; the same file again changes nothing.

    Takes what `mnemo export` writes, the knowledge graph of server-memory, Hermes Agent's memory_store.db and other
    databases of facts, mem0's JSON, bullet lists (CLAUDE.md, AGENTS.md, MEMORY.md), ChatGPT's memories, one fact a
    line.
    """
    from mnemo import imports

    source: Path | bytes = sys.stdin.buffer.read() if file == _STDIN else file
    with _memory(dry_run=dry_run) as memory, _progress(source) as done:
        report = imports.import_facts(memory, source, "markdown" if form == "md" else form, done)
    answer = {**report.as_dict(), "dry_run": dry_run}
    if settings().as_json:
        print_json(answer)
    else:
        _tell_imported(answer)
    return FAILED if report.errors else 0


@contextmanager
def _memory(*, dry_run: bool) -> Iterator["Memory"]:
    if not dry_run:
        with open_memory(adds=True) as memory:
            yield memory
        return
    from mnemo import copies

    with copies.rehearsal(memory_path()) as memory:
        yield memory


@contextmanager
def _progress(source: Path | bytes) -> Iterator[Callable[[int], None] | None]:
    """Give what shows a bar on a terminal, None elsewhere."""
    if not sys.stderr.isatty() or (isinstance(source, Path) and not source.is_file()):
        yield None
        return
    data = source if isinstance(source, bytes) else source.read_bytes() if source.is_file() else b""
    with click.progressbar(length=data.count(b"\n") + 1, label=tr("Importing"), file=sys.stderr) as bar:
        yield bar.update


def _tell_imported(answer: dict[str, Any]) -> None:
    said = (
        "Would read {facts} ({format}): {added} to add, {updated} to update, {unchanged} unchanged{not_taken}."
        if answer["dry_run"]
        else "Read {facts} ({format}): {added} added, {updated} updated, {unchanged} unchanged{not_taken}."
    )
    counts = {name: answer[name] for name in ("format", "added", "updated", "unchanged")}
    not_taken = tr(", {count} not taken", count=answer["not_taken"]) if answer["not_taken"] else ""
    click.echo(tr(said, facts=facts(answer["read"]), not_taken=not_taken, **counts))
    for conflict in answer["conflicts"]:
        text = output.one_line(conflict["kept"])
        won = CONFLICTS[conflict["won"]]
        click.echo(tr(won, line=conflict["line"], fact_id=conflict["fact_id"], kept=text), err=True)
    if answer["conflicts"]:
        click.echo(tr("`mnemo export --kept` shows all that was kept."), err=True)
    if answer["passed_over"]:
        said = (
            "Only bullets were taken. Paragraphs and tables were passed over: {count}, from line {line} on; what of "
            "them is to be remembered, write as bullets."
        )
        click.echo(tr(said, count=len(answer["passed_over"]), line=answer["passed_over"][0]), err=True)
    if answer["not_taken"]:
        said = (
            "What was not taken is older than what the memory says: changed here later, or brought back by an undo. "
            "`mnemo history ID` shows what a fact was."
        )
        click.echo(tr(said), err=True)
    for error in answer["errors"][:SHOWN_ERRORS]:
        click.echo(tr("Line {line} was left out: {error}", **error), err=True)
    if len(answer["errors"]) > SHOWN_ERRORS:
        click.echo(
            tr("... and {count} more lines; --json lists them all.", count=len(answer["errors"]) - SHOWN_ERRORS),
            err=True,
        )
