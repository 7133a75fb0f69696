"""The best next move, and whether a game can still be won: from what its player may know, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter

from games import solver
from games.deals.grading import greediest
from games.deals.shuffle import bytes_from, shuffled
from games.rules import Card, Goal, Kind, Move, Play, Position
from games.solver.verdict import has_exact_verdict, verdict

SAMPLES = 8
NODES_A_SAMPLE = 1_500
NODES_OF_ONE = 10_000  # for a single order, where the samples are too hard
NODES_FOR_NOTICE = 20_000
NODES = 200_000  # for a hint once all cards are known
LOOK_BACK = 200


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a player knows of a game: the position in view, and the cards that were never seen, in no order."""

    view: Position
    unseen: tuple[Card, ...]

    @classmethod
    def of(cls, play: Play) -> Knowledge:
        return cls(play.view, tuple(sorted(play.unseen, key=attrgetter("index"))))

    def possible(self) -> Iterator[Position]:
        """Return positions that the player cannot tell from the true one, the same ones every time."""
        chance = bytes_from(self.view.text)
        while True:
            yield self.view.filled(shuffled(self.unseen, chance))


@dataclass(frozen=True, slots=True)
class Advice:
    """A move and why, in words. `is_exact` tells that it was found from all cards, not from sampled orders."""

    move: Move | None
    reason: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Loss:
    """A game that cannot be won any more. `since` is the last version from which it could, None if there was none."""

    since: int | None


@dataclass(frozen=True, slots=True)
class _Prospect:
    """What a move leads to in the sampled positions: how many are won, and in how many moves altogether."""

    move: Move
    wins: int
    length: int


def advise(knowledge: Knowledge) -> Advice:
    """Return the best move: exact once every card was seen, before that the best over sampled orders."""
    if not knowledge.view.legal_moves:
        return Advice(None, "there is no legal move", is_exact=True)
    return _from_samples(knowledge) if knowledge.unseen else _exact(knowledge.view)


def advise_quickly(knowledge: Knowledge) -> Advice:
    """Return the greedy move, for when there is no time to search."""
    return Advice(_greedy(knowledge.view), "it takes the most cards; there was no time to look further", is_exact=False)


def cannot_be_won(knowledge: Knowledge) -> bool:
    """Tell whether no order of the unseen cards can be won any more; False also where that is not proved."""
    if knowledge.view.is_won:
        return False
    if _is_lost_whatever_the_order(next(knowledge.possible())):
        return True
    return not knowledge.unseen and solver.is_winnable(knowledge.view, node_limit=NODES_FOR_NOTICE) is False


def loss_of(play: Play) -> Loss | None:
    """Return when a play was lost if it cannot be won any more, looking back at most `LOOK_BACK` versions."""
    knowledge = Knowledge.of(play)
    if not cannot_be_won(knowledge):
        return None
    earlier, positions = Play(play.start), [play.start]
    for entry in play.entries:
        earlier.do(*entry)
        positions.append(earlier.position)
    for back, position in enumerate(reversed(positions[-LOOK_BACK:])):
        if not cannot_be_won(Knowledge(position.seen_by(play.seen), knowledge.unseen)):
            return Loss(play.version - back)
    return Loss(None)


def _is_lost_whatever_the_order(position: Position) -> bool:
    """Tell whether even a stock that goes round for ever, which makes its order irrelevant, could not save a game."""
    rules = position.rules
    kinder = (
        replace(rules, draw=1, wastes=1, stock_open=False, passes=None, goal=Goal.TABLEAU) if rules.has_stock else rules
    )
    if rules.face_down or not has_exact_verdict(kinder):
        return False
    waste = tuple(card for pile in position.wastes for card in pile)
    return not verdict(replace(position, rules=kinder, wastes=(waste,), recycles=None))


def _exact(position: Position) -> Advice:
    solution = solver.solve(position, node_limit=NODES)
    if solution.moves:
        return Advice(solution.moves[0], f"it wins in {len(solution.moves)} moves, the fewest", is_exact=True)
    lost = solution.is_winnable is False
    reason = "the game cannot be won any more" if lost else "the game is too hard to solve"
    return Advice(_greedy(position), f"{reason}; this takes the most cards", is_exact=lost)


def _from_samples(knowledge: Knowledge) -> Advice:
    """Choose among the first moves of what wins the samples; other moves are seldom better and cost as much each."""
    won = _won_samples(knowledge)
    if not won:
        reason = f"none of {SAMPLES} sampled orders is won; this takes the most cards"
        return Advice(_greedy(knowledge.view), reason, is_exact=False)
    prospects = [_prospect(move, won) for move in sorted({line[0] for _, line in won}, key=str)]
    best = max(prospects, key=lambda prospect: (prospect.wins, -prospect.length))
    reason = f"it wins {best.wins} of {SAMPLES} sampled orders of the cards not seen yet"
    return Advice(best.move, reason, is_exact=False)


def _won_samples(knowledge: Knowledge) -> list[tuple[Position, tuple[Move, ...]]]:
    """Return those of the sampled positions that can be won, each with its shortest line."""
    samples = list(islice(knowledge.possible(), SAMPLES))
    solutions = [solver.solve(sample, node_limit=NODES_A_SAMPLE) for sample in samples]
    hard = [number for number, solution in enumerate(solutions) if solution.is_winnable is None]
    if hard and not any(solution.is_winnable for solution in solutions):
        solutions[hard[0]] = solver.solve(samples[hard[0]], node_limit=NODES_OF_ONE)
    return [(sample, found.moves) for sample, found in zip(samples, solutions, strict=True) if found.moves]


def _prospect(move: Move, won: list[tuple[Position, tuple[Move, ...]]]) -> _Prospect:
    """Return what becomes of the won samples after a move."""
    lengths = [len(line) - 1 if line[0] is move else _length_after(move, sample) for sample, line in won]
    wins = [length for length in lengths if length is not None]
    return _Prospect(move, len(wins), sum(wins))


def _length_after(move: Move, position: Position) -> int | None:
    return solver.solve(position.after(move), node_limit=NODES_A_SAMPLE).length


def _greedy(position: Position) -> Move | None:
    moves = position.legal_moves
    removals = [move for move in moves if move.kind is Kind.REMOVE]
    return greediest(position, removals) if removals else next(iter(moves), None)
