"""A program that writes to a memory until it is killed: `writer.py FILE [STATEMENT]`, an acknowledgement a line.

With a number it ends itself, as if killed, before the database's statement of that number.
"""

import itertools
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from mnemo.memory import Memory
from mnemo.storage import connections, database


def die_before(number: int) -> None:
    """Let this process end without any cleaning up before its statement of this number, counted over all."""
    connect, left = connections.connect, [number]

    def watched(*given: Any) -> sqlite3.Connection:
        connection = connect(*given)

        def trace(_: str) -> None:
            left[0] -= 1
            if left[0] <= 0:
                os._exit(9)

        connection.set_trace_callback(trace)
        return connection

    vars(database)["connect"] = watched


def main() -> None:
    """Add, change, rate, remove and learn in turn, and say on stdout what was acknowledged."""
    path = Path(sys.argv[1])
    if len(sys.argv) > 2:
        die_before(int(sys.argv[2]))
    memory = Memory(path)
    for number in itertools.count():
        text = f"Olivia moors boat {os.getpid()}-{number} at pier {number % 7}"
        fact_id = memory.fact_store({"action": "add", "content": text})["fact_id"]
        _say("there", text)
        if number % 3 == 1:
            _say("changing", text)
            memory.fact_store({"action": "update", "fact_id": fact_id, "content": f"{text}, mended"})
            _say("gone", text)
            text = f"{text}, mended"
            _say("there", text)
        if number % 5 == 2:
            _say("changing", text)
            memory.fact_store({"action": "remove", "fact_id": fact_id})
            _say("gone", text)
        memory.fact_feedback({"action": "helpful", "fact_id": 1})
        _say("rated", "")
        if number % 4 == 3:
            memory.fact_store({"action": "search", "query": "boat"})
        if number % 10 == 9:
            memory.fact_store({"action": "learn"})


def _say(what: str, text: str) -> None:
    sys.stdout.write(json.dumps([what, text]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
