"""The scenarios by name: where the specs are, what a run may choose from them, and in which profile each stands."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemo.conformance.spec import Capability, Requirement, Scenario, read_capabilities

FULL, SHOULD = "full", "should"
SEE_LIST = "; --list shows all names"
_WAITING = re.compile(r"the client waits \d+ seconds|keeps the file locked for")
_SHIPPED = Path(__file__).parent / "specs"
_REPOSITORY = Path(__file__).parents[2] / "openspec" / "specs"


class UnknownNameError(Exception):
    """A name stands for no capability, requirement or scenario, or the names together for no scenario."""


@dataclass(frozen=True)
class Case:
    """One scenario with the requirement and the capability that it belongs to."""

    capability: Capability
    requirement: Requirement
    scenario: Scenario

    @property
    def name(self) -> str:
        """Return the name that is unique in the suite, as in `length-penalty: Short fact gets no penalty`."""
        return f"{self.capability.name}: {self.scenario.name}"

    @property
    def is_core(self) -> bool:
        """Tell whether every implementation must pass."""
        return FULL not in self.scenario.tags

    @property
    def only_warns(self) -> bool:
        """Tell whether the requirement is a SHOULD."""
        return SHOULD in self.scenario.tags

    @property
    def mostly_waits(self) -> bool:
        """Tell whether real time passes in it, in which other scenarios can be run."""
        return any(_WAITING.search(step.text) for step in self.scenario.steps)

    @property
    def sentence(self) -> str:
        """Return the text of the requirement."""
        return " ".join(self.requirement.text)

    def place(self, line: int | None = None) -> str:
        """Return file and line in the specification: of the scenario, or of a line in it."""
        return f"openspec/specs/{self.capability.name}/spec.md:{line or self.scenario.line}"

    def is_called(self, name: str) -> bool:
        """Tell whether a name is this scenario's whole name, with or without its capability."""
        return _plain(name) in (_plain(self.name), _plain(self.scenario.name))

    def answers_to(self, part: str) -> bool:
        """Tell whether a name, or a part of one, means this case; hyphens count as spaces, case does not count."""
        names = (self.name, self.capability.name, self.requirement.name, self.scenario.name)
        return any(_plain(part) in _plain(name) for name in names)


def specs_folder() -> Path:
    """Return the folder of the specs: beside this code in an installed package, else that of the repository."""
    return _SHIPPED if _SHIPPED.is_dir() else _REPOSITORY


def all_cases(folder: Path | None = None) -> list[Case]:
    """Return every scenario of the specification, in its order."""
    return [
        Case(capability, requirement, scenario)
        for capability in read_capabilities(folder or specs_folder())
        for requirement in capability.requirements
        for scenario in requirement.scenarios
    ]


def chosen(cases: Sequence[Case], names: Sequence[str] = (), capabilities: Sequence[str] = ()) -> list[Case]:
    """Return the cases that answer to one of the names and belong to one of the capabilities; none given means all.

    Where a name is a scenario's whole name, others that contain it are not meant.

    Raises:
        UnknownNameError: a name or a capability is empty or means nothing, or no scenario has both.
    """
    meant: set[str] = set()
    for name in names:
        if not name.strip():
            raise UnknownNameError("--name needs a name or a part of one; --list shows all names")
        found = [case for case in cases if case.is_called(name)] or [case for case in cases if case.answers_to(name)]
        if not found:
            known = [name for case in cases for name in (case.requirement.name, case.scenario.name)]
            raise UnknownNameError(
                f"no scenario, requirement or capability is called {name!r}{near(name, known) or SEE_LIST}"
            )
        meant.update(case.name for case in found)
    known = list(dict.fromkeys(case.capability.name for case in cases))
    for capability in capabilities:
        if capability not in known:
            raise UnknownNameError(f"there is no capability {capability!r}, only {', '.join(known)}")
    both = [
        case
        for case in cases
        if (not capabilities or case.capability.name in capabilities) and (not names or case.name in meant)
    ]
    if not both:
        raise UnknownNameError("no scenario has one of the names and belongs to one of the capabilities")
    return both


def listing(cases: Iterable[Case]) -> str:
    """Return the cases as text: capabilities, requirements, scenarios, each scenario with its tags."""
    lines: list[str] = []
    last: tuple[str, str] = ("", "")
    for case in cases:
        if case.capability.name != last[0]:
            lines += ["", case.capability.name] if lines else [case.capability.name]
        if (case.capability.name, case.requirement.name) != last:
            lines.append(f"  {case.requirement.name}")
        last = (case.capability.name, case.requirement.name)
        tags = " ".join(f"@{tag}" for tag in case.scenario.tags)
        lines.append(f"    {case.scenario.name}{f'  {tags}' if tags else ''}")
    return "\n".join(lines)


def _plain(name: str) -> str:
    return " ".join(name.replace("-", " ").lower().split())


def near(name: str, known: Sequence[str]) -> str:
    """Return which known names are like one that is not, as the end of a sentence, or an empty text."""
    found = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; near it: {', '.join(map(repr, found))}" if found else ""
