"""The choices of a player that waste moves, under each of many orders of the unseen cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.solver.orders import NO_WIN, UNDECIDED, Progress
from leaderboards.detectors.games import JudgedStep
from leaderboards.detectors.sampled_orders import Lengths, Orders, Rows


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that stands: the progress that it led to, and whether no other was legal."""

    after: Progress
    is_removal: bool
    is_forced: bool

    @classmethod
    def of(cls, step: JudgedStep, orders: Orders) -> Choice:
        return cls(Progress.of(step.after, orders.places), step.is_removal, step.is_forced)


@dataclass(frozen=True, slots=True)
class Wasteful:
    """The removals and draws that wasted moves, counted: a row for each rank that may come, a column for each order."""

    removals: NDArray[np.int64]
    draws: NDArray[np.int64]


def wasteful(orders: Orders, seen: int, before: Progress, line: Sequence[Choice]) -> Wasteful | None:
    """Count the choices of a line that wasted moves; None if the game is lost, or nothing could be decided.

    Whether a game is lost must not depend on the order. Orders that are undecided for some rank are left out for all.
    """
    marks, everywhere = list(_marks(before, line)), np.arange(len(orders.stocks(seen)))
    if np.any(orders.lengths(seen, marks[-1].progress, everywhere) == NO_WIN):
        return None
    count = _Count(orders, seen, marks)
    count.add(0, len(marks) - 1, everywhere)
    by_rank = len(orders.ranks(seen)), -1
    is_decided = ~np.any(count.is_open.reshape(by_rank), axis=0)
    if not is_decided.any():
        return None
    removals, draws = (own.reshape(by_rank)[:, is_decided] for own in (count.removals, count.draws))
    return Wasteful(removals, draws)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A progress on the way, the moves made by then, and the kind of the last one that was a choice."""

    progress: Progress
    moves: int
    is_removal: bool


def _marks(before: Progress, line: Sequence[Choice]) -> Iterator[_Mark]:
    """Yield the start and what each choice led to, with the forced moves after it: they waste nothing."""
    mark = _Mark(before, 0, is_removal=False)
    for moves, choice in enumerate(line, 1):
        if not choice.is_forced:
            yield mark
        mark = _Mark(choice.after, moves, mark.is_removal if choice.is_forced else choice.is_removal)
    yield mark


class _Count:
    """Counts by bisection: between two marks with the same total nothing was wasted, whatever was chosen."""

    def __init__(self, orders: Orders, seen: int, marks: Sequence[_Mark]) -> None:
        self._orders, self._seen, self._marks = orders, seen, marks
        everywhere = len(orders.stocks(seen))
        self.removals, self.draws = np.zeros(everywhere, np.int64), np.zeros(everywhere, np.int64)
        self.is_open = np.zeros(everywhere, np.bool_)

    def add(self, low: int, high: int, rows: Rows) -> None:
        """Add the wasteful choices between two marks, for some of the orders."""
        rows = rows[self._totals(low, rows) != self._totals(high, rows)]
        if not rows.size:
            return
        if high - low == 1:
            counted = self.removals if self._marks[high].is_removal else self.draws
            counted[rows] += 1
            return
        middle = (low + high) // 2
        self.add(low, middle, rows)
        self.add(middle, high, rows)

    def _totals(self, place: int, rows: Rows) -> Lengths:
        """Return the moves made by a mark plus those still needed, which a wasteful choice makes more."""
        mark = self._marks[place]
        lengths = self._orders.lengths(self._seen, mark.progress, rows)
        self.is_open[rows] |= lengths == UNDECIDED
        return mark.moves + lengths
