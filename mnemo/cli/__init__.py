"""The command line; each command imports what it needs when it runs."""

import click

import mnemo


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mnemo.__version__, prog_name="mnemo")
def main() -> None:
    """Fact memory for AI coding assistants, in Chinese and English."""


@main.command()
def serve() -> None:
    """Serve the memory to an MCP client on stdin and stdout."""
    from mnemo import server

    server.serve()
