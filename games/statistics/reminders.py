"""Remind players of a streak that ends with the day."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.notifications.notifications import Facts, NotificationKind, register
from games.play.models import Game
from games.push.queueing import remind
from games.statistics.models import PlayedDays
from games.statistics.streaks import Days

BEFORE_THE_END = timedelta(hours=3)


def remind_of_streaks(now: datetime) -> None:
    """In the last hours of a day, remind some more of those who want it and whose streak needs a game today."""
    if _end_of(now.date()) - now <= BEFORE_THE_END:
        today = now.date()
        remind(STREAK, today.isoformat(), now, lambda players: _at_risk(players, today))


def _at_risk(players: Sequence[int], today: date) -> dict[int, Facts]:
    """Return the lengths of the streaks that end unless their players play today: those without a day of rest left."""
    playing = _who_played(players, today)
    found: dict[int, Facts] = {}
    for player, stretches in PlayedDays.objects.filter(player__in=players).values_list("player", "played"):
        days = Days.from_data(stretches)
        length = days.rested_streak(today).current
        if player not in playing and length and not days.rested_streak(today + timedelta(days=1)).current:
            found[player] = {"day": today.isoformat(), "length": length}
    return found


def _who_played(players: Sequence[int], day: date) -> set[int]:
    """Return who has begun a daily deal of a day."""
    games = Game.objects.filter(player__in=players, daily__day=day).order_by()
    return set(games.values_list("player", flat=True))


def _words(facts: Facts) -> str:
    length: int = facts["length"]
    end = date_format(localtime(_end_of(date.fromisoformat(facts["day"]))), "H:i T")
    text = ngettext(
        "Your streak of %(count)d day ends at %(end)s unless you play today's deal.",
        "Your streak of %(count)d days ends at %(end)s unless you play today's deal.",
        length,
    )
    return text % {"count": length, "end": end}


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)


STREAK = register(
    NotificationKind(
        "streak",
        _("A streak that ends in three hours"),
        _words,
        lambda facts: reverse("web:home"),
        is_pushed=True,
        is_listed=False,
        useful_until=lambda facts, at: _end_of(date.fromisoformat(facts["day"])),
        still_holds=lambda player, facts, now: not _who_played([player], date.fromisoformat(facts["day"])),
    )
)
