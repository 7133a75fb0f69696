"""Abandoned data is removed, unless others depend on it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from knox.models import AuthToken

from games.calendar.models import DailyDeal
from games.personal_data import retention
from games.personal_data.erasure import erase_player
from games.personal_data.models import Erasure
from games.personal_data.retention import forget_guest_practice, forget_idle_guests
from games.play.journal.statements import write_changes
from games.play.models import Game, Move
from games.play.refusals import TooManyGames
from games.play.starting import permit_restart, start_again, start_practice, start_ranked
from games.players.models import Player
from games.rules import DRAW
from games.worker import tasks
from tests.games.ways_to_play import open_session

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def guest(now: datetime) -> Player:
    """A guest who came in by a page, has no token, and was here last 31 days before `now`."""
    player = Player.objects.create(username="guest-k2m8p1xz7f3q", is_guest=True)
    Player.objects.filter(pk=player.pk).update(date_joined=now - 31 * DAY, last_login=now - 31 * DAY)
    return player


def practised(player: Player, at: datetime, *, ended: bool = True) -> Game:
    game = start_practice(player, "relaxed", at)
    session = open_session(game, at)
    changes = [session.act(DRAW, 0, at)]
    write_changes(connection, [*changes, session.resign(1, at)] if ended else changes)
    return game


def test_a_guest_who_never_finished_a_game_is_removed_after_a_while(guest: Player, now: datetime) -> None:
    practised(guest, now - 31 * DAY, ended=False)
    assert forget_idle_guests(now - 2 * DAY) == 0
    assert forget_idle_guests(now) == 1
    assert (Player.objects.count(), Game.objects.count(), Move.objects.count()) == (0, 0, 0)
    erasure = Erasure.objects.get()
    assert (erasure.player, erasure.games, erasure.is_open) == (None, 1, False)


@pytest.mark.parametrize("reason", ["token", "session", "new game", "finished game", "named", "new"])
def test_a_guest_who_may_come_back_stays(guest: Player, now: datetime, reason: str) -> None:
    if reason == "token":
        AuthToken.objects.create(guest)
        AuthToken.objects.update(expiry=now + DAY)
    elif reason == "new game":
        practised(guest, now - DAY, ended=False)
    elif reason == "finished game":
        practised(guest, now - 31 * DAY)
    else:
        changed: dict[str, dict[str, Any]] = {
            "session": {"last_login": now},
            "named": {"is_guest": False},
            "new": {"date_joined": now},
        }
        Player.objects.filter(pk=guest.pk).update(**changed[reason])
    assert forget_idle_guests(now) == 0
    assert Player.objects.get() == guest


def test_guests_who_cannot_be_removed_do_not_keep_others_from_it(
    guest: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "TOGETHER", 2)
    practised(guest, now - 91 * DAY)
    assert forget_guest_practice(now) == 1
    long_gone = {"date_joined": now - 31 * DAY, "last_login": now - 31 * DAY}
    gone, idle = (Player.objects.create(username=name, is_guest=True) for name in ("guest-gone", "guest-idle"))
    erase_player(gone, "asked for it", None, now)
    Player.objects.filter(pk__in=[gone.pk, idle.pk]).update(**long_gone)
    assert forget_idle_guests(now) == 1
    assert set(Player.objects.all()) == {guest, gone}


def test_a_guest_with_a_ranked_game_stays(guest: Player, daily: DailyDeal, now: datetime) -> None:
    game = start_ranked(guest, "standard", now)
    assert forget_idle_guests(now + 60 * DAY) == 0
    assert forget_guest_practice(now + 200 * DAY) == 0
    assert Game.objects.get() == game


def test_practice_of_guests_is_deleted_after_ninety_days(guest: Player, bob: Player, now: datetime) -> None:
    Player.objects.filter(pk=bob.pk).update(is_guest=False)
    first = practised(guest, now - 91 * DAY)
    start_again(first, now - 91 * DAY)
    young, kept = practised(guest, now - 89 * DAY), practised(bob, now - 91 * DAY)
    assert forget_guest_practice(now) == 2
    assert set(Game.objects.all()) == {young, kept}
    assert Erasure.objects.get().games == 2
    assert forget_guest_practice(now) == 0
    assert Player.objects.filter(pk=guest.pk).exists()


def test_a_game_that_was_restarted_lately_stays(guest: Player, now: datetime) -> None:
    again = start_again(practised(guest, now - 92 * DAY), now - 91 * DAY)
    start_again(again, now)
    assert forget_guest_practice(now) == 0
    assert not Erasure.objects.exists()


def test_history_is_guarded_as_before(guest: Player, now: datetime) -> None:
    practised(guest, now - 31 * DAY, ended=False)
    forget_idle_guests(now)
    practised(Player.objects.create(username="bob"), now)
    for statement in (
        "DELETE FROM games_move",
        "DELETE FROM games_game",
        "UPDATE games_erasure SET is_open = NOT is_open",
        "UPDATE games_erasure SET games = 0",
        "DELETE FROM games_erasure",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_the_worker_does_all_of_it() -> None:
    names = {task.run.__name__ for task in tasks._tasks}
    assert {"forget_idle_guests", "forget_guest_practice", "forget_expired_sessions"} <= names


def test_practice_games_of_a_day_are_limited(
    alice: Player, bob: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "practice", (2, 24 * 60 * 60))
    game = practised(alice, now)
    start_practice(alice, "relaxed", now)
    with pytest.raises(TooManyGames, match="2 practice games"):
        start_practice(alice, "relaxed", now)
    with pytest.raises(TooManyGames):
        permit_restart(game, now)
    assert Game.objects.count() == 2
    start_practice(bob, "relaxed", now)
