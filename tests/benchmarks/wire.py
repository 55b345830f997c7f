"""The smallest MCP client over stdio: one request, one answer, no library between the clock and the pipe."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROTOCOL_VERSION = "2025-06-18"


class WireClient:
    """A server in a process of its own, with a HOME of its own."""

    def __init__(self, command: Sequence[str], home: Path, environment: Mapping[str, str] | None = None) -> None:
        """Start the server; `start` opens the session."""
        # Only what a server needs: the settings of the person who runs the benchmark must not count.
        given = {"PATH": os.environ["PATH"], "HOME": str(home), **(environment or {})}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=given
        )
        self._next_id = 0

    def start(self) -> None:
        """Do the handshake."""
        client = {"name": "benchmark", "version": "1"}
        self.request("initialize", {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its answer, which is JSON in a text.

        Raises:
            RuntimeError: the server answered with an error, or ended.
        """
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = result["content"][0]["text"]
        if result.get("isError"):
            raise RuntimeError(text)
        return json.loads(text)

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """Send one request and wait for its answer."""
        self._next_id += 1
        self._send({"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._next_id:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
        raise RuntimeError(f"the server ended during {method}")

    def memory_mb(self) -> float:
        """Return the server's resident memory in MB (0 where the system does not tell)."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return 0.0
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def close(self) -> None:
        """End the session as a client does: close the server's input and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        self._process.stdin.flush()
