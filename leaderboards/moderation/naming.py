"""The lists of a day: they are made once all of its games are examined, and who is on them gets a finding.

Bounds hold for the values at the close of a day, so games that are examined later are for the next lists.
"""

from __future__ import annotations

from datetime import date, datetime

import msgspec
from django.db import IntegrityError, transaction

from games.calendar.models import DailyDeal
from games.deals.daily import first_day_not_public
from leaderboards.detectors.accounts import Account, findings
from leaderboards.detectors.naming import BOTH, FORESIGHT, NEAR_PAR, WATCHED_SHARE, DayList
from leaderboards.detectors.thresholds import VERSION
from leaderboards.moderation.evidence_models import AccountEvidence, Examination, KeptList, Listing
from leaderboards.moderation.finding import keep_findings
from leaderboards.moderation.lists import newest_day
from leaderboards.moderation.turns import find_turns

FOUND_AT_ONCE = 100
LEAST_LISTED = 1 / WATCHED_SHARE  # no list, however long, has an account with less
COLUMNS = {FORESIGHT: "foresight", BOTH: "both", NEAR_PAR: "near_par"}


def make_lists(now: datetime) -> int:
    """Make the lists of the newest day whose games are all examined, unless that was done; return how many are on them.

    Days before it get none: the values are those of now.
    """
    day = _examined_day(now)
    if day is None:
        return 0
    try:
        with transaction.atomic():
            listed = sum(_made(day, detector, now) for detector in COLUMNS)
            Listing.objects.filter(list__day__lt=day).exclude(found_at=None).delete()  # only the newest accuse
    except IntegrityError:  # another worker was faster
        return 0
    find_turns(day, now)
    return listed


def find_listed(now: datetime) -> int:
    """Turn some new listings into findings and cases; return how many."""
    waiting = Listing.objects.filter(found_at=None).select_related("list").order_by("pk")[:FOUND_AT_ONCE]
    for listing in waiting:
        with transaction.atomic():
            _find(listing, now)
            Listing.objects.filter(pk=listing.pk).update(found_at=now)
    return len(waiting)


def _examined_day(now: datetime) -> date | None:
    waiting = DailyDeal.objects.filter(examined=None).values("day")
    days = DailyDeal.objects.filter(day__lt=first_day_not_public(now)).exclude(day__in=waiting)
    if listed := newest_day():
        days = days.filter(day__gt=listed)
    return days.order_by("-day").values_list("day", flat=True).first()


def _made(day: date, detector: str, now: datetime) -> int:
    column = COLUMNS[detector]
    judged = AccountEvidence.objects.filter(version=VERSION, games__gt=0)
    # Were those who are gone named again every day, there would be the more room for honest accounts beside them.
    there = judged.filter(player__banned_at=None, player__is_active=True)
    high = dict(there.filter(**{f"{column}__gte": LEAST_LISTED}).values_list("player", column))
    made = DayList.of(detector, list(high.values()), judged.count())
    kept = KeptList.objects.create(
        day=day,
        detector=detector,
        version=VERSION,
        accounts=made.watched.accounts,
        named=made.named.named,
        watched=made.watched.named,
        at=now,
    )
    listed = {player: value for player, value in high.items() if value >= made.watched.bar}
    Listing.objects.bulk_create(Listing(list=kept, player_id=player, value=value) for player, value in listed.items())
    return len(listed)


def _find(listing: Listing, now: datetime) -> None:
    kept = AccountEvidence.objects.get(player=listing.player_id, version=listing.list.version)
    last = Examination.objects.filter(player=listing.player_id).order_by("-at", "-pk").select_related("game").first()
    if last is not None:
        account = msgspec.convert(kept.state, Account)
        found = findings(account, [listing.list.as_judged])
        keep_findings(last.game, [one for one in found if one.detector == listing.list.detector], now)
