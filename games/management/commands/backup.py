"""Back up the database into one file."""

from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import Any

from games.doors.commands import LightCommand, at_work
from games.runtime.backups import back_up
from games.status.backups import note_backup


class Command(LightCommand):
    help = "Back up the database into a new file, even while the server is running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py backup before-upgrade.backup"
        parser.add_argument("file", type=Path, help="where to write the backup; the file must not exist")

    def handle(self, *, file: Path, **options: Any) -> None:
        began = monotonic()
        with at_work(self.stderr, "Writing the backup"):
            back_up(file)
        note_backup()
        self.stdout.write(
            f"{file} has {file.stat().st_size / 1e6:,.1f} MB, written in {monotonic() - began:.0f} seconds. "
            "Keep PYRAMID_SECRET_KEY (or var/secret_key) with it."
        )
