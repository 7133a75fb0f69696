"""Compute hints and prove games lost, from nothing but what the player may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING

from games import solver
from games.deals.grading import greediest
from games.deals.shuffle import bytes_from, shuffled
from games.rules import UNSEEN, Card, Goal, Kind, Move, Play, Position
from games.solver.verdict import has_exact_verdict, verdict

if TYPE_CHECKING:
    from games.solver import Solution  # at run time it would load the search into every process that gives advice

SAMPLES = 8
NODES_A_SAMPLE = 1_500
NODES_OF_ONE = 10_000  # for a single order, where the samples are too hard
NODES_FOR_NOTICE = 20_000
NODES = 200_000  # for a hint once all cards are known
LOST = "the game cannot be won any more"
WHATEVER_THE_ORDER = "whatever the order of the unseen cards"
STILL_WINNABLE = f"after it the game can still be won, {WHATEVER_THE_ORDER}"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A player's knowledge of a game: the position in view, and the cards that were never seen, in no order."""

    view: Position
    unseen: tuple[Card, ...]

    @classmethod
    def of(cls, play: Play) -> Knowledge:
        return cls(play.view, tuple(sorted(play.unseen, key=attrgetter("index"))))

    def possible(self) -> Iterator[Position]:
        """Return a fixed sample of the positions that look the same as the true one to the player."""
        chance = bytes_from(self.view.text)
        while True:
            yield self.view.filled(shuffled(self.unseen, chance))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A move and the reason for it in words; `is_exact` if computed from all cards, not from sampled orders."""

    move: Move | None
    reason: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class _Prospect:
    """The sampled positions that a move wins and loses, and how long the wins take.

    Samples that are neither won nor lost are undecided. `length` is the mean over the lines that were found.
    """

    move: Move
    wins: int
    losses: int
    length: float


def suggest(knowledge: Knowledge) -> Suggestion:
    """Return the best move: exact once every card has been seen, before that the best over sampled orders."""
    if not knowledge.view.legal_moves:
        return Suggestion(None, "there is no legal move", is_exact=True)
    return _from_samples(knowledge) if knowledge.unseen else _exact(knowledge.view)


def suggest_quickly(knowledge: Knowledge) -> Suggestion:
    """Return the greedy move, for when there is no time to search."""
    return Suggestion(
        _greedy(knowledge.view), "it takes the most cards; there was no time to look further", is_exact=False
    )


def cannot_be_won(knowledge: Knowledge) -> bool:
    """Return True if it is proved that no order of the unseen cards can still be won."""
    if knowledge.view.is_won:
        return False
    if _is_lost_whatever_the_order(next(knowledge.possible())):
        return True
    return not knowledge.unseen and solver.is_winnable(knowledge.view, node_limit=NODES_FOR_NOTICE) is False


def _is_lost_whatever_the_order(position: Position) -> bool:
    """Return True if even unlimited passes through the stock, which make its order irrelevant, cannot win the game."""
    rules = position.rules
    kinder = (
        replace(rules, draw=1, wastes=1, stock_open=False, passes=None, goal=Goal.TABLEAU) if rules.has_stock else rules
    )
    if rules.face_down or not has_exact_verdict(kinder):
        return False
    waste = tuple(card for pile in position.wastes for card in pile)
    return not verdict(replace(position, rules=kinder, wastes=(waste,), recycles=None))


def _exact(position: Position) -> Suggestion:
    solution = solver.solve(position, node_limit=NODES)
    if solution.moves:
        return Suggestion(solution.moves[0], f"it begins a shortest win, in {len(solution.moves)} moves", is_exact=True)
    if solution.is_winnable is False:
        return Suggestion(_greedy(position), f"{LOST}; this takes the most cards", is_exact=True)
    solution = solver.find_win(position, node_limit=NODES)
    if solution.moves:
        return Suggestion(solution.moves[0], f"it begins a win in {len(solution.moves)} moves", is_exact=False)
    return Suggestion(_greedy(position), "no win was found in time; this takes the most cards", is_exact=False)


def _from_samples(knowledge: Knowledge) -> Suggestion:
    """Choose among the moves that begin a win of some sample; others are seldom better and cost as much to try."""
    samples = list(islice(knowledge.possible(), SAMPLES))
    if _is_lost_whatever_the_order(samples[0]):
        reason = f"{LOST}, {WHATEVER_THE_ORDER}; this takes the most cards"
        return Suggestion(_greedy(knowledge.view), reason, is_exact=False)
    lines = _lines(samples)
    firsts = {line.moves[0] for line in lines if line.moves}
    if not firsts:
        return _without_a_line(knowledge.view, samples, lines)
    prospects = [_prospect(move, samples, lines) for move in sorted(firsts, key=str)]
    best = max(prospects, key=lambda prospect: (prospect.wins, -prospect.losses, -prospect.length))
    return Suggestion(best.move, _why(best, knowledge.view), is_exact=False)


def _is_decided(view: Position) -> bool:
    """Return True if the order of the unseen cards does not matter and the verdict needs no search."""
    return has_exact_verdict(view.rules) and UNSEEN not in view.tableau


def _lines(samples: list[Position]) -> list[Solution]:
    """Return a winning line for each sample: a shortest one, or any if that takes too long."""
    lines = [_line(sample) for sample in samples]
    if not any(line.is_winnable for line in lines):
        hard = next((number for number, line in enumerate(lines) if line.is_winnable is None), None)
        if hard is not None:
            lines[hard] = solver.find_win(samples[hard], node_limit=NODES_OF_ONE)
    return lines


def _line(position: Position) -> Solution:
    line = solver.solve(position, node_limit=NODES_A_SAMPLE)
    return solver.find_win(position, node_limit=NODES_A_SAMPLE) if line.is_winnable is None else line


def _without_a_line(view: Position, samples: list[Position], lines: list[Solution]) -> Suggestion:
    """Return a move that removes many cards and, where the exact verdict is cheap, does not lose the game."""
    if _is_decided(view):
        safe = [move for move in view.legal_moves if verdict(samples[0].after(move))]
        return Suggestion(_greediest(view, safe), STILL_WINNABLE, is_exact=False)
    lost = sum(line.is_winnable is False for line in lines)
    found = f"{SAMPLES} sampled orders of the unseen cards"
    found = (
        f"none of {found} can be won"
        if lost == SAMPLES
        else f"no win was found in {found}{_and_undecided(SAMPLES - lost)}"
    )
    return Suggestion(_greedy(view), f"{found}; this takes the most cards", is_exact=False)


def _prospect(move: Move, samples: list[Position], lines: list[Solution]) -> _Prospect:
    """Return the prospect of a move. Samples already lost before the move are not searched again."""
    after = [_line_after(move, sample, line) for sample, line in zip(samples, lines, strict=True)]
    lengths = [line.length for line in after if line.length is not None]
    losses = sum(line.is_winnable is False for line in after)
    return _Prospect(move, len(lengths), losses, sum(lengths) / len(lengths))


def _line_after(move: Move, sample: Position, line: Solution) -> Solution:
    if not line.moves:
        return line
    return replace(line, moves=line.moves[1:]) if line.moves[0] is move else _line(sample.after(move))


def _why(prospect: _Prospect, view: Position) -> str:
    if _is_decided(view):
        return STILL_WINNABLE
    undecided = SAMPLES - prospect.wins - prospect.losses
    return f"it wins {prospect.wins} of {SAMPLES} sampled orders of the unseen cards{_and_undecided(undecided)}"


def _and_undecided(undecided: int) -> str:
    return f" ({undecided} undecided)" if undecided else ""


def _greedy(position: Position) -> Move | None:
    return _greediest(position, position.legal_moves)


def _greediest(position: Position, moves: Sequence[Move]) -> Move | None:
    removals = [move for move in moves if move.kind is Kind.REMOVE]
    return greediest(position, removals) if removals else next(iter(moves), None)
