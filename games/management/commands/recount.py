from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.doors.commands import LightCommand, progress_bar
from games.players.models import Player
from games.statistics.models import PlayedDays
from games.statistics.tallies import TOGETHER, recount


class Command(LightCommand):
    help = (
        "Count the statistics of players again from their games, and award their achievements again. It may run while "
        "the server does."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.epilog = "Example: manage.py recount ada grace"
        parser.add_argument("players", nargs="*", metavar="HANDLE", help="the players; all of them if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        players = list(PlayedDays.objects.order_by("pk").values_list("pk", flat=True))
        if handles := set(options["players"]):
            found = dict(Player.objects.filter(username__in=handles).values_list("username", "pk"))
            if unknown := sorted(handles - found.keys()):
                raise CommandError(f"There is no player {', '.join(map(repr, unknown))}; nothing was counted.")
            players = list(found.values())
        with progress_bar(self.stderr, len(players), "player") as bar:
            for first in range(0, len(players), TOGETHER):
                some = players[first : first + TOGETHER]
                recount(some)
                bar.update(len(some))
        self.stdout.write(f"Counted the games of {len(players)} players again.")
