"""`mnemo conformance`: run the specification against any server; the suite is imported when it is asked for."""

import io
import math
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from mnemo.cli.frame import WRONG_USE, Command, Option, command
from mnemo.cli.messages import tr
from mnemo.cli.usage import INTERRUPTED

if TYPE_CHECKING:
    from mnemo.conformance.catalogue import Case
    from mnemo.conformance.runner import Plan, Result

NEEDED = ("pytest", "pytest_bdd")
DEFAULT_TIMEOUT = 30.0
STDOUT = Path("-")
Files = dict[str, Path]  # by the option that names each, without its hyphens


class WrongUseError(Exception):
    """What was asked for cannot be done; the text says why."""


class ConformanceCommand(Command):
    """A command line of its own, behind which another one stands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take what stands behind `--` as the server's, and refuse to guess whose an option is without it."""
        given = list(args)
        ctx.allow_interspersed_args = False
        rest = super().parse_args(ctx, args)
        server: tuple[str, ...] = ctx.params.get("server") or ()
        option = next((word for word in server if word.startswith("-")), None)
        if option and given[-len(server) - 1 : -len(server)] != ["--"]:
            said = tr("Write -- before the server's command; without it {option} could be an option of either.")
            raise click.UsageError(said.format(option=option), ctx)
        return rest


def _number(ctx: click.Context, parameter: click.Parameter, value: float) -> float:
    if math.isnan(value):
        raise click.BadParameter("nan", ctx, parameter)
    return value


