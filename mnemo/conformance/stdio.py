"""The driver for any server on stdio: a command line, a fresh HOME, the public file below it."""

import json
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemo.conformance import database
from mnemo.conformance.driver import Answer, DriverError, RequestRefusedError, Statement, as_text
from mnemo.conformance.wire import Wire

ANSWER_SECONDS = 30.0
TIME_ZONE = "Asia/Shanghai"  # not UTC, so that a server which stores local time is found out


def home_environment(home: Path) -> dict[str, str]:
    """Return an environment whose user folders all lie below `home`, without any setting of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MNEMO_", "XDG_", "PYTEST_"))}
    return kept | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "APPDATA": str(home / "AppData" / "Roaming"),
        "LOCALAPPDATA": str(home / "AppData" / "Local"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "TZ": TIME_ZONE,
    }


class StdioDriver:
    """One server command in a HOME of its own; see `driver.Driver` for what the methods do."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        timeout: float = ANSWER_SECONDS,
        early: bool = False,
        folder: Path | None = None,
    ) -> None:
        """Make the HOME; `early` starts the process at once, so that it is ready when it is needed.

        The process runs in `folder`, by default the HOME.
        """
        self.home = Path(tempfile.mkdtemp(prefix="mnemo-conformance-"))
        self.database = self.home / ".mnemo" / "facts.db"
        self._command = list(command)
        self._environment = home_environment(self.home) | dict(environment or {})
        self._timeout = timeout
        self._folder = folder or self.home
        self._version: str | None = None
        self.has_outlived_stdin = False
        self._wire: Wire | None = None
        self._waiting = self._spawn() if early else None

    def before_start(self, statements: Sequence[Statement] = (), environment: Mapping[str, str] | None = None) -> None:
        """Build the file by SQL and set environment variables before the server's first start."""
        if self._wire:
            raise DriverError("the server runs already")
        if self._waiting:
            self._waiting.kill()
            self._waiting = None
            shutil.rmtree(self.home)  # that process may have made its file already
            self.home.mkdir()
        self._environment.update(environment or {})
        if statements:
            database.build_file(self.database, statements)

    def speak(self, version: str) -> None:
        """Speak this protocol version from the next start of the server on."""
        self._version = version

    def start(self) -> None:
        """Start the server and do the handshake, nothing more."""
        if self._wire:
            raise DriverError("the server runs already")
        self._wire, self._waiting = self._waiting or self._spawn(), None
        self._wire.handshake(self._version)

    def stop(self) -> None:
        """Close the server's stdin, and wait until it is gone."""
        if self._wire and not self._wire.close():
            self.has_outlived_stdin = True
        self._wire = None

    def restart(self, environment: Mapping[str, str] | None = None, *, pause: float = 0) -> None:
        """End the server and start it again on the same file, with these variables from now on."""
        self.stop()
        self._environment.update(environment or {})
        if pause:
            self._waiting = self._spawn()
            time.sleep(pause)
        self.start()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Return the answer to a tool call; a refusal by the protocol is an answer marked as an error."""
        try:
            result = self._running().request("tools/call", {"name": tool, "arguments": dict(arguments)})
        except RequestRefusedError as refusal:
            return Answer(value=None, is_error=True, text=str(refusal))
        return read_result(result)

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of any MCP request."""
        return self._running().request(method, params)

    def subscribe(self, uri: str) -> None:
        """Ask to hear when a resource changes."""
        self._running().subscribe(uri)

    def notifications(self) -> list[dict[str, Any]]:
        """Return the notifications that the running server has sent so far."""
        return self._running().notifications()

    def instructions(self) -> str:
        """Return the instructions of the running server."""
        return self._running().instructions

    def sql(self, statement: str, parameters: Sequence[Any] = ()) -> list[list[Any]]:
        """Run one statement on the public file and return the rows."""
        return database.query_file(self.database, statement, parameters)

    def wait(self, *, days: float = 0, seconds: float = 0) -> None:
        """Move every stored time back by that much."""
        database.shift_times(self.database, timedelta(days=days, seconds=seconds))

    def stderr(self) -> str:
        """Return what the running server has written to stderr so far."""
        return self._running().stderr()

    def stderr_at_handshake(self) -> str:
        """Return what stderr held when the handshake's answer came."""
        return self._running().stderr_at_handshake

    def now(self) -> str:
        """Return the present time in UTC."""
        return as_text(datetime.now(UTC))

    def is_running(self) -> bool:
        """Tell whether the process runs, be it before its handshake or after it."""
        wire = self._wire or self._waiting
        return bool(wire and wire.is_running())

    def check(self) -> None:
        """Raise a `DriverError` if a running server has ended by itself, or stdout carries what is no message."""
        if self._wire:
            self._wire.check()

    def messages(self) -> list[str]:
        """Return the last messages in both directions."""
        return self._wire.messages() if self._wire else []

    def evidence(self) -> str:
        """Return the last messages and the end of stderr."""
        return self._wire.evidence() if self._wire else "the server is not running"

    def close(self, *, keep_home: bool = False) -> threading.Thread:
        """End the server and delete its HOME, in a thread of its own: nobody waits for what is over."""
        wires = [wire for wire in (self._wire, self._waiting) if wire]
        self._wire = self._waiting = None

        def end() -> None:
            for wire in wires:
                wire.kill()
            end_strays(self.home)
            if not keep_home:
                shutil.rmtree(self.home, ignore_errors=True)

        thread = threading.Thread(target=end)
        thread.start()
        return thread

    def _spawn(self) -> Wire:
        return Wire(self._command, self._environment, self._folder, self._timeout)

    def _running(self) -> Wire:
        if not self._wire:
            self.start()
        assert self._wire is not None
        return self._wire


def end_strays(home: Path) -> None:
    """End processes that a server left behind in groups of their own; /proc tells them by the HOME."""
    mark = f"HOME={home}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:  # it is another user's, or it has just ended
            continue


def read_result(result: Mapping[str, Any]) -> Answer:
    """Return a `tools/call` result as an answer; the first text block holds the JSON.

    Raises:
        DriverError: a result that is no error has no text block with JSON.
    """
    is_error = bool(result.get("isError"))
    content = result.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    texts = [block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str)]
    if not texts:
        raise DriverError(f"the result has no text block: {result}")
    try:
        return Answer(value=json.loads(texts[0]), is_error=is_error, text=texts[0])
    except (ValueError, RecursionError):
        if is_error:
            return Answer(value=None, is_error=True, text=texts[0])
        raise DriverError(f"the result's text is not JSON: {texts[0][:500]!r}") from None
