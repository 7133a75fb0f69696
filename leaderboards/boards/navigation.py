"""The ways from one board to those beside it: other periods, orders, competitors and deals of its day."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.calendar.dailies import dailies_of
from games.calendar.models import DailyDeal
from games.play.words import word
from games.rules import RULE_SETS
from leaderboards.boards.catalog import RUN_TABLES, BoardKey, Entrants, Period
from leaderboards.boards.titles import table_title

PERIODS = {
    Period.DAILY: gettext_lazy("Day"),
    Period.WEEKLY: gettext_lazy("Week"),
    Period.MONTHLY: gettext_lazy("Month"),
    Period.ALL_TIME: gettext_lazy("All time"),
}
HEADINGS = {
    Period.DAILY: gettext_lazy("Table of the day"),
    Period.WEEKLY: gettext_lazy("Table of the week"),
    Period.MONTHLY: gettext_lazy("Table of the month"),
    Period.ALL_TIME: gettext_lazy("Table of all time"),
}


class Way(NamedTuple):
    """A board to go to, and whether it is the one shown."""

    slug: str
    title: str
    is_this: bool


def ways_from(key: BoardKey, today: date) -> dict[str, Any]:
    """Return the ways from a board, by what they change."""
    day = _day_of(key, today)
    return {
        "periods": [_way(key, _at(key, period, day), str(title)) for period, title in PERIODS.items()],
        "orders": [_way(key, other, table_title(other)) for other in _tables(key)],
        "everyone": str(replace(key, entrants=Entrants.PEOPLE)),
        "bots": _way(key, replace(key, entrants=Entrants.BOTS), _("Bots")),
        "deals": list(_deals(key, day)),
    }


def _day_of(key: BoardKey, today: date) -> date:
    """Return the last day so far that counts on a board."""
    days = DailyDeal.objects.filter(rules=key.rules, division=key.division, day__lte=min(key.last, today))
    return days.order_by("-day").values_list("day", flat=True).first() or today


def _at(key: BoardKey, period: Period, day: date) -> BoardKey:
    """Return the board of a period around a day, by the same order if the period has it."""
    at = replace(key, period=period, first=period.first_day(day))
    return at if at.table in at.tables else replace(at, table=period.tables[0])


def _tables(key: BoardKey) -> list[BoardKey]:
    own = RUN_TABLES if key.is_of_runs else key.period.tables
    tables = [replace(key, table=table) for table in own]
    return tables if len(tables) > 1 else []


def _deals(key: BoardKey, day: date) -> Iterator[Way]:
    """Yield the boards of the day's other rule sets and divisions; nothing if there is only one deal, or for runs."""
    if key.is_of_runs:
        return
    order = list(RULE_SETS)
    dailies = sorted(dailies_of(day), key=lambda daily: (order.index(daily.rules), daily.division != key.division))
    for daily in dailies if len(dailies) > 1 else ():
        other = replace(key, rules=daily.rules, division=daily.division)
        yield _way(key, other, f"{word(RULE_SETS[daily.rules].title)}, {_(daily.division)}")


def _way(key: BoardKey, other: BoardKey, title: str) -> Way:
    return Way(str(other), capfirst(title), other == key)
