"""Two accounts that nothing links take turns: both get a finding that opens no case, and nobody else gets one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.play.models import Game
from games.players.models import Player
from games.rules import DRAW, Play
from leaderboards.moderation import turns
from leaderboards.moderation.evidence_models import KeptFinding
from leaderboards.moderation.models import Case
from tests.guards import guards_dropped
from tests.integrity.populate import Attempt
from tests.leaderboards.conftest import named
from tests.leaderboards.detectors.games import QUICK, deal
from tests.leaderboards.moderation.days import FIRST_DAY, attempt, play_day

NOW = datetime(2026, 11, 20, tzinfo=UTC)
SEEDS = QUICK[:6]
LAST = FIRST_DAY + timedelta(days=len(SEEDS) - 1)
NEARLY_ALL = 18  # of 24 cards of the stock
HOURS = (9, 14, 7, 20, 11, 17)


def a_look(player: Player, seed: int, second: int) -> Attempt:
    play = Play(deal(seed))
    for number in range(NEARLY_ALL):
        play.do(DRAW, 400 * number)
    play.resign()
    return Attempt(player, play, second)


@pytest.fixture
def scout(db: None) -> Player:
    return named("scout")


def played(scout: Player, mallory: Player, bob: Player, *, later: int) -> None:
    """Have the scout look at six deals, mallory win them so many seconds later, and bob win them at eight."""
    for day, (seed, hour) in enumerate(zip(SEEDS, HOURS, strict=True)):
        second = hour * 3600
        games = [a_look(scout, seed, second)]
        games += [
            attempt(mallory, "perfect", seed, second=second + later),
            attempt(bob, "perfect", seed, second=28_800),
        ]
        play_day(day, seed, *games)


def test_both_of_a_pair_are_worth_watching_once_and_nobody_else(scout: Player, alice: Player, bob: Player) -> None:
    played(scout, alice, bob, later=1200)
    assert turns.find_turns(LAST, NOW) == 2
    turns.find_turns(LAST, NOW)
    found = {row.player: row for row in KeptFinding.objects.all()}
    assert set(found) == {scout, alice}
    assert KeptFinding.objects.count() == 2, "that nothing has changed is nothing new"
    assert {(row.detector, row.strength) for row in found.values()} == {("taking turns", "watch")}
    assert found[alice].numbers["in turn"] == len(SEEDS)
    assert found[alice].threshold == 20  # one who left, two who won
    assert not Case.objects.exists()


def test_who_only_goes_away_has_left_with_the_last_action(scout: Player, alice: Player, bob: Player) -> None:
    played(scout, alice, bob, later=1200)
    with guards_dropped():
        for look in Game.objects.filter(player=scout).select_related("daily"):
            assert look.daily
            Game.objects.filter(pk=look.pk).update(status="expired", finished_at=look.daily.key.finish_by)
    assert turns.find_turns(LAST, NOW) == 2
    assert {row.player for row in KeptFinding.objects.all()} == {scout, alice}


def test_who_comes_hours_later_or_too_seldom_is_not_found(scout: Player, alice: Player, bob: Player) -> None:
    played(scout, alice, bob, later=7200)
    assert turns.find_turns(LAST, NOW) == 0


def test_deals_of_long_ago_do_not_count(scout: Player, alice: Player, bob: Player) -> None:
    played(scout, alice, bob, later=1200)
    assert turns.find_turns(LAST + timedelta(days=turns.DAYS - 3), NOW) == 0
