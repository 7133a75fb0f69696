"""The days that are over, each with its tables by fewest moves."""

from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from games.calendar.models import DailyDeal
from games.deals.daily import DailyKey, first_day_not_public
from games.rules import RULE_SETS
from leaderboards.boards.catalog import FEWEST_MOVES, BoardKey, Entrants, Period
from leaderboards.boards.models import Board

DAYS = 7


class Day(NamedTuple):
    """A day that is over, with the boards on which somebody is."""

    key: DailyKey  # of any of its deals
    is_final: bool
    boards: list[Board]


def days_over(now: datetime, days: int = DAYS) -> list[Day]:
    """Return the last days whose deals are public, newest first."""
    last = first_day_not_public(now) - timedelta(days=1)
    dailies = DailyDeal.objects.filter(day__range=(last - timedelta(days=days - 1), last))
    keys = sorted((daily.key for daily in dailies), key=_order)
    found = {board.slug: board for board in Board.objects.filter(slug__in=[_slug(key) for key in keys])}
    return [
        Day(of_day[0], now >= of_day[0].final_at, [found[_slug(key)] for key in of_day if _slug(key) in found])
        for of_day in (list(group) for __, group in groupby(keys, attrgetter("day")))
    ]


def _order(key: DailyKey) -> tuple[int, int, str]:
    return -key.day.toordinal(), list(RULE_SETS).index(key.rules), key.division


def _slug(key: DailyKey) -> str:
    return str(BoardKey(Period.DAILY, key.day, key.rules, key.division, Entrants.PEOPLE, FEWEST_MOVES))
