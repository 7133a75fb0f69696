"""A cup that is played to its end, on its deals: what it is worth beyond its places."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games.cups.models import Cup
from games.players.models import Player
from games.races.models import RatingChange
from games.races.ratings import rate_races
from leaderboards.achievements.models import Award
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.cups.counting import count_cups
from tests.games.cups.conftest import _known_deals, cup, play_on, qualify
from tests.leaderboards.conftest import NOON, named

__all__ = ["_known_deals", "cup"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)
LATER = NOON + timedelta(hours=2)


@pytest.fixture
def now() -> datetime:
    return NOON


@pytest.fixture
def players(cup: Cup, now: datetime) -> list[Player]:
    """Nine players in the order of their places in a cup that is over, rated and counted."""
    players = [named(f"guest{number}") for number in range(9)]
    play_on(cup, qualify(cup, players, now))
    rate_races(LATER)
    count_cups(LATER)
    return players


def codes(player: Player) -> set[str]:
    return set(Award.objects.filter(player=player, code__startswith="cup").values_list("code", flat=True))


def test_a_cup_awards_who_took_part_reached_the_final_and_won_as_long_as_their_games_count(
    cup: Cup, players: list[Player]
) -> None:
    had = [{"cup", "cup-final", "cup-win"}, *([{"cup", "cup-final"}] * 3), *([{"cup"}] * 5)]
    assert [codes(player) for player in players] == had
    final = cup.matches.get(round=2).race
    assert final is not None
    game, staff = final.racers.get(player=players[0]).game, named("staff", is_staff=True)
    assert game is not None
    for state, expected in ((EntryState.DISQUALIFIED, set()), (EntryState.REINSTATED, had[0])):
        decide(Decision(game=game, state=state, reason="looked at", by=staff, at=LATER))
        assert codes(players[0]) == expected
    assert [codes(player) for player in players] == had


def test_each_match_of_four_claimed_accounts_is_rated_as_a_race_and_the_qualification_is_not(
    cup: Cup, players: list[Player]
) -> None:
    matches = cup.matches.filter(race__isnull=False)
    of_four = {match.race_id for match in matches if match.seats.count() == 4}
    assert set(RatingChange.objects.values_list("racer__race", flat=True)) == of_four != set()
    means = [RatingChange.objects.filter(player=player).last() for player in players[:4]]
    rated = [change.mean for change in means if change]
    assert rated == sorted(rated, reverse=True)
    assert len(rated) == 4
