"""A uniform shuffle from a stream of bytes: how a seed leads to its deck, and what else is drawn."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import TypeVar

from games.rules import CARDS, Deck, RuleSet, Suits
from games.rules.cards import RANKS, SUITS

T = TypeVar("T")


def shuffled_deck(stream: Iterable[int], size: int) -> Deck:
    """Return a deck of 52 or 104 cards shuffled from the order Ac Ad Ah As 2c ... Ks."""
    return Deck(tuple(shuffled(CARDS[:size], stream)))


def shuffled(things: Sequence[T], stream: Iterable[int]) -> list[T]:
    """Return at most 256 items, such as cards, shuffled by Fisher-Yates from the last position down.

    `stream` yields bytes (0 to 255). Bytes that would favour some items are skipped (rejection sampling).
    """
    order, numbers = list(things), iter(stream)
    for last in range(len(order) - 1, 0, -1):
        places = last + 1
        fair = 256 - 256 % places
        pick = next(number for number in numbers if number < fair) % places
        order[last], order[pick] = order[pick], order[last]
    return order


def bytes_of_key(key: bytes, text: str) -> Iterator[int]:
    """Return endless bytes, unpredictable without the key: HMAC-SHA-256 of `text|0`, `text|1` and so on."""
    for block in count():
        yield from hmac.digest(key, f"{text}|{block}".encode("ascii"), "sha256")


def bytes_from(text: str) -> Iterator[int]:
    """Return endless pseudo-random bytes that depend only on an ASCII text. Never use them for a secret."""
    block = text.encode("ascii")
    while True:
        block = hashlib.sha256(block).digest()
        yield from block


def random_deck(rules: RuleSet) -> Deck:
    """Return an unpredictable deck, shuffled with the operating system's randomness."""
    return shuffled_deck(chain.from_iterable(map(secrets.token_bytes, repeat(256))), rules.deck_size)


def suits_of(key: bytes, game: str) -> Suits:
    """Return the suits of a game, unpredictable without the key; `game` is its ASCII identifier.

    Leaked moves do not replay in another game, and a screenshot identifies its source.
    """
    stream = bytes_of_key(key, f"suits|{game}")
    return Suits("".join("".join(shuffled(SUITS, stream)) for _ in RANKS))
