"""The database of every release, with all that was in it, is brought up to date and verified."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from django.db import connection

from pyramid_server import __version__
from tests.processes import PROJECT, own_database, run
from tests.upgrade.released import VENDORS, backup_of, file_of, releases


def test_this_version_has_a_section_in_the_changelog_and_a_database_to_upgrade_from() -> None:
    headings = re.findall(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]
    assert releases()[-1] == __version__
    assert all(file_of(version, vendor).exists() for version in releases() for vendor in VENDORS)


@pytest.mark.parametrize("version", releases())
def test_what_a_release_has_stored_passes_all_verifications_after_the_upgrade(version: str, tmp_path: Path) -> None:
    backup = backup_of(version, connection.vendor, tmp_path)
    with own_database(tmp_path, is_empty=True) as environment:
        checked = run([sys.executable, "-m", "tests.upgrade.check", str(backup)], environment)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "All results agree with the logs: verified 12 games" in checked.stdout
    rows = dict(line.rsplit(" ", 1) for line in checked.stdout.splitlines() if line.startswith(("games.", "leader")))
    kept = {"games.Game": "16", "games.Erasure": "1", "games.BrowserSession": "1", "leaderboards.DayRoot": "1"}
    assert {name: rows[name] for name in kept} == kept
    assert int(rows["leaderboards.LogLine"]) > 0
