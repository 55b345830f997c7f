"""What click would say by itself (usage, help, wrong use, questions), in the user's language and from our catalogue.

Spoken in one place, because click's own catalogue is a compiled file that would have to be shipped beside ours.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import cleandoc
from typing import Any

import click

from mnemo.cli.cells import cells, pad, wrap
from mnemo.cli.messages import is_chinese, tr

INTERRUPTED = 130  # the exit status after Ctrl-C
PLACES = ("[OPTIONS]", "COMMAND [ARGS]...")  # of a usage line that stand for no name
YES, NO = ("y", "yes", "是", "好"), ("n", "no", "否", "不")


class ChineseHelp(click.HelpFormatter):
    """Help whose lines fit a terminal, on which a Chinese character takes two cells; click would cut none of them."""

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{' ' * self.current_indent}{heading}：\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, each wrapped."""
        room = max(self.width - self.current_indent, 20)
        lines = [line for part in text.split("\n") for line in wrap(" ".join(part.split()), room)]
        self.write("".join(f"{' ' * self.current_indent}{line}".rstrip() + "\n" for line in lines))

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of names with a wrapped text behind each."""
        pairs = list(rows)
        column = min(max(cells(name) for name, _ in pairs), col_max) + col_spacing
        start = self.current_indent + column
        for name, text in pairs:
            first, *rest = wrap(text, max(self.width - start, 20))
            if cells(name) <= column - col_spacing:
                self.write(f"{' ' * self.current_indent}{pad(name, column)}{first}\n")
            else:
                self.write(f"{' ' * self.current_indent}{name}\n{' ' * start}{first}\n")
            self.write("".join(f"{' ' * start}{line}\n" for line in rest))


class Context(click.Context):
    """A context whose help fits the user's language."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return what writes the help."""
        if not is_chinese():
            return super().make_formatter()
        return ChineseHelp(width=self.terminal_width, max_width=self.max_content_width)


class Speaking(click.Command):
    """What commands and groups have in common: usage and help in the user's language."""

    context_class = Context

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage line."""
        pieces = [tr(piece) if piece in PLACES else piece for piece in self.collect_usage_pieces(ctx)]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=tr("Usage: "))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(tr(cleandoc(self.help or "")))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line about each option."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        records = [record for one in options if (record := one.get_help_record(ctx)) is not None]
        with formatter.section(tr("Options")):
            formatter.write_dl(records)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return `--help`, its own help translated."""
        option = super().get_help_option(ctx)
        if option is not None and option.help:
            option.help = tr(option.help)
        return option


@contextmanager
def spoken() -> Iterator[None]:
    """Say in the user's language what is wrong with how a command was called, or that it was broken off.

    Raises:
        Exit: something was; the exit status is the one that click gives it.
    """
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.ClickException as error:
        show(error)
        raise click.exceptions.Exit(error.exit_code) from None
    except (click.Abort, KeyboardInterrupt) as error:
        click.echo(tr("Aborted!"), err=True)
        by_key = isinstance(error, KeyboardInterrupt) or isinstance(error.__context__, KeyboardInterrupt)
        raise click.exceptions.Exit(INTERRUPTED if by_key else 1) from None  # else nobody answered


def show(error: click.ClickException) -> None:
    """Explain on stderr what is wrong; of wrong use also how the command is used."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is not None:
        click.echo(ctx.get_usage(), err=True)
        click.echo(tr("Try '{command} --help' for help.", command=ctx.command_path) + "\n", err=True)
    click.echo(problem(error), err=True)


def problem(error: click.ClickException) -> str:
    """Return what is wrong, as one sentence of ours."""
    return "mnemo: " + tr("{error}", error=error.format_message())


def confirm(question: str, *, default: bool = False) -> bool:
    """Ask on the terminal until the answer is yes or no; an empty one is the default.

    Raises:
        Abort: nobody answers.
    """
    while True:
        hint = "Y/n" if default else "y/N"
        try:
            given = click.prompt(f"{question} [{hint}]", default="", show_default=False, err=True)
        except click.Abort:
            click.echo(err=True)  # ends the line of the question
            raise
        answer = unicodedata.normalize("NFKC", given).strip().lower()
        if answer in (*YES, *NO, ""):
            return answer in YES if answer else default
        click.echo(tr("Please answer y (yes) or n (no)."), err=True)
