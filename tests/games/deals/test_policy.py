"""Competitions of other kinds: what a daily deal allows is data, kept with the deal and with every game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django.fixtures import Settings

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.days.disclosure import look_at_secrets
from games.deals.policy import PRACTICE, RANKED, Policy, PolicyError
from games.play.models import Game
from games.play.refusals import (
    AlreadyAttempted,
    AlreadySeenByStaff,
    DealNotYet,
    HintsNotAllowed,
    NoOpenDaily,
    RestartNotAllowed,
    UndoNotAllowed,
)
from games.play.sessions import own_game
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.practice.shared_deals import practise_deal
from games.rules import DRAW, HINT, UNDO
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import commit, open_session, restart

pytestmark = pytest.mark.django_db(transaction=True)

Open = Callable[..., DailyDeal]


@pytest.fixture
def open_daily(settings: Settings, now: datetime, db: None) -> Open:
    """Return a function that makes today's deal of `standard` under a policy."""

    def open_daily(**policy: Any) -> DailyDeal:
        settings.PYRAMID_DAILY_POLICIES = {"standard": policy}
        prepared_dailies(now, 0)
        return DailyDeal.objects.get(day=now.date(), division="open")

    return open_daily


def resign(game: Game, now: datetime) -> None:
    session = open_session(game, now)
    commit(session.resign(session.play.version, now))


