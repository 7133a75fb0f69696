"""The calendar of daily deals."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction

from games.deals.certify import first_fitting
from games.deals.chain import FIRST_LINK
from games.deals.daily import SEED_BYTES, DailyKey, Division
from games.deals.policy import Policy
from games.errors import UnknownDaily
from games.models import DailyDeal, Deal, Game, Player
from games.rules import RULE_SETS

MOST_TRIES = 50


def ensure_dailies(now: datetime) -> list[DailyDeal]:
    """Commit to the deals of today and the coming days that are still missing, and return the new ones.

    Safe to call at any time and from several processes at once.
    """
    created = [commit_to_daily(key, now) for key in missing_dailies(now, settings.PYRAMID_DAILIES_AHEAD_DAYS)]
    return [daily for daily in created if daily is not None]


def missing_dailies(now: datetime, days_ahead: int) -> list[DailyKey]:
    """Return what is still to be committed to for today and so many coming days, the next first."""
    days = [now.date() + timedelta(days=ahead) for ahead in range(days_ahead + 1)]
    slugs = [RULE_SETS[name].slug for name in settings.PYRAMID_DAILY_RULE_SETS]
    keys = [DailyKey(day, slug, division) for day in days for slug in slugs for division in Division]
    present = {daily.key for daily in DailyDeal.objects.filter(day__gte=days[0])}
    return [key for key in keys if key not in present]


def commit_to_daily(key: DailyKey, now: datetime) -> DailyDeal | None:
    """Commit to one deal, or return None if another process was first."""
    seed = secrets.token_bytes(SEED_BYTES)
    winnable = first_fitting(key, seed)
    candidate = winnable or 0
    deck = key.deck(seed, candidate).text
    deal = Deal(rules=key.rules, deck=deck, created_at=now, is_winnable=None if winnable is None else True)
    for _ in range(MOST_TRIES):
        with suppress(IntegrityError), transaction.atomic():
            return _append_to_chain(key, seed, candidate, deal)
        if DailyDeal.objects.filter(day=key.day, rules=key.rules, division=key.division).exists():
            return None
    raise RuntimeError(f"other processes were faster to append to the chain of commitments {MOST_TRIES} times")


def _append_to_chain(key: DailyKey, seed: bytes, candidate: int, deal: Deal) -> DailyDeal:
    """Store a daily deal as the next link of the chain. Raises `IntegrityError` if another process took its place."""
    last = DailyDeal.objects.order_by("-number").first()
    committed_at = deal.created_at.replace(microsecond=0)
    daily = DailyDeal(
        number=last.number + 1 if last else 1,
        day=key.day,
        rules=key.rules,
        division=key.division,
        seed=seed.hex(),
        commitment=key.commitment(seed),
        # Two processes' clocks may differ; the chain never runs backwards.
        committed_at=max(committed_at, last.committed_at) if last else committed_at,
        candidate=candidate,
        policy=_policy_of(key).data,
    )
    daily.link = daily.link_after(last.link if last else FIRST_LINK)
    deal.save(force_insert=True)
    daily.deal = deal
    daily.save(force_insert=True)
    return daily


def _policy_of(key: DailyKey) -> Policy:
    """Return the policy of a coming deal, the same for all divisions of its day. Raises `PolicyError`."""
    sibling = DailyDeal.objects.filter(day=key.day, rules=key.rules).first()
    if sibling is not None:
        return sibling.terms
    chosen = {RULE_SETS[name].slug: policy for name, policy in settings.PYRAMID_DAILY_POLICIES.items()}
    return Policy.from_data(chosen.get(key.rules, {}))


def commitments(after: int, most: int) -> list[DailyDeal]:
    """Return what was committed to after a number of the chain, in order; days that lie ahead too."""
    return list(DailyDeal.objects.filter(number__gt=after).order_by("number")[:most])


def dailies_of(day: date) -> list[DailyDeal]:
    """Return the daily deals of a day, which may still lie ahead."""
    return list(DailyDeal.objects.filter(day=day).select_related("deal"))


def past_dailies(before: date, most_days: int) -> list[DailyDeal]:
    """Return the daily deals of the last days before a date, the newest first."""
    days = DailyDeal.objects.filter(day__lt=before).order_by("-day").values_list("day", flat=True).distinct()
    return list(DailyDeal.objects.filter(day__in=list(days[:most_days])).select_related("deal"))


def opened_dailies(day: date, rules: str, now: datetime) -> dict[str, DailyDeal]:
    """Return the deals of a day by division. Raises `UnknownRuleSet`, or `UnknownDaily` before they open."""
    slug = RULE_SETS[rules].slug
    dailies = [] if day > now.date() else DailyDeal.objects.filter(day=day, rules=slug).select_related("deal")
    if not dailies:
        raise UnknownDaily(f"there is no daily deal of {slug} on {day.isoformat()}, or it has not opened yet")
    return {daily.division: daily for daily in dailies}


def attempts_at(dailies: list[DailyDeal], player: Player) -> dict[int | None, Game]:
    """Return the player's newest ranked attempts at these deals by the key of the deal's row."""
    return {attempt.daily_id: attempt for attempt in player.games.filter(daily__in=dailies).order_by("attempt")}
