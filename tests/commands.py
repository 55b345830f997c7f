"""Commands of the command line, run in the process of the test."""

from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from mnemo.cli import main

Run = Callable[..., Result]


def invoke(*arguments: str, stdin: str | bytes | None = None, home: Path | None = None) -> Result:
    """Run a command on the memory of the test's home, or of another; what it does not expect is raised."""
    environment = {} if home is None else {"HOME": str(home), "USERPROFILE": str(home)}
    return CliRunner().invoke(
        main, list(arguments), input=stdin, env=environment, prog_name="mnemo", catch_exceptions=False
    )
