"""Simulated people and cheats under any rules with one deck, who ask the general solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from games.deals.grading import greediest
from games.rules import Kind, Move, Outcome, Play, Position
from games.solver import find_win, is_winnable, solve

LONGEST = 200
LOST = 150  # counts as so many actions
PLANNED_ORDERS = 3
PLANNER_LIMIT, CHEAT_LIMIT = 3_000, 100_000

Choose = Callable[[Play, Random], Move | None]


def careless(play: Play, dice: Random) -> Move | None:
    """Return any removal, else a draw."""
    removals = _removals(play)
    return dice.choice(removals) if removals else _draw(play)


def casual(play: Play, dice: Random) -> Move | None:
    """Return the greedy removal, now and then any other, and now and then a draw in spite of it."""
    removals, draw = _removals(play), _draw(play)
    if not removals or (draw and dice.random() < 0.05):
        return draw
    return dice.choice(removals) if dice.random() < 0.15 else greediest(play.position, removals)


def planner(play: Play, dice: Random) -> Move | None:
    """Return the move that is best on average over a few orders of the cards not yet seen."""
    unseen = sorted(play.unseen, key=lambda card: card.index)
    as_seen = play.position.seen_by(play.seen)
    orders = [dice.sample(unseen, len(unseen)) for _ in range(PLANNED_ORDERS if unseen else 1)]
    lengths = {
        move: np.mean([_length(as_seen.filled(order).after(move)) for order in orders]) for move in play.legal_moves
    }
    if not lengths:
        return None
    if min(lengths.values()) >= LOST:
        return casual(play, dice)
    return dice.choice([move for move, mean in lengths.items() if mean <= min(lengths.values()) + 1e-9])


class Cheat:
    """Somebody who knows all cards, and slips on purpose: any removal that does not lose the game."""

    def __init__(self, slips: float) -> None:
        self._slips = slips
        self._line: Sequence[Move] = ()
        self._expected: Position | None = None

    def __call__(self, play: Play, dice: Random) -> Move | None:
        """Return the next move."""
        if self._slips and dice.random() < self._slips:
            safe = [move for move in _removals(play) if is_winnable(play.position.after(move))]
            if safe:
                return dice.choice(safe)
        if play.position != self._expected:
            shortest = solve(play.position, node_limit=CHEAT_LIMIT)
            self._line = shortest.moves or find_win(play.position).moves
        if not self._line:
            return None
        move, *self._line = self._line
        self._expected = play.position.after(move)
        return move


HONEST: dict[str, Choose] = {"careless": careless, "casual": casual, "planner": planner}
CHEATS: dict[str, float] = {"perfect": 0.0, "slips 10 %": 0.1}


def play_of(start: Position, style: str, dice: Random) -> Play:
    """Return a whole play in a style: to the end, or until nothing was removed for a whole turn of the stock."""
    choose = HONEST.get(style) or Cheat(CHEATS[style])
    play, idle = Play(start), 0
    while play.result is None and play.version < LONGEST and idle <= start.rules.stock_size + 2:
        move = choose(play, dice)
        if move is None:
            break
        idle = 0 if move.kind is Kind.REMOVE else idle + 1
        play.do(move, 0)
    if play.result is None:
        play.end(Outcome.RESIGNED)
    return play


def _removals(play: Play) -> list[Move]:
    return [move for move in play.legal_moves if move.kind is Kind.REMOVE]


def _draw(play: Play) -> Move | None:
    return next((move for move in play.legal_moves if not move.cards), None)


def _length(position: Position) -> int:
    length = solve(position, node_limit=PLANNER_LIMIT).length
    if length is not None:
        return length
    return LOST // 2 if is_winnable(position, node_limit=PLANNER_LIMIT) is not False else LOST
