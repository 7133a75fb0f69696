"""Deals that depend on a beacon, found in the minute before their day opens.

The worker does it every second, and any other process may do it at the same time: which round a day has, or that it had
to do without, is decided once, by the first who stores it. What is decided outlives a worker that dies in between.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from itertools import groupby

from django.db import IntegrityError, transaction

from games.beacon import relays
from games.beacon.models import BeaconOutcome
from games.calendar.dailies import forget_day, found_deal
from games.calendar.models import DailyDeal
from games.deals.beacons import BEACONS, DEADLINE, LEAD
from games.deals.grading import Grade
from games.runtime.clock import clock
from games.tlog import tree

logger = logging.getLogger(__name__)

Tell = Callable[[], datetime]
NOBODY: relays.Ask = lambda *_: relays.Asked()  # noqa: E731  for a day that can no longer wait


def deal_days(now: datetime, tell: Tell = clock.now, ask: relays.Ask = relays.ask) -> list[DailyDeal]:
    """Deal the days whose minute has come, as far as their round is known or too late, and return the new deals."""
    waiting = DailyDeal.objects.filter(deal=None, day__lte=(now + LEAD).date())
    return _deal_all(waiting.order_by("day", "rules", "division"), now, tell, ask)


def deal_at_last(day: date, now: datetime) -> None:
    """Deal an open day that no worker has dealt, without asking anyone."""
    waiting = DailyDeal.objects.filter(deal=None, day=day).order_by("rules", "division")
    _deal_all(waiting, now, lambda: now, NOBODY)


def _deal_all(waiting: Iterable[DailyDeal], now: datetime, tell: Tell, ask: relays.Ask) -> list[DailyDeal]:
    groups = [(key, list(dailies)) for key, dailies in groupby(waiting, key=lambda daily: (daily.day, daily.rules))]
    signatures: dict[tuple[str, int], str | None] = {}
    decided = [(_decided(dailies[0], signatures, now, tell, ask), dailies) for _, dailies in groups]
    return [
        daily
        for outcome, dailies in decided
        for daily in dailies
        if outcome is not None and _deal(daily, outcome, tell())
    ]


def outcomes_of(dailies: Sequence[DailyDeal]) -> dict[tuple[date, str], BeaconOutcome]:
    """Return what is decided of the rounds on which deals depend, by day and rule set; one query, or none."""
    days = {daily.day for daily in dailies if daily.beacon}
    found = BeaconOutcome.objects.filter(day__in=days) if days else ()
    return {(outcome.day, outcome.rules): outcome for outcome in found}


def _decided(
    daily: DailyDeal, signatures: dict[tuple[str, int], str | None], now: datetime, tell: Tell, ask: relays.Ask
) -> BeaconOutcome | None:
    """Return what is decided of a deal's round; None as long as there is time to wait for it."""
    known = BeaconOutcome.objects.filter(day=daily.day, rules=daily.rules).first()
    beacon, deadline = BEACONS[daily.beacon], daily.key.opens_at - DEADLINE
    if known is not None or now < beacon.time_of(daily.round):
        return known
    asked = daily.beacon, daily.round
    if asked not in signatures:
        signatures[asked] = relays.ask_in_turn(beacon, daily.round, deadline, tell, ask)
    if signatures[asked] is None and now < deadline:
        return None
    return _decide(daily, signatures[asked] or "", tell())


def _decide(daily: DailyDeal, signature: str, now: datetime) -> BeaconOutcome:
    """Store the signature of a round, or that it is missing, unless another process was first; return what holds."""
    asked = {"day": daily.day, "rules": daily.rules}
    try:
        with transaction.atomic():
            outcome = BeaconOutcome.objects.create(
                **asked, beacon=daily.beacon, round=daily.round, signature=signature, decided_at=now
            )
            tree.append(outcome.leaf, now)
    except IntegrityError:
        return BeaconOutcome.objects.get(**asked)
    if not signature:
        logger.warning("round %d of %s came too late for the deals of %s", daily.round, daily.beacon, daily.key)
    forget_day(daily.day)
    return outcome


def _deal(daily: DailyDeal, outcome: BeaconOutcome, now: datetime) -> bool:
    """Find and store the deal of a day, and return True, or False if another process was first."""
    seed = outcome.seed_from(bytes.fromhex(daily.seed))
    found = found_deal(daily.key, seed, Grade(daily.grade) if daily.grade else None, now)
    with transaction.atomic():
        found.deal.save(force_insert=True)
        waiting = DailyDeal.objects.filter(pk=daily.pk, deal=None)
        is_first = waiting.update(deal=found.deal, candidate=found.candidate) == 1
        transaction.set_rollback(not is_first)
    if is_first:
        daily.deal, daily.candidate = found.deal, found.candidate
        forget_day(daily.day)
    return is_first
