"""Reviewers, and games that were really played on a day that is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

import pytest
import time_machine
from django.test import Client

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from games.rules import Outcome
from leaderboards.boards.submission import submit
from leaderboards.moderation.cases import open_or_join, weigh
from leaderboards.moderation.models import Case
from tests.integrity.styles import Choices
from tests.leaderboards.conftest import NOON, named, submit_score
from tests.leaderboards.desk.playing import Kitchen, store_game
from tests.leaderboards.moderation.conftest import ines, robin, sigrid

__all__ = ["ines", "robin", "sigrid"]

LATER = NOON + timedelta(days=1)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """The time, a day after the games, which stands still until a test moves it."""
    with time_machine.travel(LATER, tick=False) as traveller:
        yield traveller


@dataclass
class Desk:
    """A day with some games on its boards, and the browser of each reviewer."""

    kitchen: Kitchen

    @property
    def daily(self) -> DailyDeal:
        return self.kitchen.daily

    def play(self, handle: str, at: datetime = NOON, **fields: object) -> Game:
        """Have somebody new play the day's deal and enter the score."""
        player = named(handle, **fields)
        return self.play_as(player, at)

    def play_as(self, player: Player, at: datetime = NOON) -> Game:
        game = self._stored(player, at)
        submit_score(game, at)
        return game

    def play_one_by_one(self, handles: Sequence[str]) -> None:
        """Have several new people play, a minute after each other, and enter all scores at once."""
        games = [self._stored(named(handle), NOON + timedelta(minutes=place)) for place, handle in enumerate(handles)]
        submit([game.pk for game in games], NOON + timedelta(minutes=len(games)))

    def _stored(self, player: Player, at: datetime) -> Game:
        return store_game(self.kitchen, player, at, self.kitchen.timed(self.kitchen.choices("careless")))

    def play_badly(self, handle: str, at: datetime) -> Game:
        """Have somebody new give up after ten actions: behind everybody else on every board."""
        choices = Choices(self.kitchen.choices("careless").actions[:10], Outcome.RESIGNED)
        game = store_game(self.kitchen, named(handle), at, self.kitchen.timed(choices))
        submit_score(game, at)
        return game

    def case_about(self, game: Game) -> Case:
        case = open_or_join(game.player_id, self.daily, "a test", NOON)
        weigh(case)
        case.refresh_from_db()
        return case

    def browser_of(self, reviewer: Player) -> Client:
        client = Client()
        client.force_login(reviewer)
        return client


@pytest.fixture
def desk(daily: DailyDeal, clock: time_machine.Traveller) -> Desk:
    daily = DailyDeal.objects.select_related("deal").get(pk=daily.pk)
    return Desk(Kitchen(daily, Random("a desk")))
