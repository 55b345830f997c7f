"""The commands that speak MCP: the only ones that import its SDK, and only when they run."""

import gc
import sys

from mnemo.cli.frame import command, settings
from mnemo.cli.messages import tr

COLLECT_AFTER = 10_000  # new objects; an answer leaves few that refer to each other


@command("serve", has_json=False)
def serve_command() -> None:
    """Serve the memory to an MCP client on stdin and stdout."""
    gc.disable()
    from mnemo import server
    from mnemo.memory import Memory

    gc.freeze()  # what was imported stays: looking through it would make starts, and now and then an answer, wait
    gc.set_threshold(COLLECT_AFTER)
    gc.enable()
    if sys.stdin is not None and sys.stdin.isatty():
        said = "Waiting for an MCP client on stdin; assistants start this themselves (`mnemo init`). Ctrl-C ends it."
        server.report(tr(said))
    server.serve(Memory(settings().database))


@command("demo", has_json=False, has_database=False)
def demo_command() -> int:
    """Show what mnemo does: a real server on a temporary memory, each answer checked."""
    from mnemo.cli import demo

    return demo.run()
