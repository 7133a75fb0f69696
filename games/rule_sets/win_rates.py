"""The share of random deals that someone who sees every card can win, as `manage.py rates` counted it."""

from __future__ import annotations

from csv import DictReader
from functools import cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from games.rules import RuleSet

TABLE = Path(__file__).with_name("win_rates.csv")
"""A line for each rule set."""
NORMAL_QUANTILE = 1.959964
"""Nineteen of twenty values of a normal distribution lie within so many standard deviations."""


class Interval(NamedTuple):
    """The least and the greatest percentage that a count agrees with."""

    low: float
    high: float


class Count(NamedTuple):
    """The deals that were looked at, those that can be won, and those of which the solver does not know it."""

    deals: int
    won: int
    undecided: int

    @property
    def interval(self) -> Interval:
        """The share of all deals that can be won, in per cent, with 95 % confidence.

        Undecided deals may all be lost or all be won: the lower end is that of Wilson's interval for the former, the
        upper end that for the latter.
        """
        low, _ = wilson(self.won, self.deals)
        _, high = wilson(self.won + self.undecided, self.deals)
        return Interval(100 * low, 100 * high)


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Return the ends of Wilson's score interval for a share, 0 to 1 (J. Am. Stat. Assoc. 22, 1927)."""
    square = NORMAL_QUANTILE**2
    centre = hits + square / 2
    spread = NORMAL_QUANTILE * sqrt(hits * (trials - hits) / trials + square / 4)
    low, high = ((centre + sign * spread) / (trials + square) for sign in (-1, 1))
    return low if hits else 0.0, high if hits < trials else 1.0  # which rounding would miss


def win_rate(rules: RuleSet) -> Count:
    """Return what was counted of a rule set."""
    row = _table()[rules.slug]
    return Count(int(row["deals"]), int(row["won"]), int(row["undecided"]))


def node_limit(rules: RuleSet) -> int:
    """Return the nodes after which the count of a rule set left a deal undecided."""
    return int(_table()[rules.slug]["node_limit"])


@cache
def _table() -> dict[str, dict[str, str]]:
    return {row["rules"]: row for row in DictReader(TABLE.read_text(encoding="ascii").splitlines())}
