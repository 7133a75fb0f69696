"""The lengths of the shortest wins of random deals, as `manage.py rates --shortest` counted them."""

from __future__ import annotations

from csv import DictReader
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("lengths.csv")
"""A line for each rule set whose deals the solver decides with little work."""


class Lengths(NamedTuple):
    """The deals that were looked at, the mean milliseconds of CPU for each, and the wins by their fewest actions."""

    deals: int
    ms: float
    wins: dict[int, int]

    @property
    def won(self) -> int:
        """The deals that can be won."""
        return sum(self.wins.values())

    def quantile(self, share: float) -> int:
        """Return the least length that so large a share of the wins does not exceed; 1 gives the longest."""
        reached = accumulate(self.wins.values())
        return next(length for length, wins in zip(self.wins, reached, strict=True) if wins >= share * self.won)

    @property
    def text(self) -> str:
        """The fields of a row: milliseconds, the least length, and the wins of it and of each following one."""
        span = range(min(self.wins), max(self.wins) + 1) if self.wins else range(0)
        return f"{self.ms:.1f},{span.start},{' '.join(str(self.wins.get(length, 0)) for length in span)}"


@cache
def lengths() -> dict[str, Lengths]:
    """Return what was counted, by rule set."""
    return {row["rules"]: _of_row(row) for row in DictReader(TABLE.read_text(encoding="ascii").splitlines())}


def _of_row(row: dict[str, str]) -> Lengths:
    wins = {length: int(won) for length, won in enumerate(row["wins"].split(), int(row["least"])) if int(won)}
    return Lengths(int(row["deals"]), float(row["ms"]), wins)
