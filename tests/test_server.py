"""The server as clients meet it, in both protocol eras: in process, and as a real one on stdin and stdout."""

import io
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client, types

import mnemo
from mnemo import arguments
from mnemo.errors import MemoryFileError
from mnemo.memory import Memory
from mnemo.server import (
    FACT_FEEDBACK_DESCRIPTION,
    FACT_STORE_DESCRIPTION,
    INSTRUCTIONS,
    OFFERS,
    MemoryServer,
    create_server,
    end_on_signal,
    serve,
)
from mnemo.serving import prompts, resources
from tests.conftest import rows

pytestmark = pytest.mark.anyio

LEGACY, MODERN = "2025-11-25", "2026-07-28"
LEARNED_NOTHING = "mnemo: learned at start-up: promoted 0, demoted 0, aged 0, unchanged 0\n"
IDENTITY = "mnemo://global/identity"


@pytest.fixture(params=[LEGACY, MODERN])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def mode(era: str) -> str:
    return "legacy" if era == LEGACY else "auto"


@asynccontextmanager
async def connected(memory: Memory, era: str) -> AsyncIterator[Client]:
    async with Client(create_server(MemoryServer(memory)), mode=mode(era)) as client:
        yield client


async def call(client: Client, tool: str, **given: Any) -> tuple[dict[str, Any], bool]:
    result = await client.call_tool(tool, given)
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return json.loads(block.text), bool(result.is_error)


async def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    with anyio.fail_after(seconds):
        while not holds():
            await anyio.sleep(0.01)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def logged(path: Path) -> list[object]:
    return [row[0] for row in rows(path, "SELECT query FROM retrieval_log ORDER BY id")]


# --- tools ---


async def test_client_sees_who_the_server_is(memory: Memory, era: str) -> None:
    async with connected(memory, era) as client:
        assert client.protocol_version == era
        assert client.instructions == INSTRUCTIONS
        info = client.server_info
        assert info is not None
        assert (info.name, info.version) == ("mnemo", mnemo.__version__)


async def test_both_tools_are_listed_with_flat_schemas(memory: Memory, era: str) -> None:
    async with connected(memory, era) as client:
        listed = (await client.list_tools()).tools
    assert [(tool.name, tool.description, tool.input_schema) for tool in listed] == [
        ("fact_store", FACT_STORE_DESCRIPTION, arguments.input_schema(arguments.FACT_STORE, ["action"])),
        (
            "fact_feedback",
            FACT_FEEDBACK_DESCRIPTION,
            arguments.input_schema(arguments.FACT_FEEDBACK, ["action", "fact_id"]),
        ),
    ]


async def test_answer_is_one_compact_json_object(memory: Memory, era: str) -> None:
    async with connected(memory, era) as client:
        result = await client.call_tool("fact_store", {"action": "add", "content": "用户偏好深色主题"})
        assert not result.is_error
        assert [block.model_dump()["text"] for block in result.content] == [
            '{"fact_id":1,"status":"added","category":"general"}'
        ]
        listed = await client.call_tool("fact_store", {"action": "list"})
        assert '"content":"用户偏好深色主题"' in listed.content[0].model_dump()["text"]
        assert await call(client, "fact_feedback", action="helpful", fact_id=1) == (
            {"fact_id": 1, "old_trust": 0.5, "new_trust": 0.55, "helpful_count": 1},
            False,
        )


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        ("fact_store", {}, "Missing required argument: action"),
        ("fact_store", {"action": 7}, f"Unknown action: 7; use one of {', '.join(arguments.ACTIONS)}"),
        ("fact_store", {"action": "add", "content": {"a": 1}}, 'content must be a text, not {"a": 1}'),
        ("fact_store", {"action": "list", "limit": "many"}, 'limit must be a whole number, not "many"'),
        (
            "fact_feedback",
            {"action": "helpful", "fact_id": 99},
            "fact_id 99 not found; use action=search or action=list to see the ids that exist",
        ),
        ("fact_forget", {"fact_id": 1}, "Unknown tool: fact_forget; use one of fact_store, fact_feedback"),
        ("x" * 99, {}, f"Unknown tool: {'x' * 80}; use one of fact_store, fact_feedback"),
    ],
)
async def test_failure_is_marked_as_an_error_and_the_server_lives_on(
    memory: Memory, era: str, tool: str, given: dict[str, Any], message: str
) -> None:
    async with connected(memory, era) as client:
        assert await call(client, tool, **given) == ({"error": message}, True)
        assert await call(client, "fact_store", action="list") == ({"facts": [], "count": 0, "total": 0}, False)


