"""Write everything that is kept about a player into a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, progress_bar
from games.personal_data.exports import archive_of
from games.players.models import Player
from games.runtime.clock import clock


class Command(LightCommand):
    help = "Write everything that is kept about a player into a ZIP archive: data.json, and a record of each game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py export_player ada ada.zip"
        parser.add_argument("handle")
        parser.add_argument("file", type=Path, help="where to write the archive; the file must not exist")

    def handle(self, *, handle: str, file: Path, **options: Any) -> None:
        player = Player.objects.filter(username=handle).first()
        if player is None:
            raise CommandError(f"there is no player {handle!r}")
        with progress_bar(self.stderr, 0, "games") as bar:

            def show(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            archive = archive_of(player, clock.now(), show)
        try:
            _write(file, archive)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{file} has everything about {handle}, {len(archive)} bytes.")


def _write(file: Path, archive: bytes) -> None:
    """Write a new file that only its owner can read, and leave none that is not whole. Raises `OSError`."""
    with file.open("xb") as target:
        try:
            file.chmod(0o600)
            target.write(archive)
            target.flush()
        except OSError:
            file.unlink()
            raise
