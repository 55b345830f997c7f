"""What keeps the start short: late expressions, one stemmer instead of thirty."""

import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest
import snowballstemmer

from mnemo import server
from mnemo.cli import main
from mnemo.language import late, stemming
from mnemo.memory import Memory


@pytest.mark.parametrize(
    "word", ["running", "generalizations", "flies", "happily", "relational", "a", "deploy", "", "naïve"]
)
def test_the_stemmer_is_that_of_its_package(word: str) -> None:
    assert stemming.porter()(word) == snowballstemmer.stemmer("porter").stemWord(word)


def test_the_other_stemmers_are_not_imported() -> None:
    script = (
        "import sys; from mnemo.language import stemming; stemming.porter(); print('snowballstemmer' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "False\n"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stemming, "_PACKAGE", "no_such_stemmer")
    with pytest.raises(ModuleNotFoundError, match="no_such_stemmer"):
        stemming.porter()


def test_a_late_pattern_is_compiled_once_and_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_now = re.compile

    def noticed(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return compile_now(source, flags)

    monkeypatch.setattr(re, "compile", noticed)
    pattern = late.pattern("a+", re.IGNORECASE)
    assert compiled == []
    assert [found[0] for found in pattern.finditer("AAbaa")] == ["AA", "aa"]
    assert [found[0] for found in pattern.finditer("a")] == ["a"]
    assert compiled == ["a+"]
    assert pattern.pattern == "a+"


@pytest.mark.parametrize(
    "arguments", [["search", "harbour"], ["recall", "harbour"], ["list"]], ids=lambda line: line[0]
)
def test_a_command_imports_only_what_it_needs(home: Path, arguments: list[str]) -> None:
    memory = Memory()
    memory.fact_store({"action": "add", "content": "The harbour office opens at nine"})
    memory.fact_store({"action": "search", "query": "harbour"})  # brings the index up to date
    memory.close()
    script = f"import sys; from mnemo.cli import main; main({arguments!r}, standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert "harbour office" in done.stdout
    needless = {"mcp", "mnemo.contradictions", "mnemo.graph", "mnemo.history", "mnemo.transfer"}
    assert needless & set(done.stdout.split()) == set()


def test_a_server_looks_for_garbage_only_in_what_came_after_its_imports(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, bool]] = []
    monkeypatch.setattr(server, "serve", lambda _: seen.append((gc.isenabled(), gc.get_freeze_count() > 0)))
    threshold = gc.get_threshold()
    try:
        main(["serve"], standalone_mode=False)
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)
    assert seen == [(True, True)]
