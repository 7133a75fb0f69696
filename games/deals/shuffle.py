"""A uniform shuffle from a stream of bytes, so that a seed can be turned into a deck by anyone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from games.rules import CARDS, Card, Deck


def shuffled_deck(stream: Iterable[int], size: int) -> Deck:
    """Return a deck of 52 or 104 cards shuffled from the order Ac Ad Ah As 2c ... Ks."""
    return Deck(tuple(shuffled(CARDS[:size], stream)))


def shuffled(cards: Sequence[Card], stream: Iterable[int]) -> list[Card]:
    """Return at most 256 cards shuffled by Fisher-Yates from the last place down.

    `stream` gives bytes (0 to 255). A byte that would favour some cards is skipped (rejection sampling).
    """
    order, numbers = list(cards), iter(stream)
    for last in range(len(order) - 1, 0, -1):
        places = last + 1
        fair = 256 - 256 % places
        pick = next(number for number in numbers if number < fair) % places
        order[last], order[pick] = order[pick], order[last]
    return order


def bytes_from(text: str) -> Iterator[int]:
    """Return endless bytes that look random and depend on an ASCII text alone. No secret may hang on them."""
    block = text.encode("ascii")
    while True:
        block = hashlib.sha256(block).digest()
        yield from block
