"""The words of a command that starts mnemo: its program, the memory that it names, and what its user added.

A hook is a line for a shell; only its words are read and changed, what stands between and around them stays.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath, PureWindowsPath

from mnemo import paths

SERVE = "serve"
HOOK_ARGUMENTS = ("recall", "--hook")
DATABASE_OPTION = "--db"
_PROGRAM = "mnemo"
_RUNNERS = {"uvx": "--from", "pipx": "--spec"}  # and the option that names the package
_WORD = r"""(?:[^\s'"\\|&;<>()`]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+"""
_TOKEN = re.compile(rf"(?P<redirection>\d*[<>]+&?\s*{_WORD})|(?P<word>{_WORD})|(?P<end>[^\s])|\n", re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PREFIXES = {"command", "env", "exec", "nice", "nohup", "time"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line for a shell: its value, and where it stands."""

    value: str
    start: int
    end: int


def program_length(words: Sequence[str]) -> int:
    """Return how many words at the start are mnemo's program, as `commands.program` writes it; 0 if none."""
    first = _name(words[0]) if words else ""
    if first == _PROGRAM:
        return 1
    if first.startswith("py"):  # python3.13, pypy3, the launcher of Windows
        pairs = pairwise(words)
        return next((place + 2 for place, pair in enumerate(pairs) if pair == ("-m", _PROGRAM)), 0)
    option = _RUNNERS.get(first)
    if option and _PROGRAM in words and any(word.partition("=")[0] == option for word in words):
        return words.index(_PROGRAM) + 1
    return 0


def _name(word: str) -> str:
    """Return the name of a program on any system, without its folder and ending."""
    return PureWindowsPath(word).name.lower().removesuffix(".exe")


def serves(words: Sequence[str]) -> bool:
    """Tell whether a command is mnemo's server, wherever it was installed when the command was written."""
    length = program_length(words)
    return length > 0 and SERVE in words[length:]


def is_as_written(words: Sequence[str], arguments: Sequence[str]) -> bool:
    """Tell whether a command holds nothing but what `mnemo init` writes: the program, its arguments, a memory."""
    length = program_length(words)
    rest = list(words[length:])
    return length > 0 and rest[: len(arguments)] == list(arguments) and not without_database(rest[len(arguments) :])


def without_database(words: Sequence[str]) -> list[str]:
    """Return the words without the option that names a memory."""
    named = {place for first, last in _database_options(words) for place in range(first, last + 1)}
    return [word for place, word in enumerate(words) if place not in named]


def named_database(words: Sequence[str]) -> str | None:
    """Return the memory that an option names, the last one if there are several."""
    options = _database_options(words)
    if not options:
        return None
    first, last = options[-1]
    return words[last] if last > first else words[first].removeprefix(f"{DATABASE_OPTION}=")


def _database_options(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first and the last place of each option that names a memory."""
    found, place = [], 0
    while place < len(words):
        if words[place] == DATABASE_OPTION and place + 1 < len(words) and words[place + 1]:
            found.append((place, place + 1))
            place += 1
        elif words[place].startswith(f"{DATABASE_OPTION}="):
            found.append((place, place))
        place += 1
    return found


def absolute(named: str) -> Path | None:
    """Return a memory's path, None for a relative one: it counts from a folder that only the client knows."""
    path = Path(named).expanduser()
    return path if path.is_absolute() else None


def database_of(words: Sequence[str], variable: object) -> Path | None:
    """Return the memory that a server uses: its option's, its variable's, else the usual one.

    None where it cannot be told: another program runs the server (in a container, say), or the path is a relative one.
    """
    if SERVE not in words:
        return None
    named = named_database(words) or (str(variable) if variable else None)
    return paths.default_path() if named is None else absolute(named)


def is_our_hook(command: object) -> bool:
    """Tell whether a hook's command is one of ours, wherever mnemo was installed when it was written."""
    if not isinstance(command, str) or _PROGRAM not in command.lower():
        return False
    if f" {' '.join(HOOK_ARGUMENTS)}" in command:
        return True
    return any(
        any(_name(word.value) == _PROGRAM for word in words) and _recalls([word.value for word in words])
        for words in _commands(command)
    )


def is_plain_hook(command: str) -> bool:
    """Tell whether a hook is as `mnemo init` writes it, without anything of its user's."""
    commands = list(_commands(command))
    return len(commands) == 1 and is_as_written([word.value for word in commands[0]], HOOK_ARGUMENTS)


def retold_hook(line: str, program: Sequence[str], database: PurePath | None) -> str:
    """Return a hook's line with another program and memory.

    Whatever else its user wrote stays; a line that starts mnemo in a way of its own stays whole.
    """
    for words in reversed(list(_commands(line))):
        start = next((place for place, word in enumerate(words) if not _goes_before(word.value)), len(words))
        values = [word.value for word in words[start:]]
        length = program_length(values)
        if not length or not _recalls(values[length:]):
            continue
        edits = _database_edits(line, words[start + length :], database)
        if values[:length] != list(program):
            edits.append((words[start].start, words[start + length - 1].end, shlex.join(program)))
        for first, end, text in sorted(edits, reverse=True):
            line = line[:first] + text + line[end:]
    return line


def _database_edits(line: str, words: Sequence[Word], database: PurePath | None) -> list[tuple[int, int, str]]:
    """Return where a line is to be cut, and what is to stand there, for a command to name this memory alone."""
    values = [word.value for word in words]
    if database is not None and named_database(values) == str(database):
        return []
    wanted = "" if database is None else f" {DATABASE_OPTION} {shlex.quote(str(database))}"
    edits = []
    for first, last in _database_options(values):
        start = words[first].start
        edits.append((len(line[:start].rstrip()), words[last].end, wanted))
        wanted = ""
    if wanted:
        behind = words[values.index(HOOK_ARGUMENTS[1])].end
        edits.append((behind, behind, wanted))
    return edits


def _recalls(values: Sequence[str]) -> bool:
    return set(HOOK_ARGUMENTS) <= set(values)


def _goes_before(value: str) -> bool:
    """Tell whether a word may stand before a command's program: a variable, or a command that starts another."""
    return value in _PREFIXES or bool(_ASSIGNMENT.match(value))


def _commands(line: str) -> Iterator[list[Word]]:
    """Yield the words of each command of a line for a shell, without its redirections."""
    words: list[Word] = []
    for token in _TOKEN.finditer(line):
        if token["word"]:
            words.append(Word(_value(token["word"]), token.start(), token.end()))
        elif not token["redirection"]:
            if words:
                yield words
            words = []
    if words:
        yield words


def _value(written: str) -> str:
    """Return what a word stands for, with its variables as they are written."""
    return "".join(shlex.split(written))
