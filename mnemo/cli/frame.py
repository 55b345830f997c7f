"""What every command has in common: `--db`, `--json`, help in the user's language, errors, exit status.

Exit status: 0, or 1 for "not found" and failed work, 2 for wrong use, 130 after Ctrl-C.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mnemo.cli.messages import is_chinese, tr, translated
from mnemo.cli.usage import INTERRUPTED, Speaking, spoken
from mnemo.errors import (
    DuplicateContentError,
    FactNotFoundError,
    InvalidArgumentError,
    MemoryFileError,
    MnemoError,
)

if TYPE_CHECKING:
    from mnemo.memory import Memory

FAILED, WRONG_USE = 1, 2
OPTIONS = {"min_trust": "--min-trust", "trust_delta": "--trust-delta", "expires_at": "--expires", "fact_ids": "ID"}
OF_TOOLS = {"action=history lists": "`mnemo history` shows"}  # in English; the Chinese of these names commands


@dataclass
class Settings:
    """What was chosen for this run: the memory file (None: the usual one), and whether to print JSON."""

    database: Path | None = None
    as_json: bool = False


def settings() -> Settings:
    """Return the settings of the running command."""
    return click.get_current_context().ensure_object(Settings)


def choose_database(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Take over `--db`, which may stand before or behind the command's name."""
    chosen = ctx.ensure_object(Settings)
    if value is not None:
        chosen.database = Path(value).expanduser().absolute()


def _choose_json(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Settings).as_json = value


class Option(click.Option):
    """An option whose help is in the user's language."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option as written, and its help, translated."""
        english = self.help
        self.help = tr(english) if english else english
        try:
            record = super().get_help_record(ctx)
        finally:
            self.help = english
        return None if record is None else (record[0], _ranges_told(record[1]))


def _ranges_told(text: str) -> str:
    """Return the help of an option with what click writes of its range in the user's language."""
    if not is_chinese():
        return text
    between = tr("[from {low} to {high}]", low=r"\1", high=r"\2")
    text = re.sub(r"\[([\d.]+)<=x<=([\d.]+)\]", between, text)
    return re.sub(r"\[x>=([\d.]+)\]", tr("[{low} or more]", low=r"\1"), text)


