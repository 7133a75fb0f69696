"""Verify daily deals by recomputing them from their seeds."""

from datetime import date
from itertools import pairwise

from games.beacon.models import BeaconOutcome
from games.beacon.signatures import is_signed
from games.calendar.models import DailyDeal
from games.deals.beacons import BEACONS
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
        *_mistakes_in_outcomes(),
    ]


def mistakes_in(daily: DailyDeal) -> list[str]:
    """Return the mistakes in a daily deal, in words that reveal nothing secret."""
    key, committed = daily.key, bytes.fromhex(daily.seed)
    is_committed = key.commitment(committed) == daily.commitment
    outcome = BeaconOutcome.objects.filter(day=daily.day, rules=daily.rules).first() if daily.beacon else None
    if not daily.is_dealt:
        return [] if is_committed else [f"the seed of {key} is not the one that was committed to"]
    if daily.beacon and (outcome is None or mistaken(daily, outcome)):
        return [f"the round on which the deal of {key} depends is not the one that was committed to"]
    seed = outcome.seed_from(committed) if outcome else committed
    grade = Grade(daily.grade) if daily.grade else None
    fits = f"can be won and is {grade}" if grade else "can be won"
    checks = {
        f"the seed of {key} is not the one that was committed to": is_committed,
        f"the deck of {key} is not the one that its seed leads to": key.deck(seed, daily.candidate).text
        == daily.deal.deck,
        f"the deck of {key} is not the first of its seed that {fits}": (first_fitting(key, seed, grade) or 0)
        == daily.candidate,
        f"{key} has a deal of other rules": daily.deal.rules == daily.rules,
    }
    return [mistake for mistake, holds in checks.items() if not holds]


def mistaken(daily: DailyDeal, outcome: BeaconOutcome) -> bool:
    """Return True if the outcome is not that of the round which a deal depends on, or is not signed by its beacon."""
    beacon = BEACONS[daily.beacon]
    named = daily.beacon, daily.round
    is_right = named == (outcome.beacon, outcome.round) == (beacon.name, beacon.round_for(daily.key.opens_at))
    signature = bytes.fromhex(outcome.signature)
    return not is_right or bool(signature and not is_signed(beacon, daily.round, signature))


def _mistakes_in_outcomes() -> list[str]:
    """Return what the log does not have as it is of the rounds of days, and what it has beside them."""
    logged = {leaf.text for _, leaf in tree.leaves_of_kind("beacon/1")}
    decided = {outcome.leaf.text for outcome in BeaconOutcome.objects.all()}
    return [
        *(f"the log does not have the round of a day: {text}" for text in sorted(decided - logged)),
        *(f"the log has a round that no day depends on: {text}" for text in sorted(logged - decided)),
    ]
