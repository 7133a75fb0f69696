"""The parts of a position for `kernels_wide_parts`: the words of games in which only some classes of ranks count."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from games.rules import Card, Match
from games.solver.kernels_wide import NODE, Words
from games.solver.kernels_wide_parts import STATE, Parts
from games.solver.kernels_wide_search import EXPOSED
from games.solver.packing import RANKS, THIRTEEN_PLUS_NONE, Matching, matching

_STACK = 1 << 16


class _Part(NamedTuple):
    """The ranks that count in a part, and those of them that may leave alone too."""

    ranks: frozenset[int]
    outer: frozenset[int] = frozenset()


def parts_of(cards: Sequence[Card | None], talon: slice, match: Match, together: int, most: int) -> Parts:
    """Return the parts with so many classes each, or neighbouring ranks, none for 0, and room for `most` states."""
    kinds = matching(match)
    parts = list(_of_classes(kinds, together) if kinds.classes else _of_neighbours(together)) if together else []
    ranks = [card.rank if card else 0 for card in cards]
    return Parts(
        talon=np.array([_bits([rank in part.ranks for rank in ranks[talon]]) for part in parts], np.int64),
        solo=_rows([[rank not in part.ranks - part.outer for rank in ranks] for part in parts], len(ranks)) > 0,
        unit=_rows([[kinds.unit[rank] * (rank in part.ranks) for rank in ranks] for part in parts], len(ranks)),
        partner=_rows([[mates * (rank in part.ranks) for rank, mates in enumerate(kinds.partner)] for part in parts]),
        low=np.array([min(part.ranks) for part in parts], np.int64),
        high=np.array([max(part.ranks) for part in parts], np.int64),
        states=np.empty(most, STATE),
        table=np.zeros(1 << (2 * most).bit_length(), np.int32),
        used=np.zeros(1, np.int64),
        stack=np.empty(_STACK, NODE),
        numbers=np.empty(EXPOSED, np.int64),
        places=np.empty(EXPOSED, np.int64),
    )


def _of_classes(kinds: Matching, together: int) -> Iterator[_Part]:
    for pairs in combinations(kinds.classes, together):
        yield _Part(frozenset(rank for pair in pairs for rank in pair))


def _of_neighbours(together: int) -> Iterator[_Part]:
    """Yield the parts of so many ranks in a row; the outer ones may leave with ranks that do not count."""
    for low in range(RANKS[0], RANKS[-1] - together + 2):
        high = low + together - 1
        outer = {low} - {RANKS[0]} | {high} - {RANKS[-1]}
        yield _Part(frozenset(range(low, high + 1)), frozenset(outer))


def _rows(rows: list[list[int]] | list[list[bool]], width: int = THIRTEEN_PLUS_NONE) -> Words:
    return np.array(rows, np.int64).reshape(len(rows), width)


def _bits(flags: Sequence[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
