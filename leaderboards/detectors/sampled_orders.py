"""Sampled orders of one deal's stock, and the lengths of the wins under them."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from games.deals.shuffle import bytes_from, shuffled
from games.rules import Position
from games.rules.cards import RANKS
from games.solver.orders import Progress, Pyramid
from leaderboards.detectors.thresholds import SAMPLER

KEPT_TABLES = 16_384
ORDERS = 24
NODE_LIMIT = 20_000
UNKNOWN = -3  # not asked for yet

Lengths = NDArray[np.int64]
Rows = NDArray[np.intp]


class Orders:
    """The sampled orders of one deal's stock and the lengths of their wins, shared by all players of the deal.

    The random numbers depend on the sampler's version, the pyramid and the cards seen so far, never on the player.
    """

    def __init__(self, deal: Position) -> None:
        self.places: dict[object, int] = {card: place for place, card in enumerate(deal.stock)}
        self.stock = [card.rank for card in deal.stock]
        self._name = f"{SAMPLER}|{''.join(RANKS[card.rank - 1] for card in deal.layout.cards)}"
        self.start = Progress.of(deal, self.places)
        self._pyramid = Pyramid(deal)
        self._stocks: dict[int, NDArray[np.uint8]] = {}
        self._tables: dict[tuple[int, Progress], NDArray[np.int16]] = {}

    def ranks(self, seen: int) -> Counter[int]:
        """Return the ranks of the cards that are unseen after a number of cards."""
        return Counter(self.stock[seen:])

    def stocks(self, seen: int) -> NDArray[np.uint8]:
        """Return whole stocks: those seen, each rank that may come, and the rest in the same sampled orders.

        The stocks are in order of that rank, as many for each. Where few cards are left, every order is there.
        """
        if seen not in self._stocks:
            self._stocks[seen] = np.array(list(self._ordered(seen)), np.uint8)
        return self._stocks[seen]

    def lengths(self, seen: int, progress: Progress, rows: Rows) -> Lengths:
        """Return the fewest actions to the win under some of the stocks, by their places; each is solved once."""
        table = self._table(seen, progress)
        new = rows[table[rows] == UNKNOWN]
        if new.size:
            table[new] = self._pyramid.lengths(progress, self.stocks(seen)[new], node_limit=NODE_LIMIT)
        return table[rows].astype(np.int64)

    def _table(self, seen: int, progress: Progress) -> NDArray[np.int16]:
        key = seen, progress
        if key not in self._tables:
            if len(self._tables) >= KEPT_TABLES:
                self._tables.pop(next(iter(self._tables)))
            self._tables[key] = np.full(len(self.stocks(seen)), UNKNOWN, np.int16)
        return self._tables[key]

    def _ordered(self, seen: int) -> Iterator[list[int]]:
        unseen = sorted(self.stock[seen:])
        are_few = factorial(len(unseen) - 1) <= ORDERS
        samples = [] if are_few else self._sampled(seen, unseen)
        for rank in sorted(set(unseen)):
            rests = permutations(_without(rank, unseen)) if are_few else (_without(rank, order) for order in samples)
            for rest in rests:
                yield [*self.stock[:seen], rank, *rest]

    def _sampled(self, seen: int, unseen: list[int]) -> list[list[int]]:
        dice = bytes_from("|".join((self._name, "".join(RANKS[rank - 1] for rank in self.stock[:seen]))))
        return [shuffled(unseen, dice) for _ in range(ORDERS)]


def _without(rank: int, ranks: list[int]) -> list[int]:
    at = ranks.index(rank)
    return [*ranks[:at], *ranks[at + 1 :]]
