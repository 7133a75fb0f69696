"""The line between what is secret of a game and its deal, and what is public, for each kind of reader."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games.calendar.models import DailyDeal
from games.days.disclosure import look_at_secrets
from games.play.models import Game
from games.play.refusals import DealNotYet, NotYours
from games.play.sessions import own_game
from games.play.starting import start_practice, start_ranked
from games.play.visibility import (
    is_game_public,
    is_public,
    is_shared,
    may_inspect,
    may_practise,
    policy_now,
    record_for,
    require_open_to,
    require_watchable,
)
from games.players.models import Player
from games.practice.shared_deals import practise_deal
from games.races.models import Race
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

MILLISECOND = timedelta(milliseconds=1)


@pytest.fixture
def raced(alice: Player, now: datetime) -> Game:
    """A game of alice, which is over, on the deal of a race that is not."""
    game = start_practice(alice, "standard", now)
    resign(game, now)
    Race.objects.create(
        host=alice, deal=game.deal, tie_break="time", limit_s=300, countdown_s=5, created_at=now,
        is_public=True, admits_bots=False,
    )  # fmt: skip
    return own_game(game.id, alice)


def resign(game: Game, now: datetime) -> None:
    session = open_session(game, now)
    commit(session.resign(session.play.version, now))


def ended(game: Game, now: datetime) -> Game:
    """Return a game whose race has ended."""
    Race.objects.update(ended_at=now, end=Race.End.TIME_UP)
    return own_game(game.id, game.player)


def test_nothing_of_a_race_is_public_before_its_end_whoever_has_finished(
    raced: Game, bob: Player, now: datetime
) -> None:
    assert not is_public(raced.deal, now)
    assert not is_shared(raced.deal, now)
    assert not is_game_public(raced, now)
    assert not may_practise(raced.deal, bob, now)
    after = ended(raced, now)
    assert is_public(after.deal, now)
    assert is_shared(after.deal, now)
    assert is_game_public(after, now)
    assert may_practise(after.deal, bob, now)


def test_nobody_watches_a_racer_or_inspects_the_game_before_the_end(
    raced: Game, bob: Player, staff: Player, now: datetime
) -> None:
    with pytest.raises(NotYours, match="before its race is over"):
        require_watchable(raced, bob, now)
    assert not may_inspect(raced, staff, now)
    after = ended(raced, now)
    require_watchable(after, bob, now)
    assert may_inspect(after, staff, now)


def test_staff_inspect_practice_at_any_time_and_a_day_once_it_is_over(
    alice: Player, staff: Player, daily: DailyDeal, now: datetime
) -> None:
    assert may_inspect(start_practice(alice, "standard", now), staff, now)
    attempt = start_ranked(alice, "standard", now)
    assert not may_inspect(attempt, staff, daily.key.finish_by - MILLISECOND)
    assert may_inspect(attempt, staff, daily.key.finish_by)


def test_whoever_looks_at_the_secrets_of_a_day_inspects_its_games_and_no_one_else_does(
    alice: Player, bob: Player, staff: Player, daily: DailyDeal, now: datetime
) -> None:
    attempt = start_ranked(alice, "standard", now)
    look_at_secrets(daily, staff, "a player reports a broken deal", now)
    assert may_inspect(attempt, staff, now)
    assert not may_inspect(attempt, bob, now)


def test_a_ranked_game_remains_public_while_its_player_practises_the_deal(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    attempt = start_ranked(alice, "standard", now)
    resign(attempt, now)
    later = daily.key.finish_by
    practise_deal(alice, daily.deal, later)
    assert is_game_public(own_game(attempt.id, alice), later)


def test_nobody_watches_a_day_that_the_policy_keeps_closed_even_after_an_attempt(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    attempt = start_ranked(alice, "standard", now)
    resign(start_ranked(bob, "standard", now), now)
    with pytest.raises(NotYours, match="before its day is over"):
        require_watchable(own_game(attempt.id, alice), bob, now)
    require_watchable(own_game(attempt.id, alice), bob, daily.key.finish_by)


def test_someone_unknown_practises_nothing_of_an_open_day(daily: DailyDeal, now: datetime) -> None:
    with pytest.raises(DealNotYet, match="not shared yet"):
        require_open_to(None, daily.deal, now)


def test_hints_come_back_when_the_day_is_over(alice: Player, daily: DailyDeal, now: datetime) -> None:
    later = daily.key.finish_by
    practice = practise_deal(alice, daily.deal, later)
    assert policy_now(practice, later).hints
    assert not policy_now(practice, later - MILLISECOND).hints
    assert policy_now(start_practice(alice, "standard", now), now).hints


def test_the_suits_of_a_game_are_in_its_record_once_it_is_public(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    attempt = start_ranked(alice, "standard", now)
    resign(attempt, now)
    game = own_game(attempt.id, alice)
    assert "[Suits " not in record_for(game, alice, daily.key.finish_by - MILLISECOND).text
    assert "[Suits " in record_for(game, alice, daily.key.finish_by).text
