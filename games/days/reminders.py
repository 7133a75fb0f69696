"""Tell players that the day is open."""

from datetime import date, datetime

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.calendar.dailies import dailies_of
from games.deals.daily import DailyKey
from games.notifications.notifications import Facts, NotificationKind, register
from games.play.models import Game
from games.push.queueing import remind


def tell_of_new_day(now: datetime) -> None:
    """Tell some more of those who want it that today's deals are open, once they are."""
    facts = {"day": now.date().isoformat()}
    if dailies_of(now.date()):
        remind(NEW_DAY, facts["day"], now, lambda players: dict.fromkeys(players, facts))


def _words(facts: Facts) -> str:
    return gettext("The deals of %(day)s are open.") % {
        "day": date_format(date.fromisoformat(facts["day"]), "MONTH_DAY_FORMAT")
    }


def _closes_at(facts: Facts, at: datetime) -> datetime:
    return DailyKey(date.fromisoformat(facts["day"]), "", "").closes_at


def _has_not_played(player: int, facts: Facts, now: datetime) -> bool:
    return not Game.objects.filter(player=player, daily__day=facts["day"]).exists()


NEW_DAY = register(
    NotificationKind(
        "day",
        _("The day is open"),
        _words,
        lambda facts: reverse("web:home"),
        is_pushed=True,
        is_listed=False,
        useful_until=_closes_at,
        still_holds=_has_not_played,
    )
)
