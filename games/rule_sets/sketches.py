"""Draw the tables of rule sets as SVG paths: tableau, reserve, and stock with the piles beside it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import NamedTuple

from games.rules import RuleSet

CARD_WIDTH, CARD_HEIGHT = 20, 28
ACROSS, DOWN = 24, 12  # from a card to its neighbour, and to the row that covers it
BETWEEN_PEAKS = 12
BETWEEN_LINES = 10
FAN = 7  # from a card of a pile to the next

CARD, BACK, PLACE, CELL = "card", "back", "place", "cell"  # classes of the style sheet


class Drawn(NamedTuple):
    """A card, or the empty place for one, by its upper left corner."""

    kind: str
    x: int
    y: int

    @property
    def path(self) -> str:
        return f"M{self.x} {self.y}h{CARD_WIDTH}v{CARD_HEIGHT}h-{CARD_WIDTH}z"


@dataclass(frozen=True, slots=True)
class Sketch:
    """The width and height of the frame, and what lies in it, in drawing order."""

    width: int
    height: int
    drawn: tuple[Drawn, ...]

    @property
    def rows(self) -> list[list[Drawn]]:
        """Return what lies beside each other and does not overlap, so that one path draws all of it."""
        return [list(row) for _, row in groupby(self.drawn, lambda one: (one.kind, one.y))]

    @property
    def paths(self) -> list[tuple[str, str]]:
        """Classes and SVG paths of the rows."""
        return [(row[0].kind, "".join(one.path for one in row)) for row in self.rows]


@cache
def sketch(rules: RuleSet) -> Sketch:
    """Draw a table at the start of a game: peaks side by side, below them the reserve, then stock, wastes and cells."""
    lines = [line for line in (list(_tableau(rules)), list(_reserve(rules)), list(_talon(rules))) if line]
    width = max(_width(line) for line in lines)
    top, drawn = 0, []
    for line in lines:
        left = (width - _width(line)) // 2
        drawn += [Drawn(kind, left + x, top + y) for kind, x, y in line]
        top = max(y for _, _, y in drawn) + CARD_HEIGHT + BETWEEN_LINES
    return Sketch(width, top - BETWEEN_LINES, tuple(drawn))


@cache
def face_down(rules: RuleSet) -> Sketch:
    """Draw the tableau alone, as it lies on the table before anybody has seen a card of it."""
    places = list(_tableau(rules))
    width, height = _width(places), max(y for _, _, y in places) + CARD_HEIGHT
    return Sketch(width, height, tuple(Drawn(BACK, x, y) for _, x, y in places))


def _width(line: Iterable[Drawn]) -> int:
    return max(x for _, x, _ in line) + CARD_WIDTH


def _tableau(rules: RuleSet) -> Iterator[Drawn]:
    left = 0
    for peak in rules.tableau:
        for row, length in enumerate(peak.row_lengths):
            is_covered = row < peak.rows - 1
            first = left + (peak.rows - length) * ACROSS // 2
            for place in range(length):
                yield Drawn(BACK if rules.face_down and is_covered else CARD, first + place * ACROSS, row * DOWN)
        left += peak.rows * ACROSS + BETWEEN_PEAKS


def _reserve(rules: RuleSet) -> Iterator[Drawn]:
    piles, depth = rules.reserve
    for level in range(depth):
        for pile in range(piles):
            yield Drawn(CARD, pile * ACROSS, level * FAN)


def _talon(rules: RuleSet) -> Iterator[Drawn]:
    x = 0
    if rules.has_stock:
        yield Drawn(BACK, x, 0)
        if rules.stock_open or rules.stock_seen:
            x += FAN
            yield Drawn(CARD, x, 0)
        x += ACROSS
    for _ in range(rules.wastes if rules.has_stock else 0):
        yield from (Drawn(PLACE, x + at * FAN, 0) for at in range(rules.draw if rules.wastes == 1 else 1))
        x += ACROSS
    for _ in range(rules.cells):
        yield Drawn(CELL, x + ACROSS // 2, 0)
        x += ACROSS
