"""A puzzle as a few bytes: a position of `standard` without its suits, and the removals of a win from there.

The position is its shape and the rank of every card that is left, with all cards outside the pyramid in the stock. The
win is a choice among the removals of each position, so that a forced one takes no room. All of these are the digits of
one number, each with a base of its own.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from games.puzzles.clearing import pyramid_cards, removals, with_draws, without
from games.rules import CARDS, RULE_SETS, Card, Move, Position
from games.rules.cards import RANKS, SUITS, UNSEEN
from games.rules.layout import Layout
from games.rules.tableau import shape_families

RULES = RULE_SETS["standard"]
MOST_BYTES = 60
MOST_DECISIONS = 15
ID_LENGTH = 10

_PLACES = RULES.tableau_size
[_SHAPES] = shape_families(RULES.tableau)
_STOCK = RULES.deck_size - _PLACES


Suits = Callable[[Sequence[int]], list[Card]]
"""A function that makes cards of ranks."""


class BadPuzzle(Exception):
    """A text is not that of a puzzle."""


class Packed(NamedTuple):
    """A position, the removals of a win, and how many of these, from the first, the player has to find."""

    position: Position
    decisions: int
    win: tuple[Move, ...]

    @property
    def id(self) -> str:
        """The name of the position, whatever its suits: the beginning of a hash of its ranks."""
        return _hash(*_figures(self.position))

    @property
    def text(self) -> str:
        """The puzzle as one word."""
        digits = _Digits()
        _write_position(digits, *_figures(self.position))
        digits.add(self.decisions, MOST_DECISIONS + 1)
        position = self.position
        for move in self.win:
            taken = [pyramid_cards(position, one) for one in removals(position)]
            digits.add(taken.index(pyramid_cards(position, move)), len(taken))
            position = without(position, move)
        return urlsafe_b64encode(digits.data).decode("ascii").rstrip("=")

    @classmethod
    def from_text(cls, text: str, suits: Suits | None = None, *, only_decisions: bool = False) -> Packed:
        """Read a puzzle, with the cards that `suits` makes of its ranks, or else with suits in order.

        With `only_decisions` the win ends with what the player has to find: a text that was read before is read faster.
        Raises `BadPuzzle`.
        """
        try:
            digits = _Digits.of(_bytes(text))
            position = _position(*_read_position(digits), suits or in_order)
            decisions = digits.take(MOST_DECISIONS + 1)
            win = tuple(islice(_read_win(digits, position), decisions if only_decisions else None))
        except (ValueError, ZeroDivisionError, IndexError) as error:
            raise BadPuzzle(f"not a puzzle: {text[:80]}") from error
        if not 0 < decisions <= len(win):
            raise BadPuzzle(f"not a puzzle: {text[:80]}")
        return cls(position, decisions, win)

    @property
    def line(self) -> list[Move]:
        """All moves of the win, with the draws."""
        return with_draws(self.position, self.win)


def in_order(ranks: Sequence[int]) -> list[Card]:
    """Return cards of some ranks: the first of each rank is of clubs, the next of diamonds and so on."""
    seen: Counter[int] = Counter()
    cards = []
    for rank in ranks:
        cards.append(CARDS[(rank - 1) * len(SUITS) + seen[rank]])
        seen[rank] += 1
    return cards


def position_of(cards: Sequence[Card | None], stock: Sequence[Card]) -> Position:
    """Return a position of the cards of a pyramid by place, and of a stock."""
    occupied = sum(1 << place for place, card in enumerate(cards) if card)
    if not _SHAPES.is_reachable(occupied):
        raise ValueError("a card is gone whose covers are still there")
    return Position(
        rules=RULES,
        layout=Layout(tuple(card or UNSEEN for card in cards)),
        shapes=(_SHAPES[occupied],),
        wastes=((),),
        stock=tuple(stock),
        recycles=RULES.recycles,
        reserve=(),
    )


def _hash(occupied: int, ranks: Sequence[int]) -> str:
    return sha256(occupied.to_bytes(4) + bytes(ranks)).hexdigest()[:ID_LENGTH]


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _figures(position: Position) -> tuple[int, list[int]]:
    """Return what is left of the pyramid as a set of bits, and the ranks of the pyramid and of the stock."""
    cards = [*(card for card in position.tableau if card), *position.stock]
    return position.shapes[0].occupied, [card.rank for card in cards]


def _write_position(digits: _Digits, occupied: int, ranks: Sequence[int]) -> None:
    digits.add(occupied, 1 << _PLACES)
    digits.add(len(ranks) - occupied.bit_count(), _STOCK + 1)
    left = _Ranks()
    for rank in ranks:
        digits.add(left.ranks.index(rank), len(left.ranks))
        left.take(rank)


def _read_position(digits: _Digits) -> tuple[int, list[int]]:
    occupied, stock = digits.take(1 << _PLACES), digits.take(_STOCK + 1)
    left, ranks = _Ranks(), []
    for _ in range(occupied.bit_count() + stock):
        ranks.append(left.ranks[digits.take(len(left.ranks))])
        left.take(ranks[-1])
    return occupied, ranks


def _read_win(digits: _Digits, position: Position) -> Iterator[Move]:
    while not position.is_won:
        possible = removals(position)
        move = possible[digits.take(len(possible))]
        yield move
        position = without(position, move)


def _position(occupied: int, ranks: Sequence[int], suits: Suits) -> Position:
    cards = iter(suits(ranks))
    tableau = [next(cards) if occupied >> place & 1 else None for place in range(_PLACES)]
    return position_of(tableau, list(cards))


class _Ranks:
    """The ranks of which cards are left."""

    def __init__(self) -> None:
        self._left = Counter({rank: len(SUITS) for rank in range(1, len(RANKS) + 1)})
        self.ranks = list(self._left)

    def take(self, rank: int) -> None:
        self._left[rank] -= 1
        if not self._left[rank]:
            self.ranks.remove(rank)


class _Digits:
    """Digits of one number, each of its own base, read in the order in which they were written."""

    def __init__(self) -> None:
        self._number, self._base = 0, 1

    @classmethod
    def of(cls, data: bytes) -> _Digits:
        digits = cls()
        digits._number = int.from_bytes(data)
        return digits

    @property
    def data(self) -> bytes:
        return self._number.to_bytes((self._number.bit_length() + 7) // 8)

    def add(self, digit: int, base: int) -> None:
        self._number += digit * self._base
        self._base *= base

    def take(self, base: int) -> int:
        self._number, digit = divmod(self._number, base)
        return digit
