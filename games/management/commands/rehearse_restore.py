"""Restore the newest backup into a temporary place, check it, and leave nothing behind."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from django.core.management.base import CommandError

from games.calendar.models import DailyDeal
from games.doors.commands import LightCommand, at_least_one, at_work, progress_bar
from games.runtime.backups import UNFINISHED
from games.runtime.clock import clock
from games.runtime.restoring import Place, RestoreError, empty_place, place_from_archive
from games.status.models import Rehearsal
from games.status.rehearsing import (
    MARGIN,
    Acknowledged,
    acknowledged,
    changed_games,
    games_to_compare,
    missing_actions,
    missing_games,
    missing_leaves,
    newest_move,
    wait_until_archived,
)


class Command(LightCommand):
    help = (
        "Restore the newest backup into a temporary place, verify it there, compare it with the database, and delete "
        "it again; status 1 if anything is missing or differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py rehearse_restore /var/backups/pyramid --games 500"
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="written by `manage.py backup`, or a folder of such files, of which the newest is taken (default: the "
            "archive of PostgreSQL)",
        )
        parser.add_argument("--stanza", default="pyramid", help="of pgBackRest (default: pyramid)")
        parser.add_argument(
            "--folder", type=Path, help="with room for the whole database (default: that of the system)"
        )
        parser.add_argument(
            "--user", default="postgres", help="who runs PostgreSQL, if root rehearses (default: postgres)"
        )
        parser.add_argument(
            "--games", type=at_least_one, default=1000, help="how many games are drawn to be checked (default: 1000)"
        )

    def handle(self, *, file: Path | None, **options: Any) -> None:
        for ending in (signal.SIGTERM, signal.SIGHUP):  # a lost terminal, too, deletes what was restored
            signal.signal(ending, lambda number, _: sys.exit(128 + number))
        began = monotonic()
        known = acknowledged(clock.now())
        mark = Rehearsal.objects.create(begun_at=known.at)
        try:
            with TemporaryDirectory(prefix="rehearsal-", dir=options["folder"]) as name:
                mistakes = self._mistakes(file, Path(name).resolve(), known, mark, options)
        except (OSError, RestoreError) as error:
            raise CommandError(f"the rehearsal failed: {error}") from error
        for mistake in mistakes:
            self.stdout.write(f"WRONG: {mistake}")
        if mistakes:
            raise CommandError(f"the rehearsal failed: {len(mistakes)} mistakes in what was restored")
        Rehearsal.objects.filter(pk=mark.pk).update(succeeded_at=clock.now())
        self.stdout.write(f"Nothing is missing, and nothing differs ({monotonic() - began:.0f} seconds).")

    def _mistakes(
        self, file: Path | None, folder: Path, known: Acknowledged, mark: Rehearsal, options: dict[str, Any]
    ) -> list[str]:
        """Restore below a folder, and return what is wrong. Raises `RestoreError`."""
        began = monotonic()
        with self._restored(file, folder, options) as place, place.opened() as alias:
            self.stdout.write(f"Restored in {monotonic() - began:.0f} seconds.")
            return [
                *self._verified(place, alias, options["games"]),
                *self._compared(known, alias, options["games"], mark=None if file else mark),
            ]

    @contextmanager
    def _restored(self, file: Path | None, folder: Path, options: dict[str, Any]) -> Iterator[Place]:
        """Restore what was asked for. Raises `RestoreError`."""
        with ExitStack() as running:
            if file is None:
                with at_work(self.stderr, "Waiting for the archive"):
                    wait_until_archived()
            with at_work(self.stderr, "Restoring"):
                if file is None:
                    place = running.enter_context(place_from_archive(options["stanza"], folder, options["user"]))
                    _require(place, "migrate", "--check")
                else:
                    place = running.enter_context(empty_place(folder, options["user"]))
                    _require(place, "restore", "--no-privileges", str(newest_in(file).resolve()))
                    if place.manage("migrate", "--check").returncode:  # a backup of an earlier version
                        _require(place, "migrate", "--no-input")
            yield place

    def _verified(self, place: Place, alias: str, sample: int) -> Iterator[str]:
        """Run the commands that verify on what was restored, show what they say, and yield what they find."""
        has_days = DailyDeal.objects.using(alias).exists()
        for words in (
            *([["verify_daily"]] if has_days else []),
            ["verify_scores", "--sample", str(sample)],
            ["verify_decisions"],
        ):
            with at_work(self.stderr, f"Running {words[0]}"):
                done = place.manage(*words)
            self.stdout.write(done.stdout.rstrip())
            if done.returncode:
                yield f"{words[0]}: {reason_in(done.stderr)}"

    def _compared(self, known: Acknowledged, alias: str, sample: int, *, mark: Rehearsal | None) -> list[str]:
        newest = newest_move(alias)
        if newest is not None:
            self.stdout.write(
                f"The newest restored move was {_age(newest, known.at)} old, of {newest:%Y-%m-%d %H:%M:%S}."
            )
        if mark is None:
            known = Acknowledged(newest or known.at, {})
        until = known.at - MARGIN
        mistakes = [*missing_leaves(until, alias), *missing_games(until, alias), *missing_actions(known, alias)]
        if mark and not Rehearsal.objects.using(alias).filter(pk=mark.pk).exists():
            mistakes.insert(0, f"the archive lacks its end: what was written at {mark.begun_at:%H:%M:%S} is not in it")
        games = games_to_compare(alias, sample)
        with progress_bar(self.stderr, len(games), "game") as bar:
            mistakes += changed_games(games, alias, bar.update)
        of_marks = f"{sum(known.versions.values())} actions of {len(known.versions)} games in play, " if mark else ""
        self.stdout.write(f"Compared with the database: {of_marks}the games of each day, and {len(games)} logs.")
        return mistakes


def newest_in(path: Path) -> Path:
    """Return a file, or the newest backup of a folder. Raises `RestoreError` for an empty folder."""
    if not path.is_dir():
        return path
    files = [file for file in path.iterdir() if file.is_file() and file.suffix != UNFINISHED]
    if not files:
        raise RestoreError(f"{path} has no backup")
    return max(files, key=lambda file: file.stat().st_mtime)


def _require(place: Place, *words: str) -> None:
    done = place.manage(*words)
    if done.returncode:
        raise RestoreError(f"{words[0]} failed: {reason_in(done.stderr) or done.stdout.strip()}")


def reason_in(errors: str) -> str:
    """Return in one line why a command failed, with all that PostgreSQL said about it."""
    _, is_refused, refusal = errors.rpartition("CommandError: ")
    return " ".join(refusal.split()) if is_refused else (errors.strip().splitlines() or [""])[-1]


def _age(moment: datetime, now: datetime) -> str:
    return str(max(now - moment, now - now)).partition(".")[0]
