"""Recomputing what daily deals claim, from the seed on."""

from __future__ import annotations

from datetime import date

from games.deals.certify import first_winnable
from games.deals.daily import FIRST_LINK, link
from games.models import DailyDeal


def dailies_to_verify(day: date | None, rules: str | None, division: str | None) -> list[DailyDeal]:
    """Return the daily deals of a day, a rule set and a division, or of all where one is None."""
    dailies = DailyDeal.objects.select_related("deal").order_by("number")
    asked = {"day": day, "rules": rules, "division": division}
    return list(dailies.filter(**{name: value for name, value in asked.items() if value is not None}))


def mistakes_in_chain() -> list[str]:
    """Return where the chain of commitments is broken first, if it is."""
    last = FIRST_LINK
    for number, daily in enumerate(DailyDeal.objects.order_by("number").iterator(), start=1):
        last = link(last, daily.commitment)
        if (daily.number, daily.link) != (number, last):
            return [f"the chain of commitments is broken at number {number}, {daily}"]
    return []


def mistakes_in(daily: DailyDeal) -> list[str]:
    """Return what does not hold of a daily deal, in words that tell nothing secret."""
    key, seed = daily.key, bytes.fromhex(daily.seed)
    checks = {
        f"the seed of {key} is not the one that was committed to": key.commitment(seed) == daily.commitment,
        f"the deck of {key} is not the one that its seed leads to": key.deck(seed, daily.candidate).text
        == daily.deal.deck,
        f"the deck of {key} is not the first of its seed that can be won": (first_winnable(key, seed) or 0)
        == daily.candidate,
        f"{key} has a deal of other rules": daily.deal.rules == daily.rules,
    }
    return [mistake for mistake, holds in checks.items() if not holds]