async def test_broken_file_lists_its_tools_and_answers_each_call_with_the_reason(path: Path, era: str) -> None:
    path.write_text("my diary " * 500)
    async with connected(Memory(path), era) as client:
        assert len((await client.list_tools()).tools) == 2
        for _ in range(2):
            answer, is_error = await call(client, "fact_store", action="list")
            assert is_error
            assert "is damaged or no SQLite database" in answer["error"]
    assert path.read_text() == "my diary " * 500


class FaultyMemory(Memory):
    """A memory with a fault of ours in it."""

    def fact_store(self, given: Mapping[str, Any]) -> dict[str, Any]:
        raise ZeroDivisionError("the inner workings")

    def learn_at_startup(self) -> dict[str, int]:
        raise ZeroDivisionError("the inner workings")


async def test_fault_of_ours_is_answered_without_its_traceback(
    path: Path, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(FaultyMemory(path), era) as client:
        assert await call(client, "fact_store", action="list") == (
            {"error": "mnemo failed on this call; the cause stands on its stderr"},
            True,
        )
        assert (await call(client, "fact_feedback", action="helpful"))[1]
        await until(lambda: len(caplog.records) == 2)
    assert [(record.name, record.levelno, record.getMessage()) for record in caplog.records] == [
        ("mnemo", logging.ERROR, "fact_store failed"),
        ("mnemo", logging.ERROR, "learning at start-up failed"),
    ]
    assert caplog.text.count("ZeroDivisionError: the inner workings") == 2


async def test_many_calls_at_once_are_all_answered(memory: Memory, era: str, path: Path) -> None:
    answers: list[dict[str, Any]] = []

    async def add(client: Client, n: int) -> None:
        answers.append((await call(client, "fact_store", action="add", content=f"Harbour {n} opens at {n}"))[0])

    async with connected(memory, era) as client, anyio.create_task_group() as group:
        for n in range(20):
            group.start_soon(add, client, n)
    assert sorted(answer["fact_id"] for answer in answers) == list(range(1, 21))
    assert rows(path, "SELECT count(*) FROM facts") == [(20,)]


# --- learning at the start ---


@pytest.fixture
def stale(memory: Memory, path: Path) -> Memory:
    """Give a memory with one fact that is due for ageing."""
    memory.fact_store({"action": "add", "content": "Whales sleep at sea"})
    rows(path, "UPDATE facts SET last_retrieved_at = datetime('now', '-61 days')")
    return memory


async def test_server_learns_after_the_handshake_alone(
    stale: Memory, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with connected(stale, LEGACY):
        await until(lambda: rows(path, "SELECT trust_score FROM facts") == [(0.475,)])
        await anyio.sleep(0.1)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "mnemo: learned at start-up: promoted 0, demoted 0, aged 1, unchanged 0\n")


async def test_server_without_handshake_learns_after_the_first_answer(
    stale: Memory, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with Client(create_server(MemoryServer(stale)), mode=MODERN) as client:  # not even asking what the server is
        await anyio.sleep(0.2)
        assert rows(path, "SELECT trust_score FROM facts") == [(0.5,)]
        await call(client, "fact_store", action="list")
        await until(lambda: rows(path, "SELECT trust_score FROM facts") == [(0.475,)])
        await call(client, "fact_store", action="list")
        await anyio.sleep(0.1)
    assert capsys.readouterr().err.count("learned at start-up") == 1


class SlowLearner(Memory):
    """A memory whose start-up learning goes on until it is released."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.is_learning, self.may_end = threading.Event(), threading.Event()

    def learn_at_startup(self) -> dict[str, int]:
        self.is_learning.set()
        assert self.may_end.wait(10)
        return super().learn_at_startup()


async def test_calls_do_not_wait_for_learning(path: Path, era: str, capsys: pytest.CaptureFixture[str]) -> None:
    memory = SlowLearner(path)
    async with connected(memory, era) as client:
        await client.list_tools()
        await until(memory.is_learning.is_set)
        assert (await call(client, "fact_store", action="list"))[0]["count"] == 0
        assert capsys.readouterr().err == ""
        memory.may_end.set()
        await until(lambda: capsys.readouterr().err == LEARNED_NOTHING)


async def test_searches_need_no_thread_until_another_connection_writes(
    memory: Memory, path: Path, era: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_once: list[bool] = []
    plain = memory.fact_store

    def noted(given: Mapping[str, Any]) -> dict[str, Any]:
        at_once.append(threading.current_thread() is loop_thread)
        return plain(given)

    monkeypatch.setattr(memory, "fact_store", noted)
    loop_thread = threading.current_thread()
    async with connected(memory, era) as client:
        await client.list_tools()
        await until(lambda: capsys.readouterr().err == LEARNED_NOTHING)  # which writes by another connection
        await call(client, "fact_store", action="add", content="The harbour crane is painted green")
        for _ in range(3):  # the first sees what was added
            assert (await call(client, "fact_store", action="search", query="crane"))[0]["count"] == 1
        assert at_once == [False, False, True, True]
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("INSERT INTO facts(content) VALUES ('The tide gate opens at noon')")
        for _ in range(2):
            assert (await call(client, "fact_store", action="search", query="tide gate"))[0]["count"] == 1
        assert at_once[4:] == [False, True]
        await call(client, "fact_store", action="list")
        assert at_once[6:] == [False]


async def test_a_search_beside_another_call_has_a_thread(memory: Memory, era: str) -> None:
    threads: list[int] = []
    search, listed = memory.parts.retriever.search, memory.parts.store.list
    has_begun, may_end = threading.Event(), threading.Event()

    def noted(*given: Any, **named: Any) -> Any:
        threads.append(threading.get_ident())
        return search(*given, **named)

    def slow(*given: Any, **named: Any) -> Any:
        has_begun.set()
        assert may_end.wait(10)
        return listed(*given, **named)

    memory.parts.retriever.search = noted  # type: ignore[method-assign]
    memory.parts.store.list = slow  # type: ignore[method-assign]
    async with connected(memory, era) as client, anyio.create_task_group() as group:
        while threads[-1:] != [threading.get_ident()]:  # nothing else goes on once it has learned
            await call(client, "fact_store", action="search", query="crane")
        group.start_soon(lambda: call(client, "fact_store", action="list"))
        while not has_begun.is_set():
            await anyio.sleep(0.01)
        await call(client, "fact_store", action="search", query="crane")
        may_end.set()
    assert threads[-1] != threading.get_ident()


async def test_learning_that_is_not_possible_is_said_in_one_line(
    path: Path, era: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text("my diary " * 500)
    async with connected(Memory(path), era) as client:
        await client.list_tools()
        await anyio.sleep(0.3)
    assert capsys.readouterr().err == (
        f"mnemo: no learning at start-up: The memory file {path} is damaged or no SQLite database. The file is left "
        "as it is. Restore a copy, or move the file away to start with an empty memory.\n"
    )


async def test_server_learns_once_however_often_it_is_connected(
    memory: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    server = create_server(MemoryServer(memory))
    for _ in range(2):
        async with Client(server, mode="legacy") as client:
            await call(client, "fact_store", action="list")
            await anyio.sleep(0.2)
    assert capsys.readouterr().err == LEARNED_NOTHING


# --- log entries that wait ---


async def test_waiting_entry_is_written_without_another_call(memory: Memory, path: Path, era: str) -> None:
    async with connected(memory, era) as client:
        await call(client, "fact_store", action="add", content="Whales sleep at sea")
        with locked(path):
            assert (await call(client, "fact_store", action="search", query="whales"))[0]["count"] == 1
            await anyio.sleep(0.6)
        await until(lambda: logged(path) == ["whales"])


async def test_end_of_a_session_writes_what_waits(memory: Memory, path: Path, era: str) -> None:
    async with connected(memory, era) as client:
        await call(client, "fact_store", action="add", content="Whales sleep at sea")
        with locked(path):
            await call(client, "fact_store", action="search", query="whales")
    assert logged(path) == ["whales"]


async def test_interrupted_server_writes_what_waits(memory: Memory, path: Path) -> None:
    handlers = MemoryServer(memory)
    memory.fact_store({"action": "add", "content": "Whales sleep at sea"})
    with anyio.CancelScope() as scope:
        async with handlers.lifespan(create_server(MemoryServer(memory))):
            with locked(path):
                memory.fact_store({"action": "search", "query": "whales"})
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert logged(path) == ["whales"]


async def test_entries_that_are_lost_at_the_end_are_owned_up_to(
    memory: Memory, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        async with connected(memory, LEGACY) as client:
            await call(client, "fact_store", action="add", content="Whales sleep at sea")
            await until(lambda: capsys.readouterr().err == LEARNED_NOTHING.replace("unchanged 0", "unchanged 1"))
            other.execute("BEGIN IMMEDIATE")
            await call(client, "fact_store", action="search", query="whales")
        other.execute("ROLLBACK")
    assert capsys.readouterr().err == (
        f"mnemo: log entries were lost at the end: Another program keeps the memory file {path} locked; nothing was "
        "changed. Try again in a moment.\n"
    )


# --- resources and prompts ---


async def test_resources_are_listed_and_read(memory: Memory, era: str) -> None:
    memory.fact_store({"action": "add", "content": "用户叫 Olivia", "category": "identity"})
    async with connected(memory, era) as client:
        listed = (await client.list_resources()).resources
        assert [(resource.uri, resource.description) for resource in listed] == [
            (f"mnemo://global/{category}", resources.DESCRIPTIONS[category]) for category in mnemo.facts.CATEGORIES
        ]
        (contents,) = (await client.read_resource(IDENTITY)).contents
        assert isinstance(contents, types.TextResourceContents)
        assert contents.text == '[{"fact_id":1,"content":"用户叫 Olivia","trust_score":0.5}]'
        with pytest.raises(
            MCPError, match="Unknown resource: mnemo://global/drinks; use one of mnemo://global/identity"
        ):
            await client.read_resource("mnemo://global/drinks")
        assert (await call(client, "fact_store", action="list"))[0]["count"] == 1


async def test_resource_of_a_broken_file_is_an_error_in_words(path: Path, era: str) -> None:
    path.write_text("my diary " * 500)
    async with connected(Memory(path), era) as client:
        with pytest.raises(MCPError, match="is damaged or no SQLite database"):
            await client.read_resource(IDENTITY)


async def test_subscriber_hears_of_changes_of_its_resource_alone(memory: Memory, path: Path) -> None:
    heard: list[str] = []

    async def hear(message: Any) -> None:
        assert isinstance(message, types.ResourceUpdatedNotification)
        heard.append(str(message.params.uri))

    async with Client(create_server(MemoryServer(memory)), mode="legacy", message_handler=hear) as client:
        await client.session.send_request(
            types.SubscribeRequest(params=types.SubscribeRequestParams(uri=IDENTITY)), types.EmptyResult
        )
        await call(client, "fact_store", action="add", content="Tea is served at four", category="general")
        await call(client, "fact_store", action="add", content="The user is Olivia", category="identity")
        await until(lambda: heard == [IDENTITY])
        rows(path, "UPDATE facts SET trust_score = 0.9 WHERE category = 'identity'")  # another program
        await until(lambda: heard == [IDENTITY] * 2)
        await client.session.send_request(
            types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=IDENTITY)), types.EmptyResult
        )
        await call(client, "fact_store", action="add", content="The user speaks Danish", category="identity")
        await anyio.sleep(0.7)
    assert heard == [IDENTITY] * 2


async def test_subscriber_that_has_gone_harms_nobody(memory: Memory) -> None:
    server = create_server(MemoryServer(memory))
    async with Client(server, mode="legacy") as gone:
        await gone.session.send_request(
            types.SubscribeRequest(params=types.SubscribeRequestParams(uri=IDENTITY)), types.EmptyResult
        )
    async with Client(server, mode="legacy") as client:
        await call(client, "fact_store", action="add", content="The user is Olivia", category="identity")
        await anyio.sleep(0.7)
        assert (await call(client, "fact_store", action="list"))[0]["count"] == 1


async def test_listener_of_the_modern_era_hears_of_changes(memory: Memory) -> None:
    async with connected(memory, MODERN) as client, client.listen(resource_subscriptions=[IDENTITY]) as subscription:
        await call(client, "fact_store", action="add", content="The user is Olivia", category="identity")
        with anyio.fail_after(10):
            async for event in subscription:
                assert getattr(event, "uri", None) == IDENTITY
                break


async def test_what_no_listener_waits_for_any_more_is_looked_at_no_more(memory: Memory) -> None:
    looks = 0
    plain = memory.most_trusted

    def noted(category: str, limit: int) -> Any:
        nonlocal looks
        looks += 1
        return plain(category, limit)

    memory.most_trusted = noted  # type: ignore[method-assign]
    async with connected(memory, MODERN) as client:
        async with client.listen(resource_subscriptions=[IDENTITY, IDENTITY]):
            await until(lambda: looks > 2)
        await anyio.sleep(0.1)
        seen = looks
        await anyio.sleep(1.2)
        assert looks <= seen + 1  # a round that was under way


async def test_file_that_breaks_while_it_is_watched_does_not_end_the_server(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(memory, LEGACY) as client:
        await client.session.send_request(
            types.SubscribeRequest(params=types.SubscribeRequestParams(uri=IDENTITY)), types.EmptyResult
        )

        def fail(*_: object) -> None:
            raise MemoryFileError("the disk is gone")

        with monkeypatch.context() as patch:
            patch.setattr(memory, "most_trusted", fail)
            await until(lambda: "resources cannot be watched now: the disk is gone" in caplog.text)
        assert (await call(client, "fact_store", action="list"))[1] is False


async def test_prompts_are_listed_and_given(memory: Memory, era: str) -> None:
    async with connected(memory, era) as client:
        listed = (await client.list_prompts()).prompts
        assert [(prompt.name, prompt.description) for prompt in listed] == [
            (prompt.name, prompt.description) for prompt in prompts.PROMPTS
        ]
        for known in prompts.PROMPTS:
            (message,) = (await client.get_prompt(known.name)).messages
            assert message.role == "user"
            assert message.content == types.TextContent(type="text", text=known.text)
        with pytest.raises(MCPError, match="Unknown prompt: sing; use one of "):
            await client.get_prompt("sing")


# --- stdin and stdout ---


def test_server_ends_with_its_input(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ping)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output))
    serve(Memory(path))
    assert output.getvalue() in (b"", b'{"jsonrpc":"2.0","id":1,"result":{}}\n')


async def test_signal_writes_what_waits_and_ends_the_process(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses: list[int] = []
    monkeypatch.setattr(os, "_exit", statuses.append)
    memory.fact_store({"action": "add", "content": "Whales sleep at sea"})
    with locked(path):
        memory.fact_store({"action": "search", "query": "whales"})
    async with anyio.create_task_group() as group:
        group.start_soon(end_on_signal, memory)
        await anyio.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        await until(lambda: bool(statuses))
        group.cancel_scope.cancel()
    assert statuses == [143]
    assert logged(path) == ["whales"]


# --- a real server ---


SERVE = [sys.executable, "-m", "mnemo", "serve"]


async def test_sdk_client_works_over_stdio(path: Path, tmp_path: Path, era: str) -> None:
    environment = {**os.environ, "MNEMO_DB": str(path)}
    command = StdioServerParameters(command=SERVE[0], args=SERVE[1:], env=environment)
    with (tmp_path / "stderr.txt").open("w+", encoding="utf-8") as stderr:
        async with Client(stdio_client(command, errlog=stderr), mode=mode(era)) as client:
            assert client.protocol_version == era
            assert [tool.name for tool in (await client.list_tools()).tools] == ["fact_store", "fact_feedback"]
            assert (await call(client, "fact_store", action="add", content="用户偏好深色主题"))[0]["fact_id"] == 1
            assert (await call(client, "fact_store", action="search", query="深色"))[0]["count"] == 1
            assert (await call(client, "fact_store", action="dance"))[1]
            await until(lambda: "learned at start-up" in (tmp_path / "stderr.txt").read_text())
    assert logged(path) == ["深色"]


class WireClient:
    """A client that shows each line of the wire, so that order and silence can be seen."""

    def __init__(self, path: Path, stderr: Path) -> None:
        self.lines: list[str] = []
        self.log = stderr.open("wb")
        self.process = subprocess.Popen(
            SERVE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env={**os.environ, "MNEMO_DB": str(path)},
        )

    def send(self, method: str, request_id: int | None = None, **params: Any) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request_id is not None:
            message["id"] = request_id
        self.send_line(json.dumps(message))

    def send_line(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> tuple[int, bytes]:
        """Close stdin as clients do; return the exit status and what was left on stdout."""
        rest, _ = self.process.communicate(timeout=20)
        self.log.close()
        return self.process.returncode, rest


def test_handshake_is_answered_before_the_server_learns(original_file: Path, tmp_path: Path) -> None:
    original_file.chmod(0o600)  # so that stderr holds the summary alone
    rows(original_file, "UPDATE facts SET retrieval_count = 100, helpful_count = 2 WHERE fact_id = 2")
    stderr = tmp_path / "stderr.txt"
    client = WireClient(original_file, stderr)
    client.send("initialize", 1, protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "wire", "version": "1"})
    answer = client.receive()
    assert (answer["id"], answer["result"]["protocolVersion"]) == (1, LEGACY)
    client.send("ping", 2)
    assert client.receive() == {"jsonrpc": "2.0", "id": 2, "result": {}}
    time.sleep(0.4)
    assert stderr.read_text() == ""  # nothing is learned before the handshake is done
    client.send("notifications/initialized")
    ends = time.monotonic() + 10
    while not stderr.read_text() and time.monotonic() < ends:
        time.sleep(0.02)
    assert stderr.read_text() == "mnemo: learned at start-up: promoted 1, demoted 1, aged 0, unchanged 1\n"
    client.send_line("this is no JSON")
    client.send("tools/call", 3, name="fact_store", arguments={"action": "search", "query": "主题"})
    answers = [client.receive()]
    while answers[-1].get("id") != 3:
        answers.append(client.receive())
    (block,) = answers[-1]["result"]["content"]
    assert json.loads(block["text"])["results"][0]["fact_id"] == 1
    assert client.end() == (0, b"")
    assert logged(original_file) == ["主题"]
    assert not Path(f"{original_file}-wal").exists()  # the last one to close empties it


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_a_server_that_waits_for_its_client(path: Path, tmp_path: Path, number: signal.Signals) -> None:
    stderr = tmp_path / "stderr.txt"
    client = WireClient(path, stderr)
    client.send("initialize", 1, protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "wire", "version": "1"})
    assert client.receive()["id"] == 1
    client.process.send_signal(number)
    assert client.process.wait(timeout=20) == 128 + number
    assert client.end() == (128 + number, b"")
    assert stderr.read_text() == ""


def stored(path: Path) -> list[tuple[object, ...]]:
    if not rows(path, "SELECT 1 FROM sqlite_master WHERE name = 'facts'"):
        return []
    return rows(path, "SELECT content FROM facts")


def test_client_that_goes_without_reading_its_answer_costs_one_line(path: Path, tmp_path: Path) -> None:
    stderr = tmp_path / "stderr.txt"
    client = WireClient(path, stderr)
    client.send("initialize", 1, protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "wire", "version": "1"})
    assert client.receive()["id"] == 1
    assert client.process.stdout is not None
    client.process.stdout.close()
    client.send("tools/call", 2, name="fact_store", arguments={"action": "add", "content": "Whales sleep at sea"})
    ends = time.monotonic() + 10
    while not path.exists() or not stored(path):
        assert time.monotonic() < ends
        time.sleep(0.05)
    time.sleep(0.2)
    assert client.process.stdin is not None
    client.process.stdin.close()
    client.process.wait(timeout=20)
    client.log.close()
    assert "Traceback" not in stderr.read_text()
    assert "mnemo: the client has gone; an answer to it was lost\n" in stderr.read_text()
    assert stored(path) == [("Whales sleep at sea",)]


async def test_templates_of_resources_are_an_empty_list(memory: Memory, era: str) -> None:
    async with connected(memory, era) as client:
        assert (await client.list_resource_templates()).resource_templates == []


async def test_both_eras_say_the_same_of_what_the_server_can(memory: Memory) -> None:
    server = create_server(MemoryServer(memory))
    told = server.create_initialization_options(experimental_capabilities=OFFERS).capabilities
    async with Client(server, mode=MODERN) as client:
        found = await client.session.send_discover(MODERN)
    assert types.ServerCapabilities.model_validate(found["capabilities"]) == told.model_copy(
        update={"extensions": None}
    )
    assert told.experimental == OFFERS
