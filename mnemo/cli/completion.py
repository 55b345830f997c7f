"""The command that prints what a shell needs to complete the others."""

import click
from click.shell_completion import get_completion_class

from mnemo.cli.frame import command, write

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_MNEMO_COMPLETE"


@command("completion", has_json=False, has_database=False)
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> None:
    """Print the completion script of SHELL; put `eval "$(mnemo completion bash)"` into its start-up file."""
    made = get_completion_class(shell)
    if made is not None:
        root = click.get_current_context().find_root().command
        write(made(root, {}, "mnemo", VARIABLE).source() + "\n")
