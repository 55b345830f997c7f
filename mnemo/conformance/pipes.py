"""The pipes to and from a server: threads that never wait for it, and that keep only so much of what it says."""

import os
import queue
import threading
from collections import deque
from typing import IO

CHUNK = 65_536  # bytes
MOST_WAITING = 64_000_000  # bytes that nobody has asked for yet
KEPT_STDERR = 200_000  # bytes
END_SECONDS = 2.0


class _Reader:
    """A thread that reads a pipe in chunks until it ends."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while chunk := os.read(self._pipe.fileno(), CHUNK):
                self._take(chunk)
        except (OSError, ValueError):  # the pipe was closed on this side
            self._take(b"")
        self._end()

    def _take(self, chunk: bytes) -> None:
        raise NotImplementedError

    def _end(self) -> None:
        raise NotImplementedError

    def wait(self, seconds: float) -> None:
        """Wait so long for the end of the pipe, so that what was written last has been read."""
        self._thread.join(seconds)

    def close(self) -> None:
        """Close the pipe once its thread is done; one that a child of the server holds open is left to it."""
        self._thread.join(END_SECONDS)
        if not self._thread.is_alive():
            self._pipe.close()


class Lines(_Reader):
    """The lines of a pipe, in order; more than 64 MB that wait are a flood, and what follows is dropped."""

    def __init__(self, pipe: IO[bytes]) -> None:
        """Begin to read."""
        self._queue: queue.Queue[bytes | None] = queue.Queue()
        self._rest: list[bytes] = []
        self._waiting = 0
        self._has_ended = False
        super().__init__(pipe)

    def is_empty(self) -> bool:
        """Tell whether no line and no end waits."""
        return self._queue.empty()

    def next(self, seconds: float) -> bytes | None:
        """Return the next line that is not blank, or None at the end.

        Raises:
            TimeoutError: none came within that time.
            OverflowError: too much waits.
        """
        if self._waiting > MOST_WAITING:
            raise OverflowError(f"more than {MOST_WAITING // 1_000_000} MB came that were not asked for")
        if self._has_ended:
            return None
        try:
            line = self._queue.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._has_ended = True
        else:
            self._waiting -= len(line)
        return line

    def _take(self, chunk: bytes) -> None:
        if self._waiting > MOST_WAITING:
            return
        self._waiting += len(chunk)
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._rest.append(line)
            text = b"".join(self._rest)
            self._rest = []
            self._waiting -= 1
            if text.strip():
                self._queue.put(text)
            else:
                self._waiting -= len(text)
        if rest:
            self._rest.append(rest)

    def _end(self) -> None:
        if text := b"".join(self._rest).strip():
            self._queue.put(text)
        self._queue.put(None)


class Tail(_Reader):
    """The end of what a pipe carried, at most 200,000 bytes."""

    def __init__(self, pipe: IO[bytes]) -> None:
        """Begin to read."""
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()
        super().__init__(pipe)

    def text(self) -> str:
        """Return what has been kept so far."""
        with self._lock:
            kept = b"".join(self._chunks)
        return kept[-KEPT_STDERR:].decode("utf-8", "replace")

    def _take(self, chunk: bytes) -> None:
        with self._lock:
            self._chunks.append(chunk)
            self._size += len(chunk)
            while self._size - len(self._chunks[0]) > KEPT_STDERR:
                self._size -= len(self._chunks.popleft())

    def _end(self) -> None:
        """Keep what there is."""


class Writer:
    """A thread that writes to a pipe, so that a server which does not read costs its client no more than a timeout."""

    def __init__(self, pipe: IO[bytes]) -> None:
        """Begin to wait for what is to be written."""
        self._pipe = pipe
        self._queue: queue.Queue[bytes | None] = queue.Queue()
        self.trouble: OSError | None = None
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Write soon; `trouble` says later if it could not be done."""
        self._queue.put(data)

    def finish(self, seconds: float = END_SECONDS) -> None:
        """Close the pipe behind the last byte, and wait so long for it."""
        self._queue.put(None)
        self._thread.join(seconds)

    def _write(self) -> None:
        try:
            while (data := self._queue.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(self._pipe.fileno(), rest) :]
        except OSError as error:
            self.trouble = error
        self._pipe.close()
