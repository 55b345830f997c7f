"""The pipes to a client, read and written by the event loop: no thread stands between a request and its handler.

Each descriptor keeps its mode, for the client may hold it too: it is read or written only when it is ready, and never
more at once than the pipe takes whole. What is no pipe or socket, and all on Windows, is left to the SDK's threads.
"""

import os
import select
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress

import anyio

from mnemo.serving.wire_text import WireText, mended

READ_AT_ONCE = 1 << 16  # bytes
WRITTEN_AT_ONCE = getattr(select, "PIPE_BUF", 512)  # bytes that a pipe which is ready takes without a wait


class Lines:
    """The lines of a client, as text; without the SDK's thread, but with the same reading of bytes."""

    def __init__(self, descriptor: int) -> None:
        """Read this pipe or socket; it stays open."""
        self._descriptor = descriptor
        self._lines = self._read()

    def __aiter__(self) -> AsyncIterator[str]:
        """Return the lines, each with its end."""
        return self._lines

    async def _read(self) -> AsyncIterator[str]:
        waiting, searched = bytearray(), 0
        while True:
            end = waiting.find(b"\n", searched) + 1
            if end:
                line, searched = bytes(waiting[:end]), 0
                del waiting[:end]
                yield mended(line.decode("utf-8", "replace"))
                continue
            searched = len(waiting)
            await anyio.wait_readable(self._descriptor)
            read = os.read(self._descriptor, READ_AT_ONCE)
            if not read:
                break
            waiting += read
        if waiting:
            yield mended(waiting.decode("utf-8", "replace"))


class Answers:
    """The text to a client; while the client does not read, the event loop goes on with other work."""

    def __init__(self, descriptor: int) -> None:
        """Write to this pipe or socket; it stays open."""
        self._descriptor = descriptor
        self._ready = select.poll()
        self._ready.register(descriptor, select.POLLOUT)
        self._capacity = _capacity(descriptor)
        self._waiting = bytearray()

    async def write(self, text: str) -> None:
        """Take a text, which `flush` sends."""
        self._waiting += text.encode("utf-8")

    async def flush(self) -> None:
        """Send what was taken.

        Raises:
            BrokenPipeError: the client has gone.
        """
        while self._waiting:
            if not self._ready.poll(0):
                await anyio.wait_writable(self._descriptor)
            room = self._capacity if self._capacity and not _unread(self._descriptor) else WRITTEN_AT_ONCE
            sent = os.write(self._descriptor, self._waiting[:room])
            del self._waiting[:sent]


@contextmanager
def standard_streams() -> "Iterator[tuple[Lines | anyio.AsyncFile[str], Answers | None]]":
    """Give stdin and stdout for the SDK's `stdio_server`; None where it shall open stdout itself.

    Within the block, what else is printed to stdout goes to stderr.
    """
    with ExitStack() as given:
        stdin: Lines | anyio.AsyncFile[str]
        if is_pipe(0):
            stdin = Lines(0)
        else:
            stdin = anyio.wrap_file(WireText(sys.stdin.buffer, encoding="utf-8", errors="replace"))
        yield stdin, Answers(given.enter_context(_alone(1))) if is_pipe(1) else None


def is_pipe(descriptor: int) -> bool:
    """Tell whether the event loop can wait for this descriptor: a pipe or a socket, and not on Windows."""
    if os.name != "posix":
        return False
    with suppress(OSError):  # closed
        mode = os.fstat(descriptor).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    return False


def _capacity(descriptor: int) -> int:
    """Return how many bytes an empty pipe takes without a wait; 0 where the system does not tell, or for a socket."""
    try:
        import fcntl

        return fcntl.fcntl(descriptor, fcntl.F_GETPIPE_SZ)
    except (ImportError, AttributeError, OSError):
        return 0


def _unread(descriptor: int) -> int:
    """Return how many bytes wait in a pipe for its reader."""
    import fcntl
    import termios

    return int.from_bytes(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)


@contextmanager
def _alone(descriptor: int) -> Iterator[int]:
    """Give a duplicate that nobody else knows; the descriptor itself leads to stderr meanwhile."""
    duplicate = os.dup(descriptor)
    try:
        with suppress(OSError):  # stderr is closed
            os.dup2(2, descriptor)
        yield duplicate
    finally:
        os.dup2(duplicate, descriptor)
        os.close(duplicate)
