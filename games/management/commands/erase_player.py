"""Delete the personal data of a player."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Player
from games.services.erasure import erase_games, erase_player


class Command(BaseCommand):
    help = "Delete a player's personal data: name, handle, tokens and unranked games. Ranked games stay, nameless."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = 'Example: manage.py erase_player ada --reason "asked for by mail on 2 March"'
        parser.add_argument("handle")
        parser.add_argument("--reason", required=True, help="stored with the date; must not contain personal data")

    def handle(self, *, handle: str, reason: str, **options: Any) -> None:
        player = Player.objects.filter(username=handle).first()
        if player is None:
            raise CommandError(f"there is no player {handle!r}")
        now = datetime.now(UTC)
        games = erase_player(player, reason, None, now).games
        while more := erase_games(player, now):
            games += more
        self.stdout.write(f"{handle} is now {player.username}; {games} unranked games were deleted.")
