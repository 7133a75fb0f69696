"""The parts of a position for `kernels_wide_parts`: the words of games in which only some classes of ranks count."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from games.rules import Card, Match
from games.solver.kernels_wide import NODE, Words
from games.solver.kernels_wide_parts import STATE, Parts
from games.solver.kernels_wide_search import EXPOSED
from games.solver.packing import THIRTEEN_PLUS_NONE, matching

_STACK = 1 << 16


def parts_of(cards: Sequence[Card | None], talon: slice, match: Match, together: int, most: int) -> Parts:
    """Return the parts with so many classes each, none for 0 classes, and room for `most` states of them."""
    kinds = matching(match)
    kept = [{rank for pair in pairs for rank in pair} for pairs in combinations(kinds.classes, together) if pairs]
    ranks = [card.rank if card else 0 for card in cards]
    solo = [[rank not in part for rank in ranks] for part in kept]
    return Parts(
        talon=np.array([_bits([not alone for alone in row[talon]]) for row in solo], np.int64),
        solo=_rows(solo, len(ranks)).astype(np.bool_),
        unit=_rows([[kinds.unit[rank] * (rank in part) for rank in ranks] for part in kept], len(ranks)),
        partner=_rows([[mates * (rank in part) for rank, mates in enumerate(kinds.partner)] for part in kept]),
        states=np.empty(most, STATE),
        table=np.zeros(1 << (2 * most).bit_length(), np.int32),
        used=np.zeros(1, np.int64),
        stack=np.empty(_STACK, NODE),
        numbers=np.empty(EXPOSED, np.int64),
        places=np.empty(EXPOSED, np.int64),
    )


def _rows(rows: list[list[int]] | list[list[bool]], width: int = THIRTEEN_PLUS_NONE) -> Words:
    return np.array(rows, np.int64).reshape(len(rows), width)


def _bits(flags: Sequence[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
