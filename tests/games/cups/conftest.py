"""Cups on a deck of our choice, and entrants who finish after a given number of seconds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

import pytest

from games.calendar.models import Deal
from games.cups import course, qualification, rounds
from games.cups.models import Cup
from games.cups.qualification import enter
from games.cups.rounds import COUNTDOWN_S
from games.play.models import Game
from games.players.models import Player
from games.races.course import advance_all
from games.rules import RuleSet
from tests.games.conftest import DECK
from tests.games.ways_to_play import resign, take_action

Entrants = Callable[[int], list[Player]]


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(rules: RuleSet, now: datetime) -> Deal:
        return Deal.objects.create(rules=rules.slug, deck=DECK, created_at=now, is_winnable=True)

    monkeypatch.setattr(qualification, "certified_for_race", find)
    monkeypatch.setattr(
        rounds, "certified_for_races", lambda rules, number, now: [find(rules, now) for _ in range(number)]
    )


@pytest.fixture
def cup(now: datetime) -> Cup:
    """A cup that opens now."""
    return Cup.objects.create(
        rules="relaxed", for_bots=False, announced_for=now, opens_at=now, qualify_s=900, limit_s=600
    )


@pytest.fixture
def entrants(now: datetime) -> Entrants:
    """Make guests, by number."""
    return lambda number: [
        Player.objects.create(username=f"guest{i}", display_name=f"Guest {i}", is_guest=True) for i in range(number)
    ]


def tick(now: datetime) -> None:
    """Do what a worker does every second."""
    advance_all(now)
    course.advance_cups(now)


def play(game: Game, seconds: float, now: datetime) -> None:
    """Make a move after a number of seconds, and give up."""
    at = now + timedelta(seconds=seconds)
    take_action(game, "D", 0, at)
    resign(game, 1, at)


def game_in(cup: Cup, player: Player, now: datetime) -> Game:
    """Enter the qualification of a cup, and return the game in it."""
    return Game.objects.get(pk=enter(cup.pk, player, now))


def qualify(cup: Cup, players: list[Player], now: datetime) -> datetime:
    """Open a cup in which players qualify in their order; return the time after the draw."""
    tick(now)
    for number, player in enumerate(players, 1):
        play(game_in(cup, player, now), number, now)
    after = now + timedelta(seconds=cup.qualify_s)
    tick(after)
    return after


def games_of(cup: Cup) -> list[Game]:
    """Return the games of matches that are being played."""
    games = Game.objects.filter(racer__race__cup_match__cup=cup, status=Game.Status.PLAYING)
    return list(games.select_related("player").order_by("player"))


def reread(cup: Cup) -> Cup:
    return Cup.objects.select_related("qualification").get(pk=cup.pk)


def play_round(
    cup: Cup, now: datetime, tick: Callable[[datetime], None] = tick, away: Collection[str] = ()
) -> datetime:
    """Play the matches that wait for their start, the players with the lowest numbers first; return the time after."""
    begins = now + timedelta(seconds=COUNTDOWN_S)
    tick(begins)
    for game in games_of(cup):
        if game.player.username not in away:
            play(game, int(game.player.username.removeprefix("guest")) + 1, begins)
    if away:
        tick(begins + timedelta(seconds=120))
    after = begins + timedelta(seconds=121 if away else 100)
    tick(after)
    return after


def play_on(cup: Cup, now: datetime, tick: Callable[[datetime], None] = tick) -> datetime:
    for _ in range(6):  # one more than the rounds of the largest division
        if reread(cup).ended_at:
            return now
        now = play_round(cup, now, tick)
    raise AssertionError("the cup does not end")
