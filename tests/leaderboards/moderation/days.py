"""Days on which simulated players played deals whose bets cost little."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from games.play.models import Game
from games.players.models import Player
from tests.integrity.hands import Hand, client_times, person, times
from tests.integrity.populate import Attempt, daily_of, write
from tests.leaderboards.detectors.games import choices, deck, game, par

FIRST_DAY = date(2026, 11, 1)


def attempt(player: Player, style: str, seed: int, hand: Hand | None = None, second: int = 43_200) -> Attempt:
    """Return what a player of a style makes of a deal; without a hand with a person's."""
    dice = Random(f"{player.username}/{seed}")
    own, hand = choices(style, seed), hand or person(Random(player.username))
    server = list(times(game(own, seed).steps, hand, dice))
    return Attempt(player, game(own, seed, server).play, second, client_times(server, hand, dice))


def play_day(number: int, seed: int, *attempts: Attempt) -> list[Game]:
    """Write a day's attempts at a deal; days are numbered from 0."""
    return write(daily_of(FIRST_DAY + timedelta(days=number), deck(seed), par(seed)), attempts)
