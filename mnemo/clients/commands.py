"""The command that a client is told: one that works later, from any folder, without this shell's settings.

Also the check that the command answers, by the first exchange of the protocol.
"""

import json
import os
import queue
import shlex
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Sequence
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, cast

from mnemo.clients.words import DATABASE_OPTION, HOOK_ARGUMENTS, SERVE, retold_hook

PACKAGE = "mnemo-facts"
ANSWER_SECONDS = 30.0
_GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "mnemo init", "version": "1"},
    },
}


def program() -> list[str]:
    """Return how mnemo is started: by uvx or pipx if it runs from their short-lived folders, else by its full path."""
    prefix = Path(sys.prefix).as_posix()
    if "/uv/" in prefix and ("/archive-v" in prefix or "/environments-v" in prefix):
        return [shutil.which("uvx") or "uvx", "--from", PACKAGE, "mnemo"]
    if "pipx/.cache/" in prefix or "/.cache/pipx/" in prefix:
        return [shutil.which("pipx") or "pipx", "run", "--spec", PACKAGE, "mnemo"]
    suffix = ".exe" if sys.platform == "win32" else ""
    script = Path(sysconfig.get_path("scripts"), f"mnemo{suffix}")
    if not script.is_file():
        return [sys.executable, "-m", "mnemo"]
    # A link on the PATH, as pipx and uv make one, outlives the folder that it leads to.
    linked = shutil.which("mnemo")
    if linked and Path(linked).is_symlink() and Path(linked).resolve() == script.resolve():
        return [str(Path(linked).absolute())]
    return [str(script)]


def server(database: Path | None) -> list[str]:
    """Return the command that serves the memory, with its file if another than the usual one was chosen."""
    return [*program(), SERVE, *([DATABASE_OPTION, str(database)] if database else [])]


def hook(database: Path | None, given: str | None = None) -> str:
    """Return the shell command by which a hook recalls facts; of one that is there, its user's own part stays."""
    words = program()
    named: PurePath | None = database
    if sys.platform == "win32":  # hooks run in a POSIX shell there too, which would take backslashes away
        words = [word.replace("\\", "/") for word in words]
        named = None if database is None else PurePosixPath(str(database).replace("\\", "/"))
    if given is not None:
        return retold_hook(given, words, named)
    return shlex.join([*words, *HOOK_ARGUMENTS, *([DATABASE_OPTION, str(named)] if named else [])])


def trouble(command: Sequence[str], seconds: float = ANSWER_SECONDS) -> str | None:
    """Start a server and greet it; return what is wrong, None if it answers as mnemo.

    It runs in the user's folder and is ended after its answer, before it would open the memory.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - the command that we have just written
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=Path.home()
        )
    except OSError as error:
        return f"{command[0]} cannot be started: {error.strerror or error}"
    stdin, stdout, stderr = (cast(IO[bytes], pipe) for pipe in (process.stdin, process.stdout, process.stderr))
    lines: queue.Queue[bytes] = queue.Queue()
    errors: list[bytes] = []
    threading.Thread(target=_read_line, args=(stdout, lines), daemon=True).start()
    listener = threading.Thread(target=errors.extend, args=(stderr,), daemon=True)
    listener.start()
    try:
        stdin.write(json.dumps(_GREETING).encode() + b"\n")
        stdin.flush()
        line = lines.get(timeout=seconds)
        answer = json.loads(line)["result"]["serverInfo"]["name"]
    except queue.Empty:
        return f"no answer within {seconds:g} seconds"
    except (OSError, ValueError, LookupError, TypeError):
        listener.join(1)
        said = b"".join(errors).decode("utf-8", "replace").strip().splitlines()
        return said[-1] if said else "it ended without an answer"
    finally:
        _end(process)
    return None if answer == "mnemo" else f"another server answered: {answer}"


def _read_line(stream: IO[bytes], lines: "queue.Queue[bytes]") -> None:
    lines.put(stream.readline())


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        if process.stdin:
            process.stdin.close()
        process.wait(2)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream and os.name == "posix":  # elsewhere a reading thread may hold it
            stream.close()
