"""The database of every release, with all that was in it, is brought up to date and verified."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.processes import own_database, run
from tests.upgrade.released import backup_of, releases


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
