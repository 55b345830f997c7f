"""The suite runs `core` on servers that speak one version of the protocol alone, the oldest and the newest."""

import sys
from pathlib import Path

import pytest

from mnemo.conformance import runner
from mnemo.conformance.runner import Plan
from tests.conformance.broken import MINIMAL
from tests.conformance.verdicts import CASES

pytestmark = pytest.mark.proof

OLDEST = [
    ('VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")', 'VERSIONS = ("2024-11-05",)'),
    (
        "        version = wanted if wanted in VERSIONS else VERSIONS[0]\n",
        "        if wanted not in VERSIONS:\n"
        '            return {"error": {"code": -32602, "message": "Unsupported protocol version"}}\n'
        "        version = wanted\n",
    ),
]
NEWEST = [
    (
        '    method, params = message["method"], message.get("params") or {}\n',
        '    method, params = message["method"], message.get("params") or {}\n'
        '    if params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") != "2026-07-28":\n'
        '        return {"error": {"code": -32004, "message": "Unsupported protocol version"}}\n'
        '    if method == "server/discover":\n'
        '        return {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}}\n'
        '    if method in ("initialize", "ping"):\n'
        '        return {"error": {"code": -32601, "message": f"there is no method {method}"}}\n',
    ),
    (
        '        elif message.get("method") == "notifications/initialized":\n            if not memory.is_ready:',
        '            if has_learned or "error" in reply or not memory.is_ready:',
    ),
    ("            counts = memory.learn({})", "            has_learned = True\n            counts = memory.learn({})"),
    ("    memory = Memory()\n    for line", "    memory, has_learned = Memory(), False\n    for line"),
]


@pytest.mark.parametrize("changes", [OLDEST, NEWEST], ids=["2024-11-05", "2026-07-28"])
def test_a_server_of_one_version_conforms(changes: list[tuple[str, str]], tmp_path: Path) -> None:
    source = MINIMAL.read_text(encoding="utf-8")
    for old, new in changes:
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times"
        source = source.replace(old, new)
    server = tmp_path / "server.py"
    server.write_text(source, encoding="utf-8")
    cases = [case for case in CASES if case.is_core]
    result = runner.run(Plan([sys.executable, "-S", str(server)], cases, jobs=2, timeout=20), lambda *_: None)
    assert [(one.case.name, one.failure.sentence) for one in result.outcomes if one.failure] == []
    assert result.conforms
    assert result.is_whole
