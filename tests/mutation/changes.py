"""Small changes of a module, one at a time, as other mistakes of a programmer would look."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Change:
    """One change: where, what, and the module's source with it."""

    line: int
    statement: int  # the first line of the statement that it is in
    text: str  # the line as it stands in the module, without the indentation
    what: str
    source: str


def changes_of(path: Path) -> Iterator[Change]:
    """Yield every change of a module; docstrings, annotations and `__all__` are left alone."""
    source = path.read_text("utf-8")
    tree, texts = ast.parse(source), source.splitlines()
    lines = dict(_statement_lines(tree, 0))
    for number, (node, parent) in enumerate(_nodes(tree)):
        for kind in range(2):
            after = _changed(copy.deepcopy(node), parent, kind)
            if not after:
                continue
            mutant = copy.deepcopy(tree)
            _changed(*list(_nodes(mutant))[number], kind)
            line: int = getattr(node, "lineno", 0)
            what = " ".join(f"{ast.unparse(node)[:60]}  ->  {after[:60]}".split("\n"))
            changed = ast.unparse(ast.fix_missing_locations(mutant))
            yield Change(line, lines[id(node)], texts[line - 1].strip(), what, changed)


def _statement_lines(node: ast.AST, line: int) -> Iterator[tuple[int, int]]:
    """Yield the identity of each node and the first line of the innermost statement that holds it."""
    line = node.lineno if isinstance(node, ast.stmt) else line
    yield id(node), line
    for child in ast.iter_child_nodes(node):
        yield from _statement_lines(child, line)


def _nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield the nodes that code runs through, with their parents; what only people and type checkers read is left."""
    for parent in ast.walk(tree):
        skipped: set[int] = set()
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            skipped.add(id(parent.returns))
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            skipped |= {id(decorator) for decorator in parent.decorator_list}
        if isinstance(parent, ast.arg | ast.AnnAssign):
            skipped.add(id(parent.annotation))
        for child in ast.iter_child_nodes(parent):
            is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if id(child) in skipped or is_text or isinstance(child, ast.Import | ast.ImportFrom):
                for below in ast.walk(child):
                    below.__dict__["is_skipped"] = True
            elif not getattr(child, "is_skipped", False):
                yield child, parent


def _changed(node: ast.AST, parent: ast.AST, kind: int) -> str:
    """Change a node in its place; return how it looks now, or an empty text where this kind of change has no place."""
    match node:
        case ast.Compare() if kind == 0 and type(node.ops[0]) in COMPARISONS:
            node.ops[0] = COMPARISONS[type(node.ops[0])]()
        case ast.BinOp() if kind == 0 and type(node.op) in OPERATORS:
            node.op = OPERATORS[type(node.op)]()
        case ast.BoolOp() if kind == 0:
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp() if kind == 0 and isinstance(node.op, ast.Not | ast.USub):
            node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
            if isinstance(node.op, ast.Not):
                node.operand = ast.UnaryOp(ast.Not(), node.operand)
        case ast.Constant(value=bool() as truth) if kind == 0:
            node.value = not truth
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            step = 1 if isinstance(number, int) else 0.01
            node.value = number + step if kind == 0 else number - step
        case ast.Constant(value=str() as text) if kind == 0 and text and not isinstance(parent, ast.JoinedStr):
            node.value = f"XX{text}"
        case ast.Return() if kind == 0 and node.value is not None:
            if isinstance(node.value, ast.Constant) and node.value.value is None:
                return ""
            node.value = ast.Constant(None)
        case ast.Call() if kind == 0 and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            node.func.id = "max" if node.func.id == "min" else "min"
        case ast.IfExp() if kind == 0:
            node.body, node.orelse = node.orelse, node.body
        case _:
            return ""
    return ast.unparse(node)