def test_by_default_there_is_one_attempt_with_undo_and_nothing_else(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    assert daily.policy == game.policy == RANKED
    assert RANKED.data == {
        "attempts": 1,
        "undo": True,
        "hints": False,
        "restart": False,
        "loss_notices": False,
        "practice_after": False,
        "watch_after": False,
        "minimum_age_days": 1,
        "minimum_finished_games": 3,
    }
    assert start_practice(alice, "standard", now).policy == PRACTICE


def test_a_policy_without_hints_has_no_notices_either() -> None:
    assert PRACTICE.without_hints == Policy(restart=True)


def test_an_attempt_is_played_under_the_policy_of_its_daily_deal(
    alice: Player, open_daily: Open, now: datetime
) -> None:
    open_daily(undo=False)
    game = own_game(start_ranked(alice, "standard", now).id, alice)
    assert (game.stored_policy, game.policy) == (None, Policy(undo=False))
    session = open_session(game, now)
    session.act(DRAW, 0, now)
    with pytest.raises(UndoNotAllowed):
        session.act(UNDO, 1, now)


def test_a_game_that_has_a_policy_of_its_own_keeps_it(alice: Player, daily: DailyDeal, now: datetime) -> None:
    policy = Policy(undo=False).data
    attempt = Game(player=alice, deal=daily.deal, daily=daily, created_at=now, stored_policy=policy)
    assert attempt.policy == Policy(undo=False)


def test_another_setting_is_for_days_not_committed_to_yet(open_daily: Open, settings: Settings, now: datetime) -> None:
    open_daily(attempts=3)
    settings.PYRAMID_DAILY_POLICIES = {"Standard": {"attempts": 5}}
    ensure_dailies(now + timedelta(days=1))
    attempts = list(DailyDeal.objects.order_by("day").values_list("stored_policy__attempts", flat=True))
    assert attempts == [3] * 2 + [5] * 16


def test_no_hint_is_given_on_an_open_deal_even_where_the_policy_has_hints(
    alice: Player, open_daily: Open, now: datetime
) -> None:
    open_daily(hints=True)
    session = open_session(start_ranked(alice, "standard", now), now)
    with pytest.raises(HintsNotAllowed):
        session.act(HINT, 0, now)


def test_attempts_come_one_after_the_other_up_to_the_most(alice: Player, open_daily: Open, now: datetime) -> None:
    open_daily(attempts=3)
    games = []
    for _ in range(3):
        game = start_ranked(alice, "standard", now)
        assert start_ranked(alice, "standard", now) == game
        resign(game, now)
        games.append(game)
    assert [game.attempt for game in games] == [1, 2, 3]
    assert len({game.deal_id for game in games}) == 1
    assert len({game.suits for game in games}) == 3
    with pytest.raises(AlreadyAttempted, match="3 ranked attempts") as refusal:
        start_ranked(alice, "standard", now)
    assert refusal.value.details == {"game": games[-1].id}


def test_a_restart_gives_an_attempt_up_for_the_next_one(alice: Player, open_daily: Open, now: datetime) -> None:
    open_daily(attempts=2, restart=True)
    first = start_ranked(alice, "standard", now)
    second = restart(own_game(first.id, alice), now)
    first.refresh_from_db()
    assert (first.status, second.attempt, second.status, second.is_ranked) == ("resigned", 2, "playing", True)
    with pytest.raises(AlreadyAttempted):
        restart(own_game(second.id, alice), now)
    second.refresh_from_db()
    assert second.status == "playing"


def test_after_the_day_no_attempt_is_given_up_for_another(alice: Player, open_daily: Open, now: datetime) -> None:
    daily = open_daily(attempts=2, restart=True)
    game = start_ranked(alice, "standard", now)
    with pytest.raises(NoOpenDaily):
        restart(own_game(game.id, alice), daily.key.closes_at)
    game.refresh_from_db()
    assert game.status == "playing"


def test_who_has_looked_at_the_secrets_of_a_deal_restarts_no_attempt_at_it(
    alice: Player, open_daily: Open, now: datetime
) -> None:
    open_daily(attempts=2, restart=True)
    alice.is_staff = alice.is_superuser = True
    alice.save()
    game = start_ranked(alice, "standard", now)
    assert game.daily is not None
    look_at_secrets(game.daily, alice, "a player reports a broken deal", now)
    with pytest.raises(AlreadySeenByStaff):
        restart(own_game(game.id, alice), now)
    game.refresh_from_db()
    assert game.status == "playing"


def test_attempts_alone_allow_no_restart(alice: Player, open_daily: Open, now: datetime) -> None:
    open_daily(attempts=2)
    with pytest.raises(RestartNotAllowed):
        restart(start_ranked(alice, "standard", now), now)


def test_practice_on_a_daily_deal_begins_when_the_own_attempts_have_ended(
    alice: Player, open_daily: Open, now: datetime
) -> None:
    daily = open_daily(attempts=2, practice_after=True)
    first = own_game(start_ranked(alice, "standard", now).id, alice)
    with pytest.raises(DealNotYet, match="still being played"):
        practise_deal(alice, daily.deal, now)
    resign(first, now)
    with pytest.raises(DealNotYet, match="another ranked attempt"):
        practise_deal(alice, daily.deal, now)
    second = start_ranked(alice, "standard", now)
    with pytest.raises(DealNotYet, match="still being played"):
        practise_deal(alice, daily.deal, now)
    resign(second, now)
    practice = practise_deal(alice, daily.deal, now)
    assert (practice.deal, practice.is_ranked, practice.policy) == (daily.deal, False, PRACTICE)
    assert practice.suits not in {"", first.suits, second.suits}


def test_who_has_no_time_left_for_another_attempt_may_practise(alice: Player, open_daily: Open, now: datetime) -> None:
    daily = open_daily(attempts=2, practice_after=True)
    game = start_ranked(alice, "standard", now)
    resign(game, now)
    with pytest.raises(DealNotYet):
        practise_deal(alice, daily.deal, daily.key.closes_at - timedelta(milliseconds=1))
    assert practise_deal(alice, daily.deal, daily.key.closes_at).deal == daily.deal


def test_by_default_a_deal_is_kept_from_practice_until_its_day_is_over(
    alice: Player, open_daily: Open, now: datetime
) -> None:
    daily = open_daily()
    game = start_ranked(alice, "standard", now)
    resign(game, now)
    with pytest.raises(DealNotYet):
        practise_deal(alice, daily.deal, daily.key.finish_by - timedelta(milliseconds=1))
    assert practise_deal(alice, daily.deal, daily.key.finish_by).deal == daily.deal


def refused(**fields: object) -> str:
    """Return why the database refuses a game, past all services."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        Game.objects.create(**fields)
    return str(refusal.value)


def test_the_database_refuses_more_attempts_than_the_policy_has(alice: Player, open_daily: Open, now: datetime) -> None:
    daily = open_daily(attempts=2)
    fields = {"player": alice, "deal": daily.deal, "daily": daily, "created_at": now}
    assert "follows one that has ended" in refused(**fields, attempt=2)
    resign(start_ranked(alice, "standard", now), now)
    second = Game.objects.create(**fields, attempt=2)
    resign(second, now)
    assert "no more attempts" in refused(**fields, attempt=3)
    assert "attempts_from_one" in refused(**fields, attempt=0)
    refused(**fields, attempt=2)
    assert list(alice.games.order_by("attempt").values_list("attempt", flat=True)) == [1, second.attempt]


def test_the_database_refuses_a_second_attempt_beside_the_first(alice: Player, open_daily: Open, now: datetime) -> None:
    daily = open_daily(attempts=2)
    start_ranked(alice, "standard", now)
    assert "follows one that has ended" in refused(
        player=alice, deal=daily.deal, daily=daily, created_at=now, attempt=2
    )


@pytest.mark.parametrize("change", [{"stored_policy": PRACTICE.data}, {"suits": ""}, {"attempt": 2}, {"daily": None}])
def test_the_database_refuses_to_change_what_a_game_was_started_with(
    alice: Player, daily: DailyDeal, now: datetime, change: dict[str, object]
) -> None:
    game = start_ranked(alice, "standard", now)
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)


@pytest.mark.django_db(transaction=True)
def test_two_devices_that_start_at_the_same_moment_get_the_same_game(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    together, started = Barrier(4), []

    def start() -> None:
        together.wait(timeout=180)
        try:
            started.append(start_ranked(alice, "standard", now).id)
        finally:
            connection.close()

    devices = [Thread(target=start) for _ in range(4)]
    for device in devices:
        device.start()
    for device in devices:
        device.join()
    assert len(started) == 4
    assert len(set(started)) == Game.objects.count() == 1


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"attempts": 0},
        {"attempts": 101},
        {"attempts": "3"},
        {"attempts": 1.5},
        {"attempts": True},
        {"undo": 1},
        {"undo": "yes"},
        {"minimum_age_days": -1},
        {"tries": 3},
    ],
    ids=str,
)
def test_what_is_no_policy_is_refused(data: object) -> None:
    with pytest.raises(PolicyError):
        Policy.from_data(data)
