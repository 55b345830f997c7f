"""Other processes that derive what is kept beside facts, while this one writes: for imports by the ten thousand.

A process reads batches of texts on stdin and answers each on stdout. Where none can be started, or one fails, the
work is done in this process: the results are the same.
"""

import gc
import marshal
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from mnemo.derived.derive import Derived, Name, Texts, derive

MOST_PROCESSES = 3  # more would wait for the one that writes
_LENGTH = struct.Struct(">Q")
_START = (
    "import marshal, sys; sys.path[:] = marshal.loads(bytes.fromhex(sys.argv[1])); "
    "from mnemo.derived import derivers; derivers.serve()"
)

_Process = subprocess.Popen[bytes]


def processes_here() -> int:
    """Return how many processes are worth their start: none where there is but one processor."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return 0
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_PROCESSES) if usable > 1 else 0


class Derivers:
    """Up to `processes` processes that derive; without any, the work is done when it is asked for."""

    def __init__(self, processes: int) -> None:
        """Start the processes; those that cannot be started are done without."""
        self._idle: SimpleQueue[_Process | None] = SimpleQueue()
        self._started = [process for process in (_started() for _ in range(processes)) if process is not None]
        for process in self._started:
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(len(self._started)) if self._started else None

    @property
    def process_ids(self) -> list[int]:
        """Return the ids of the processes that were started and have not ended."""
        return [process.pid for process in self._started if process.poll() is None]

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for process in self._started:
            process.kill()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for process in self._started:
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    if stream is not None:
                        stream.close()
            process.wait()

    def submit(self, batch: Sequence[Texts]) -> "Future[list[Derived]]":
        """Have a batch derived, and return where its results will be, in the order of the batch."""
        if self._threads is not None:
            return self._threads.submit(self._answer, batch)
        done: Future[list[Derived]] = Future()
        done.set_result([derive(texts) for texts in batch])
        return done

    def _answer(self, batch: Sequence[Texts]) -> list[Derived]:
        process = self._idle.get()
        answer = None
        if process is not None:
            try:
                answer = _asked(process, batch)
            except (OSError, ValueError, EOFError, TypeError):
                process.kill()  # and this thread goes on without it
                process = None
        self._idle.put(process)
        return [derive(texts) for texts in batch] if answer is None else answer


def _started() -> _Process | None:
    try:
        return subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-c", _START, marshal.dumps(sys.path).hex()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        return None


def _asked(process: _Process, batch: Sequence[Texts]) -> list[Derived]:
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - they are pipes
    _write(process.stdin, [tuple(texts) for texts in batch])
    rows = _read(process.stdout)
    if not isinstance(rows, list) or len(rows) != len(batch):
        raise EOFError("a process ended before its answer")
    return [Derived._make((*row, tuple(Name(*name) for name in names))) for *row, names in rows]


def _write(stream: IO[bytes], value: Any) -> None:
    data = marshal.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _read(stream: IO[bytes]) -> Any:
    """Return the next value, None where there is none."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    return marshal.loads(stream.read(_LENGTH.unpack(head)[0]))  # noqa: S302 - between two processes of this program


def serve() -> None:
    """Answer batches until there are no more: what a process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that writes ends this one
    gc.disable()  # nothing that is derived refers to itself
    with suppress(OSError):
        while (batch := _read(sys.stdin.buffer)) is not None:
            found = [derive(Texts(*texts)) for texts in batch]
            _write(sys.stdout.buffer, [(*one[:-1], tuple(map(tuple, one.names))) for one in found])
