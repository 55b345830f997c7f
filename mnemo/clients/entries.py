"""What stands in a client's settings under mnemo's name: the program that it starts, the memory, whether it is on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemo import paths
from mnemo.clients import jsonc, toml, words
from mnemo.clients.catalogue import TOML, Client

SERVER = "mnemo"
NO_TEXT = "it is not text in UTF-8"
_SETTINGS = "MNEMO_"  # how the names of our variables begin
_ADDRESSES = ("url", "httpUrl", "serverUrl")
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: what it starts, and the memory that its server uses, None where that cannot be told."""

    words: Sequence[str]  # the program first; empty where another way leads to the server, an address for example
    database: Path | None = None
    is_ours: bool = False  # whether it starts the server of mnemo, wherever that was installed
    is_as_written: bool = False  # whether it holds nothing but what `mnemo init` writes
    has_variable: bool = False  # whether a variable of its own names a memory, which an option may overrule
    switch: str = ""  # the setting that switches it off, empty where it is on
    environment: Mapping[str, Any] = field(default_factory=dict)
    address: str = ""  # at which its server is, if it starts none

    @property
    def is_told_by_variable(self) -> bool:
        """Tell whether it is a variable of its own that names its memory."""
        return self.has_variable and words.named_database(self.words) is None

    @property
    def leads_to(self) -> str:
        """Return the command or the address as one line, empty where there is neither."""
        return " ".join(self.words) or self.address


def entry_in(values: Any, client: Client) -> Entry | None:
    """Return what stands in a file's values under mnemo's name, None where nothing does."""
    found = at(values, (client.servers, SERVER))
    if not isinstance(found, dict):
        return None
    command = found.get("command")
    spoken = [command, *map(str, list_in(found, "args"))] if isinstance(command, str) else []
    environment: Any = found.get("env")
    variable = at(environment, (paths.DATABASE_VARIABLE,))
    return Entry(
        spoken,
        words.database_of(spoken, variable),
        words.serves(spoken),
        words.is_as_written(spoken, (words.SERVE,))
        and found.keys() <= {"command", "args", "env", *client.extras}
        and (environment is None or _is_of_settings(environment)),
        bool(variable),
        _switch(values, found),
        environment if isinstance(environment, dict) else {},
        next((value for key in _ADDRESSES if isinstance(value := found.get(key), str)), ""),
    )


def _is_of_settings(environment: Any) -> bool:
    """Tell whether an environment holds nothing but what `mnemo init` takes over from a shell."""
    return isinstance(environment, dict) and all(
        name.startswith(_SETTINGS) and name != paths.DATABASE_VARIABLE for name in environment
    )


def _switch(values: Any, entry: Mapping[str, Any]) -> str:
    """Return which setting keeps a client from starting the server."""
    if entry.get("enabled") is False:
        return "enabled"
    if entry.get("disabled") is True:
        return "disabled"
    lists = at(values, ("mcp",))  # of Gemini CLI
    if SERVER in list_in(lists, "excluded"):
        return "mcp.excluded"
    allowed = at(lists, ("allowed",))
    return "mcp.allowed" if isinstance(allowed, list) and SERVER not in allowed else ""


def configured_entry(client: Client, file: Path) -> Entry | None:
    """Return what a settings file of a client starts as mnemo, None where no command is named there.

    Raises:
        OSError: the file cannot be read.
        ValueError: it names mnemo, but is not of its format.
    """
    try:
        content = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if SERVER.encode() not in content:
        return None
    try:
        entry = entry_in(values_of(text_of(content), client.form), client)
    except UnicodeDecodeError as error:
        raise ValueError(NO_TEXT) from error
    return entry if entry is not None and entry.words else None


def at(values: Any, place: Sequence[str]) -> Any:
    """Return what stands at a place; None where there is nothing."""
    for key in place:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def list_in(values: Any, key: str) -> list[Any]:
    """Return the list under a key, an empty one where there is none."""
    found = at(values, (key,))
    return found if isinstance(found, list) else []


def text_of(content: bytes) -> str:
    """Return a file's text without its byte order mark.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
    """
    return content.removeprefix(BOM).decode("utf-8")


def values_of(text: str, form: str) -> Any:
    """Return the values of a text in JSON or TOML.

    Raises:
        ValueError: it is not of that form.
    """
    return toml.parse(text) if form == TOML else jsonc.parse(text).value
