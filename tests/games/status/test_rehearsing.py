"""A rehearsed restore tells a good backup from one that is damaged, lacks something, or has something else."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

import psycopg
import pytest
from django.utils import timezone

from games.management.commands.rehearse_restore import reason_in
from games.status.models import Rehearsal
from pyramid_server.metrics import everything
from tests.games.history import HISTORY
from tests.processes import MANAGE, PROJECT, kind_of_process, own_database, run
from tests.with_servers import started, unprivileged, wait_for

IN_PLAY = """
from datetime import UTC, datetime, timedelta
from django.db import connection
from games.accounts.guests import create_guest
from games.play.journal.statements import write_changes
from games.play.starting import start_ranked
from tests.games.ways_to_play import open_session
now = datetime.now(UTC) - timedelta(seconds=10)
game = start_ranked(create_guest("Carol").player, "standard", now)
session = open_session(game, now)
for number in range(4):
    write_changes(connection, [session.act(session.play.legal_moves[0], number, now + timedelta(seconds=number + 1))])
print(game.pk)
"""


class Operator:
    """Somebody who has a server with some history, and a folder of backups."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment, self.backups = environment, folder / "backups"
        self.is_file = environment["DATABASE_URL"].startswith("sqlite")
        self.backups.mkdir()
        shell = [*MANAGE, "shell", "--no-imports", "--command"]
        self.day, self.sealed, self.other = self.run(*shell, HISTORY).split()
        self.in_play = self.run(*shell, IN_PLAY).strip()

    def run(self, *command: str) -> str:
        done = run(command, self.environment, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def back_up(self, name: str) -> Path:
        self.run(*MANAGE, "backup", str(self.backups / name))
        return self.backups / name

    def rehearse(self, backup: Path, *, is_forked: bool = True) -> CompletedProcess[str]:
        """Rehearse, and require that nothing stays behind; the commands are forks, or processes of their own."""
        with TemporaryDirectory(prefix="pyramid-") as folder:
            unprivileged(Path(folder))
            options = ["--folder", folder, "--user", "nobody"]
            command = [sys.executable, "-m", "tests.games.status.forked"] if is_forked else MANAGE
            done = run([*command, "rehearse_restore", str(backup), *options], self.environment, timeout=300)
            assert list(Path(folder).iterdir()) == []
        return done


@contextmanager
def edited(database: Path) -> Iterator[sqlite3.Connection]:
    """Edit a database as nobody can while it is guarded."""
    with closing(sqlite3.connect(database)) as connection, connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        yield connection


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operator]:
    folder = tmp_path_factory.mktemp("operator")
    with own_database(folder) as environment:
        yield Operator(environment, folder)


def test_the_newest_backup_is_restored_verified_and_compared(operator: Operator) -> None:
    operator.back_up("first")
    (operator.backups / "first").write_text("an old one that is damaged")
    os.utime(operator.backups / "first", (0, 0))
    second = operator.back_up("second")
    (operator.backups / "third.unfinished").write_bytes(second.read_bytes()[:5000])  # as it is while `backup` runs
    done = operator.rehearse(operator.backups)
    assert done.returncode == 0, done.stdout + done.stderr
    for told in (
        "Restored in ",
        "daily deals match their commitments",
        "All results agree with the logs: verified 2 games",
        "The decision log is intact",
        "The newest restored move was 0:0",
        "and 3 logs.",
        "Nothing is missing, and nothing differs",
    ):
        assert told in done.stdout


def test_a_damaged_backup_fails_the_rehearsal(operator: Operator) -> None:
    backup = operator.back_up("damaged")
    backup.write_bytes(backup.read_bytes()[: -backup.stat().st_size // 4])
    done = operator.rehearse(backup, is_forked=operator.is_file)
    assert done.returncode == 1
    assert "the rehearsal failed: restore failed: Nothing was restored: " in done.stderr


def test_a_backup_that_lacks_something_or_has_something_else_fails_the_rehearsal(operator: Operator) -> None:
    backup = operator.back_up("lie")
    other_move = "UPDATE games_move SET at_ms = at_ms + 1 WHERE version = 2 AND game_id = "
    is_file = operator.is_file
    if is_file:
        with edited(backup) as connection:
            connection.execute(f"{other_move}?", [operator.in_play])
            connection.execute("DELETE FROM games_move WHERE game_id = ?", [operator.other])
            connection.execute("DELETE FROM games_game WHERE id = ?", [operator.other])
            connection.execute("UPDATE games_game SET sealed_log = x'00' WHERE id = ?", [operator.sealed])
            connection.execute("DELETE FROM games_dailydeal WHERE id = (SELECT MIN(id) FROM games_dailydeal)")
            connection.execute("UPDATE games_logtile SET hashes = zeroblob(length(hashes))")
    else:
        with psycopg.connect(operator.environment["DATABASE_URL"]) as database:
            database.execute("ALTER TABLE games_move DISABLE TRIGGER USER")
            database.execute(f"{other_move}%s", [operator.in_play])
    done = operator.rehearse(backup)
    assert done.returncode == 1
    assert f"WRONG: {operator.in_play}: its log differs from the one in the database\n" in done.stdout
    assert f"the rehearsal failed: {6 if is_file else 1} mistakes" in done.stderr
    for told in (
        f"WRONG: {operator.day}: 1 of 2, 25 of 39 games and actions\n",
        f"WRONG: {operator.sealed}: its log differs from the one in the database\n",
        "WRONG: verify_daily: ",
        "leaves of the log are not the first ones of the log in the database\n",
        "WRONG: verify_scores: ",
    ):
        assert is_file == (told in done.stdout), told


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_rehearsal_that_is_ended_or_loses_its_terminal_leaves_nothing_behind(
    tmp_path: Path, ending: signal.Signals
) -> None:
    with own_database(tmp_path) as environment, TemporaryDirectory(prefix="pyramid-") as name:
        unprivileged(Path(name))
        run([*MANAGE, "backup", str(tmp_path / "backup")], environment).check_returncode()
        command = [*MANAGE, "rehearse_restore", str(tmp_path / "backup"), "--folder", name, "--user", "nobody"]
        with started(command, signal.SIGTERM, kind_of_process(command), env=environment, cwd=PROJECT) as process:
            wait_for(process, lambda: next(Path(name).glob("*/*")), StopIteration)
            process.send_signal(ending)
            assert process.wait(60) == 128 + ending
        assert list(Path(name).iterdir()) == []


def test_the_metrics_say_when_a_restore_was_last_rehearsed(db: None) -> None:
    Rehearsal.objects.create(begun_at=timezone.now())
    assert b"\npyramid_rehearsal_timestamp_seconds" not in everything()
    Rehearsal.objects.create(begun_at=timezone.now(), succeeded_at=timezone.now())
    assert b"\npyramid_rehearsal_timestamp_seconds 1" in everything()


def test_the_reason_of_a_failure_has_all_lines_of_postgresql() -> None:
    said = 'Odd.\nCommandError: pg_restore failed: ERROR:  role "bob" does not exist\nCommand was: GRANT ALL TO bob;\n'
    assert reason_in(said) == 'pg_restore failed: ERROR: role "bob" does not exist Command was: GRANT ALL TO bob;'
    assert reason_in("Traceback\n  a line\nValueError: mallory\n") == "ValueError: mallory"