@command("conformance", has_json=False, has_database=False, cls=ConformanceCommand)
@click.argument("server", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND [ARGUMENT]...")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    cls=Option,
    help="Only scenarios with this name, or a part of one.",
)
@click.option(
    "--capability", "capabilities", multiple=True, metavar="NAME", cls=Option, help="Only scenarios of this capability."
)
@click.option(
    "--profile",
    type=click.Choice(["core", "full"]),
    cls=Option,
    help="What every server must do, or all (without: core, and of the rest what the server offers).",
)
@click.option("--list", "only_list", is_flag=True, cls=Option, help="List the scenarios and run none.")
@click.option("--fail-fast", is_flag=True, cls=Option, help="Stop at the first failure.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), metavar="N", cls=Option, help="Scenarios at a time (the number of cores)."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1, 3600),
    default=DEFAULT_TIMEOUT,
    metavar="S",
    callback=_number,
    cls=Option,
    help="Seconds to wait for each answer (30).",
)
@click.option(
    "--env", "variables", multiple=True, metavar="K=V", cls=Option, help="An environment variable for the server."
)
@click.option("--fresh", is_flag=True, cls=Option, help="Start a server for every scenario, even where one is as new.")
@click.option(
    "--known-failures",
    type=click.Path(path_type=Path),
    metavar="FILE",
    cls=Option,
    help="Scenarios that may fail, with reasons.",
)
@click.option(
    "--write-known-failures",
    type=click.Path(path_type=Path),
    metavar="FILE",
    cls=Option,
    help="Write what fails now to a file.",
)
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", cls=Option, help="Write a JUnit report (- is stdout)."
)
@click.option(
    "--json",
    "as_json",
    type=click.Path(path_type=Path),
    metavar="FILE",
    cls=Option,
    help="Write a JSON report, or the list as JSON (- is stdout).",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    cls=Option,
    help="Write a report as one HTML page (- is stdout).",
)
@click.option("--keep", is_flag=True, cls=Option, help="Keep the HOME of each failed scenario and say where.")
@click.option("--verbose", is_flag=True, cls=Option, help="Show each scenario with its steps.")
def conformance_command(
    server: tuple[str, ...],
    names: tuple[str, ...],
    capabilities: tuple[str, ...],
    profile: str | None,
    only_list: bool,
    fail_fast: bool,
    jobs: int | None,
    timeout: float,
    variables: tuple[str, ...],
    fresh: bool,
    known_failures: Path | None,
    write_known_failures: Path | None,
    junit: Path | None,
    as_json: Path | None,
    html: Path | None,
    keep: bool,
    verbose: bool,
) -> int:
    """Run the specification against any MCP server.

    Behind -- stands the server's command line. Exit status: 0 it conforms, 1 it does not, 2 it could not be run.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pip = shlex.join([sys.executable, "-m", "pip", "install"])
        here, whole = f"{pip} '.[conformance]'", f"{pip} 'mnemo-facts[conformance]'"
        said = "The suite needs more packages; in a checkout of mnemo run: {here} or, once it is published: {whole}"
        return _wrong(tr(said, here=here, whole=whole))
    _speak_utf8()

    from mnemo.conformance import catalogue, known, runner

    named = {"junit": junit, "json": as_json, "html": html, "write-known-failures": write_known_failures}
    files = {name: path for name, path in named.items() if path is not None}
    try:
        every = catalogue.all_cases()
        cases = catalogue.chosen(every, names, capabilities)
        of_profile = [case for case in cases if profile != runner.CORE or case.is_core]
        if not of_profile:
            raise WrongUseError(tr("Nothing of that belongs to the profile core; leave out --profile core."))
        if only_list:
            return _list(of_profile, files, has_known=known_failures is not None)
        if not server:
            return _wrong(tr("Name the server's command behind --, as in: mnemo conformance -- ./my-server --stdio"))
        _check(files, known_failures, fail_fast=fail_fast)
        environment = dict(_pair(text) for text in variables)
        order = [case.name for case in every]
        reasons = known.read(known_failures, order) if known_failures else {}
        before = {**_reasons_of(write_known_failures, order), **reasons}
    except (catalogue.UnknownNameError, known.KnownFailuresError, WrongUseError) as error:
        return _wrong(str(error))

    plan = runner.Plan(
        command=server,
        cases=cases,
        profile=profile,
        selection=runner.Selection(names, capabilities, len(every)) if names or capabilities else None,
        jobs=jobs or os.cpu_count() or 1,
        timeout=timeout,
        environment=environment,
        known=reasons,
        known_file=known_failures,
        fail_fast=fail_fast,
        keep=keep,
        always_fresh=fresh,
    )
    spoken = sys.stderr if STDOUT in files.values() else sys.stdout
    try:
        result = _run(plan, spoken, verbose=verbose)
        texts = _reports(plan, result, files)
        if write_known_failures and (failing := _failing(result)) is not None:
            ran = {outcome.case.name for outcome in result.ran}
            texts["write-known-failures"] = known.listing(failing, before, ran, order)
        for name, text in texts.items():
            _write(files[name], text)
        return _end(plan, result, spoken, files, written=set(texts))
    except WrongUseError as error:
        return _wrong(str(error))
    except BrokenPipeError:  # what cannot be told is no success
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG_USE


def _list(cases: Sequence["Case"], files: Files, *, has_known: bool) -> int:
    from mnemo.conformance import catalogue, reports

    if has_known or files.keys() - {"json"}:
        raise WrongUseError(tr("--list runs nothing, so that there is nothing to report; --json FILE writes the list."))
    if "json" not in files:
        click.echo(catalogue.listing(cases))
        return 0
    _check(files, None, fail_fast=False)
    _write(files["json"], reports.json_list(cases))
    return 0


def _check(files: Files, known_failures: Path | None, *, fail_fast: bool) -> None:
    """Find out before the run what could not be written after it."""
    places: dict[Path, str] = {}
    for name, path in files.items():
        place = path if path == STDOUT else path.absolute()
        if place in places:
            said = tr("--{one} and --{other} cannot both write to {path}.", one=places[place], other=name, path=path)
            raise WrongUseError(said)
        places[place] = name
        if path == STDOUT:
            continue
        if path.is_dir():
            raise WrongUseError(tr("{path} is a folder; name a file in it.", path=path))
        if not place.parent.is_dir():
            raise WrongUseError(tr("There is no folder for {path}.", path=path))
        if not os.access(path if path.exists() else place.parent, os.W_OK):
            raise WrongUseError(tr("{path} cannot be written.", path=path))
    if known_failures and places.get(known_failures.absolute()) in {"junit", "json", "html"}:
        raise WrongUseError(tr("A report would overwrite the list of known failures {path}.", path=known_failures))
    if fail_fast and "write-known-failures" in files:
        raise WrongUseError(tr("--write-known-failures needs the whole run; leave out --fail-fast."))


def _reasons_of(path: Path | None, order: Sequence[str]) -> Mapping[str, str]:
    """Return the reasons that a list has which is to be written anew, so that no reason is lost."""
    from mnemo.conformance import known

    return known.read(path, order) if path and path.is_file() else {}


def _run(plan: "Plan", spoken: TextIO, *, verbose: bool) -> "Result":
    from mnemo.conformance import runner, words
    from mnemo.conformance.driver import CommandError

    progress = words.Progress(plan, spoken, verbose=verbose)
    print(words.heading(plan), file=spoken, flush=True)
    try:
        return runner.run(plan, progress.tell)
    except CommandError as error:
        raise WrongUseError(error.sentence) from error
    finally:
        progress.end()


def _reports(plan: "Plan", result: "Result", files: Files) -> dict[str, str]:
    from mnemo.conformance import page, reports

    makers = {"junit": reports.junit_report, "json": reports.json_report, "html": page.page}
    return {name: make(plan, result) for name, make in makers.items() if name in files}


def _failing(result: "Result") -> dict[str, str] | None:
    """Return what failed by the names of scenarios, or None where a list of it would be wrong."""
    failures = {one.case.name: one.failure for one in result.outcomes if one.failure}
    if result.is_interrupted or not result.ran or any(failure.is_general for failure in failures.values()):
        return None
    return {name: failure.sentence for name, failure in failures.items()}


def _end(plan: "Plan", result: "Result", spoken: TextIO, files: Files, *, written: set[str]) -> int:
    from mnemo.conformance import words

    print(words.summary(plan, result), file=spoken, flush=True)
    if "write-known-failures" in files.keys() - written:
        click.echo(tr("No list of known failures was written; it needs a run that comes to its end."), err=True)
    if result.is_interrupted:
        click.echo(tr("Stopped; every server was ended."), err=True)
        return INTERRUPTED
    if not result.ran:
        return WRONG_USE
    return 0 if result.conforms else 1


def _write(path: Path, text: str) -> None:
    if path == STDOUT:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        said = tr("{path} cannot be written: {reason}", path=path, reason=error.strerror or error)
        raise WrongUseError(said) from error


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale, and half characters as escapes: a failure may show any text."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise WrongUseError(tr("--env takes NAME=VALUE, not {text}", text=text))
    return name, value


def _wrong(sentence: str) -> int:
    sys.stdout.flush()
    click.echo(f"mnemo: {sentence}", err=True)
    return WRONG_USE
