"""The reader of specs refuses what it does not understand, and the features are what the specs say."""

import re
from pathlib import Path

import pytest

from mnemo.conformance import render
from mnemo.conformance.spec import SpecError, read_capability

ROOT = Path(__file__).parents[1]
SMALL = """# notes

## Purpose

Keep notes about tea for people who drink it.

## Requirements

### Requirement: Notes age
<!-- tags: full should -->

The server SHALL report how old a note is.

#### Scenario: a week passes between two calls
- **GIVEN** a store with notes:
  | text | days |
  | ---- | ---- |
  | tea  | 2    |
- **WHEN** 7 days pass
- **THEN** the note "tea" is 9 days old
- **BUT** it still reads:
  ```
  first line

    indented
  ```
"""
FEATURE = '''# Made from openspec/specs/notes/spec.md by `COMMAND`; edit the spec instead.
Feature: notes
  Keep notes about tea for people who drink it.

  Rule: Notes age
    The server SHALL report how old a note is.

    @full @should
    Scenario: a week passes between two calls
      Given a store with notes:
        | text | days |
        | tea | 2 |
      When 7 days pass
      Then the note "tea" is 9 days old
      But it still reads:
        """
        first line

          indented
        """
'''.replace("COMMAND", render.COMMAND)


def write(folder: Path, text: str) -> Path:
    path = folder / "specs" / "notes" / "spec.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_spec_becomes_a_feature_word_for_word(tmp_path: Path) -> None:
    assert render.render_feature(read_capability(write(tmp_path, SMALL))) == FEATURE


def test_every_part_knows_its_line(tmp_path: Path) -> None:
    capability = read_capability(write(tmp_path, SMALL))
    requirement = capability.requirements[0]
    scenario = requirement.scenarios[0]
    assert (requirement.line, scenario.line, [step.line for step in scenario.steps]) == (9, 14, [15, 19, 20, 21])
    assert scenario.steps[0].table == [["text", "days"], ["tea", "2"]]
    assert scenario.steps[3].block == "first line\n\n  indented"
    assert scenario.tags == ("full", "should")


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("- **WHEN** 7", "- **WHENEVER** 7", 19, "a step is"),
        ("- **WHEN** 7", "* **WHEN** 7", 19, "a scenario holds steps"),
        ("- **WHEN** 7 days pass\n", "", 14, "then one WHEN"),
        ("- **THEN** the", "- **AND** the", 14, "then one THEN"),
        ("- **GIVEN** a", "- **AND** a", 15, "the first step"),
        ("- **BUT** it still", "- **GIVEN** it still", 14, "at most one GIVEN"),
        ("7 days pass\n", "7 days pass\nand some more\n", 20, "a scenario holds steps"),
        ("7 days pass\n", "7 days pass \n", 19, "a step is"),
        ("  | tea  | 2    |", "  | tea  |", 18, "1 cells, the header 2"),
        ("  | tea  | 2    |", "  | tea  | 2", 18, "a table's row ends"),
        ("  | ---- | ---- |\n", "", 17, "one line of dashes"),
        ("  | tea  | 2    |", "  | ---- | ---- |", 18, "one line of dashes"),
        ("  | tea  | 2    |", "| tea  | 2    |", 18, "two spaces under them"),
        ("    indented", "unindented", 25, "indented by two spaces"),
        ("  ```\n  first", '  ```\n  """first', 22, "must not hold"),
        ("    indented\n  ```\n", "    indented\n", 22, "never closed"),
        ("#### Scenario", "### Scenario", 14, "no place here"),
        ("#### Scenario", "##### Scenario", 14, "no place here"),
        ("### Requirement: Notes", "### Notes", 9, "no place here"),
        ("## Purpose", "## Aim", 3, "no place here"),
        ("# notes", "# other", 1, "no place here"),
        ("SHALL", "will", 9, "neither MUST nor SHALL"),
        ("The server SHALL report how old a note is.\n", "", 13, "no sentence above"),
        ("full should", "full optional", 10, "'optional' is not one of"),
        ("<!-- tags: full should -->", "<!-- later -->", 10, "a comment is"),
        ("The server SHALL", "<!-- tags: full -->\nThe server SHALL", 12, "a comment is"),
        ("The server SHALL", "- The server SHALL", 12, "only sentences stand here"),
        ("Keep notes about tea for people who drink it.", "", 1, "`## Purpose` is missing or empty"),
        ("Scenario: a week", "Scenario:  a week", 14, "spaces around it"),
        ("## Requirements\n", "## Requirements\n\n## Requirements\n", 9, "stands twice"),
        ("## Purpose\n", "Before all\n\n## Purpose\n", 3, "belongs to nothing"),
        ("    indented\n  ```\n", "    indented\n  ```\n  | a |\n", 27, "a table or a block, not both"),
        ("    indented\n  ```\n", "    indented\n  ```\n  ```\n  ```\n", 27, "one table or one block"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, sentence: str
) -> None:
    assert old in SMALL
    path = write(tmp_path, SMALL.replace(old, new))
    with pytest.raises(SpecError, match=re.escape(sentence)) as refused:
        read_capability(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")


def test_a_scenario_without_steps_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, SMALL + "\n#### Scenario: nothing happens\n")
    with pytest.raises(SpecError, match=r":28: the scenario 'nothing happens' has no steps"):
        read_capability(path)


