"""Peaks and their shapes: covering places, computed once per peak and shared by all games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Peak:
    """A triangle of cards. Upright, row k has k cards, the apex first; inverted, the longest row is first."""

    rows: int = 7
    inverted: bool = False

    @property
    def size(self) -> int:
        return self.rows * (self.rows + 1) // 2

    @property
    def row_lengths(self) -> tuple[int, ...]:
        lengths = range(1, self.rows + 1)
        return tuple(reversed(lengths)) if self.inverted else tuple(lengths)

    def covers(self) -> tuple[tuple[int, ...], ...]:
        """Return for each place, in dealing order, the places that cover it."""
        rows, first = [], 0
        for length in self.row_lengths:
            rows.append(range(first, first + length))
            first += length
        # Upright, card j lies under j and j+1 of the next row; inverted, under j-1 and j.
        left = -1 if self.inverted else 0
        return tuple(
            tuple(below[k] for k in (j + left, j + left + 1) if 0 <= k < len(below))
            for row, below in zip(rows, [*rows[1:], range(0)], strict=True)
            for j in range(len(row))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The places of one peak that still hold a card, and what they expose.

    Places are numbered through the whole tableau. `occupied` is a bit set of places; `exposed` the uncovered
    places; `half_covered` the pairs (place, the one exposed place that is its only remaining cover).
    """

    family: ShapeFamily
    occupied: int
    exposed: tuple[int, ...]
    half_covered: tuple[tuple[int, int], ...]

    def without(self, gone: int) -> Shape:
        """Return the shape after the places of the bit set `gone` have been emptied."""
        return self.family[self.occupied & ~gone] if self.occupied & gone else self


class ShapeFamily(dict[int, Shape]):
    """All shapes of one peak by their occupied places, made when first met (1430 for seven rows)."""

    def __init__(self, peak: Peak, first_place: int) -> None:
        super().__init__()
        self._first = first_place
        self._places = range(first_place, first_place + peak.size)
        self._covers = [sum(1 << first_place + cover for cover in covers) for covers in peak.covers()]
        self.full = self[sum(1 << place for place in self._places)]

    def covers_of(self, place: int) -> int:
        """Return the bit set of the places that cover this one at the start."""
        return self._covers[place - self._first]

    def __missing__(self, occupied: int) -> Shape:
        present = [place for place in self._places if occupied >> place & 1]
        covers = {place: self.covers_of(place) & occupied for place in present}
        exposed = tuple(place for place in present if not covers[place])
        half_covered = tuple((place, cover) for place in present for cover in exposed if covers[place] == 1 << cover)
        shape = self[occupied] = Shape(self, occupied, exposed, half_covered)
        return shape

    def is_reachable(self, occupied: int) -> bool:
        """Return True if no empty place is covered by a card that is still there."""
        return not any(self.covers_of(place) & occupied for place in self._places if not occupied >> place & 1)


@cache
def shape_families(peaks: tuple[Peak, ...]) -> tuple[ShapeFamily, ...]:
    """Return the shapes of each peak of a tableau, its places numbered in dealing order."""
    first, families = 0, []
    for peak in peaks:
        families.append(ShapeFamily(peak, first))
        first += peak.size
    return tuple(families)
