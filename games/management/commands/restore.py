"""Load a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.runtime.backups import BackupError, restore


class Command(BaseCommand):
    help = "Load a backup into the database, which has to be empty."
    requires_migrations_checks = False
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py restore before-upgrade.backup"
        parser.add_argument("file", type=Path, help="a file written by `manage.py backup`")

        parser.add_argument(
            "--no-privileges", action="store_true", help="into a PostgreSQL that lacks the roles of the backup"
        )

    def handle(self, *, file: Path, no_privileges: bool, **options: Any) -> None:
        try:
            restore(file, has_roles=not no_privileges)
        except BackupError as error:
            raise CommandError(f"Nothing was restored: {error}") from error
        self.stdout.write(
            f"{file} is restored. Now run manage.py migrate, and check with manage.py verify_daily and "
            "manage.py verify_scores; with Redis also manage.py rebuild_ranks."
        )
