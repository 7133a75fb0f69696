"""The priority of cases: strength of the evidence x height of the rank x age."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log2

from leaderboards.detectors.findings import Strength
from leaderboards.moderation.models import Case

POINTS = {Strength.CASE: 4.0, Strength.WATCH: 1.5, Strength.SUPPORT: 0.5, Strength.PRIORITY: 0.5}
MOST_FOR_REPORTS = 1.5  # however many reports there are, one finding that makes a case weighs more
LEAST = 0.05
DOUBLES_EVERY = timedelta(days=7)
HALF_WAY = 4.0


@dataclass(frozen=True, slots=True)
class Priority:
    """The urgency of a case, 0 to 100, and its three factors, 0 to 1 each."""

    number: int
    strength: float
    rank: float
    age: float


def strength_of(strengths: Iterable[str], reporters: int) -> float:
    """Return the strength of evidence: the strongest finding in full, each other by half of the one before.

    Reports count by the logarithm of how many independent players made them.
    """
    points = sorted((POINTS[Strength(strength)] for strength in strengths), reverse=True)
    found = sum((own / (1 << place) for place, own in enumerate(points)), 0.0)
    return found + min(MOST_FOR_REPORTS, 0.5 * log2(1 + reporters))


def urgency_of(strength: float, rank: int | None, opened_at: datetime) -> float:
    """Return the sort key of a case: on a logarithmic scale age adds the same to all, so stored keys stay valid."""
    return log2(max(LEAST, strength) * _rank_factor(rank)) - opened_at.timestamp() / DOUBLES_EVERY.total_seconds()


def priority_of(case: Case, now: datetime) -> Priority:
    weight = 2 ** (case.urgency + now.timestamp() / DOUBLES_EVERY.total_seconds())
    age = (now - case.opened_at) / DOUBLES_EVERY
    strength = case.strength / (case.strength + HALF_WAY)
    return Priority(round(100 * weight / (weight + HALF_WAY)), strength, _rank_factor(case.rank) - 1, 1 - 2**-age)


def _rank_factor(rank: int | None) -> float:
    """Return 2 for rank 1, decreasing towards 1 for lower ranks and for an entry without a rank."""
    return 1 + 1 / (1 + log2(rank)) if rank else 1.0
