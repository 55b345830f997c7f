"""The house: a room imports only rooms below it, and some libraries stand in few rooms."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mnemo"

# Rooms of one floor may use each other as long as no circle comes of it.
FLOORS = (
    {"clock", "errors", "folding", "language", "lexicon", "paths", "text"},
    {
        "additions",
        "arguments",
        "clients",
        "conditions",
        "derived",
        "duplicates",
        "entities",
        "facts",
        "guard",
        "index",
        "places",
        "portable",
        "query",
        "safety",
        "schema",
        "scoring",
        "search",
        "storage",
        "succession",
        "version_tables",
        "versions",
    },
    {"diagnosis", "history", "links", "retrieval_log", "store", "transfer", "usage"},
    {"contradictions", "graph", "learner", "relevance", "retriever"},
    {"actions", "answers", "copies", "exports", "importers", "imports", "memory", "recall"},
    {"__main__", "cli", "conformance", "server", "serving"},
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS, start=1) for room in rooms}

# A second engine is to come in by these doors, so no SQL and no SQLite type may leak above them.
SQL_ROOMS = {
    "additions",
    "derived/entity_index",
    "derived/marks",
    "derived/taught",
    "duplicates",
    "history",
    "index",
    "links",
    "retrieval_log",
    "schema",
    "search/alike",
    "search/readings",
    "storage/connections",
    "storage/copying",
    "storage/database",
    "storage/foreign",
    "storage/inspection",
    "storage/recovery",
    "storage/upgrade",
    "store",
    "succession",
    "transfer",
    "usage",
    "version_tables",
    "versions",
}
SQL = re.compile(
    r"\s*(SELECT\s|INSERT\s+(OR \w+ )?INTO\s|UPDATE \w+ SET\s|DELETE FROM\s|PRAGMA \w|ALTER TABLE\s"
    r"|(CREATE|DROP) (TEMP |VIRTUAL |UNIQUE )?(TABLE|INDEX|TRIGGER|VIEW)\s|WITH \w+(\(.*?\))? AS\s)"
)
# The demo is an MCP client: it shows the server from outside.
MCP_ROOMS = {"server", "cli/demo"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Yield all that is imported, also within functions, by its whole name: `from mnemo import x` gives `mnemo.x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(imported: str) -> str | None:
    """Return the module of mnemo, by `name_of`, in which what is imported stands."""
    package, *parts = imported.split(".")
    while package == "mnemo" and parts:
        path = PACKAGE.joinpath(*parts)
        found = next(filter(Path.exists, (path.with_suffix(".py"), path / "__init__.py")), None)
        if found is not None:
            return name_of(found)
        parts.pop()
    return None


def modules_used(path: Path) -> set[str]:
    names = imports_of(ast.parse(path.read_text("utf-8")))
    return {used for used in map(module_of, names) if used is not None} - {name_of(path)}


def rooms_used(path: Path) -> set[str]:
    return {used.split("/")[0] for used in modules_used(path)} - {room_of(path)}


def libraries_used(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports_of(ast.parse(path.read_text("utf-8")))}


def sql_texts(path: Path) -> list[str]:
    """Return the texts of a module that are SQL; docstrings are not."""
    tree = ast.parse(path.read_text("utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        if SQL.match(node.value)
    ]


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(path) for path in modules()} - {"__init__"}
    assert rooms == FLOOR_OF.keys(), "name each new room in FLOORS, on the floor where it belongs"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_room_imports_no_room_above_it(path: Path) -> None:
    room = room_of(path)
    above = {used for used in rooms_used(path) if FLOOR_OF[used] > FLOOR_OF.get(room, 1)}
    assert not above, f"{name_of(path)} stands on floor {FLOOR_OF.get(room, 1)} and imports {sorted(above)}"


def test_the_imports_have_no_circle() -> None:
    rooms: dict[str, set[str]] = {}
    for path in modules():
        rooms.setdefault(room_of(path), set()).update(rooms_used(path))
    TopologicalSorter(rooms).prepare()
    TopologicalSorter({name_of(path): modules_used(path) for path in modules()}).prepare()


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_libraries_stand_in_their_rooms(path: Path) -> None:
    used, room = libraries_used(path), room_of(path)
    assert "click" not in used or room == "cli"
    assert not used & {"mcp", "mcp_types"} or name_of(path) in MCP_ROOMS
    assert "sqlite3" not in used or name_of(path) in SQL_ROOMS or room == "conformance"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_sql_stands_in_its_rooms(path: Path) -> None:
    if name_of(path) not in SQL_ROOMS and room_of(path) != "conformance":
        assert not sql_texts(path)


def test_sql_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text('"""SELECT nothing"""\nX = "SELECT 1"\nY = f"UPDATE facts SET {X}"\nZ = "Select a fact"\n', "utf-8")
    assert sql_texts(path) == ["SELECT 1", "UPDATE facts SET "]


@pytest.mark.parametrize("path", sorted((PACKAGE / "conformance").rglob("*.py")), ids=name_of)
def test_the_conformance_suite_knows_nothing_of_the_code(path: Path) -> None:
    assert not rooms_used(path)


@pytest.mark.parametrize("module", ["mnemo.cli", "mnemo.memory", "mnemo.conformance.stdio"])
def test_only_the_server_pays_for_the_sdk(module: str) -> None:
    code = f"import sys, {module}; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_modules_stay_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 450
