"""A backup holds everything, goes into an empty database only, and what it holds can be verified."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.calendar.models import DailyDeal
from games.players.models import Player
from games.runtime import backups
from leaderboards.audit.verifying import verify_entered
from pyramid_server.metrics import everything
from tests.leaderboards.conftest import NOON
from tests.leaderboards.played import played
from tests.processes import MANAGE, own_database, run

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = {"sqlite": backups.POSTGRESQL, "postgresql": backups.SQLITE}
# A disk is full for a process that may write no larger file.
ON_SMALL_DISK = """
import resource
from pyramid_server.command_line import manage
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
manage(["manage.py", *{words}])
"""


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a server whose database has no tables."""
    with own_database(tmp_path, is_empty=True) as environment:
        yield environment


def test_a_restored_backup_passes_all_verifications(
    alice: Player, daily: DailyDeal, tmp_path: Path, empty: dict[str, str]
) -> None:
    played(alice, NOON)
    verify_entered(NOON)
    file = tmp_path / "backup"
    call_command("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [made.name for made in tmp_path.glob("backup*")] == ["backup"]
    assert b"\npyramid_backup_timestamp_seconds 1" in everything()
    run([*MANAGE, "restore", str(file)], empty).check_returncode()
    with pytest.raises(CommandError, match="the database is not empty"):
        call_command("restore", str(file))
    run([*MANAGE, "verify_daily", "--rules=standard"], empty).check_returncode()
    verified = run([*MANAGE, "verify_scores"], empty)
    assert "All results agree with the logs: verified 1 games and 6 boards" in verified.stdout, verified.stderr


def test_a_backup_overwrites_no_file_and_leaves_none_behind(db: None, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    file.write_text("precious")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(file))
    with pytest.raises(CommandError, match=r"cannot be written: No such file|could not open output file"):
        call_command("backup", str(tmp_path / "nowhere" / "backup"))
    assert file.read_text() == "precious"
    assert [made.name for made in tmp_path.iterdir()] == ["backup"]


def test_a_database_without_tables_is_no_backup(tmp_path: Path, empty: dict[str, str]) -> None:
    done = run([*MANAGE, "backup", str(tmp_path / "backup")], empty)
    assert done.returncode == 1
    assert "the database has no tables" in done.stderr
    assert not (tmp_path / "backup").exists()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the programs of PostgreSQL say it themselves")
def test_a_full_disk_is_a_sentence_and_no_half_is_left(tmp_path: Path, empty: dict[str, str]) -> None:
    def on_small_disk(*words: str) -> str:
        done = run([*MANAGE, "shell", "--no-imports", "--command", ON_SMALL_DISK.format(words=words)], empty)
        assert done.returncode == 1
        return done.stderr

    call_command("backup", str(tmp_path / "whole"))
    refused = on_small_disk("restore", str(tmp_path / "whole"))
    assert refused.startswith("CommandError: Nothing was restored: the database cannot be written: ")
    run([*MANAGE, "restore", str(tmp_path / "whole")], empty).check_returncode()
    refused = on_small_disk("backup", str(tmp_path / "half"))
    assert refused.startswith(f"BackupError: {tmp_path / 'half'} cannot be written: ")
    assert [*tmp_path.glob("half*")] == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file"),
        (b"", "is not a backup"),
        (b"a text", "is not a backup"),
        (b"other", "and the database is"),
        (b"mine", "damaged|pg_restore failed"),
    ],
)
def test_what_is_no_backup_for_this_database_is_refused_in_words(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, complaint: str
) -> None:
    monkeypatch.setattr(connection.introspection, "table_names", list)
    file = tmp_path / "backup"
    if content is not None:
        magic = {b"other": OTHER[connection.vendor], b"mine": backups.KINDS[connection.vendor]}
        file.write_bytes(magic[content] + b"x" * 500 if content in magic else content)
    with pytest.raises(CommandError, match=rf"Nothing was restored: .*({complaint})"):
        call_command("restore", str(file))


def test_a_program_that_crashes_on_a_damaged_backup_fails_with_a_reason(tmp_path: Path) -> None:
    crashing = tmp_path / "pg_restore"
    crashing.write_text("#!/bin/sh\nkill -SEGV $$\n")
    crashing.chmod(0o700)
    with pytest.raises(CommandError, match=r"pg_restore failed: it ended with status -11$"):
        backups._output_of([str(crashing)])


def test_a_backup_of_a_newer_version_is_refused(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("backup", str(tmp_path / "backup"))
    monkeypatch.setattr(connection.introspection, "table_names", list)
    monkeypatch.setattr(
        backups, "_migrations_in", lambda file: [("games", "0001_initial"), ("shuffles", "0001_initial")]
    )
    with pytest.raises(CommandError, match=r"made by a newer version, which has shuffles\.0001_initial"):
        call_command("restore", str(tmp_path / "backup"))
