"""The first clubs of a week whose last day is sealed."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from games.calendar.models import DailyDeal
from leaderboards.audit.models import DayRoot
from leaderboards.boards.catalog import Period
from leaderboards.clubs.week import ClubRow, find_table
from leaderboards.webhooks.models import Delivery, WebhookEvent
from leaderboards.webhooks.payloads import ClubOfAWeek, ClubsOfAWeek

FIRST = 3


class ClubWeek(NamedTuple):
    """The first clubs of a week on a deal of its last day."""

    subject: str
    at: datetime
    data: ClubsOfAWeek


def club_weeks(since: datetime, now: datetime) -> Iterator[ClubWeek]:
    """Yield the weeks whose last day was sealed in a span of time, unless they are stored or no club has points."""
    for root in DayRoot.objects.filter(made_at__range=(since, now)):
        if root.day == Period.WEEKLY.last_day(Period.WEEKLY.first_day(root.day)):
            week = Period.WEEKLY.date_text(root.day)
            for daily in DailyDeal.objects.filter(day=root.day):
                subject = f"{week}.{daily.rules}.{daily.division}"
                if not Delivery.objects.filter(event=WebhookEvent.CLUB_WEEK, subject=subject).exists():
                    yield from _week(subject, root.made_at, (week, daily.rules, daily.division), now)


def _week(subject: str, at: datetime, of: tuple[str, str, str], now: datetime) -> Iterator[ClubWeek]:
    if rows := find_table(*of, now).rows(0, FIRST):
        yield ClubWeek(subject, at, ClubsOfAWeek(*of, [_club(row) for row in rows]))


def _club(row: ClubRow) -> ClubOfAWeek:
    return ClubOfAWeek(row.club.pk, row.club.name, row.rank, row.values["points"], row.members)
