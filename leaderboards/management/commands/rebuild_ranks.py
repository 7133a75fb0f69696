from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from games.doors.commands import LightCommand, progress
from games.runtime.redis_client import REDIS_ERRORS
from leaderboards.boards.models import Board
from leaderboards.boards.ranking import replica
from leaderboards.boards.value_counts import discard_counts


class Command(LightCommand):
    help = (
        "Load the replicas of boards in Redis again from the database, for example after restoring a backup; the "
        "worker counts the values for histograms again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.epilog = "Example: manage.py rebuild_ranks daily.2026-11-20.standard.main.fastest"
        parser.add_argument("boards", nargs="*", metavar="BOARD", help="the names of boards; all if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        named = options["boards"]
        boards = list(Board.objects.filter(slug__in=named) if named else Board.objects.all())
        discard_counts(boards)
        try:
            for board in progress(self.stderr, boards if settings.REDIS_URL else [], "board"):
                replica.rebuild(board)
        except REDIS_ERRORS as error:
            raise CommandError(f"Redis cannot be used: {error}") from error
        if named and len(boards) != len(set(named)):
            raise CommandError(f"Only {len(boards)} of these boards exist; they were rebuilt.")
        self.stdout.write(f"Rebuilt {len(boards)} boards.")
