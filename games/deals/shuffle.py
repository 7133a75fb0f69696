"""A uniform shuffle from a stream of bytes, so that a seed can be turned into a deck by anyone."""

from __future__ import annotations

from collections.abc import Iterable

from games.rules import CARDS, Deck


def shuffled_deck(stream: Iterable[int], size: int) -> Deck:
    """Return a deck of 52 or 104 cards shuffled by Fisher-Yates from the last place down.

    `stream` gives bytes (0 to 255). A byte that would favour some cards is skipped (rejection sampling).
    """
    cards, numbers = list(CARDS[:size]), iter(stream)
    for last in range(size - 1, 0, -1):
        places = last + 1
        fair = 256 - 256 % places
        pick = next(number for number in numbers if number < fair) % places
        cards[last], cards[pick] = cards[pick], cards[last]
    return Deck(tuple(cards))
