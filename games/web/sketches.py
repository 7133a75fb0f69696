"""Draw tableaux as SVG paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from games.rules import Peak

CARD_WIDTH, CARD_HEIGHT = 20, 28
ACROSS, DOWN = 24, 12  # from a card to its neighbour, and to the row that covers it
BETWEEN_PEAKS = 12


@dataclass(frozen=True, slots=True)
class Sketch:
    """SVG paths, one for the cards of each row, in drawing order, and the width and height of their frame."""

    width: int
    height: int
    paths: tuple[str, ...]


@cache
def sketch(peaks: tuple[Peak, ...]) -> Sketch:
    """Lay out the peaks of a tableau side by side."""
    lefts = list(accumulate((peak.rows * ACROSS + BETWEEN_PEAKS for peak in peaks), initial=0))
    paths = [path for peak, left in zip(peaks, lefts, strict=False) for path in _rows(peak, left)]
    width = lefts[-1] - BETWEEN_PEAKS - (ACROSS - CARD_WIDTH)
    height = (max(peak.rows for peak in peaks) - 1) * DOWN + CARD_HEIGHT
    return Sketch(width, height, tuple(paths))


def _rows(peak: Peak, left: int) -> Iterator[str]:
    for row, length in enumerate(peak.row_lengths):
        first = left + (peak.rows - length) * ACROSS // 2
        yield "".join(_card(first + place * ACROSS, row * DOWN) for place in range(length))


def _card(x: int, y: int) -> str:
    return f"M{x} {y}h{CARD_WIDTH}v{CARD_HEIGHT}h-{CARD_WIDTH}z"
