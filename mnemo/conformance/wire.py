"""One server process and JSON-RPC lines to and from it: threads, bounded waits, nothing of any SDK."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mnemo.conformance.driver import (
    SHOWN,
    CommandError,
    DriverError,
    NeverAnsweredError,
    RequestRefusedError,
    evidence_of,
)
from mnemo.conformance.pipes import Lines, Tail, Writer

HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
ENVELOPE_VERSIONS = ("2026-07-28",)
CLIENT = {"name": "mnemo-conformance", "version": "1"}
KEPT_MESSAGES = 12
MOST_UNASKED = 20_000  # messages before an answer; a server that sends more floods its client
END_SECONDS = 5.0
LAST_WORDS_SECONDS = 1.0  # how long a server whose stdout ended may take to end, and its stderr to be read
METHOD_NOT_FOUND = -32601
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


class Wire:
    """A server started by a command line, and the client's end of its stdin, stdout and stderr."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path | None, timeout: float
    ) -> None:
        """Start the process, in the present folder if none is given; `timeout` in seconds bounds each answer.

        Raises:
            CommandError: the command cannot be started.
        """
        self.timeout = timeout
        self.stderr_at_handshake = ""
        self.instructions = ""
        self._notifications: list[dict[str, Any]] = []
        self._messages: deque[str] = deque(maxlen=KEPT_MESSAGES)
        self.capabilities: dict[str, Any] = {}
        self._serial = 0
        self._open: set[int] = set()  # the requests that have no answer yet
        self._has_answered = False
        self._envelope: dict[str, Any] | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the command
                list(command),
                env=dict(environment),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise CommandError(_why_not_started(command[0], error, environment, folder)) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._lines = Lines(self._process.stdout)
        self._stderr = Tail(self._process.stderr)
        self._stdin = Writer(self._process.stdin)

    def handshake(self, wanted: str | None = None) -> None:
        """Agree on a protocol version: by the handshake where the server has one, else by `server/discover`.

        Only the `wanted` version is tried, if one is given.

        Raises:
            NeverAnsweredError: the process ended by itself before it answered anything.
            DriverError: the server speaks no version that this client knows, or not the wanted one.
        """
        try:
            self._shake(wanted)
        except DriverError as error:
            if self._has_answered or (ending := self._ending()) is None:
                raise
            sentence = f"the server {ending} before it answered initialize"
            raise NeverAnsweredError(sentence, error.messages, self.stderr()) from error

    def _shake(self, wanted: str | None) -> None:
        refusals: list[str] = []
        stderr_before = self.stderr()
        for version in (one for one in HANDSHAKE_VERSIONS if wanted in (None, one)):
            try:
                params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
                result = self.request("initialize", params)
            except RequestRefusedError as refusal:
                refusals.append(f"initialize {version}: {refusal}")
                continue
            self.stderr_at_handshake = self.stderr()
            agreed = result.get("protocolVersion")
            if agreed not in HANDSHAKE_VERSIONS or wanted not in (None, agreed):
                raise DriverError(f"the server agreed to protocol version {agreed!r}, not to {wanted or 'a known one'}")
            self._introduce(result)
            self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
            return
        for version in (one for one in ENVELOPE_VERSIONS if wanted in (None, one)):
            self._envelope = {
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientInfo": CLIENT,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            try:
                result = self.request("server/discover")
            except RequestRefusedError as refusal:
                refusals.append(f"server/discover {version}: {refusal}")
                continue
            self.stderr_at_handshake = stderr_before  # it may learn once it has answered, before we look
            self._introduce(result)
            return
        raise DriverError("no protocol version in common: " + "; ".join(refusals))

    def _introduce(self, result: Mapping[str, Any]) -> None:
        self.instructions = str(result.get("instructions") or "")
        capabilities = result.get("capabilities")
        self.capabilities = dict(capabilities) if isinstance(capabilities, dict) else {}

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of a request.

        Raises:
            RequestRefusedError: the server answered with an error.
            DriverError: it did not answer in time, ended, or wrote to stdout what is no message.
        """
        if self._envelope and method == "ping":
            method = "server/discover"  # versions without a handshake have no ping; this asks as little
        self._ask(method, params)
        until = time.monotonic() + self.timeout
        for _ in range(MOST_UNASKED):
            message = self._next(method, until)
            if "method" in message:
                self._serve(message)
            elif self._closes(message) == self._serial:
                if "error" in message:
                    raise RequestRefusedError(json.dumps(message["error"], ensure_ascii=False))
                if not isinstance(message.get("result"), dict):
                    raise DriverError(f"the answer to {method} has neither result nor error: {message}")
                return dict(message["result"])
        raise self._trouble(f"the server sent {MOST_UNASKED:,} other messages instead of an answer to {method}")

    def subscribe(self, uri: str) -> None:
        """Ask to hear when a resource changes: by a request, or by a stream where there is no handshake.

        Raises:
            RequestRefusedError: the server answered with an error.
            DriverError: it did not answer in time, ended, or wrote to stdout what is no message.
        """
        if self._envelope is None:
            self.request("resources/subscribe", {"uri": uri})
            return
        self._ask("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
        until = time.monotonic() + self.timeout
        while True:
            message = self._next("subscriptions/listen", until)
            if message.get("method") == ACKNOWLEDGED:
                return
            if "method" in message:
                self._serve(message)
            elif self._closes(message) == self._serial:
                raise RequestRefusedError(json.dumps(message.get("error", message), ensure_ascii=False))

    def notifications(self) -> list[dict[str, Any]]:
        """Return the notifications that have come so far, oldest first, without waiting for more.

        Raises:
            DriverError: the server ended, or wrote to stdout what is no message.
        """
        for _ in range(MOST_UNASKED):
            if self._lines.is_empty():
                return list(self._notifications)
            message = self._next("what was not asked", time.monotonic())
            if "method" in message:
                self._serve(message)
            else:
                self._closes(message)
        raise self._trouble(f"the server sent more than {MOST_UNASKED:,} messages that were not asked for")

    def is_running(self) -> bool:
        """Tell whether the process has not ended."""
        return self._process.poll() is None

    def check(self) -> None:
        """See whether the server still runs and stdout carries nothing but messages.

        Raises:
            DriverError: it ended though its stdin is open, or wrote to stdout what is no message.
        """
        self.notifications()
        if self._process.poll() is not None:
            raise self._trouble(f"the server {self._ending()} by itself")

    def _ending(self) -> str | None:
        """Return how the process ended, once its last words are read; None if it goes on for a second."""
        try:
            status = self._process.wait(LAST_WORDS_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        self._stderr.wait(LAST_WORDS_SECONDS)
        return f"ended with exit status {status}" if status >= 0 else f"was ended by signal {-status}"

    def stderr(self) -> str:
        """Return what the server has written to stderr so far, at most the end of it."""
        return self._stderr.text()

    def messages(self) -> list[str]:
        """Return the last messages in both directions, oldest first, each cut where it is very long."""
        return list(self._messages)

    def _trouble(self, sentence: str) -> DriverError:
        return DriverError(sentence, self.messages(), self.stderr())

    def evidence(self) -> str:
        """Return the last messages on the wire and the end of stderr."""
        return evidence_of(self.messages(), self.stderr())

    def close(self) -> bool:
        """Close stdin, as clients do to end a server, and end by force what is left of it after 5 seconds.

        Return whether it ended by itself.
        """
        has_ended = True
        self._stdin.finish()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._messages.append(f"(the server did not end within {END_SECONDS} s of the end of its stdin)")
            has_ended = False
        self.kill()
        return has_ended

    def kill(self) -> None:
        """End the process and its children at once."""
        if sys.platform == "win32":  # pragma: no cover - each platform runs its own branch
            if self._process.poll() is None:
                tree = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
                subprocess.run(tree, check=False, capture_output=True)  # noqa: S603
        else:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # nothing of the group is left
                self._messages.append("(the server has ended)")
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:  # it hangs in the operating system; nobody waits for it
            self._messages.append("(the server cannot be ended)")
        self._lines.close()
        self._stderr.close()
        self._stdin.finish()

    def _ask(self, method: str, params: Mapping[str, Any] | None) -> None:
        self._serial += 1
        self._open.add(self._serial)
        full = dict(params or {})
        if self._envelope:
            full["_meta"] = {**self._envelope, **full.get("_meta", {})}
        self._write({"jsonrpc": "2.0", "id": self._serial, "method": method, "params": full})

    def _write(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False)
        self._messages.append(f"-> {line[:SHOWN]}")
        self._stdin.write(line.encode("utf-8", "surrogatepass") + b"\n")

    def _next(self, method: str, until: float) -> dict[str, Any]:
        try:
            line = self._lines.next(max(0.001, until - time.monotonic()))
        except TimeoutError:
            if self._stdin.trouble:
                raise self._trouble(f"the server does not read: {self._stdin.trouble}") from None
            raise self._trouble(f"no answer to {method} within {self.timeout} s") from None
        except OverflowError as error:
            raise self._trouble(f"the server floods stdout: {error}") from None
        if line is None:
            raise self._trouble(f"the server {self._ending() or 'closed its stdout'} before it answered {method}")
        text = line.decode("utf-8", "replace").strip()
        self._messages.append(f"<- {text[:SHOWN]}")
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise self._trouble(f"stdout carries a line that is no message: {text[:200]!r}")
        return message

    def _closes(self, message: Mapping[str, Any]) -> int:
        """Return the number of the request that a message answers, which has no answer yet."""
        number = message.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or number not in self._open:
            raise self._trouble(f"the server answered what was not asked, with the id {json.dumps(number)}")
        self._open.remove(number)
        self._has_answered = True
        return number

    def _serve(self, message: Mapping[str, Any]) -> None:
        """Answer a request of the server's own; keep a notification, which needs no answer."""
        if "id" not in message:
            self._notifications.append(dict(message))
            return
        if message["method"] == "ping":
            self._write({"jsonrpc": "2.0", "id": message["id"], "result": {}})
        else:
            error = {"code": METHOD_NOT_FOUND, "message": "this client has no such method"}
            self._write({"jsonrpc": "2.0", "id": message["id"], "error": error})


def _why_not_started(name: str, error: OSError, environment: Mapping[str, str], folder: Path | None) -> str:
    """Return in words why a program cannot be started, and what to do about it."""
    path = Path(folder or ".", name)
    if not name:
        return "the server's command is empty"
    if path.is_dir() and os.sep in name:
        return f"{name!r} is a folder, not a program"
    if isinstance(error, FileNotFoundError):
        if os.sep in name and path.exists():
            return f"there is no interpreter for {name!r}: its first line names a program that is not there"
        where = "the file does not exist" if os.sep in name else "no folder of the PATH has it"
        return f"there is no command {name!r}; {where}"
    if isinstance(error, PermissionError):
        found = name if os.sep in name else shutil.which(name, os.F_OK, environment.get("PATH")) or name
        return f"{found!r} is not executable; run chmod +x on it, or name its interpreter before it"
    if error.errno == errno.ENOEXEC:
        return f"{name!r} is no program that can be run; name its interpreter before it, or in its first line after #!"
    return f"the command {name!r} cannot be started: {error.strerror or error}"
