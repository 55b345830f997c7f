"""The assistants that mnemo knows, and where each keeps the servers that it starts, as its documentation says.

Paths depend on the system and on the variables that a client itself reads; they are worked out when they are asked
for, so that a changed HOME counts.
"""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

JSON, TOML = "json", "toml"
USER, PROJECT = "user", "project"


@dataclass(frozen=True, slots=True)
class Client:
    """An assistant: its name on the command line, its own name, and how it is told of a server."""

    key: str
    name: str
    servers: str  # the key in its file under which the servers stand
    user_file: Callable[[], Path]
    project_file: str | None = None  # below the project's folder; None if it has no such file
    form: str = JSON
    extras: Mapping[str, Any] = field(default_factory=dict)  # what an entry holds besides command and args
    commands: tuple[str, ...] = ()  # by which it is started
    folder: Callable[[], Path] | None = None  # which is there where it is installed; without: that of its file

    def file(self, scope: str, project: Path) -> Path | None:
        """Return the file for a scope, None if this client has none for it."""
        if scope == USER:
            return self.user_file()
        return None if self.project_file is None else project / self.project_file

    def is_installed(self) -> bool:
        """Tell whether there are traces of this client: its file, its folder or its command."""
        folder = self.folder() if self.folder else self.user_file().parent
        return folder.is_dir() or self.user_file().exists() or any(map(shutil.which, self.commands))


def _home(*parts: str) -> Path:
    return Path.home().joinpath(*parts)


def _from(variable: str, default: Path) -> Path:
    return Path(os.environ[variable]).expanduser() if os.environ.get(variable) else default


def _settings(*parts: str) -> Path:
    """Return a path below the folder in which programs with windows keep their settings."""
    if sys.platform == "win32":
        return _from("APPDATA", _home("AppData", "Roaming")).joinpath(*parts)
    if sys.platform == "darwin":
        return _home("Library", "Application Support").joinpath(*parts)
    return _from("XDG_CONFIG_HOME", _home(".config")).joinpath(*parts)


def _claude_code() -> Path:
    return _from("CLAUDE_CONFIG_DIR", _home()) / ".claude.json"


def _claude_folder() -> Path:
    return _from("CLAUDE_CONFIG_DIR", _home(".claude"))


def _zed() -> Path:
    if sys.platform == "win32":
        return _settings("Zed", "settings.json")
    return _from("XDG_CONFIG_HOME", _home(".config")) / "zed" / "settings.json"


CLIENTS = (
    Client(
        key="claude-code",
        name="Claude Code",
        servers="mcpServers",
        user_file=_claude_code,
        project_file=".mcp.json",
        extras={"type": "stdio"},
        commands=("claude",),
        folder=_claude_folder,
    ),
    Client(
        key="codex",
        name="Codex",
        servers="mcp_servers",
        user_file=lambda: _from("CODEX_HOME", _home(".codex")) / "config.toml",
        project_file=".codex/config.toml",
        form=TOML,
        commands=("codex",),
    ),
    Client(
        key="cursor",
        name="Cursor",
        servers="mcpServers",
        user_file=lambda: _home(".cursor", "mcp.json"),
        project_file=".cursor/mcp.json",
        extras={"type": "stdio"},
        commands=("cursor", "cursor-agent"),
    ),
    Client(
        key="vscode",
        name="VS Code",
        servers="servers",
        user_file=lambda: _settings("Code", "User", "mcp.json"),
        project_file=".vscode/mcp.json",
        extras={"type": "stdio"},
        commands=("code",),
    ),
    Client(
        key="gemini",
        name="Gemini CLI",
        servers="mcpServers",
        user_file=lambda: _home(".gemini", "settings.json"),
        project_file=".gemini/settings.json",
        commands=("gemini",),
    ),
    Client(
        key="windsurf",
        name="Windsurf",
        servers="mcpServers",
        user_file=lambda: _home(".codeium", "windsurf", "mcp_config.json"),
        commands=("windsurf",),
    ),
    Client(
        key="zed",
        name="Zed",
        servers="context_servers",
        user_file=_zed,
        commands=("zed", "zeditor"),
    ),
    Client(
        key="claude-desktop",
        name="Claude Desktop",
        servers="mcpServers",
        user_file=lambda: _settings("Claude", "claude_desktop_config.json"),
    ),
)
BY_KEY = {client.key: client for client in CLIENTS}


def hooks_file(scope: str, project: Path) -> Path:
    """Return the file in which Claude Code keeps its hooks; in a project the one that is not shared with others."""
    if scope == USER:
        return _claude_folder() / "settings.json"
    return project / ".claude" / "settings.local.json"


def user_files() -> list[Path]:
    """Return all files of the user's own that may name mnemo to an assistant."""
    return [*(client.user_file() for client in CLIENTS), _claude_folder() / "settings.json"]
