"""The clock gives UTC in whole seconds, and the path of the memory comes from HOME and MNEMO_DB alone."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from freezegun import freeze_time

from mnemo import clock, paths


def test_now_is_utc_in_whole_seconds() -> None:
    with freeze_time("2026-05-08 14:30:00.987654"):
        assert clock.now() == datetime(2026, 5, 8, 14, 30, tzinfo=UTC)


def test_stored_time_is_utc_whatever_the_zone_of_the_moment() -> None:
    moment = datetime(2026, 5, 8, 1, 30, 59, tzinfo=timezone(timedelta(hours=8)))
    assert clock.timestamp(moment) == "2026-05-07 17:30:59"


def test_stored_time_has_four_digits_of_the_year_and_no_fractions() -> None:
    assert clock.timestamp(datetime(33, 4, 3, 15, 0, 0, 500, tzinfo=UTC)) == "0033-04-03 15:00:00"


def test_memory_is_in_the_home_folder(home: Path) -> None:
    assert paths.database_path() == home / ".mnemo" / "facts.db"


@pytest.mark.parametrize("blank", ["", "  "])
def test_blank_setting_counts_as_none(home: Path, monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    monkeypatch.setenv("MNEMO_DB", blank)
    assert paths.database_path() == home / ".mnemo" / "facts.db"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("/srv/team/facts.db", "/srv/team/facts.db"),
        ("~/notes/facts.db", "{home}/notes/facts.db"),
        ("notes/facts.db", "{here}/notes/facts.db"),
        ("/srv/记忆/facts.db", "/srv/记忆/facts.db"),
    ],
)
def test_setting_names_the_file(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMO_DB", setting)
    assert paths.database_path() == Path(expected.format(home=home, here=tmp_path))
