"""Simulated people at one deal: what they choose, when, and the game that is stored of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from games.calendar.models import DailyDeal
from games.play.models import Game, Move
from games.players.models import Player
from games.rules import Deck, Position
from games.solver.orders import Pyramid
from leaderboards.detectors.games import RankedGame
from tests.integrity.hands import Hand, client_times, person, times
from tests.integrity.store import played
from tests.integrity.styles import STYLES, Choices, Chooser

QUICK = ("careless", "casual")  # so quickly chosen that everybody plays a game of their own
COUNTED = {"draws": "D", "recycles": "R", "undos": "U", "hints": "H"}


class Timed(NamedTuple):
    """Choices with the milliseconds of each by the server's and by the client's clock."""

    choices: Choices
    server: Sequence[int]
    client: Sequence[int]


class Kitchen:
    """Plays of one deal; those that take long to choose are made once for each style."""

    def __init__(self, daily: DailyDeal, dice: Random) -> None:
        self.daily, self.dice = daily, dice
        self.deal = Position.deal(Deck.from_text(daily.deal.deck), daily.deal.rule_set)
        self.last: dict[str, Choices] = {}
        self._pyramid = Pyramid(self.deal)
        self._made: dict[str, Choices] = {}

    def choices(self, style: str) -> Choices:
        if style in QUICK or style not in self._made:
            self._made[style] = Chooser(self.deal, self._pyramid, STYLES[style], self.dice).play()
        return self._made[style]

    def timed(self, choices: Choices, hand: Hand | None = None) -> Timed:
        """Return choices in the times of a hand, some person's if none is given."""
        hand = hand or person(self.dice)
        steps = RankedGame("", "", "", 0, played(self.deal, choices)).steps
        server = list(times(steps, hand, self.dice))
        return Timed(choices, server, client_times(server, hand, self.dice))


def store_game(kitchen: Kitchen, player: Player, start: datetime, timed: Timed) -> Game:
    """Store a finished attempt with its log, without telling anyone of it."""
    actions, daily = timed.choices.actions, kitchen.daily
    play = played(kitchen.deal, timed.choices, timed.server)
    assert play.result is not None
    game = Game.objects.create(player=player, deal=daily.deal, daily=daily, created_at=start, started_at=start)
    Move.objects.bulk_create(
        Move(game=game, version=version, action=action.text, at_ms=at_ms, client_ms=client_ms)
        for version, (action, at_ms, client_ms) in enumerate(zip(actions, timed.server, timed.client, strict=True), 1)
    )
    elapsed = timed.server[-1] if timed.server else 0
    ended = {"status": play.result.value, "finished_at": start + timedelta(milliseconds=elapsed), "elapsed_ms": elapsed}
    counts = {name: sum(action.text == text for action in actions) for name, text in COUNTED.items()}
    score = {"moves": play.moves, "cards_left": play.position.cards_left, "hasty": play.hasty}
    for field, value in {**ended, **counts, **score}.items():
        setattr(game, field, value)
    game.save()
    return game
