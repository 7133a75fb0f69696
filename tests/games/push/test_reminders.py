"""Reminders of the day reach those who want them, once, while they are of use."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from games.calendar.models import DailyDeal
from games.days.reminders import tell_of_new_day
from games.notifications.models import Notification
from games.play.starting import start_ranked
from games.players.models import Player
from games.push import queueing
from games.push.models import PushMessage, QuietHours
from games.statistics.models import PlayedDays
from games.statistics.reminders import remind_of_streaks
from tests.games.push.conftest import Subscribe, Work
from tests.games.push.service import Browser
from tests.listener import Listener

pytestmark = pytest.mark.django_db

MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)
EVENING = MIDNIGHT + timedelta(hours=21)


def bodies(service: Listener, browser: Browser) -> list[str]:
    return [browser.read(body)["body"] for path, _, body in service.arrived if browser.endpoint.endswith(path)]


def played(player: Player, first: date, last: date) -> None:
    PlayedDays.objects.create(player=player, played=[[first.toordinal(), last.toordinal()]])


def test_a_new_day_is_told_once_to_those_who_want_it(
    daily: DailyDeal, alice: Player, bob: Player, subscribe: Subscribe, service: Listener, work: Work
) -> None:
    phone, desktop = subscribe(alice, "day"), subscribe(alice, "day", language="de")
    other = subscribe(bob, "streak")
    for seconds in range(3):
        tell_of_new_day(MIDNIGHT + timedelta(seconds=seconds))
        work(MIDNIGHT + timedelta(seconds=seconds))
    assert bodies(service, phone) == ["The deals of March 1 are open."]
    assert bodies(service, desktop) == ["Die Tagesspiele vom 1. März sind offen."]
    assert bodies(service, other) == []
    assert not Notification.objects.exists()  # the list stays short


def test_many_devices_are_looked_at_once_each_some_at_a_time(
    daily: DailyDeal, alice: Player, bob: Player, subscribe: Subscribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queueing, "DEVICES_AT_ONCE", 2)
    for player in (alice, bob, alice, bob, alice):
        subscribe(player, "day")
    for told in (2, 4, 5, 5):
        tell_of_new_day(MIDNIGHT)
        assert PushMessage.objects.count() == told
    PushMessage.objects.all().delete()
    tell_of_new_day(MIDNIGHT + timedelta(hours=1))
    assert not PushMessage.objects.exists()


def test_a_day_that_is_not_there_is_not_told(alice: Player, subscribe: Subscribe) -> None:
    subscribe(alice, "day")
    tell_of_new_day(MIDNIGHT)
    assert not PushMessage.objects.exists()


def test_a_player_who_has_begun_the_day_needs_neither_reminder(
    daily: DailyDeal, alice: Player, subscribe: Subscribe, service: Listener, work: Work
) -> None:
    subscribe(alice, "day", "streak")
    played(alice, date(2026, 2, 27), date(2026, 2, 28))
    tell_of_new_day(MIDNIGHT)
    remind_of_streaks(EVENING)
    assert PushMessage.objects.count() == 2
    start_ranked(alice, "standard", EVENING)
    work(EVENING)
    assert service.arrived == []
    assert set(PushMessage.objects.values_list("outcome", flat=True)) == {"outdated"}


def test_a_streak_is_told_three_hours_before_it_ends_by_the_players_clock(
    daily: DailyDeal, alice: Player, subscribe: Subscribe, service: Listener, work: Work
) -> None:
    browser = subscribe(alice, "streak")
    QuietHours.objects.create(player=alice, time_zone="America/New_York", begins=22, ends=8)
    played(alice, date(2026, 2, 27), date(2026, 2, 28))
    remind_of_streaks(EVENING - timedelta(seconds=1))
    assert not PushMessage.objects.exists()
    for _ in range(2):
        remind_of_streaks(EVENING)
        work(EVENING)
    assert bodies(service, browser) == ["Your streak of 2 days ends at 19:00 EST unless you play today's deal."]
    [(_, headers, _)] = service.arrived
    assert headers["TTL"] == str(3 * 3600)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(2026, 2, 1), date(2026, 2, 28)),  # four weeks, with days of rest left
        (date(2026, 2, 26), date(2026, 2, 27)),  # over since yesterday
        (date(2026, 2, 28), date(2026, 3, 1)),  # today's game is counted already
    ],
)
def test_a_streak_that_does_not_end_today_is_not_told(
    daily: DailyDeal, alice: Player, subscribe: Subscribe, first: date, last: date
) -> None:
    subscribe(alice, "streak")
    played(alice, first, last)
    remind_of_streaks(EVENING)
    assert not PushMessage.objects.exists()
