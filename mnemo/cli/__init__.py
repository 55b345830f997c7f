"""The command line; each command is imported when it is asked for, so that each costs only what it needs."""

import importlib

import click

import mnemo
from mnemo.cli.frame import Group, Option, choose_database

COMMANDS = {
    "serve": ("serve", "Serve the memory to an MCP client."),
    "demo": ("serve", "Show what mnemo does, on a memory of its own."),
    "init": ("init", "Connect your assistants to the memory."),
    "add": ("facts", "Store a fact."),
    "search": ("search", "Find facts."),
    "recall": ("recall", "Print what a prompt should know."),
    "show": ("facts", "Show facts whole."),
    "list": ("facts", "List facts, most trusted first."),
    "update": ("facts", "Change parts of a fact."),
    "edit": ("edit", "Change a fact in your editor."),
    "remove": ("facts", "Remove facts."),
    "history": ("history", "Show what a fact was, and bring it back."),
    "undo": ("history", "Take the last change back."),
    "purge": ("history", "Destroy facts for good."),
    "feedback": ("facts", "Rate a fact as helpful or unhelpful."),
    "probe": ("entities", "Find all facts about one name."),
    "related": ("entities", "Find facts about names that go with one."),
    "reason": ("entities", "Find facts that several names share."),
    "contradict": ("entities", "Find pairs of facts that may contradict each other."),
    "learn": ("learning", "Move trust by how facts were used."),
    "audit": ("learning", "Report which facts need care."),
    "stats": ("learning", "Show figures of the whole memory."),
    "export": ("transfer", "Write all facts as JSONL, Markdown or CSV."),
    "import": ("transfer", "Merge facts from a file into the memory."),
    "backup": ("care", "Copy the memory, also while servers run."),
    "restore": ("care", "Put a copy in the place of the memory."),
    "doctor": ("care", "Check the memory and its surroundings."),
    "conformance": ("conformance", "Run the specification against any MCP server."),
    "completion": ("completion", "Print the completion script of a shell."),
}


class LazyGroup(Group):
    """A group that knows its commands' names and short helps, and imports a command's module to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"mnemo.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def short_helps(self) -> dict[str, str]:
        """Return one line about each command, without importing any."""
        return {name: text for name, (_, text) in COMMANDS.items()}


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    mnemo.__version__, prog_name="mnemo", message="%(prog)s %(version)s", cls=Option, help="Show the version and exit."
)
@click.option(
    "--db",
    cls=Option,
    metavar="FILE",
    expose_value=False,
    callback=choose_database,
    help="The memory file to use (instead of MNEMO_DB or ~/.mnemo/facts.db).",
)
def main() -> None:
    """Fact memory for AI coding assistants, in Chinese and English."""
