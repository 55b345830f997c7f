"""`mnemo conformance`: run the specification against any server; the suite is imported when it is asked for."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemo.cli.frame import INTERRUPTED, WRONG_USE, Option, command
from mnemo.cli.messages import tr

if TYPE_CHECKING:
    from mnemo.conformance.runner import Plan, Result

NEEDED = ("pytest", "pytest_bdd")
DEFAULT_TIMEOUT = 30.0


@command("conformance", has_json=False, has_database=False)
@click.argument("server", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND [ARGUMENT]...")
@click.option("--name", "names", multiple=True, cls=Option, help="Only scenarios with this name, or a part of one.")
@click.option("--capability", "capabilities", multiple=True, cls=Option, help="Only scenarios of this capability.")
@click.option(
    "--profile",
    type=click.Choice(["core", "full"]),
    cls=Option,
    help="What every server must do, or all (without: core, and of the rest what the server offers).",
)
@click.option("--list", "only_list", is_flag=True, cls=Option, help="List the scenarios and run none.")
@click.option("--fail-fast", is_flag=True, cls=Option, help="Stop at the first failure.")
@click.option("--jobs", type=click.IntRange(1, 64), cls=Option, help="Scenarios at a time (the number of cores).")
@click.option(
    "--timeout",
    type=click.FloatRange(0.1, 3600),
    default=DEFAULT_TIMEOUT,
    cls=Option,
    help="Seconds to wait for each answer (30).",
)
@click.option(
    "--env", "variables", multiple=True, metavar="K=V", cls=Option, help="An environment variable for the server."
)
@click.option("--fresh", is_flag=True, cls=Option, help="Start a server for every scenario, even where one is as new.")
@click.option(
    "--known-failures", type=click.Path(path_type=Path), cls=Option, help="Scenarios that may fail, with reasons."
)
@click.option(
    "--write-known-failures", type=click.Path(path_type=Path), cls=Option, help="Write what fails now to a file."
)
@click.option("--junit", type=click.Path(path_type=Path), cls=Option, help="Write a JUnit report.")
@click.option("--json", "as_json", type=click.Path(path_type=Path), cls=Option, help="Write a JSON report.")
@click.option("--html", type=click.Path(path_type=Path), cls=Option, help="Write a report as one HTML page.")
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
        return _wrong(tr("The suite needs more packages; run: pip install 'mnemo-facts[conformance]'"))

    from mnemo.conformance import catalogue, known, runner, words
    from mnemo.conformance.driver import CommandError

    try:
        every = catalogue.all_cases()
        cases = catalogue.chosen(every, names, capabilities)
        if only_list:
            click.echo(catalogue.listing(case for case in cases if profile != runner.CORE or case.is_core))
            return 0
        if not server:
            return _wrong(tr("Name the server's command behind --, as in: mnemo conformance -- ./my-server --stdio"))
        environment = dict(_pair(text) for text in variables)
        reasons = known.read(known_failures, [case.name for case in every]) if known_failures else {}
    except (catalogue.UnknownNameError, known.KnownFailuresError, ValueError) as error:
        return _wrong(str(error))
    for path in (junit, as_json, html, write_known_failures):
        if path and not path.absolute().parent.is_dir():
            return _wrong(tr("There is no folder for {path}.", path=path))

    plan = runner.Plan(
        command=server,
        cases=cases,
        profile=profile or (runner.FULL if names else None),
        jobs=jobs or os.cpu_count() or 1,
        timeout=timeout,
        environment=environment,
        known=reasons,
        fail_fast=fail_fast,
        keep=keep,
        always_fresh=fresh,
    )
    progress = words.Progress(plan, verbose=verbose)
    try:
        click.echo(words.heading(plan))
        result = runner.run(plan, progress.tell)
    except CommandError as error:
        return _wrong(error.sentence)
    except KeyboardInterrupt:
        progress.end()
        click.echo(tr("Stopped; every server was ended."), err=True)
        return INTERRUPTED
    progress.end()
    try:
        _write_reports(plan, result, junit, as_json, html)
        if write_known_failures:
            failing = {one.case.name: one.failure.sentence for one in result.outcomes if one.failure}
            known.write(write_known_failures, failing, reasons)
    except OSError as error:
        return _wrong(str(error))
    click.echo(words.summary(result))
    return 0 if result.conforms else 1


def _write_reports(plan: "Plan", result: "Result", junit: Path | None, as_json: Path | None, html: Path | None) -> None:
    from mnemo.conformance import page, reports

    if junit:
        reports.write_junit(junit, plan, result)
    if as_json:
        reports.write_json(as_json, plan, result)
    if html:
        page.write_page(html, plan, result)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError(tr("--env takes NAME=VALUE, not {text}", text=text))
    return name, value


def _wrong(sentence: str) -> int:
    sys.stdout.flush()
    click.echo(f"mnemo: {sentence}", err=True)
    return WRONG_USE
