"""A cup that is played to its end, on its deals: what it is worth beyond its places."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from games.cups.models import Cup, CupEntry, CupSeat
from games.play.models import Game
from games.players.models import Player
from games.races.models import RatingChange
from games.races.ratings import rate_races
from leaderboards.achievements.models import Award
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.cups.counting import count_cups
from leaderboards.cups.results import results_of
from tests.games.cups.conftest import _known_deals, cup, games_of, play, play_on, qualify, reread, tick
from tests.games.ways_to_play import take_action
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


def test_a_cup_of_sixteen_goes_from_announcement_to_medal_although_one_leaves_in_mid_match_and_one_never_comes(
    settings: Settings,
) -> None:
    settings.PYRAMID_CUPS = ["12:30=relaxed"]
    tick(NOON)
    cup = Cup.objects.order_by("opens_at")[0]
    players = [named(f"guest{number}") for number in range(16)]
    begins = qualify(cup, players, cup.opens_at) + timedelta(seconds=5)
    tick(begins)
    leaver, absent = players[0], players[1]
    for game in games_of(cup):
        if game.player == leaver:
            take_action(game, "D", 0, begins + timedelta(seconds=30))
        elif game.player != absent:
            play(game, 2 + int(game.player.username.removeprefix("guest")), begins)
    for seconds in (120, 600, 601):
        tick(begins + timedelta(seconds=seconds))
    play_on(cup, begins + timedelta(seconds=601))
    count_cups(LATER)
    assert reread(cup).end == "completed"
    (winner,) = CupEntry.objects.filter(cup=cup, place=1)
    (won,) = results_of(winner.player, 20).places
    assert (won.entry.cup, won.medal, won.points) == (cup, "gold", 41)
    assert "medal gold" in Client().get(f"/players/{winner.player.username}/").content.decode()
    lost = CupSeat.objects.filter(match__cup=cup, entry__player__in=(leaver, absent))
    assert list(lost.order_by("entry__seed").values_list("entry__player", "place", "goes_on")) == [
        (leaver.pk, 4, False),
        (absent.pk, None, False),
    ]
    matches = cup.matches.exclude(race=None)
    assert matches.count() == 4 + 2 + 1
    for match in matches:
        played = Game.objects.filter(racer__race=match.race, moves__gt=0)
        assert played.exists()
        for game in played:
            assert Client().get(f"/api/games/{game.pk}/record/").status_code == 200
