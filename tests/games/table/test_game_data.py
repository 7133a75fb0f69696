"""The data of a game's page, by which it opens the right socket."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.sessions import begin
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.table.game_data import game_data


def test_an_attempt_that_has_not_begun_is_opened_by_its_day_until_shortly_before_midnight(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    closes_at = daily.key.closes_at
    for left, ms in ((timedelta(hours=1), 59 * 60_000), (timedelta(seconds=30), 0), (-timedelta(minutes=9), 0)):
        told = game_data(game, alice, "play", closes_at - left)
        assert told["day"] == {"socket": "/ws/daily/standard/", "ms": ms}


def test_a_game_that_runs_or_is_watched_or_is_practice_is_opened_by_its_own_socket(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    practice, ranked = start_practice(alice, "standard", now), start_ranked(alice, "standard", now)
    assert game_data(practice, alice, "play", now)["day"] is None
    assert game_data(ranked, alice, "watch", now)["day"] is None
    begin(ranked.id, now)
    ranked.refresh_from_db()
    assert game_data(ranked, alice, "play", now)["day"] is None


def test_it_says_for_how_long_a_game_may_be_played(alice: Player, daily: DailyDeal, now: datetime) -> None:
    practice, ranked = start_practice(alice, "standard", now), start_ranked(alice, "standard", now)
    moments = (daily.key.finish_by - timedelta(minutes=5), daily.key.finish_by + timedelta(seconds=1))
    assert [game_data(ranked, alice, "play", at)["left_ms"] for at in moments] == [300_000, 0]
    ranked.status = Game.Status.EXPIRED
    assert [game_data(game, alice, "play", now)["left_ms"] for game in (practice, ranked)] == [0, 0]


def test_an_analysis_is_asked_for_only_where_it_would_be_told(alice: Player, daily: DailyDeal, now: datetime) -> None:
    ranked, over = start_ranked(alice, "standard", now), daily.key.finish_by
    assert [game_data(ranked, alice, "replay", at)["is_public"] for at in (now, over)] == [False, True]
    assert [game_data(ranked, reader, "replay", over)["may_ask"] for reader in (None, alice)] == [False, True]
