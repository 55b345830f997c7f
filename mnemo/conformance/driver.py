"""What the steps need of a server, whoever runs it: calls, the public file, time, and its stderr."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

TIME_FORMAT = "%Y-%m-%d %H:%M:%S"
STORED_TIME_SHAPE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
SHOWN = 1_500  # characters of a message or of stderr in a failure's text
Statement = tuple[str, Sequence[Any]]


def evidence_of(messages: Sequence[str], stderr: str) -> str:
    """Return the last messages and the end of stderr as a text for a person."""
    shown = "\n".join(f"  {message}" for message in messages)
    return f"last messages on the wire:\n{shown}\nend of stderr:\n{stderr[-SHOWN:]}"


class DriverError(AssertionError):
    """The server could not be driven: it did not start, did not answer in time, or spoke no MCP."""

    def __init__(self, sentence: str, messages: Sequence[str] = (), stderr: str = "") -> None:
        """Say what went wrong, and keep what was said last."""
        super().__init__(f"{sentence}\n{evidence_of(messages, stderr)}" if messages else sentence)
        self.sentence = sentence
        self.messages = list(messages)
        self.stderr = stderr


class CommandError(DriverError):
    """The server's command cannot be started at all."""


class NeverAnsweredError(DriverError):
    """The server's process ended by itself before it answered anything."""


@dataclass(frozen=True)
class Answer:
    """One answer to a tool call: the JSON of its text, whether it is marked as an error, and the text."""

    value: Any
    is_error: bool
    text: str


class RequestRefusedError(Exception):
    """The server answered a request with a protocol error."""


class Driver(Protocol):
    """One memory with one server, which a scenario has to itself; calls start the server where it is not running."""

    database: Path

    def before_start(self, statements: Sequence[Statement] = (), environment: Mapping[str, str] | None = None) -> None:
        """Build the file by SQL and set environment variables before the server's first start."""

    def speak(self, version: str) -> None:
        """Speak this protocol version, such as `2026-07-28`, from the next start of the server on."""

    def start(self) -> None:
        """Start the server and do the handshake, nothing more."""

    def stop(self) -> None:
        """End the server as a client does, and wait until it is gone."""

    def restart(self, environment: Mapping[str, str] | None = None, *, pause: float = 0) -> None:
        """End the server and start it again on the same file, with these variables from now on.

        `pause` is how many seconds the client waits before the handshake.
        """

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Return the answer to a tool call; a refusal by the protocol is an answer marked as an error."""

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of any MCP request.

        Raises:
            RequestRefusedError: the server answered with a protocol error.
        """

    def subscribe(self, uri: str) -> None:
        """Ask to hear when a resource changes, in the way that the protocol version has for it.

        Raises:
            RequestRefusedError: the server answered with a protocol error.
        """

    def notifications(self) -> list[dict[str, Any]]:
        """Return the notifications that the running server has sent so far, oldest first."""

    def instructions(self) -> str:
        """Return the instructions that the running server gave to its client, empty if it gave none."""

    def sql(self, statement: str, parameters: Sequence[Any] = ()) -> list[list[Any]]:
        """Run one statement on the public file, wait while it is locked, and return the rows."""

    def wait(self, *, days: float = 0, seconds: float = 0) -> None:
        """Let that much time pass for the memory."""

    def stderr(self) -> str:
        """Return what the running server has written to stderr so far."""

    def stderr_at_handshake(self) -> str:
        """Return what stderr held at the moment in which the handshake's answer came."""

    def now(self) -> str:
        """Return the time that the server has, in UTC, as stored times are written."""

    def evidence(self) -> str:
        """Return the last messages and the end of stderr, for the text of a failure."""


def as_text(moment: datetime) -> str:
    """Return a moment as the file stores it."""
    return moment.astimezone(UTC).strftime(TIME_FORMAT)


def as_moment(text: str) -> datetime:
    """Return the moment of a stored time."""
    return datetime.strptime(text, TIME_FORMAT).replace(tzinfo=UTC)
