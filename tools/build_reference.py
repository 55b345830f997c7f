"""Write docs/tools.md, the reference of the tools, from the code and the specification.

python -m tools.build_reference --write     (or --check, which fails where the page is not up to date)
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from mnemo import arguments, server
from mnemo.actions import Actions
from mnemo.arguments import Parameter
from mnemo.serving import prompts, resources

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "tools.md"
SPECS = ROOT / "openspec" / "specs"
HEAD = """# The tools

<!-- Made by `python -m tools.build_reference --write` from the code and the specification: change those. -->

A client sees two tools, five resources and two prompts. Arguments are flat; an answer is one JSON object; a failure is
a result marked as an error, `{"error": "..."}`, that says what to do. `null` means "not given", numbers and lists may
come as text, and an unknown argument is ignored with a warning.

"""


def build() -> str:
    """Return the page."""
    return HEAD + "".join([*_fact_store(), *_fact_feedback(), *_resources(), *_specification()]).rstrip() + "\n"


def _fact_store() -> Iterator[str]:
    yield "## fact_store\n\nWhat an assistant reads about it:\n\n"
    yield f"```text\n{server.FACT_STORE_DESCRIPTION.strip()}\n```\n\n"
    yield "| action | needs | does |\n|---|---|---|\n"
    for action in arguments.ACTIONS:
        needs = ", ".join(f"`{name}`" for name in _required(action))
        yield f"| `{action}` | {needs} | {_summary(action)} |\n"
    yield "\nAll arguments; an action names those that it has no use for in a warning:\n\n" + _parameters(
        arguments.FACT_STORE
    )


def _fact_feedback() -> Iterator[str]:
    yield f"## fact_feedback\n\n```text\n{server.FACT_FEEDBACK_DESCRIPTION.strip()}\n```\n\n"
    yield _parameters(arguments.FACT_FEEDBACK)


def _summary(action: str) -> str:
    first = (inspect.getdoc(getattr(Actions, action)) or "").splitlines()[0]
    return first.removesuffix(".").replace("|", "\\|")


def _required(action: str) -> list[str]:
    """Return the arguments that an action asks for without alternative, read from its code."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(getattr(Actions, action))))
    names = [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "require"
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    ]
    if "content" in names and "contents" in names:
        return ["content` or `contents"]
    takes_several = "fact_ids" in inspect.getsource(getattr(Actions, action))
    several = ["fact_id` or `fact_ids"] if takes_several else []
    return several or list(dict.fromkeys(names))


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    lines = ["| argument | type | |\n|---|---|---|\n"]
    for one in parameters:
        kind = f"{one.type} of {one.item}s" if one.item else one.type
        notes = [one.description] if one.description else []
        if one.choices:
            notes.append("one of " + ", ".join(f"`{choice}`" for choice in one.choices))
        if one.minimum is not None:
            notes.append(f"{one.minimum:g} " + (f"to {one.maximum:g}" if one.maximum is not None else "or more"))
        lines.append(f"| `{one.name}` | {kind} | {'; '.join(notes)} |\n")
    return "".join(lines) + "\n"


def _resources() -> Iterator[str]:
    yield f"## Resources\n\nEach is a JSON array of the category's {resources.FACTS_EACH} most trusted facts.\n\n"
    yield "| resource | |\n|---|---|\n"
    for category, description in resources.DESCRIPTIONS.items():
        yield f"| `{resources.SCHEME}{category}` | {description} |\n"
    yield "\n## Prompts\n\n| prompt | |\n|---|---|\n"
    for prompt in prompts.PROMPTS:
        yield f"| `{prompt.name}` | {prompt.description} |\n"
    yield "\n"


def _specification() -> Iterator[str]:
    yield "## What the specification demands\n\nEach line is a requirement, and each has scenarios that are tests.\n\n"
    for file in sorted(SPECS.glob("*/spec.md")):
        text = file.read_text("utf-8")
        purpose = text.split("## Purpose\n")[1].split("\n## ")[0].strip()
        yield f"### {file.parent.name}\n\n{purpose}\n\n"
        yield "".join(f"- {name}\n" for name in re.findall(r"^### Requirement: (.+)$", text, re.MULTILINE)) + "\n"


def main() -> int:
    """Write the page, or check it."""
    page = build()
    if "--write" in sys.argv:
        PAGE.write_text(page, "utf-8")
        return 0
    if not PAGE.exists() or PAGE.read_text("utf-8") != page:
        sys.stderr.write("docs/tools.md is out of date; run: python -m tools.build_reference --write\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
