"""The commands that keep a memory safe: copies, their return, and the check-up."""

from pathlib import Path

import click

from mnemo.cli import output
from mnemo.cli.cells import cells, pad, wrap
from mnemo.cli.frame import FAILED, Option, by_option, command, fail, memory_path, print_json, settings, write
from mnemo.cli.messages import facts, tr

CHECK_WIDTH = 11  # cells of the longest name of a check
_COLOURS = {"ok": "green", "warning": "yellow", "error": "red"}


@command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--keep", cls=Option, type=click.IntRange(min=1), metavar="N", help="Keep only the newest N of such copies."
)
def backup_command(file: Path | None, keep: int | None) -> int:
    """Copy the memory to FILE (or beside it, with the time in the name), also while servers run."""
    from mnemo import copies

    if file is not None and not file.absolute().parent.is_dir():
        return fail(tr("There is no folder for {path}.", path=file))
    copy, removed = copies.backup(memory_path(), file, keep)
    if settings().as_json:
        print_json({"file": str(copy), "bytes": copy.stat().st_size, "removed": [str(old) for old in removed]})
        return 0
    click.echo(tr("Copied the memory to {file}.", file=copy))
    for old in removed:
        click.echo(tr("Removed the older copy {file}.", file=old))
    return 0


@command("restore")
@click.argument("file", type=click.Path(path_type=Path))
def restore_command(file: Path) -> int:
    """Put the copy FILE in the place of the memory; the copy is checked, the present file is kept beside it."""
    from mnemo import copies

    if file.is_file() and not _is_database(file):
        return fail(tr("{file} is no copy of a memory; `mnemo backup` makes copies.", file=file))
    total, aside = copies.restore(memory_path(), file)
    if settings().as_json:
        print_json({"facts": total, "kept": None if aside is None else str(aside)})
        return 0
    click.echo(tr("Restored {file}; the memory now has {facts}.", facts=facts(total), file=file))
    if aside is not None:
        click.echo(tr("What was there before is in {file}.", file=aside))
    return 0


def _is_database(file: Path) -> bool:
    from mnemo.storage.copying import is_database

    try:
        return is_database(file)
    except OSError:
        return True  # whoever reads it next says why it cannot be read


@command("doctor")
@click.option("--fix", cls=Option, is_flag=True, help="Mend what is safe to mend: the index, permissions.")
def doctor_command(fix: bool) -> int:
    """Check the memory and its surroundings, and say what to do; ends 1 if something is wrong."""
    from mnemo import diagnosis
    from mnemo.memory import chosen_settings

    findings = diagnosis.diagnose(memory_path(), repair=fix, settings=chosen_settings())
    is_wrong = any(finding.status == diagnosis.ERROR for finding in findings)
    if settings().as_json:
        print_json({"ok": not is_wrong, "checks": [finding.as_dict() for finding in findings]})
        return FAILED if is_wrong else 0
    width = max(cells(tr(status)) for status in _COLOURS)
    for finding in findings:
        status = output.style(pad(tr(finding.status), width), fg=_COLOURS[finding.status], bold=True)
        said = output.one_line(by_option(tr(finding.text, **finding.values)))
        front = width + 2 + CHECK_WIDTH + 2
        room = max(output.MIN_TEXT_WIDTH, output.terminal_width() - front) if output.on_terminal() else 0
        first, *rest = wrap(said, room) if room else [said]
        write(f"{status}  {pad(finding.check, CHECK_WIDTH)}  {first}\n")
        write("".join(f"{' ' * front}{line}\n" for line in rest))
    return FAILED if is_wrong else 0
