"""Permuted suits for each game: leaked moves do not replay in another game, and a screenshot identifies its source."""

from games.deals.shuffle import bytes_of_key, shuffled
from games.rules import Suits
from games.rules.cards import RANKS, SUITS


def suits_of(key: bytes, game: str) -> Suits:
    """Return the suits of a game, unpredictable without the key; `game` is its ASCII identifier."""
    stream = bytes_of_key(key, f"suits|{game}")
    return Suits("".join("".join(shuffled(SUITS, stream)) for _ in RANKS))
