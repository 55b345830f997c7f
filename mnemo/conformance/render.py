"""Make Gherkin features from the specs: `python -m mnemo.conformance.render --write` or `--check`.

The specs are the source; the features are committed beside them and must be equal to what this makes.
"""

import argparse
import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

from mnemo.conformance.spec import Capability, Requirement, Scenario, SpecError, Step, read_capabilities

COMMAND = "python -m mnemo.conformance.render --write"
SPECS = Path("openspec/specs")
FEATURES = Path("features")


def render_feature(capability: Capability) -> str:
    """Return the Gherkin text of a capability, every step word for word as in the spec."""
    lines = [
        f"# Made from {SPECS.as_posix()}/{capability.name}/spec.md by `{COMMAND}`; edit the spec instead.",
        f"Feature: {capability.name}",
        *(f"  {line}" for line in capability.purpose),
    ]
    for requirement in capability.requirements:
        lines += ["", *_rule(requirement)]
    return "\n".join(lines) + "\n"


def features_from(specs: Path) -> dict[str, str]:
    """Return the features of a folder of specs, as texts by file name."""
    return {f"{one.name}.feature": render_feature(one) for one in read_capabilities(specs)}


def differences(specs: Path, features: Path) -> str:
    """Return a diff between the committed features and what the specs say, empty if there is none."""
    wanted = features_from(specs)
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(features.glob("*.feature"))}
    parts: list[str] = []
    for name in sorted(wanted.keys() | found.keys()):
        parts += difflib.unified_diff(
            found.get(name, "").splitlines(keepends=True),
            wanted.get(name, "").splitlines(keepends=True),
            f"{features.name}/{name}",
            f"{features.name}/{name} as the specs say",
        )
    return "".join(parts)


def write_features(specs: Path, features: Path) -> list[str]:
    """Write the features of the specs, remove those without a spec, and return the names that changed."""
    wanted = features_from(specs)
    features.mkdir(parents=True, exist_ok=True)
    changed: list[str] = []
    for path in sorted(features.glob("*.feature")):
        if path.name not in wanted:
            path.unlink()
            changed.append(path.name)
    for name, text in wanted.items():
        path = features / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            changed.append(name)
    return changed


def _tags(tags: Sequence[str], indent: str) -> list[str]:
    return [indent + " ".join(f"@{tag}" for tag in tags)] if tags else []


def _rule(requirement: Requirement) -> list[str]:
    lines = [f"  Rule: {requirement.name}", *(f"    {line}" for line in requirement.text)]
    for scenario in requirement.scenarios:
        lines += ["", *_scenario(scenario)]
    return lines


def _scenario(scenario: Scenario) -> list[str]:
    # Tags stand on each scenario, since test runners differ in what a Rule hands down.
    lines = [*_tags(scenario.tags, "    "), f"    Scenario: {scenario.name}"]
    for step in scenario.steps:
        lines += _step(step)
    return lines


def _step(step: Step) -> list[str]:
    lines = [f"      {step.keyword.capitalize()} {step.text}"]
    lines += ["        | " + " | ".join(row) + " |" for row in step.table]
    if step.block is not None:
        lines += [
            '        """',
            *(f"        {line}".rstrip() for line in step.block.split("\n")),
            '        """',
        ]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the features; return 0 if they are as the specs say, else 1."""
    parser = argparse.ArgumentParser(prog="python -m mnemo.conformance.render", description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", action="store_true", help="write the features")
    mode.add_argument("--check", action="store_true", help="compare them and show the difference")
    parser.add_argument("--specs", type=Path, default=SPECS, help="folder of the specs (%(default)s)")
    parser.add_argument("--features", type=Path, default=FEATURES, help="folder of the features (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        if options.write:
            for name in write_features(options.specs, options.features):
                print(f"changed {options.features / name}")
            return 0
        difference = differences(options.specs, options.features)
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    if difference:
        print(f"{difference}\nThe features differ from the specs; run: {COMMAND}", file=sys.stderr)
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
