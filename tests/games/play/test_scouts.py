"""On a deal that is open nobody practises, watches, analyses, or is advised, whatever they have finished."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection

from games.analysis.refusals import AnalysisNotYet
from games.analysis.requests import request_analysis
from games.calendar.divisions import eligible_division
from games.calendar.models import DailyDeal, SecretAccess
from games.days.disclosure import look_at_secrets
from games.play.journal.statements import write_changes
from games.play.models import Game
from games.play.refusals import AlreadySeenByStaff, DealNotYet, HintsNotAllowed, NotYours
from games.play.sessions import own_game
from games.play.starting import start_ranked
from games.play.visibility import may_inspect, may_practise, require_watchable
from games.players.models import Player
from games.practice.shared_deals import practise_deal
from games.rules import DRAW, HINT
from tests.games.ways_to_play import loaded_session, open_session
from tests.guards import guards_dropped

OPENED = {"practice_after": True, "watch_after": True, "hints": True, "loss_notices": True}


@pytest.fixture
def scouted(mallory: Player, daily: DailyDeal, now: datetime) -> Game:
    """Mallory's attempt, resigned at once."""
    game = start_ranked(mallory, "standard", now)
    write_changes(connection, [open_session(game, now).resign(0, now)])
    return own_game(game.id, mallory)


def let_all_be_open(daily: DailyDeal) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(stored_policy=OPENED)
    daily.refresh_from_db()


def test_a_scout_who_has_resigned_practises_nothing_of_the_open_deal(
    mallory: Player, daily: DailyDeal, scouted: Game, now: datetime
) -> None:
    assert not may_practise(daily.deal, mallory, now)
    with pytest.raises(DealNotYet):
        practise_deal(mallory, daily.deal, now)
    with pytest.raises(AnalysisNotYet):
        request_analysis(scouted.id, mallory, now)
    assert may_practise(daily.deal, mallory, daily.key.finish_by)


def test_a_scout_watches_nobody_on_the_open_deal(
    alice: Player, mallory: Player, daily: DailyDeal, scouted: Game, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    open_session(game, now)
    with pytest.raises(NotYours):
        require_watchable(own_game(game.id, alice), mallory, now)
    require_watchable(own_game(game.id, alice), mallory, daily.key.finish_by)


def test_an_operator_may_open_practice_and_watching_but_nobody_is_advised(
    alice: Player, mallory: Player, daily: DailyDeal, scouted: Game, now: datetime
) -> None:
    let_all_be_open(daily)
    practice = practise_deal(mallory, daily.deal, now)
    policy = open_session(practice, now).policy
    assert (policy.hints, policy.loss_notices) == (False, False)
    with pytest.raises(HintsNotAllowed):
        loaded_session(practice.id, now).act(HINT, 0, now)
    game = start_ranked(alice, "standard", now)
    open_session(game, now)
    require_watchable(own_game(game.id, alice), mallory, now)
    after = loaded_session(practice.id, daily.key.finish_by)
    assert after.policy.hints


def test_a_ranked_attempt_is_not_advised_even_where_its_policy_says_so(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    let_all_be_open(daily)
    with pytest.raises(HintsNotAllowed):
        open_session(start_ranked(alice, "standard", now), now).act(HINT, 0, now)


def test_staff_see_no_board_of_an_open_deal_and_who_looks_cannot_play_it(
    alice: Player, staff: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    write_changes(connection, [open_session(game, now).act(DRAW, 0, now)])
    game = own_game(game.id, alice)
    assert not may_inspect(game, staff, now)
    assert may_inspect(game, staff, daily.key.finish_by)
    look_at_secrets(daily, staff, "a player reports a broken deal", now)
    assert may_inspect(game, staff, now)
    with pytest.raises(AlreadySeenByStaff):
        start_in_open(staff, now)
    assert SecretAccess.objects.get().reason == "a player reports a broken deal"


def start_in_open(player: Player, now: datetime) -> Game:
    player.day_divisions.create(day=now.date(), division="open")
    return start_ranked(player, "standard", now)


@pytest.mark.parametrize(
    ("days", "status", "moves", "division"),
    [
        ((1, 2, 3), "stuck", 40, "main"),
        ((1, 2, 3), "resigned", 10, "main"),
        ((1, 2, 3), "resigned", 9, "open"),
        ((1, 2, 3), "expired", 0, "open"),
        ((1, 2, 3), "expired", 40, "open"),
        ((1, 2), "stuck", 40, "open"),
        ((1, 1, 2), "stuck", 40, "open"),
        ((0, 1, 2), "stuck", 40, "open"),  # what is played after the day opened opens the next
    ],
)
def test_main_asks_for_three_games_played_to_an_end_on_different_days(
    daily: DailyDeal, days: tuple[int, ...], status: str, moves: int, division: str
) -> None:
    carol = Player.objects.create(username="carol", claimed_at=daily.key.opens_at - timedelta(days=4))
    counts = dict.fromkeys(("draws", "recycles", "undos", "hints", "elapsed_ms"), 0)
    for number, ago in enumerate(days):
        ended = daily.key.opens_at - timedelta(days=ago) + timedelta(hours=number)
        times = {"created_at": ended, "finished_at": ended}
        Game.objects.create(player=carol, deal=daily.deal, status=status, moves=moves, cards_left=28, **times, **counts)
    assert eligible_division(carol, daily.key, daily.policy) == division
