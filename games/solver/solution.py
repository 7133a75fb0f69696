"""The public functions of the solver: shortest lines, verdicts, and the distances of a whole game."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from games.rules import Card, Move, Position
from games.solver.kernels_search import leaves_a_way
from games.solver.packing import Packed, after_removals, bits_of, is_packable, pack, require_all_seen
from games.solver.searches import searches_of
from games.solver.verdict import has_exact_verdict, is_lost_whatever_the_order

NODE_LIMIT = 1_000_000


class Status(StrEnum):
    """The result of a search."""

    SOLVED = "solved"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer for one position. `moves` is the line asked for if solved, else empty; `nodes` the work done."""

    status: Status
    moves: tuple[Move, ...] = ()
    nodes: int = 0

    @property
    def length(self) -> int | None:
        """The actions of the line to the win; None if there is no win or none is known."""
        return len(self.moves) if self.status is Status.SOLVED else None

    @property
    def is_winnable(self) -> bool | None:
        """True if the position can be won, False if not, None if that is not known."""
        return None if self.status is Status.UNKNOWN else self.status is Status.SOLVED


def solve(position: Position, *, node_limit: int | None = None) -> Solution:
    """Return a shortest line to the win, or the proof that there is none, or `UNKNOWN` beyond the node limit.

    Raises `NotationError` for a position with unseen cards.
    """
    return _search(position, node_limit or NODE_LIMIT, is_any=False)


def find_win(position: Position, *, node_limit: int | None = None) -> Solution:
    """Return some line to the win, which takes far less work than a shortest one; else as `solve` does."""
    return _search(position, node_limit or NODE_LIMIT, is_any=True)


def is_winnable(position: Position, *, node_limit: int | None = None) -> bool | None:
    """Return True if a position can be won, None if the node limit leaves it open. Cheaper than `solve`."""
    winnable, _nodes = verdict_with_nodes(position, node_limit=node_limit)
    return winnable


def verdict_with_nodes(position: Position, *, node_limit: int | None = None) -> tuple[bool | None, int]:
    """Return what `is_winnable` does, and the nodes of the search, 0 where none is needed."""
    if has_exact_verdict(position.rules):
        return _has_estimate(position), 0
    solution = find_win(position, node_limit=node_limit)
    return solution.is_winnable, solution.nodes


class VerdictsAfter:
    """The verdicts of positions that removals alone lead to from one, which is translated once for all of them.

    For rules under which no verdict needs a search.
    """

    def __init__(self, position: Position) -> None:
        require_all_seen(position)
        assert has_exact_verdict(position.rules)
        self._packed = pack(position)
        self._bits = bits_of(self._packed)

    def is_winnable(self, position: Position) -> bool:
        """Return True if such a position can be won."""
        return self.without(position, [()]) == [True]

    def without(self, position: Position, removals: Iterable[Iterable[Card]]) -> list[bool]:
        """Return for each removal whether such a position can be won after it."""
        return _leaves_a_way(self._packed, *after_removals(self._bits, position, removals))


class KnownPositions:
    """The solutions of positions that were looked for lately, at most `most`, undecided ones with their node limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._solutions: OrderedDict[Position, tuple[Solution, int]] = OrderedDict()

    def solve(self, position: Position, node_limit: int) -> Solution:
        """Return the solution of a position, which is only looked for if it is not known."""
        solution, limit = self._solutions.pop(position, (None, 0))
        if solution is None or (solution.is_winnable is None and limit < node_limit):
            solution, limit = solve(position, node_limit=node_limit), node_limit
        self._solutions[position] = solution, limit
        if len(self._solutions) > self._most:
            self._solutions.popitem(last=False)
        return solution


def distances(
    positions: Iterable[Position], *, node_limit: int = NODE_LIMIT, known: KnownPositions | None = None
) -> list[Solution]:
    """Return the solution of each position of a game, in order; a position on the last shortest line costs nothing."""
    known = known or KnownPositions(0)
    solutions: list[Solution] = []
    before: Position | None = None
    for position in positions:
        solutions.append(_follow(before, position, solutions) or known.solve(position, node_limit))
        before = position
    return solutions


def _follow(before: Position | None, position: Position, solutions: list[Solution]) -> Solution | None:
    """Return the solution that follows from that of the position before, if it does."""
    if before is None:
        return None
    last = solutions[-1]
    if position == before:
        return last
    if last.status is Status.SOLVED and last.moves and before.after(last.moves[0]) == position:
        return Solution(Status.SOLVED, last.moves[1:])
    is_lost = last.status is Status.UNWINNABLE and any(before.after(move) == position for move in before.legal_moves)
    return Solution(Status.UNWINNABLE) if is_lost else None


def _has_estimate(position: Position) -> bool:
    """Return True if the estimate leaves a way to the win, which is exact where the stock goes round without limit.

    There the estimate is the verdict of `verdict.py`, computed by the kernels.
    """
    require_all_seen(position)
    packed = pack(position)
    return _leaves_a_way(packed, np.array([packed.start]), np.array([packed.live])) == [True]


def _leaves_a_way(packed: Packed, starts: NDArray[np.int64], lives: NDArray[np.int64]) -> list[bool]:
    leaves: list[bool] = leaves_a_way(packed.tableau, packed.talon, starts, lives, packed.cursor).tolist()
    return leaves


def _search(position: Position, node_limit: int, *, is_any: bool) -> Solution:
    require_all_seen(position)
    if position.is_won:
        return Solution(Status.SOLVED)
    if not is_packable(position.rules) and is_lost_whatever_the_order(position):
        return Solution(Status.UNWINNABLE)
    used = 0
    for step in searches_of(position.rules, is_any=is_any):
        if used >= node_limit:
            break
        moves, proved, nodes = step.search(position, min(step.nodes or node_limit, node_limit), step.how)
        used += nodes
        if moves is not None:
            return Solution(Status.SOLVED, moves, used)
        if proved:
            return Solution(Status.UNWINNABLE, nodes=used)
    return Solution(Status.UNKNOWN, nodes=used)
