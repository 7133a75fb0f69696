"""Verify daily deals by recomputing them from their seeds."""

from datetime import date
from itertools import pairwise

from games.calendar.models import DailyDeal
from games.deals.certify import first_fitting
from games.deals.grading import Grade
from games.tlog import tree


def dailies_to_verify(day: date | None, rules: str | None, division: str | None) -> list[DailyDeal]:
    """Return the daily deals of a day, a rule set and a division, or of all where one is None."""
    dailies = DailyDeal.objects.select_related("deal").order_by("pk")
    asked = {"day": day, "rules": rules, "division": division}
    return list(dailies.filter(**{name: value for name, value in asked.items() if value is not None}))


def mistakes_in_commitments() -> list[str]:
    """Return the deals that the log does not have as they are, and commitments of the log that cannot be right."""
    logged = dict.fromkeys(leaf.text for _, leaf in tree.leaves_of_kind("commitment/1"))
    made = {daily.leaf.text: daily for daily in DailyDeal.objects.order_by("pk")}
    pairs = pairwise(made[text] for text in logged if text in made)
    return [
        *(f"the log does not have the commitment to {made[text]}" for text in made if text not in logged),
        *(f"the log has a commitment without a deal: {text}" for text in logged if text not in made),
        *(f"the log runs backwards at {later}" for daily, later in pairs if later.committed_at < daily.committed_at),
    ]


def mistakes_in(daily: DailyDeal) -> list[str]:
    """Return the mistakes in a daily deal, in words that reveal nothing secret."""
    key, seed = daily.key, bytes.fromhex(daily.seed)
    grade = Grade(daily.grade) if daily.grade else None
    fits = f"can be won and is {grade}" if grade else "can be won"
    checks = {
        f"the seed of {key} is not the one that was committed to": key.commitment(seed) == daily.commitment,
        f"the deck of {key} is not the one that its seed leads to": key.deck(seed, daily.candidate).text
        == daily.deal.deck,
        f"the deck of {key} is not the first of its seed that {fits}": (first_fitting(key, seed, grade) or 0)
        == daily.candidate,
        f"{key} has a deal of other rules": daily.deal.rules == daily.rules,
    }
    return [mistake for mistake, holds in checks.items() if not holds]
