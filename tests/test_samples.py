"""The invented secrets of the scenarios: each is one to our eyes, and none stands in any file of the project."""

import subprocess
from pathlib import Path

import pytest

from mnemo import safety
from mnemo.conformance import samples, values

ROOT = Path(__file__).parents[1]
KINDS = {
    "github token": "github_token",
    "gitlab token": "gitlab_token",
    "aws key": "aws_access_key",
    "openai key": "openai_key",
    "slack token": "slack_token",
    "stripe key": "stripe_key",
    "jwt": "jwt",
    "password": "password",
    "url password": "url_password",
    "private key": "private_key",
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
@pytest.mark.parametrize("note", ["a note with the", "a Chinese note with the"])
def test_note_holds_its_secret_and_nothing_else_that_looks_like_one(note: str, name: str, kind: str) -> None:
    text, secret = samples.text(f"{note} {name}"), samples.secret(name)
    assert text is not None
    assert secret is not None
    (found,) = safety.find_secrets(text)
    assert (found.kind, text[found.start : found.end]) == (kind, secret)
    assert samples.text(f"the {name}") == secret


def test_hidden_characters_are_found() -> None:
    for name, kind in {"a right-to-left override": "bidi_control", "invisible letters": "invisible_character"}.items():
        (warning,) = safety.warnings_for(samples.text(name) or "")
        assert warning.endswith(f": {kind}")


@pytest.mark.parametrize("name", ["a note with the moon", "the moon", "a note", ""])
def test_other_names_stand_for_nothing(name: str) -> None:
    assert samples.text(name) is None
    assert samples.secret(name) is None


def test_brackets_of_a_step_become_the_sample() -> None:
    class Nothing:
        def now(self) -> str:
            raise AssertionError

        def id_of(self, label: str) -> int:
            raise AssertionError(label)

        def content_of(self, label: str) -> str:
            raise AssertionError(label)

    sent = values.given({"content": "[a note with the jwt]"}, Nothing())
    assert sent == {"content": samples.text("a note with the jwt")}


def test_no_secret_stands_in_a_file_of_the_project() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True)  # noqa: S607
    if listed.returncode:
        pytest.fail("this test needs the project's list of files")
    secrets = [secret.encode() for name in KINDS if (secret := samples.secret(name))]
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if path.is_file():
            content = path.read_bytes()
            assert not any(secret in content for secret in secrets), name
