"""Two machines keep one memory in a git repository by export and import."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from freezegun import freeze_time

from mnemo.cli import main

FILE = "memory.jsonl"

GIT = shutil.which("git") or ""


class Machine:
    """A home with a memory, and a clone of the repository that holds its export."""

    def __init__(self, home: Path, origin: Path) -> None:
        self.home = home
        self.clone = home / "memory"
        home.mkdir()
        self._git("clone", "--quiet", str(origin), str(self.clone), folder=home)

    def mnemo(self, *arguments: str) -> dict[str, Any]:
        home = str(self.home)
        done = CliRunner().invoke(main, [*arguments, "--json"], env={"HOME": home, "USERPROFILE": home, "LC_ALL": "C"})
        assert done.exit_code == 0, done.output
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def sync(self) -> list[dict[str, Any]]:
        """Do what the documentation says (pull, import, export, commit, push), and return the conflicts."""
        file = self.clone / FILE
        if self._git("ls-remote", "origin", "main"):
            self._git("pull", "--quiet", "--ff-only", "origin", "main")
        report = self.mnemo("import", str(file)) if file.exists() else {"errors": [], "conflicts": []}
        self.mnemo("export", str(file))
        self._git("add", FILE)
        self._git("commit", "--quiet", "--allow-empty", "-m", "Keep the memory")
        self._git("push", "--quiet", "origin", "HEAD:main")
        assert report["errors"] == []
        conflicts: list[dict[str, Any]] = report["conflicts"]
        return conflicts

    def contents(self) -> set[str]:
        return {fact["content"] for fact in self.mnemo("list")["facts"]}

    def _git(self, *arguments: str, folder: Path | None = None) -> str:
        identity = ["-c", "user.name=Maren", "-c", "user.email=maren@example.org", "-c", "commit.gpgsign=false"]
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            [GIT, *identity, *arguments],
            cwd=folder or self.clone,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def test_two_homes_keep_one_memory_in_git(tmp_path: Path) -> None:
    origin = tmp_path / "origin.git"
    subprocess.run([GIT, "init", "--quiet", "--bare", "-b", "main", str(origin)], check=True, timeout=60)
    laptop, desk = Machine(tmp_path / "laptop", origin), Machine(tmp_path / "desk", origin)
    with freeze_time("2026-05-01 08:00:00"):
        laptop.mnemo("add", "The release train leaves on Thursday")
        laptop.mnemo("add", "用户偏好深色主题", "-c", "tool_pref")
        laptop.sync()
        desk.sync()
    assert desk.contents() == laptop.contents()

    with freeze_time("2026-05-02 08:00:00"):  # both add, and both change the same fact
        laptop.mnemo("add", "harbour-api listens on 7443")
        laptop.mnemo("update", "1", "--content", "The release train leaves on Tuesday")
    with freeze_time("2026-05-02 09:00:00"):
        desk.mnemo("add", "Maren is on leave in June")
        desk.mnemo("update", "1", "--content", "The release train leaves on Wednesday")
        laptop.sync()
        (conflict,) = desk.sync()
        laptop.sync()
    assert (conflict["won"], conflict["kept"]) == ("memory", "The release train leaves on Tuesday")
    expected = {
        "The release train leaves on Wednesday",
        "用户偏好深色主题",
        "harbour-api listens on 7443",
        "Maren is on leave in June",
    }
    assert laptop.contents() == desk.contents() == expected
    desk.sync()
    assert (laptop.clone / FILE).read_bytes() == (desk.clone / FILE).read_bytes()
    assert [laptop.sync(), desk.sync()] == [[], []]


def test_what_one_home_hides_is_hidden_in_the_other(tmp_path: Path) -> None:
    origin = tmp_path / "origin.git"
    subprocess.run([GIT, "init", "--quiet", "--bare", "-b", "main", str(origin)], check=True, timeout=60)
    laptop, desk = Machine(tmp_path / "laptop", origin), Machine(tmp_path / "desk", origin)
    with freeze_time("2026-05-01 08:00:00"):
        desk.mnemo("add", "Only the desk knows this, so that ids differ")
        laptop.mnemo("add", "办公室在二楼东侧")
        laptop.mnemo("add", "Maren is on leave", "--expires", "2026-05-20")
        laptop.sync()
        desk.sync()
    with freeze_time("2026-05-10 08:00:00"):
        laptop.mnemo("add", "办公室在三楼西侧", "--supersedes", "1")
        laptop.sync()
        assert desk.sync() == []
        laptop.sync()
        expected = {"Only the desk knows this, so that ids differ", "办公室在三楼西侧", "Maren is on leave"}
        assert laptop.contents() == desk.contents() == expected
        assert [laptop.sync(), desk.sync()] == [[], []]
        assert (laptop.clone / FILE).read_bytes() == (desk.clone / FILE).read_bytes()
    with freeze_time("2026-06-01 08:00:00"):
        assert "Maren is on leave" not in laptop.contents() | desk.contents()
        hidden = desk.mnemo("list", "--superseded")["facts"]
        assert "办公室在二楼东侧" in {fact["content"] for fact in hidden}
        assert [fact["superseded_by"] for fact in hidden if "superseded_by" in fact] == [
            fact["fact_id"] for fact in hidden if fact["content"] == "办公室在三楼西侧"
        ]


def test_what_one_home_shows_again_is_shown_in_the_other(tmp_path: Path) -> None:
    origin = tmp_path / "origin.git"
    subprocess.run([GIT, "init", "--quiet", "--bare", "-b", "main", str(origin)], check=True, timeout=60)
    laptop, desk = Machine(tmp_path / "laptop", origin), Machine(tmp_path / "desk", origin)
    with freeze_time("2026-05-01 08:00:00"):
        laptop.mnemo("add", "办公室在二楼东侧", "--tags", "office", "--summary", "二楼")
        laptop.mnemo("add", "Maren is on leave", "--expires", "2026-05-20")
        laptop.mnemo("add", "办公室在三楼西侧", "--supersedes", "1")
        laptop.sync()
        desk.sync()
        assert laptop.contents() == desk.contents() == {"办公室在三楼西侧", "Maren is on leave"}
    with freeze_time("2026-06-01 08:00:00"):
        desk.mnemo("history", "1", "--restore", str(desk.mnemo("history", "1")["versions"][0]["version"]))
        desk.mnemo("update", "1", "--tags", "", "--summary", "")
        desk.mnemo("update", "2", "--expires", "")
        assert [desk.sync(), laptop.sync(), desk.sync()] == [[], [], []]
        assert laptop.contents() == desk.contents() == {"办公室在二楼东侧", "Maren is on leave", "办公室在三楼西侧"}
        (fact,) = laptop.mnemo("show", "1")["facts"]
        assert (fact["tags"], fact["summary"]) == ("", None)
        assert (laptop.clone / FILE).read_bytes() == (desk.clone / FILE).read_bytes()
