"""Shared deals: everyone's right to practise, and that practice is never ranked."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from pytest_django.fixtures import Settings

from games.analysis.requests import request_analysis
from games.calendar.models import DailyDeal, Deal
from games.play.models import Game
from games.play.refusals import DealNotYet, NotYours, TooManyOpenGames, UnknownDeal
from games.play.sessions import own_game, readable_game
from games.play.starting import practise, start_practice
from games.play.starting import start_ranked as start
from games.play.visibility import may_practise, record_for
from games.players.models import Player
from games.practice.shared_deals import find_deal, practise_deal, shared_deal
from games.rules import DRAW
from games.statistics.statistics import statistics_of
from games.statistics.streaks import Streak
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.submission import submit_missing
from tests.games.ways_to_play import commit, open_session, restart
from tests.leaderboards.conftest import submit_score

pytestmark = pytest.mark.django_db(transaction=True)

MILLISECOND = timedelta(milliseconds=1)


@pytest.fixture(autouse=True)
def _practice_is_open(settings: Settings) -> None:
    """Let the operator open days to practice, or there would be none before they are over."""
    settings.PYRAMID_DAILY_POLICIES = {"standard": {"practice_after": True}}


def start_ranked(player: Player, now: datetime) -> Game:
    return start(player, "standard", now)


def resign(game: Game, now: datetime) -> Game:
    session = open_session(game, now)
    commit(session.resign(session.play.version, now))
    game.refresh_from_db()
    return game


def play_one_draw(game: Game, now: datetime) -> None:
    commit(open_session(game, now).act(DRAW, 0, now))


# Daily deals


def test_nobody_practises_on_a_daily_deal_before_the_own_attempt_has_ended(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    attempt = start_ranked(alice, now)
    play_one_draw(attempt, now)
    for player in (alice, bob):
        with pytest.raises(DealNotYet):
            practise_deal(player, daily.deal, now)
    resign(attempt, now)
    game = practise_deal(alice, daily.deal, now)
    assert (game.deal, game.daily, game.is_ranked) == (daily.deal, None, False)
    assert game.suits not in {"", attempt.suits}
    with pytest.raises(DealNotYet):
        practise_deal(bob, daily.deal, now)
    assert not may_practise(daily.deal, None, now)


def test_an_attempt_at_another_deal_opens_nothing(
    alice: Player, daily: DailyDeal, dailies: None, now: datetime
) -> None:
    resign(start_ranked(alice, now), now)
    tomorrow = DailyDeal.objects.get(day=daily.day + timedelta(days=1), division=daily.division)
    other_division = DailyDeal.objects.exclude(division=daily.division).get(day=daily.day)
    for deal, moment in ((tomorrow.deal, now), (tomorrow.deal, daily.key.closes_at), (other_division.deal, now)):
        with pytest.raises(DealNotYet):
            practise_deal(alice, deal, moment)


@pytest.mark.parametrize(
    ("after_finish_by", "shared"), [(-MILLISECOND, False), (timedelta(), True), (MILLISECOND, True)]
)
def test_a_daily_deal_is_anyones_from_finish_by_on(
    bob: Player, daily: DailyDeal, after_finish_by: timedelta, shared: bool
) -> None:
    moment = daily.key.finish_by + after_finish_by
    assert may_practise(daily.deal, bob, moment) is may_practise(daily.deal, None, moment) is shared
    if shared:
        assert practise_deal(bob, daily.deal, moment).daily is None
        assert shared_deal(daily.deal, bob, moment).day == daily.day
    else:
        with pytest.raises(DealNotYet):
            practise_deal(bob, daily.deal, moment)
        with pytest.raises(DealNotYet):
            shared_deal(daily.deal, bob, moment)


def test_alice_is_told_nothing_of_a_deal_that_she_practises_before_its_day_is_over(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    resign(start_ranked(alice, now), now)
    game = practise_deal(alice, daily.deal, now)
    play_one_draw(game, now)
    before = daily.key.finish_by - MILLISECOND
    with pytest.raises(DealNotYet):
        shared_deal(daily.deal, alice, before)
    resign(game, now)
    assert "??" in record_for(game, alice, before).text
    with pytest.raises(NotYours):
        readable_game(game.id, bob, before)
    assert readable_game(game.id, bob, daily.key.finish_by) == game
    assert "??" not in record_for(game, bob, daily.key.finish_by).deck.text


def test_practice_on_a_daily_deal_is_on_no_board_and_apart_in_statistics(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    attempt = resign(start_ranked(alice, now), now)
    submit_missing(now)
    versions, entered = dict(Board.objects.values_list("slug", "version")), Entry.objects.count()
    before = statistics_of(alice, alice, now)
    game = practise_deal(alice, daily.deal, now)
    summary = {"moves": 0, "draws": 0, "recycles": 0, "undos": 0, "hints": 0, "cards_left": 0, "elapsed_ms": 1}
    Game.objects.filter(pk=game.pk).update(status="won", started_at=now, finished_at=now, **summary)
    game.refresh_from_db()
    submit_score(game, now)
    assert submit_missing(now) == 0
    assert dict(Board.objects.values_list("slug", "version")) == versions
    assert Entry.objects.count() == entered
    assert {entry.game_id for entry in Entry.objects.all()} <= {attempt.id, None}
    after = statistics_of(alice, alice, now)
    assert (after.played, after.won) == (before.played, before.won)
    assert (after.played.total, after.won) == (1, Streak(0, 0))
    assert [(row.kind, row.played, row.won) for row in after.tallies] == [("daily", 1, 0), ("practice", 1, 1)]


def test_practice_first_gives_no_second_ranked_attempt(alice: Player, daily: DailyDeal, now: datetime) -> None:
    attempt = resign(start_ranked(alice, now), now)
    practise_deal(alice, daily.deal, now)
    assert list(Game.objects.filter(daily=daily)) == [attempt]
    assert Game.objects.filter(deal=daily.deal).count() == 2


# Practice deals


def test_a_practice_deal_is_shared_once_a_game_on_it_has_ended_and_stays_so(
    alice: Player, bob: Player, now: datetime
) -> None:
    game = start_practice(alice, "standard", now)
    with pytest.raises(DealNotYet):
        practise_deal(bob, game.deal, now)
    resign(game, now)
    assert practise_deal(bob, game.deal, now).deal == game.deal
    restart(own_game(game.id, alice), now)
    assert shared_deal(game.deal, None, now).best == game


def test_whoever_plays_a_shared_deal_hides_nobody_elses_games(
    alice: Player, bob: Player, mallory: Player, now: datetime
) -> None:
    game = resign(start_practice(alice, "standard", now), now)
    practise_deal(mallory, game.deal, now)
    for reader in (alice, bob, mallory, None):
        assert "??" not in record_for(game, reader, now).text
    assert request_analysis(game.id, bob, now).game == game


def test_a_player_who_plays_a_deal_again_is_told_its_cards_only_as_they_come_up(alice: Player, now: datetime) -> None:
    game = resign(start_practice(alice, "standard", now), now)
    again = restart(own_game(game.id, alice), now)
    assert "??" in record_for(again, alice, now).text
    assert "??" in record_for(game, alice, now).text
    resign(again, now)
    assert "??" not in record_for(game, alice, now).text


def test_a_practice_game_is_its_players_alone_while_it_is_played_on_any_deal(
    alice: Player, bob: Player, daily: DailyDeal
) -> None:
    later = daily.key.finish_by
    game = practise_deal(bob, daily.deal, later)
    play_one_draw(game, later)
    assert "??" in record_for(game, bob, later).text
    with pytest.raises(NotYours):
        readable_game(game.id, alice, later)


def test_the_best_result_is_ranked_as_on_the_daily_table_and_took_no_hint(
    alice: Player, bob: Player, mallory: Player, now: datetime
) -> None:
    deal = start_practice(alice, "standard", now).deal
    results = [(alice, 3, 20, 5), (alice, 2, 40, 9), (bob, 2, 40, 8), (bob, 2, 41, 1), (mallory, 0, 30, 1)]
    zero = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0}
    for player, cards_left, moves, elapsed_ms in results:
        hints = {"hints": 9} if player == mallory else {}
        Game.objects.create(
            player=player,
            deal=deal,
            created_at=now,
            started_at=now,
            finished_at=now,
            **{**zero, "cards_left": cards_left, "moves": moves, "elapsed_ms": elapsed_ms, **hints},
            status="resigned" if cards_left else "won",
        )
    shared = shared_deal(deal, alice, now)
    assert shared.best
    assert (shared.best.player, shared.best.elapsed_ms) == (bob, 8)
    assert shared.yours
    assert (shared.yours.player, shared.yours.elapsed_ms) == (alice, 9)
    assert shared_deal(deal, None, now).yours is None


def test_practice_on_shared_deals_counts_as_practice(
    alice: Player, bob: Player, settings: object, now: datetime
) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 1  # type: ignore[attr-defined]
    game = resign(start_practice(alice, "standard", now), now)
    practise(bob, game.deal, now)
    with pytest.raises(TooManyOpenGames):
        practise_deal(bob, game.deal, now)


@pytest.mark.parametrize("deal_id", ["", "0" * 12, "x" * 500])
def test_an_unknown_deal_is_none(db: None, deal_id: str) -> None:
    with pytest.raises(UnknownDeal):
        find_deal(deal_id)
    assert not Deal.objects.exists()
