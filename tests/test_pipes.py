"""The pipes to a client: lines however they are cut, answers that wait for nobody, and which streams are left alone."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.serving.pipes import WRITTEN_AT_ONCE, Answers, Lines, is_pipe

SERVE = [sys.executable, "-m", "mnemo", "serve"]
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
LARGE = "深" * 300_000  # more than a pipe holds


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:  # the test has closed it
            continue


async def read_all(pieces: list[bytes]) -> list[str]:
    """Return the lines of what another task writes piece by piece."""
    receiving, sending = os.pipe()

    async def write() -> None:
        for piece in pieces:
            await anyio.wait_writable(sending)
            os.write(sending, piece)
            await anyio.sleep(0)
        os.close(sending)

    async with anyio.create_task_group() as group:
        group.start_soon(write)
        lines = [line async for line in Lines(receiving)]
    os.close(receiving)
    return lines


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([], []),
        ([b"{}\n"], ["{}\n"]),
        ([b"{", b"}", b"\n"], ["{}\n"]),
        ([b"1\n2\n3"], ["1\n", "2\n", "3"]),
        (["深色".encode()[:4], "深色".encode()[4:] + b"\n"], ["深色\n"]),
        ([b"\xff\n"], ["\ufffd\n"]),
        ([b"\xff"], ["\ufffd"]),
        ([b'"\\ud800"\n'], ['"\\ufffd"\n']),
        ([b"1\r\n2\r3\n"], ["1\r\n", "2\r3\n"]),
        ([b"\n\n"], ["\n", "\n"]),
    ],
)
def test_lines_come_whole_and_mended(pieces: list[bytes], lines: list[str]) -> None:
    assert anyio.run(read_all, pieces) == lines


@given(st.lists(st.text("ab深\n"), max_size=8), st.integers(1, 7))
def test_lines_are_the_same_however_they_are_cut(texts: list[str], size: int) -> None:
    whole = "".join(texts).encode()
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    assert anyio.run(read_all, pieces) == whole.decode().splitlines(keepends=True)


def test_a_client_that_does_not_read_stops_nothing_else(pipe: tuple[int, int]) -> None:
    receiving, sending = pipe
    answers = Answers(sending)
    received = bytearray()
    others_done = 0

    async def others() -> None:
        nonlocal others_done
        for _ in range(50):
            await anyio.sleep(0)
            others_done += 1
        while len(received) < len(LARGE.encode()):
            await anyio.wait_readable(receiving)
            received.extend(os.read(receiving, 1 << 16))

    async def run() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(others)
            await answers.write(LARGE)
            with anyio.fail_after(30):
                await answers.flush()

    anyio.run(run)
    assert others_done == 50
    assert received.decode() == LARGE


def test_an_answer_goes_into_an_empty_pipe_at_once_and_in_pieces_behind_another(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    receiving, sending = pipe
    sizes: list[int] = []
    write = os.write

    def noticed(descriptor: int, data: bytes) -> int:
        sizes.append(len(data))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", noticed)

    async def run() -> None:
        answers = Answers(sending)
        for text in ("a" * 9_999, "b" * 9_999):
            await answers.write(text)
            await answers.flush()

    anyio.run(run)
    assert sizes == [9_999, WRITTEN_AT_ONCE, WRITTEN_AT_ONCE, 9_999 - 2 * WRITTEN_AT_ONCE]
    assert os.read(receiving, 1 << 16) == b"a" * 9_999 + b"b" * 9_999


def test_a_socket_takes_answers_in_pieces() -> None:
    receiving, sending = socket.socketpair()
    with closing(receiving), closing(sending):

        async def run() -> None:
            answers = Answers(sending.fileno())
            await answers.write("a" * 9_999)
            await answers.flush()

        anyio.run(run)
        assert receiving.recv(9_999, socket.MSG_WAITALL) == b"a" * 9_999


def test_a_client_that_has_gone_is_a_broken_pipe(pipe: tuple[int, int]) -> None:
    receiving, sending = pipe
    os.close(receiving)

    async def run() -> None:
        answers = Answers(sending)
        await answers.write("tea\n")
        with pytest.raises(BrokenPipeError):
            await answers.flush()

    anyio.run(run)


def test_the_modes_of_both_pipes_stay(pipe: tuple[int, int]) -> None:
    receiving, sending = pipe

    async def run() -> None:
        answers = Answers(sending)
        await answers.write("tea\n")
        await answers.flush()
        async for line in Lines(receiving):
            assert line == "tea\n"
            break

    anyio.run(run)
    assert os.get_blocking(receiving)
    assert os.get_blocking(sending)


def test_what_is_no_pipe_is_told(pipe: tuple[int, int]) -> None:
    assert is_pipe(pipe[0])
    with closing(os.fdopen(os.open(os.devnull, os.O_RDONLY))) as null:
        assert not is_pipe(null.fileno())
    assert not is_pipe(9_999)


def test_requests_from_a_file_and_answers_to_a_file_are_served_too(tmp_path: os.PathLike[str]) -> None:
    asked, answered = os.path.join(tmp_path, "asked"), os.path.join(tmp_path, "answered")  # noqa: PTH118
    with open(asked, "wb") as file:  # noqa: PTH123
        file.write(PING)
    with open(asked, "rb") as stdin, open(answered, "wb") as stdout:  # noqa: PTH123
        done = subprocess.run(
            SERVE,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
            env={**os.environ, "HOME": str(tmp_path)},
        )
    with open(answered, encoding="utf-8") as file_of_answers:  # noqa: PTH123
        text: TextIOWrapper = file_of_answers
        assert '"id":1,"result"' in text.read(), done.stderr


def test_what_is_printed_beside_the_protocol_goes_to_stderr() -> None:
    program = (
        "import sys, anyio\n"
        "from mnemo.serving.pipes import standard_streams\n"
        "async def run():\n"
        "    with standard_streams() as (_, stdout):\n"
        "        print('stray', flush=True)\n"
        "        await stdout.write('answer\\n')\n"
        "        await stdout.flush()\n"
        "    print('after', flush=True)\n"
        "anyio.run(run)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input="", capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("answer\nafter\n", "stray\n")


HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a script", "version": "1"},
    },
}


@pytest.mark.parametrize("way", ["pipe", "file"])
def test_what_was_asked_before_the_end_of_the_input_is_answered(way: str, tmp_path: Path) -> None:
    def call(number: int, **arguments: str) -> dict[str, object]:
        params = {"name": "fact_store", "arguments": arguments}
        return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}

    messages = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(call(number, action="add", content=f"berth {number}") for number in range(1, 9)),
        call(9, action="search", query="berth"),
    ]
    asked = tmp_path / "asked"
    asked.write_text("".join(json.dumps(message) + "\n" for message in messages))
    with asked.open("rb") as file:
        given: dict[str, Any] = {"stdin": file} if way == "file" else {"input": file.read()}
        done = subprocess.run(SERVE, **given, capture_output=True, check=False, timeout=60)
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == list(range(10))
    assert done.returncode == 0


def test_a_line_that_is_no_message_is_answered_and_reported(tmp_path: Path) -> None:
    request = '{"jsonrpc":"2.0","id":%s,"method":"ping"%s}\n'
    lines = [
        "\ufeff" + request % (1, ""),
        request % (2, ","),
        request % (3, ',"params":{"a":"\t"}'),
        request % (4, ',"params":{"a":' + "1" * 4301 + "}"),
        request % (5, ',"params":{"a":' + "[" * 200 + "]" * 200 + "}"),
        "[" + (request % (6, "")).strip() + "]\n",
        "tea\n",
        "\n",
        '{"jsonrpc":"2.0","id":8,"result":[]}\n',
        request % (9, ""),
    ]
    environment = {**os.environ, "HOME": str(tmp_path)}
    given = "".join(lines).encode()
    done = subprocess.run(SERVE, input=given, capture_output=True, check=True, timeout=60, env=environment)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    codes = {answer["id"]: answer.get("error", {}).get("code") for answer in answers}
    assert codes == {1: None, 2: -32700, 3: -32700, 4: -32600, 5: -32600, 6: -32600, None: -32700, 9: None}
    assert len(answers) == len(codes)
    reported = done.stderr.decode().splitlines()
    assert reported.count("mnemo: a line of the client was not understood. Parse error: the line is no JSON") == 3
    assert sum("Invalid Request" in line for line in reported) == 4
    assert sum("nobody waits" in line for line in reported) == 1


@pytest.mark.parametrize("request_id", ["1.0", "1.5", "1e3", "true", "[]", "{}", "null"])
def test_a_request_whose_id_is_neither_a_text_nor_a_whole_number_is_answered(tmp_path: Path, request_id: str) -> None:
    given = f'{{"jsonrpc":"2.0","id":{request_id},"method":"ping"}}\n'.encode()
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(SERVE, input=given, capture_output=True, check=True, timeout=60, env=environment)
    answer = json.loads(done.stdout)
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_a_request_that_is_not_as_mcp_wants_it_is_told_what_is_wrong(tmp_path: Path) -> None:
    def asked(number: int, params: str) -> str:
        return f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{params}}}\n'

    lines = [
        asked(1, '{"name":"fact_store","arguments":{"action":"list"}}'),
        json.dumps(HELLO) + "\n",
        asked(2, '{"name":"fact_store","arguments":["secret"]}'),
        asked(3, '{"arguments":{}}'),
    ]
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(SERVE, input="".join(lines).encode(), capture_output=True, timeout=60, env=environment)
    answers = {answer["id"]: answer.get("error") for answer in map(json.loads, done.stdout.splitlines())}
    assert {number: answers[number]["code"] for number in (1, 2, 3)} == dict.fromkeys((1, 2, 3), -32602)
    assert answers[1]["message"] == "Send initialize before tools/call"
    assert answers[2]["message"].startswith("Invalid parameters of tools/call: params.arguments: ")
    assert answers[3]["message"].startswith("Invalid parameters of tools/call: params.name: ")
    assert b"secret" not in done.stdout
