"""The lists at the close of a day: who is named of all accounts that were judged. e-BH bounds the share of honest ones.

An *e-value* is a random number that is not negative and has mean 1 at most if the account is honest; the value of a
fortune is one, at any moment. With n accounts judged and their values in descending order, the first k are named, for
the largest k with e(k) >= n / (k * share). Then among those named the share of honest accounts is on average at most
`share`, whatever the accounts have in common, such as their deals (Wang and Ramdas 2022, arXiv 2009.02824). That does
not hold for the highest value that a fortune ever had (Tavyrikov, Goeman, de Heide 2025, arXiv 2501.19360).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

# The detectors whose values make lists; the last one never opens a case.
FORESIGHT, BOTH, NEAR_PAR = "foresight bet", "foresight and near par", "near par"
NAMED_SHARE = 0.01  # of those who are named, so many may be honest
WATCHED_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Naming:
    """The first `named` of so many `accounts` are named."""

    accounts: int
    named: int
    share: float

    @property
    def bar(self) -> float:
        """The value from which on an account is named; if none is, from which on a single one would be."""
        return self.accounts / (max(1, self.named) * self.share)

    def sentence(self, value: float) -> str:
        """Say what the list means for an account on it, and how far it is from leaving it."""
        return (
            f"At the close of the day {self.named:,} of {self.accounts:,} accounts have {self.bar:,.0f} or more, from "
            f"which on they are listed; of those at most {self.share:.0%} are honest on average, whatever they have in "
            f"common. This one leaves the list when it has fallen to {self.bar / value:.0%} of its value."
        )


def naming(values: Iterable[float], accounts: int, share: float) -> Naming:
    """Return who of so many accounts is named; `values` are theirs, of which those below 1 / `share` may be missing."""
    ordered = enumerate(sorted(values, reverse=True), 1)
    return Naming(accounts, max((k for k, value in ordered if value * k * share >= accounts), default=0), share)


@dataclass(frozen=True, slots=True)
class DayList:
    """The list of a detector at the close of a day: who is named, and who is worth watching."""

    detector: str
    named: Naming
    watched: Naming

    @classmethod
    def of(cls, detector: str, values: Collection[float], accounts: int) -> DayList:
        return cls(detector, naming(values, accounts, NAMED_SHARE), naming(values, accounts, WATCHED_SHARE))
