"""What is published agrees with the code: versions, settings, commands, files."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

import mnemo
from mnemo import arguments, guard, paths
from mnemo.clients import commands
from mnemo.memory import HALF_LIFE_VARIABLE

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SERVER: dict[str, Any] = json.loads((ROOT / "server.json").read_text("utf-8"))
BUNDLE: dict[str, Any] = json.loads((ROOT / "manifest.json").read_text("utf-8"))
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
SETTINGS = {paths.DATABASE_VARIABLE, HALF_LIFE_VARIABLE, guard.VARIABLE}


def test_every_published_file_has_the_version_of_the_code() -> None:
    (package,) = SERVER["packages"]
    assert {SERVER["version"], package["version"], BUNDLE["version"]} == {mnemo.__version__}


def test_module_and_command_are_the_same_program() -> None:
    said = subprocess.run([sys.executable, "-m", "mnemo", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"mnemo {mnemo.__version__}\n"
    (script,) = distribution("mnemo-facts").entry_points.select(group="console_scripts")
    assert (script.name, script.value) == ("mnemo", "mnemo.cli:main")


def test_the_package_is_typed_and_says_so() -> None:
    assert (ROOT / "mnemo" / "py.typed").exists()
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]
    assert {"Homepage", "Documentation", "Issues", "Changelog"} <= PROJECT["project"]["urls"].keys()


def test_every_supported_python_is_named_and_tested() -> None:
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    tested = re.search(r"python: \[(.*)\]", WORKFLOW)
    assert tested
    assert json.loads(f"[{tested[1]}]") == named
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"
    assert re.search(r"os: \[ubuntu-latest, macos-latest, windows-latest\]", WORKFLOW)


def test_the_workflow_runs_sessions_that_exist() -> None:
    sessions = set(re.findall(r"@nox\.session\ndef (\w+)", (ROOT / "noxfile.py").read_text("utf-8")))
    run = {name for line in re.findall(r"nox --sessions (.+)", WORKFLOW) for name in line.split()}
    assert {"lint", "types", "specs", "tests", "conformance", "proof", "docs", "package"} == run
    assert run <= sessions


def test_the_registry_entry_keeps_to_the_registrys_rules() -> None:
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", SERVER["name"])
    assert len(SERVER["description"]) <= 100
    (package,) = SERVER["packages"]
    assert package["identifier"] == PROJECT["project"]["name"] == commands.PACKAGE
    assert {variable["name"] for variable in package["environmentVariables"]} == SETTINGS
    assert {tuple(v["choices"]) for v in package["environmentVariables"] if "choices" in v} == {tuple(guard.MODES)}
    # The registry looks for this line in the description of the package, which is the README.
    assert f"<!-- mcp-name: {SERVER['name']} -->" in (ROOT / "README.md").read_text("utf-8")


def test_the_registry_entry_starts_the_server_as_init_would() -> None:
    (package,) = SERVER["packages"]
    words = [package["runtimeHint"]]
    for argument in (*package["runtimeArguments"], *package["packageArguments"]):
        words += [argument["name"]] if argument["type"] == "named" else []
        words.append(argument["value"])
    assert words == ["uvx", "--from", "mnemo-facts", "mnemo", "serve"]


def test_the_bundle_names_our_tools_and_starts_our_server() -> None:
    assert {tool["name"] for tool in BUNDLE["tools"]} == {"fact_store", "fact_feedback"}
    assert (ROOT / BUNDLE["server"]["entry_point"]).exists()
    assert BUNDLE["server"]["mcp_config"]["args"][-2:] == ["mnemo", "serve"]
    assert set(BUNDLE["server"]["mcp_config"]["env"]) <= SETTINGS
    assert {parameter.name for parameter in arguments.FACT_FEEDBACK} == {"action", "fact_id"}


@pytest.mark.parametrize("file", ["Dockerfile", ".dockerignore"])
def test_the_image_is_made_of_what_the_build_needs(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    if file == "Dockerfile":
        assert f"ENV {paths.DATABASE_VARIABLE}=" in text
        assert text.endswith('ENTRYPOINT ["mnemo"]\nCMD ["serve"]\n')
        return
    kept = {line[1:] for line in text.splitlines() if line.startswith("!")}
    needed = {*PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"], "mnemo", "README.md", "LICENSE"}
    assert needed | {"pyproject.toml"} == kept


def test_the_source_archive_names_files_that_exist() -> None:
    for pattern in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        assert list(ROOT.glob(pattern)), pattern
