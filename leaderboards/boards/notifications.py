"""The notification of a place on a day's board that somebody else has now."""

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.deals.daily import DailyKey
from games.notifications.notifications import Facts, NotificationKind, register
from leaderboards.boards.catalog import BoardKey
from leaderboards.boards.titles import short_title


def _words(facts: Facts) -> str:
    if facts["before"] is None:
        text = gettext("%(by)s, whom you follow, has passed you: %(board)s.")
    else:
        text = gettext("%(by)s has passed you: you are number %(after)d now (%(board)s).")
    return text % {**facts, "board": short_title(facts["board"])}


def _closes_at(facts: Facts, at: datetime) -> datetime:
    key = BoardKey.parse(facts["board"])
    return DailyKey(key.first, key.rules, key.division).closes_at


OVERTAKEN = register(
    NotificationKind(
        "overtaken",
        _("Your place on a day's table is taken"),
        _words,
        lambda facts: reverse("boards:board", args=[facts["board"]]),
        is_pushed=True,
        useful_until=_closes_at,
    )
)
