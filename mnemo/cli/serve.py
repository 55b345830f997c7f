"""The commands that speak MCP: the only ones that import its SDK, and only when they run."""

from mnemo.cli.frame import command, settings


@command("serve", has_json=False)
def serve_command() -> None:
    """Serve the memory to an MCP client on stdin and stdout."""
    from mnemo import server
    from mnemo.memory import Memory

    server.serve(Memory(settings().database))


@command("demo", has_json=False, has_database=False)
def demo_command() -> int:
    """Show what mnemo does: a real server on a temporary memory, each answer checked."""
    from mnemo.cli import demo

    return demo.run()
