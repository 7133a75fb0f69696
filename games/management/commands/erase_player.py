"""Delete the personal data of a player."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand
from games.personal_data.erasure import erase_games, erase_player
from games.personal_data.models import Erasure
from games.players.models import Player
from games.runtime.clock import clock


class Command(LightCommand):
    help = (
        "Delete the personal data of a player and of the player's bots: names, handles, tokens and unranked games. "
        "Ranked games stay, nameless."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = 'Example: manage.py erase_player ada --reason "asked for by mail on 2 March"'
        parser.add_argument("handle")
        parser.add_argument("--reason", required=True, help="stored with the date; must not contain personal data")

    def handle(self, *, handle: str, reason: str, **options: Any) -> None:
        player = Player.objects.filter(username=handle).first()
        if player is None:
            raise CommandError(f"there is no player {handle!r}")
        now, everyone = clock.now(), [player, *player.bots.all()]
        erase_player(player, reason, None, now)
        for account in everyone:
            while erase_games(account, now):
                pass
        games = sum(Erasure.objects.filter(player__in=everyone, at=now).values_list("games", flat=True))
        self.stdout.write(f"{handle} is now {player.username}; {games} unranked games were deleted.")
