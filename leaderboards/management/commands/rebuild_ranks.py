from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboards.services.replicas import rebuild_replicas


class Command(BaseCommand):
    help = "Load the copies of boards in Redis again from the database, for example after a backup was restored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("boards", nargs="*", metavar="BOARD", help="the names of boards; all if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.REDIS_URL:
            raise CommandError("REDIS_URL is not set: ranks come from the database, and there is nothing to rebuild.")
        rebuilt = rebuild_replicas(options["boards"])
        if options["boards"] and rebuilt != len(set(options["boards"])):
            raise CommandError(f"Only {rebuilt} of these boards exist; they were rebuilt.")
        self.stdout.write(f"Rebuilt {rebuilt} boards.")
