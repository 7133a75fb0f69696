"""Enumerate every shape a tableau can take: plain numpy, once per tableau."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Shapes(NamedTuple):
    """All shapes of a tableau, fewest cards first: shape 0 is empty and the last one is full."""

    present: NDArray[np.int64]  # (shapes,) the cards that are there, one bit each
    exposed: NDArray[np.int64]  # (shapes,) those of them that nothing covers
    order: NDArray[np.int64]  # (shapes,) ascending: the number of cards, then the cards
    without: NDArray[np.int32]  # (shapes, cards) the shape after an exposed card has left, else -1


@lru_cache(maxsize=16)
def shapes_of(covers: tuple[int, ...], limit: int) -> Shapes | None:
    """Return the shapes of a tableau, or None if there are more than limit; covers[i] = bits of the cards on card i."""
    layer = {(1 << len(covers)) - 1}
    found: list[int] = []
    while layer:
        found += layer
        if len(found) > limit:
            return None
        layer = {shape & ~(1 << card) for shape in layer for card in _cards(_exposed(shape, covers))}
    found.sort(key=lambda shape: (shape.bit_count(), shape))
    number = {shape: i for i, shape in enumerate(found)}
    without = np.full((len(found), max(1, len(covers))), -1, np.int32)
    exposed = [_exposed(shape, covers) for shape in found]
    for i, shape in enumerate(found):
        for card in _cards(exposed[i]):
            without[i, card] = number[shape & ~(1 << card)]
    order = [shape.bit_count() << 56 | shape for shape in found]
    return Shapes(np.array(found, np.int64), np.array(exposed, np.int64), np.array(order, np.int64), without)


def _exposed(shape: int, covers: tuple[int, ...]) -> int:
    return sum(1 << card for card in _cards(shape) if not covers[card] & shape)


def _cards(shape: int) -> list[int]:
    return [card for card in range(shape.bit_length()) if shape >> card & 1]
