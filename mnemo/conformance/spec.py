"""Read a capability's `spec.md` into requirements, scenarios and steps, each with its line number.

The reader knows one dialect and refuses everything else, naming file and line: a sentence that it
skipped would be a sentence that no test ever sees.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

STEP = re.compile(r"- \*\*(?P<keyword>GIVEN|WHEN|THEN|AND|BUT)\*\* (?P<text>\S.*)")
TAGS = re.compile(r"<!-- tags: (?P<tags>[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*) -->")
SEPARATOR_CELL = re.compile(r":?-{3,}:?")
INDENT = "  "
KNOWN_TAGS = frozenset({"full", "should"})
PRIMARY_ORDER = ("GIVEN", "WHEN", "THEN")


class SpecError(Exception):
    """A spec file holds something that the reader does not understand; the text names file and line."""

    def __init__(self, path: Path, line: int, sentence: str) -> None:
        """Put the place before the sentence, as compilers do."""
        super().__init__(f"{path}:{line}: {sentence}")
        self.path = path
        self.line = line


@dataclass
class Step:
    """One line of a scenario, with the table or text block that belongs to it."""

    keyword: str
    text: str
    line: int
    table: list[list[str]] = field(default_factory=list)
    block: str | None = None


@dataclass
class Scenario:
    """One case of a requirement."""

    name: str
    line: int
    tags: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list)


@dataclass
class Requirement:
    """One sentence of the specification with its scenarios."""

    name: str
    line: int
    tags: tuple[str, ...] = ()
    text: list[str] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)


@dataclass
class Capability:
    """All that one spec file says."""

    name: str
    path: Path
    purpose: list[str] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)

    @property
    def scenarios(self) -> list[Scenario]:
        """Return the scenarios of all requirements, in the file's order."""
        return [scenario for requirement in self.requirements for scenario in requirement.scenarios]


def read_capability(path: Path) -> Capability:
    """Return what a spec file says; the capability is named after the folder.

    Raises `SpecError` with file, line and a sentence for everything outside the dialect.
    """
    return _Reader(path, path.read_text(encoding="utf-8")).read()


def read_capabilities(folder: Path) -> list[Capability]:
    """Return every `<capability>/spec.md` of a folder, by name."""
    return [read_capability(path) for path in sorted(folder.glob("*/spec.md"))]


