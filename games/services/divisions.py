"""In which division of the daily deals a player competes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from games.deals.daily import DailyKey, Division
from games.deals.policy import Policy
from games.models import DailyDeal, DayDivision, Player


def enter_division(player: Player, daily: DailyDeal) -> str:
    """Return the division in which the player competes on a daily deal's day, which is fixed from now on.

    It is the same for all rule sets, and whatever becomes of the account on that day.
    """
    eligible = eligible_division(player, daily.key, daily.terms)
    return DayDivision.objects.get_or_create(player=player, day=daily.day, defaults={"division": eligible})[0].division


def fixed_divisions(player: Player, days: Iterable[date]) -> dict[date, str]:
    """Return in which divisions a player has started on these days."""
    return dict(player.day_divisions.filter(day__in=set(days)).values_list("day", "division"))


def eligible_division(player: Player | None, key: DailyKey, policy: Policy) -> Division:
    """Return the division that a player would start in: only what was so before the day opened counts."""
    named_since = player.named_since if player is not None else None
    if player is None or named_since is None or named_since >= key.opens_at:
        return Division.OPEN
    old_enough = key.opens_at - named_since >= timedelta(days=policy.minimum_age_days)
    return Division.MAIN if old_enough and _has_finished(player, key, policy) else Division.OPEN


def _has_finished(player: Player, key: DailyKey, policy: Policy) -> bool:
    least = policy.minimum_finished_games
    return least == 0 or player.games.filter(finished_at__lt=key.opens_at)[:least].count() == least
