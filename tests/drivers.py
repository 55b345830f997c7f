"""The driver in process: the SDK's client on our server object, with freezegun for the time."""

import contextlib
import io
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from freezegun import freeze_time
from mcp import Client, types
from mcp.client._memory import InMemoryTransport
from mcp.client._transport import TransportStreams
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ConfigDict

from mnemo.conformance import database
from mnemo.conformance.driver import Answer, RequestRefusedError, Statement, as_text
from mnemo.conformance.stdio import read_result
from mnemo.memory import Memory
from mnemo.server import MemoryServer, create_server

ANSWER_SECONDS = 30.0
NO_HANDSHAKE = "2026-07-28"


class AnyResult(types.Result):
    """A result with whatever keys the server gives it."""

    model_config = ConfigDict(extra="allow")


class SlowTransport(InMemoryTransport):
    """A transport whose server runs for a while before the client says anything."""

    def __init__(self, server: Server[Any], pause: float) -> None:
        super().__init__(server)
        self._pause = pause

    async def __aenter__(self) -> TransportStreams:
        streams = await super().__aenter__()
        await anyio.sleep(self._pause)
        return streams


class InProcessDriver:
    """Our server object in a thread of this process; see `mnemo.conformance.driver.Driver`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.database = home / ".mnemo" / "facts.db"
        self._variables = {"HOME": str(home), "USERPROFILE": str(home)}
        self._stderr = io.StringIO()
        self._at_handshake = ""
        self._pause = 0.0
        self._client: Client | None = None
        self._mode = "legacy"
        self._notifications: list[dict[str, Any]] = []
        self._running: contextlib.ExitStack | None = None
        self._life = contextlib.ExitStack()
        self._clock = self._life.enter_context(freeze_time(datetime.now(UTC), real_asyncio=True, ignore=["_pytest"]))

    def before_start(self, statements: Sequence[Statement] = (), environment: Mapping[str, str] | None = None) -> None:
        assert self._client is None, "the server runs already"
        self._variables.update(environment or {})
        if statements:
            database.build_file(self.database, statements)

    def speak(self, version: str) -> None:
        self._mode = "auto" if version == NO_HANDSHAKE else "legacy"

    def start(self) -> None:
        assert self._client is None, "the server runs already"
        self._stderr = io.StringIO()
        with contextlib.ExitStack() as stack:
            stack.enter_context(variables(self._variables))
            stack.enter_context(contextlib.redirect_stderr(self._stderr))
            portal: BlockingPortal = stack.enter_context(start_blocking_portal())
            server: Any = create_server(MemoryServer(Memory()))
            if self._pause:
                server = SlowTransport(server, self._pause)
            self._notifications = []
            client = Client(
                server, mode=self._mode, read_timeout_seconds=ANSWER_SECONDS, message_handler=self._hear, cache=None
            )
            manager: AbstractContextManager[Client] = portal.wrap_async_context_manager(client)
            self._client = stack.enter_context(manager)
            self._at_handshake = self._stderr.getvalue()
            self._portal = portal
            self._running = stack.pop_all()

    def stop(self) -> None:
        if self._running:
            self._running.close()
        self._running = self._client = None

    def restart(self, environment: Mapping[str, str] | None = None, *, pause: float = 0) -> None:
        self.stop()
        self._variables.update(environment or {})
        self._pause = pause
        self.start()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        client = self._started()

        async def call() -> types.CallToolResult:
            return await client.call_tool(tool, dict(arguments))

        try:
            result = self._portal.call(call)
        except MCPError as error:
            return Answer(value=None, is_error=True, text=str(error))
        return read_result(result.model_dump(by_alias=True, mode="json"))

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        client = self._started()
        request = types.Request[dict[str, Any], str](method=method, params=dict(params or {}))

        async def send() -> AnyResult:
            return await client.session.send_request(request, AnyResult)

        try:
            return self._portal.call(send).model_dump(by_alias=True, mode="json", exclude_none=True)
        except MCPError as error:
            raise RequestRefusedError(str(error)) from error

    def subscribe(self, uri: str) -> None:
        client = self._started()
        if self._mode == "legacy":
            self.request("resources/subscribe", {"uri": uri})
            return
        assert self._running is not None
        stream: AbstractContextManager[Any] = self._portal.wrap_async_context_manager(
            client.listen(resource_subscriptions=[uri])
        )
        try:
            self._running.enter_context(stream)
        except MCPError as error:
            raise RequestRefusedError(str(error)) from error

    def notifications(self) -> list[dict[str, Any]]:
        self._started()
        return list(self._notifications)

    def instructions(self) -> str:
        return self._started().instructions or ""

    def sql(self, statement: str, parameters: Sequence[Any] = ()) -> list[list[Any]]:
        return database.query_file(self.database, statement, parameters)

    def wait(self, *, days: float = 0, seconds: float = 0) -> None:
        self._clock.tick(timedelta(days=days, seconds=seconds))

    def stderr(self) -> str:
        return self._stderr.getvalue()

    def stderr_at_handshake(self) -> str:
        return self._at_handshake

    def now(self) -> str:
        return as_text(datetime.now(UTC))

    def evidence(self) -> str:
        return f"end of stderr:\n{self.stderr()[-1500:]}"

    def close(self) -> None:
        try:
            self.stop()
        finally:
            self._life.close()

    async def _hear(self, message: Any) -> None:
        if isinstance(message, types.Notification):
            self._notifications.append(message.model_dump(by_alias=True, mode="json", exclude_none=True))

    def _started(self) -> Client:
        if self._client is None:
            self.start()
        assert self._client is not None
        return self._client


@contextlib.contextmanager
def variables(values: Mapping[str, str]) -> Any:
    """Set environment variables for a while, and take every setting of mnemo away that is not among them."""
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("MNEMO_")]:
        del os.environ[name]
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