class _Reader:
    """Walk over the lines of one file; `part` says which section the walk is in."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.capability = Capability(name=path.parent.name, path=path)
        self.part = ""
        self.requirement: Requirement | None = None
        self.scenario: Scenario | None = None
        self.heading_line = 0
        self.names: dict[str, int] = {}
        self.number = 0

    def refuse(self, sentence: str, line: int | None = None) -> SpecError:
        return SpecError(self.path, self.number if line is None else line, sentence)

    def read(self) -> Capability:
        while self.number < len(self.lines):
            line = self.lines[self.number]
            self.number += 1
            if line.startswith("#"):
                self.heading(line)
            elif line.strip():
                self.body(line)
        self.close_requirement()
        if not self.capability.purpose:
            raise self.refuse("the section `## Purpose` is missing or empty", 1)
        if not self.capability.requirements:
            raise self.refuse("the section `## Requirements` is missing or has no requirement", 1)
        return self.capability

    def heading(self, line: str) -> None:
        self.heading_line = self.number
        if line == f"# {self.capability.name}" and not self.part:
            return
        if line in ("## Purpose", "## Requirements"):
            if (line, self.part) not in (("## Purpose", ""), ("## Requirements", "## Purpose")):
                raise self.refuse(f"`{line}` stands twice or in the wrong order")
            self.part = line
        elif line.startswith("### Requirement: ") and self.part == "## Requirements":
            self.open_requirement(line.removeprefix("### Requirement: "))
        elif line.startswith("#### Scenario: ") and self.requirement:
            self.open_scenario(self.requirement, line.removeprefix("#### Scenario: "))
        else:
            raise self.refuse(f"this heading has no place here: {line!r}")

    def open_requirement(self, name: str) -> None:
        self.close_requirement()
        if any(name == other.name for other in self.capability.requirements):
            raise self.refuse(f"the requirement {name!r} stands twice in this file")
        self.requirement = Requirement(name=self.checked_name(name), line=self.number)
        self.capability.requirements.append(self.requirement)

    def open_scenario(self, requirement: Requirement, name: str) -> None:
        self.close_scenario()
        if not requirement.text:
            raise self.refuse("the requirement has no sentence above its first scenario")
        if name in self.names:
            # Equal names would silently leave only the last scenario in the test run.
            raise self.refuse(f"the scenario {name!r} stands already on line {self.names[name]}")
        self.names[name] = self.number
        self.scenario = Scenario(name=self.checked_name(name), line=self.number, tags=requirement.tags)
        requirement.scenarios.append(self.scenario)

    def checked_name(self, name: str) -> str:
        if not name or name != name.strip():
            raise self.refuse("the name is empty or has spaces around it")
        return name

    def close_scenario(self) -> None:
        if not self.scenario:
            return
        line = self.scenario.line
        keywords = [step.keyword for step in self.scenario.steps if step.keyword in PRIMARY_ORDER]
        if not self.scenario.steps:
            raise self.refuse(f"the scenario {self.scenario.name!r} has no steps", line)
        if self.scenario.steps[0].keyword not in PRIMARY_ORDER:
            raise self.refuse("the first step of a scenario is GIVEN or WHEN", self.scenario.steps[0].line)
        if keywords not in (["WHEN", "THEN"], ["GIVEN", "WHEN", "THEN"]):
            raise self.refuse("a scenario has at most one GIVEN, then one WHEN, then one THEN, and AND or BUT", line)
        self.scenario = None

    def close_requirement(self) -> None:
        self.close_scenario()
        if not self.requirement:
            return
        if not self.requirement.scenarios:
            raise self.refuse(f"the requirement {self.requirement.name!r} has no scenario", self.requirement.line)
        if not re.search(r"\b(MUST|SHALL)\b", " ".join(self.requirement.text)):
            raise self.refuse("the requirement's sentence says neither MUST nor SHALL", self.requirement.line)
        self.requirement = None

    def body(self, line: str) -> None:
        if line.startswith("<!--"):
            self.tag_line(line)
        elif self.scenario:
            self.scenario_line(self.scenario, line)
        elif line.startswith((" ", "\t", "- ", "* ", "|", "```")):
            raise self.refuse(f"only sentences stand here, not {line!r}")
        elif self.requirement:
            self.requirement.text.append(line.rstrip())
        elif self.part == "## Purpose":
            self.capability.purpose.append(line.rstrip())
        else:
            raise self.refuse(f"this line belongs to nothing: {line!r}")

    def tag_line(self, line: str) -> None:
        found = TAGS.fullmatch(line)
        holder = self.scenario or self.requirement
        if not found or not holder or self.number != self.heading_line + 1:
            raise self.refuse(
                "a comment is `<!-- tags: name name -->` right under the heading of a requirement or scenario"
            )
        tags = tuple(found["tags"].split())
        for tag in tags:
            if tag not in KNOWN_TAGS:
                raise self.refuse(f"the tag {tag!r} is not one of {', '.join(sorted(KNOWN_TAGS))}")
        holder.tags = tuple(dict.fromkeys((*holder.tags, *tags)))

    def scenario_line(self, scenario: Scenario, line: str) -> None:
        if line.startswith("- "):
            found = STEP.fullmatch(line)
            if not found or line != line.rstrip():
                raise self.refuse(f"a step is `- **GIVEN|WHEN|THEN|AND|BUT** text`, not {line!r}")
            scenario.steps.append(Step(found["keyword"], found["text"], self.number))
        elif line.startswith(f"{INDENT}|") and scenario.steps:
            self.table_line(scenario.steps[-1], line)
        elif line.startswith(f"{INDENT}```") and scenario.steps:
            self.block(scenario.steps[-1])
        else:
            raise self.refuse(f"a scenario holds steps, and tables or blocks two spaces under them, not {line!r}")

    def table_line(self, step: Step, line: str) -> None:
        if step.block is not None:
            raise self.refuse("a step has a table or a block, not both")
        if not line.rstrip().endswith("|") or line.rstrip().endswith("\\|"):
            raise self.refuse("a table's row ends with `|`")
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        separator = all(SEPARATOR_CELL.fullmatch(cell) for cell in cells)
        previous = self.lines[self.number - 2]
        if separator != (len(step.table) == 1 and not self.is_separator(previous)):
            raise self.refuse("a table has one line of dashes, under its header")
        if step.table and len(cells) != len(step.table[0]):
            raise self.refuse(f"this row has {len(cells)} cells, the header {len(step.table[0])}")
        if not separator:
            step.table.append(cells)

    @staticmethod
    def is_separator(line: str) -> bool:
        cells = line.strip().strip("|").split("|")
        return all(SEPARATOR_CELL.fullmatch(cell.strip()) for cell in cells)

    def block(self, step: Step) -> None:
        start = self.number
        if step.table or step.block is not None:
            raise self.refuse("a step has one table or one block")
        text: list[str] = []
        while self.number < len(self.lines):
            line = self.lines[self.number]
            self.number += 1
            if line == f"{INDENT}```":
                step.block = "\n".join(text)
                if '"""' in step.block:
                    raise self.refuse('a block must not hold `"""`, which ends a text in Gherkin', start)
                return
            if line and not line.startswith(INDENT):
                raise self.refuse("the lines of a block are indented by two spaces")
            text.append(line[len(INDENT) :])
        raise self.refuse("this block is never closed", start)
