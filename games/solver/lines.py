"""Turn the nodes of the shape search back into moves."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.rules import DRAW, RECYCLE, Card, Move
from games.rules.moves import pair_move, solo_move
from games.solver.kernels_expand import AT_END
from games.solver.packing import Packed

_Removal = tuple[int, ...]  # tableau places that leave together


class _Node(NamedTuple):
    """A node in plain integers."""

    present: int
    live: int
    cursor: int
    turned: int


class _Board(NamedTuple):
    """The parts of a packed position that the search reads at each node, as plain integers."""

    packed: Packed
    covers: list[int]
    mates: list[int]
    kings: int
    overlap: bool
    talon_mates: list[int]  # bits of the tableau cards that may leave with each talon card


def line_to(packed: Packed, nodes: NDArray[np.void], last: int) -> tuple[Move, ...]:
    """Return the moves from the packed position to a node and then on to the cleared tableau."""
    tableau, talon = packed.tableau, packed.talon
    talon_mates = talon.tableau_mates[talon.rank].tolist()
    board = _Board(packed, tableau.covers.tolist(), tableau.mates.tolist(), tableau.kings, tableau.overlap, talon_mates)
    chain = _chain(packed, nodes, last)
    start = int(tableau.present[packed.start])
    moves = _moves(packed, _clearing(board, start, start & ~chain[0].present))
    for before, after in pairwise(chain):
        moves += _moves_of_edge(board, before, after)
    return tuple(moves + _moves(packed, _clearing(board, chain[-1].present, chain[-1].present)))


def _chain(packed: Packed, nodes: NDArray[np.void], last: int) -> list[_Node]:
    """Return the nodes from the first to the last one."""
    parent, numbers = nodes["parent"], []
    while last >= 0:
        numbers.append(last)
        last = int(parent[last])
    line = nodes[numbers[::-1]]
    columns = (packed.tableau.present[line["shape"]], line["talon"], line["cursor"], line["turned"])
    return [_Node(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def _moves_of_edge(board: _Board, before: _Node, after: _Node) -> list[Move]:
    """Return the moves of one edge: tableau pairs, the walk through the talon, the play, Kings that it set free.

    A node does not store the pairs of its edge nor the tableau card that was played, which keeps it small; both are
    found again from the places that became empty.
    """
    packed = board.packed
    gone = before.present & ~after.present
    walk = _Walk(packed, before)
    walk.until(after)
    played = walk.live & ~after.live
    if not gone:
        return [*walk.moves, _talon_move(packed, played)] if played else walk.moves
    number = played.bit_length() - 1
    for place in _bits(gone & board.talon_mates[number]):
        first = _clearing(board, before.present, gone, needed=place)
        if first is not None:
            left = before.present & ~sum(1 << other for removal in first for other in removal)
            then = _clearing(board, left & ~(1 << place), gone & left & ~(1 << place))
            if then is not None:
                play = pair_move(packed.cards[number], _card_at(packed, place))
                return [*_moves(packed, first), *walk.moves, play, *_moves(packed, then)]
    raise AssertionError("an edge of the search is not a play")


def _talon_move(packed: Packed, played: int) -> Move:
    cards = [packed.cards[place] for place in _bits(played)]
    return pair_move(*cards) if len(cards) == 2 else solo_move(cards[0])


class _Walk:
    """The draws, recycles and Kings taken on the way to the time of the next play."""

    def __init__(self, packed: Packed, node: _Node) -> None:
        self.moves: list[Move] = []
        self.live = node.live
        self._packed = packed
        self._ahead = node.live & ~((1 << node.cursor) - 1)
        self._turned = node.turned

    def until(self, after: _Node) -> None:
        while self._turned < after.turned or self._cursor < after.cursor:
            self._advance()

    @property
    def _cursor(self) -> int:
        return _lowest(self._ahead) if self._ahead else AT_END

    def _advance(self) -> None:
        talon, card = self._packed.talon, self._ahead & -self._ahead
        if not card:
            self.moves.append(RECYCLE)
            self._ahead = self.live
            self._turned += 1
        elif talon.open and talon.kings & card:
            self.moves.append(_talon_move(self._packed, card))
            self._take(card)
        elif talon.throws:
            self.moves.append(DRAW)
            self._take(card)
        else:
            self.moves.append(DRAW)
            for _ in range(talon.draw):
                self._ahead &= self._ahead - 1

    def _take(self, card: int) -> None:
        self.live &= ~card
        self._ahead &= ~card


def _clearing(board: _Board, present: int, gone: int, needed: int = -1) -> list[_Removal] | None:
    """Return removals inside the tableau that clear the places of gone, or None.

    With a needed place, that one stays and has to be free at the end; Kings under it may stay too.
    """
    kings = board.kings
    keep = 1 << needed if needed >= 0 else 0
    if needed >= 0 and not board.covers[needed] & present and not gone & ~kings & ~keep:
        return []
    if not gone:
        return []
    for removal in _removals(board, present, gone & ~keep):
        left = sum(1 << place for place in removal)
        rest = _clearing(board, present & ~left, gone & ~left, needed)
        if rest is not None:
            return [removal, *rest]
    return None


def _removals(board: _Board, present: int, gone: int) -> Iterator[_Removal]:
    free = [place for place in _bits(present) if not board.covers[place] & present]
    for place in free:
        if gone >> place & 1 and board.kings >> place & 1:
            yield (place,)
            return
    for place in free:
        if gone >> place & 1:
            mates = board.mates[place] & gone
            yield from ((place, other) for other in free if place < other and mates >> other & 1)
            if board.overlap:
                half_covered = (other for other in _bits(mates) if board.covers[other] & present == 1 << place)
                yield from ((place, other) for other in half_covered)


def _moves(packed: Packed, removals: list[_Removal] | None) -> list[Move]:
    assert removals is not None, "a shape of the search cannot be reached"
    cards = [[_card_at(packed, place) for place in removal] for removal in removals]
    return [pair_move(*pair) if len(pair) == 2 else solo_move(pair[0]) for pair in cards]


def _card_at(packed: Packed, place: int) -> Card:
    card = packed.places[place]
    assert card is not None
    return card


def _lowest(word: int) -> int:
    return (word & -word).bit_length() - 1


def _bits(word: int) -> Iterator[int]:
    while word:
        yield _lowest(word)
        word &= word - 1
