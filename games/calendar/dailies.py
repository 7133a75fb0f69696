"""The calendar of daily deals."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count

from games.calendar.models import DailyDeal, Deal
from games.calendar.programme import scheduled
from games.calendar.refusals import UnknownDaily
from games.deals.beacons import BEACONS, Beacon
from games.deals.certify import first_fitting
from games.deals.daily import SEED_BYTES, DailyKey, DailyState
from games.deals.grading import Grade
from games.deals.policy import Policy
from games.deals.programme import Scheduled
from games.rules import RULE_SETS
from games.runtime.memory import Memory
from games.tlog import tree

MOST_DAYS = 100
UNKNOWN = timedelta(minutes=1)  # for at least so long nobody knows the round of a deal that is committed to


class KnownDay(NamedTuple):
    """The daily deals of a day with their cards, read-only; `told` caches what interfaces made of them, by state."""

    dailies: Sequence[DailyDeal]
    told: dict[DailyState, Any]


_days: Memory[KnownDay] = Memory("days", MOST_DAYS)


def ensure_dailies(now: datetime) -> list[DailyDeal]:
    """Commit to the missing deals of today and the coming days, and return the new ones.

    Safe to call at any time and from several processes at once.
    """
    created = [commit_to_daily(deal, now) for deal in missing_dailies(now, settings.PYRAMID_DAILIES_AHEAD_DAYS)]
    return [daily for daily in created if daily is not None]


def missing_dailies(now: datetime, days_ahead: int) -> list[Scheduled]:
    """Return the deals of the programme without a commitment, for today and the coming days, the nearest first."""
    present = {daily.key for daily in DailyDeal.objects.filter(day__gte=now.date())}
    return [deal for deal in scheduled(now.date(), days_ahead + 1) if deal.key not in present]


def coming_dailies(first: date, days: int) -> list[Scheduled]:
    """Return the deals of a day and the following ones, in order: what is committed to stays, whatever is scheduled."""
    rows = DailyDeal.objects.filter(day__gte=first, day__lt=first + timedelta(days=days)).order_by("pk")
    committed = {row.key: Scheduled(row.key, Grade(row.grade) if row.grade else None, row.policy) for row in rows}
    coming = {deal.key: deal for deal in scheduled(first, days)} | committed
    return sorted(coming.values(), key=lambda deal: deal.key.day)


def days_committed(now: datetime) -> int:
    """Return for how many days, today included, all daily deals are committed to, one after the other."""
    days_ahead: int = settings.PYRAMID_DAILIES_AHEAD_DAYS
    missing = missing_dailies(now, days_ahead)
    return (missing[0].key.day - now.date()).days if missing else days_ahead + 1


def commit_to_daily(asked: Scheduled, now: datetime) -> DailyDeal | None:
    """Commit to one deal, or return None if another process was first."""
    seed, beacon = secrets.token_bytes(SEED_BYTES), _awaited(asked, now)
    chosen = _Chosen(asked, seed, now, beacon, None if beacon else found_deal(asked.key, seed, asked.grade, now))
    with suppress(IntegrityError), transaction.atomic():
        tree.lock()  # so that the order of the rows is that of the log
        return _append(chosen)
    return None


class FoundDeal(NamedTuple):
    """The first deal of a seed that fits, not stored yet, and which of its decks that is."""

    candidate: int
    deal: Deal


def found_deal(key: DailyKey, seed: bytes, grade: Grade | None, now: datetime) -> FoundDeal:
    """Return the deal that a seed leads to; if none fits, or one is undecided, it is the first."""
    fitting = first_fitting(key, seed, grade)
    deck = key.deck(seed, fitting or 0).text
    is_winnable = None if fitting is None else True
    return FoundDeal(fitting or 0, Deal(rules=key.rules, deck=deck, created_at=now, is_winnable=is_winnable))


def _awaited(asked: Scheduled, now: datetime) -> Beacon | None:
    """Return the beacon that a deal is to depend on, None if there is no time left in which its round is unknown."""
    if asked.beacon is None:
        return None
    beacon = BEACONS[asked.beacon]
    number = beacon.round_for(asked.key.opens_at)
    return beacon if now + UNKNOWN < beacon.time_of(number) else None


class _Chosen(NamedTuple):
    """The seed to commit to, with its deal or the beacon that the deal depends on."""

    asked: Scheduled
    seed: bytes
    at: datetime
    beacon: Beacon | None
    found: FoundDeal | None


def _append(chosen: _Chosen) -> DailyDeal:
    """Store a commitment and append its leaf. Raises `IntegrityError` if another process was first."""
    (key, grade, policy, _), seed, now, beacon, found = chosen
    last = newest_commitment()
    committed_at = now.replace(microsecond=0)
    daily = DailyDeal(
        day=key.day,
        rules=key.rules,
        division=key.division,
        seed=seed.hex(),
        commitment=key.commitment(seed),
        # The clocks of two processes may differ, but times in the log never decrease.
        committed_at=max(committed_at, last.committed_at) if last else committed_at,
        grade=grade,
        beacon=beacon.name if beacon else "",
        round=beacon.round_for(key.opens_at) if beacon else 0,
        stored_policy=_policy_of(key, policy).data,
    )
    if found is not None:
        found.deal.save(force_insert=True)
        daily.deal, daily.candidate = found.deal, found.candidate
    daily.save(force_insert=True)
    tree.append(daily.leaf, now)
    forget_day(key.day)
    return daily


def _policy_of(key: DailyKey, asked: Policy) -> Policy:
    """Return the policy of a coming deal, the same for all divisions of its day."""
    sibling = DailyDeal.objects.filter(day=key.day, rules=key.rules).first()
    return asked if sibling is None else sibling.policy


def commitments(after: int, most: int) -> list[DailyDeal]:
    """Return the commitments after one of them, in the order in which they were made, coming days included."""
    return list(DailyDeal.objects.filter(pk__gt=after).order_by("pk")[:most])


def newest_commitment() -> DailyDeal | None:
    return DailyDeal.objects.order_by("-pk").first()


def dailies_of(day: date) -> Sequence[DailyDeal]:
    """Return the daily deals of a day, which may be in the future; the rows are shared, do not change them."""
    return known_day(day).dailies


def known_day(day: date) -> KnownDay:
    """Return the cached deals of a day, which may still lie ahead.

    A deal never changes, except for its measures. Others may have been added in the last seconds, by a process whose
    notice was lost.
    """
    return _days.get(day.isoformat(), partial(_read_day, day)) or KnownDay((), {})


def remembered_day(day: date) -> KnownDay | None:
    """Return the cached deals of a day, or None. Never blocks."""
    return _days.recall(day.isoformat())


def remembered_dailies(day: date) -> Sequence[DailyDeal]:
    """Return the daily deals of a day as far as they are cached. Never blocks."""
    known = remembered_day(day)
    return known.dailies if known is not None else ()


def _read_day(day: date) -> KnownDay | None:
    dailies = tuple(DailyDeal.objects.filter(day=day).select_related("deal"))
    return KnownDay(dailies, {}) if dailies else None


def forget_day(day: date) -> None:
    """Forget the cached deals of a day."""
    _days.forget(day.isoformat())


def past_dailies(before: date, most_days: int) -> list[DailyDeal]:
    """Return the daily deals of the last days before a date, newest first."""
    days = DailyDeal.objects.filter(day__lt=before).order_by("-day").values_list("day", flat=True).distinct()
    return list(DailyDeal.objects.filter(day__in=list(days[:most_days])).select_related("deal"))


def day_before(day: date) -> date | None:
    """Return the last day with deals before another day; days on which the server was off may have none."""
    return DailyDeal.objects.filter(day__lt=day).order_by("-day").values_list("day", flat=True).first()


def day_after(day: date, newest: date) -> date | None:
    """Return the first day with deals after another day, up to the newest that may be shown."""
    later = DailyDeal.objects.filter(day__gt=day, day__lte=newest)
    return later.order_by("day").values_list("day", flat=True).first()


def rules_played_since(day: date) -> list[str]:
    """Return the rule sets of the daily deals since a day, those of most deals first."""
    counted = DailyDeal.objects.filter(day__gte=day).order_by().values("rules").annotate(deals=Count("pk"))
    return list(counted.order_by("-deals", "rules").values_list("rules", flat=True))


def opened_dailies(day: date, rules: str, now: datetime) -> dict[str, DailyDeal]:
    """Return the deals of a day by division. Raises `UnknownRuleSet`, or `UnknownDaily` before they open."""
    slug = RULE_SETS[rules].slug
    dailies = _dailies_of_rules(day, slug) if day <= now.date() else []
    if not dailies:
        raise UnknownDaily(f"there is no daily deal of {slug} on {day.isoformat()}, or it has not opened yet")
    return {daily.division: daily for daily in dailies}


def _dailies_of_rules(day: date, slug: str) -> list[DailyDeal]:
    known = [daily for daily in dailies_of(day) if daily.rules == slug]
    return known or list(DailyDeal.objects.filter(day=day, rules=slug).select_related("deal"))


def daily_of(deal: Deal) -> DailyDeal | None:
    """Return the daily deal of a deal, None for one that is for practice only."""
    daily: DailyDeal | None = getattr(deal, "daily", None)
    return daily