class Command(Speaking):
    """A command that answers errors in words, with the right exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what it returns, if it is a number, is the exit status."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _discard_output()
            status = 0
        except KeyboardInterrupt:
            click.echo(tr("Stopped; what was done so far is kept."), err=True)
            status = INTERRUPTED
        except MnemoError as error:
            status = _report(error, as_json=ctx.ensure_object(Settings).as_json)
        ctx.exit(status if isinstance(status, int) else 0)


class Group(Speaking, click.Group):
    """The group of all commands; what is wrong with how any is called is said by it."""

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run a command; where its output finds no room, end with 1 and say so."""
        if sys.stdout is None:  # closed by who started us
            sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        try:
            return super().main(*arguments, **extra)
        except OSError as error:
            _discard_output()
            with suppress(OSError):
                fail(tr("What was to be said could not be written: {error}", error=error.strerror or error))
            sys.exit(FAILED)

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Return the context of a run."""
        with spoken():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was called."""
        with spoken():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was called; where there is none, name the one that is spelt nearly so."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from None

    def short_helps(self) -> dict[str, str]:
        """Return one line about each command, in order."""
        return {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line about each option, and about each command."""
        super().format_options(ctx, formatter)
        with formatter.section(tr("Commands")):
            formatter.write_dl([(name, tr(text)) for name, text in self.short_helps().items()])


def command(
    name: str, *, has_json: bool = True, has_database: bool = True, cls: type[Command] = Command
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Make a command of a function; its docstring is the help, the number it returns the exit status."""

    def decorate(function: Callable[..., int | None]) -> click.Command:
        made = click.command(name, cls=cls)(function)
        if has_json:
            made.params.append(
                Option(
                    ["--json"],
                    is_flag=True,
                    expose_value=False,
                    callback=_choose_json,
                    help="Print one JSON object; where a tool has the same action, that tool's answer.",
                )
            )
        if has_database:
            made.params.append(
                Option(
                    ["--db"],
                    metavar="FILE",
                    expose_value=False,
                    callback=choose_database,
                    help="The memory file to use (instead of MNEMO_DB or ~/.mnemo/facts.db).",
                )
            )
        return made

    return decorate


@contextmanager
def open_memory(*, adds: bool = False) -> Iterator["Memory"]:
    """Give the chosen memory, and write at the end what waits.

    Only a command that adds makes the file: a path that is not there may be spelt wrongly. Others are told so, and get
    an empty memory that is gone afterwards.
    """
    from mnemo.memory import Memory

    path = memory_path()
    if not adds and is_missing():
        from mnemo import copies

        click.echo(tr("{path} is not there yet; the first fact that is added makes it.", path=path), err=True)
        with copies.rehearsal(path) as nothing:
            yield nothing
        return
    memory = Memory(path, source="command line")
    try:
        yield memory
    finally:
        memory.close()


def require_memory() -> None:
    """Go on only where the chosen memory is there.

    Raises:
        MemoryFileError: nothing is at its path.
    """
    path = memory_path()
    if is_missing():
        raise MemoryFileError(f"There is no memory at {path}; nothing was done. Check the path (--db, MNEMO_DB).")


def memory_path() -> Path:
    """Return the path of the chosen memory."""
    from mnemo import paths

    return settings().database or paths.database_path()


def is_missing() -> bool:
    """Tell whether nothing is at the chosen memory's path; what cannot be looked at is explained by who opens it."""
    try:
        memory_path().lstat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def call(**arguments: Any) -> dict[str, Any]:
    """Do one action of `fact_store` on the chosen memory and return its answer; None is "not given"."""
    with open_memory(adds=arguments["action"] == "add") as memory:
        return memory.fact_store(arguments)


def own_limit(limit: int | None, default: int, shown: str = "") -> int:
    """Return the limit of a command whose default is another than the tool's.

    Raises:
        InvalidArgumentError: it is 0 or less; the message names the command's default (as `shown`, if that says more).
    """
    from mnemo import arguments

    return arguments.checked_limit(default if limit is None else limit, shown or default)


def print_json(answer: Mapping[str, Any]) -> None:
    """Print an answer as the tools give it: one compact JSON object, in UTF-8 wherever it goes."""
    from mnemo.answers import answer_text

    write(answer_text(answer) + "\n")


def write(text: str) -> None:
    """Write text to stdout in UTF-8, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def fail(message: str) -> int:
    """Explain on stderr why the work was not done, and return the exit status for that."""
    click.echo(f"mnemo: {message}", err=True)
    return FAILED


def _report(error: MnemoError, *, as_json: bool) -> int:
    status = WRONG_USE if isinstance(error, InvalidArgumentError) else FAILED
    if as_json:
        from mnemo.answers import error_answer

        print_json(error_answer(error))
    else:
        click.echo(f"mnemo: {explain(error)}", err=True)
    return status


def no_such_fact(fact_id: int) -> str:
    """Return what to do where there is no fact of an id."""
    said = (
        "There is no fact {id}; `mnemo list` shows the facts that exist, `mnemo history {id}` what a removed one was."
    )
    return tr(said, id=fact_id)


def by_option(sentence: str) -> str:
    """Return a sentence that tells how to name another memory; where `--db` named this one, the variable is none."""
    context = click.get_current_context(silent=True)
    chosen = context.find_object(Settings) if context is not None else None
    if chosen is None or chosen.database is None or "--db" in sentence:
        return sentence
    return re.sub(r"\bMNEMO_DB\b", "--db", sentence, flags=re.ASCII)


def explain(error: MnemoError) -> str:
    """Return what a person at a shell needs to know of an error."""
    if isinstance(error, FactNotFoundError):
        return no_such_fact(error.fact_id)
    if isinstance(error, DuplicateContentError):
        return tr("Another fact already says exactly this: {error}", error=error)
    if isinstance(error, InvalidArgumentError):
        return tr("That cannot be done: {error}", error=_at_a_shell(str(error)))
    return by_option(translated(str(error)))


def _at_a_shell(sentence: str) -> str:
    """Return what is wrong with an argument, by the names that things have at a shell."""
    sentence = re.sub(r"^(after|before) must", r"--\1 must", sentence)
    for tool, shell in (OPTIONS if is_chinese() else OPTIONS | OF_TOOLS).items():
        sentence = re.sub(rf"(?<![\w-]){tool}\b", shell, sentence)
    return sentence


def _discard_output() -> None:
    """Send what would still be written nowhere: the reader has gone, and that is no error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