def test_equal_scenario_names_are_refused_under_different_requirements_too(tmp_path: Path) -> None:
    again = SMALL.partition("## Requirements\n")[2].replace("Notes age", "Notes fade")
    with pytest.raises(
        SpecError, match=r":33: the scenario 'a week passes between two calls' stands already on line 14"
    ):
        read_capability(write(tmp_path, SMALL + again))


def test_equal_requirement_names_are_refused(tmp_path: Path) -> None:
    again = SMALL.partition("## Requirements\n")[2].replace("a week passes", "a day passes")
    with pytest.raises(SpecError, match="the requirement 'Notes age' stands twice"):
        read_capability(write(tmp_path, SMALL + again))


def test_a_requirement_without_a_scenario_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, SMALL + "\n### Requirement: Notes fade\nNotes MUST fade.\n")
    with pytest.raises(SpecError, match=r":28: the requirement 'Notes fade' has no scenario"):
        read_capability(path)


def test_a_spec_without_requirements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="has no requirement"):
        read_capability(write(tmp_path, SMALL.partition("### ")[0]))


def test_write_makes_the_features_and_removes_those_without_a_spec(tmp_path: Path) -> None:
    write(tmp_path, SMALL)
    specs, features = tmp_path / "specs", tmp_path / "features"
    features.mkdir()
    (features / "gone.feature").write_text("Feature: gone\n", encoding="utf-8")
    arguments = ["--specs", str(specs), "--features", str(features)]
    assert render.main(["--write", *arguments]) == 0
    assert {path.name: path.read_text(encoding="utf-8") for path in features.iterdir()} == {"notes.feature": FEATURE}
    assert render.main(["--check", *arguments]) == 0


def test_check_shows_the_difference_and_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, SMALL)
    arguments = ["--specs", str(tmp_path / "specs"), "--features", str(tmp_path / "features")]
    render.main(["--write", *arguments])
    path.write_text(SMALL.replace("9 days old", "8 days old"), encoding="utf-8")
    capsys.readouterr()
    assert render.main(["--check", *arguments]) == 1
    shown = capsys.readouterr().err
    assert '-      Then the note "tea" is 9 days old' in shown
    assert '+      Then the note "tea" is 8 days old' in shown
    assert render.COMMAND in shown


def test_a_refused_spec_ends_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, SMALL.replace("SHALL", "will"))
    assert render.main(["--check", "--specs", str(tmp_path / "specs"), "--features", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith(f"{path}:9: ")


def test_the_committed_features_are_what_the_specs_say() -> None:
    difference = render.differences(ROOT / "openspec" / "specs", ROOT / "features")
    assert not difference, f"{difference}\nThe features differ from the specs; run: {render.COMMAND}"
