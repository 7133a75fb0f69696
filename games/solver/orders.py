"""The shortest wins of one pyramid under many orders of its stock: packed once, searched for each order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.rules import Position
from games.solver.kernels_orders import OPEN, search_orders
from games.solver.packing import is_packable, matching, pack, require_all_seen

NO_WIN, UNDECIDED = -1, OPEN
NODE_LIMIT = 200_000

Ranks = NDArray[np.uint8]
Lengths = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a deal, independent of the order of its stock.

    `tableau` and `talon` have a bit for each card still in play: tableau places, and the stock's cards as they were
    dealt; `drawn` is the place in the stock of the next card to be drawn, its size if none is left.
    """

    tableau: int
    talon: int
    drawn: int

    @classmethod
    def of(cls, position: Position, stock: dict[object, int]) -> Progress:
        """Return the progress of a position; `stock` gives each stock card's place in the deal."""
        places = [stock[card] for card in position.stock]
        waste = [stock[card] for pile in position.wastes for card in pile]
        tableau = sum(shape.occupied for shape in position.shapes)
        return cls(tableau, sum(1 << place for place in places + waste), min(places, default=len(stock)))


class Pyramid:
    """The packed tableau of a deal, to be searched with any order of the stock."""

    def __init__(self, deal: Position) -> None:
        """Pack the tableau. Raises `ValueError` for rules without exactly one waste and an unlimited stock."""
        rules = deal.rules
        if not is_packable(rules) or rules.reserve_size or rules.wastes != 1 or rules.passes is not None:
            raise ValueError(f"{rules.slug} is not played with one waste that can be turned as often as one likes")
        require_all_seen(deal)
        packed, match = pack(deal), matching(rules.match)
        self._tableau, self._talon = packed.tableau, packed.talon
        self._unit, self._solo = np.array(match.unit, np.int64), np.array(match.solo, np.bool_)
        self._shape_of = {int(present): number for number, present in enumerate(packed.tableau.present)}

    def lengths(self, progress: Progress, stocks: Ranks, *, node_limit: int = NODE_LIMIT) -> Lengths:
        """Return for each row of stock ranks the fewest actions to the win, or `NO_WIN`, or `UNDECIDED`.

        The rows contain the whole stock as it was dealt; cards no longer in play are ignored.
        """
        start = self._shape_of[progress.tableau]
        talon, unit, solo = self._talon, self._unit, self._solo
        found: Lengths = search_orders(
            self._tableau, talon, unit, solo, start, progress.talon, progress.drawn, stocks, node_limit
        )
        return found
