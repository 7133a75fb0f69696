"""Sets of days, stored as ranges, and their streaks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

Stretch = tuple[int, int]
"""The ordinals of the first and the last of some consecutive days."""

DAYS_FOR_A_REST, MOST_RESTS = 7, 2
"""Each day of a streak earns a seventh of a day of rest, up to two days; a missed day takes one, or ends the streak."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive days. `current` ends today or yesterday, and is 0 once a whole day has been missed."""

    current: int
    longest: int


@dataclass(frozen=True, slots=True)
class RestedStreak(Streak):
    """A streak that lasts over earned days of rest, which do not add to its length.

    `rests` are all days of rest so far, those of former streaks too; `weeks` counts weeks with a day, from Monday on,
    and `total` all days.
    """

    rests_left: int
    rests: tuple[date, ...]
    weeks: Streak
    total: int


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

    def streak(self, today: date) -> Streak:
        """Return the streak of the days, none of them later than today."""
        return self._streak(today.toordinal())

    def rested_streak(self, today: date) -> RestedStreak:
        """Return the streak of the days with its days of rest; no day is later than today."""
        end = today.toordinal()
        length = longest = earned = 0
        rests: list[int] = []
        before = self.stretches[0][0] - 1 if self.stretches else end
        for first, last in (*self.stretches, (end, end - 1)):
            missed = range(before + 1, first)
            if (cost := len(missed) * DAYS_FOR_A_REST) <= earned:
                earned -= cost
                rests.extend(missed)
            else:
                length = earned = 0
            played, before = last - first + 1, last
            length += played
            earned = min(earned + played, MOST_RESTS * DAYS_FOR_A_REST)
            longest = max(longest, length)
        return RestedStreak(
            length,
            longest,
            earned // DAYS_FOR_A_REST,
            tuple(map(date.fromordinal, rests)),
            self._weeks()._streak(_week(end)),
            sum(last - first + 1 for first, last in self.stretches),
        )

    def _streak(self, today: int) -> Streak:
        first, last = self.stretches[-1] if self.stretches else (0, -1)
        is_alive = last >= today - 1
        longest = max((last - first + 1 for first, last in self.stretches), default=0)
        return Streak(last - first + 1 if is_alive else 0, longest)

    def _weeks(self) -> Days:
        """Return the weeks with one of the days, numbered one after the other."""
        weeks: list[Stretch] = []
        for first, last in self.stretches:
            for week in range(_week(first), _week(last) + 1):
                _add(weeks, week)
        return Days(tuple(weeks))


def _week(day: int) -> int:
    return (day - 1) // 7  # day 1 is a Monday


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
