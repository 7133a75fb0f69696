"""Races of the cast on a deck of our choice, so that nothing has to be searched for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from games.calendar.models import Deal
from games.play.models import Game
from games.players.models import Player
from games.races import course, rooms
from games.races.invites import invite_of
from games.races.models import Race
from games.races.rooms import Terms
from games.rules import RuleSet
from tests.games.conftest import DECK

TERMS = Terms(rules="relaxed", limit_s=300, countdown_s=5)

Begin = Callable[..., Race]


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(rules: RuleSet, now: datetime) -> Deal:
        return Deal.objects.create(rules=rules.slug, deck=DECK, created_at=now, is_winnable=True)

    monkeypatch.setattr(rooms, "certified_for_race", find)


@pytest.fixture
def room(alice: Player, now: datetime) -> Race:
    """A room of alice that is not public."""
    return rooms.create_race(alice, TERMS, now)


@pytest.fixture
def race(room: Race, alice: Player, bob: Player, now: datetime) -> Race:
    """A race of alice and bob that has just begun; its clock began `now`."""
    rooms.join(room.pk, bob, invite_of(room.pk), now)
    rooms.start(room.pk, alice, now - timedelta(seconds=TERMS.countdown_s))
    course.advance([room.pk], now)
    return Race.objects.select_related("deal").get(pk=room.pk)


def game_of(race: Race, player: Player) -> Game:
    """Return a racer's game."""
    return Game.objects.select_related("player").get(racer__race=race, racer__player=player)
