"""Sets of days, stored as ranges, and their streaks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

Stretch = tuple[int, int]
"""The ordinals of the first and the last of some consecutive days."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive days. `current` ends today or yesterday, and is 0 once a whole day has been missed."""

    current: int
    longest: int


@dataclass(frozen=True, slots=True)
class Days:
    """A set of days, as stretches in order with gaps in between."""

    stretches: tuple[Stretch, ...] = ()

    @classmethod
    def from_data(cls, data: Iterable[Sequence[int]]) -> Days:
        """Return the days of `data`."""
        return cls(tuple((first, last) for first, last in data))

    @property
    def data(self) -> list[list[int]]:
        """The stretches as lists, to be stored."""
        return [list(stretch) for stretch in self.stretches]

    def with_days(self, days: Iterable[date]) -> Days:
        """Return the set with some more days, in any order."""
        stretches = list(self.stretches)
        for day in days:
            _add(stretches, day.toordinal())
        return Days(tuple(stretches))

    @property
    def longest(self) -> int:
        """The length of the longest stretch, 0 without days."""
        return max((last - first + 1 for first, last in self.stretches), default=0)

    def streak(self, today: date) -> Streak:
        """Return the streak of the days, none of them later than today."""
        first, last = self.stretches[-1] if self.stretches else (0, -1)
        is_alive = last >= today.toordinal() - 1
        return Streak(last - first + 1 if is_alive else 0, self.longest)


def _add(stretches: list[Stretch], day: int) -> None:
    """Add a day, joining the stretches that it touches."""
    index = bisect_right(stretches, day, key=lambda stretch: stretch[0])
    first = last = day
    if index < len(stretches) and stretches[index][0] == day + 1:
        last = stretches.pop(index)[1]
    if index and stretches[index - 1][1] >= day - 1:
        first, before = stretches.pop(index - 1)
        last, index = max(before, last), index - 1
    stretches.insert(index, (first, last))
