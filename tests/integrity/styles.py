"""The choices of simulated people and cheats: from careless to nearly optimal, with or without the stock in view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from games.deals.grading import greediest
from games.rules import UNDO, Action, Kind, Move, Outcome, Play, Position
from games.solver import is_winnable, solve
from games.solver.orders import NO_WIN, UNDECIDED, Progress, Pyramid

LONGEST = 200
NODE_LIMIT = 3_000
LOST = 150  # counts as so many actions


@dataclass(frozen=True, slots=True)
class Style:
    """A way to choose.

    `samples` orders of the unseen cards are looked at for a decision, none by who takes the greedy removal; `sees` is
    how many stock cards ahead are known; `slips` the chance of a random removal, `overlooks` that of drawing on where
    something could be removed, `undoes` that of taking a slip back. `draws_first` sees the whole stock before all else.
    """

    name: str
    samples: int = 0
    sees: int = 0
    slips: float = 0.0
    overlooks: float = 0.0
    undoes: float = 0.0
    draws_first: bool = False


WHOLE_STOCK = 24
HONEST = (
    Style("careless", slips=0.5, overlooks=0.2, undoes=0.1),
    Style("casual", slips=0.15, overlooks=0.05, undoes=0.2),
    Style("thinker", samples=2, slips=0.08, undoes=0.5),
    Style("champion", samples=10),
    Style("draws first", samples=1, slips=0.02, draws_first=True),
)
CHEATS = (
    Style("perfect", sees=WHOLE_STOCK),
    Style("slips 10 %", sees=WHOLE_STOCK, slips=0.1),
    Style("slips 20 %", sees=WHOLE_STOCK, slips=0.2),
    Style("sees three", samples=6, sees=3),
)
STYLES = {style.name: style for style in HONEST + CHEATS}


@dataclass(frozen=True, slots=True)
class Choices:
    """A whole play without its times."""

    actions: tuple[Action, ...]
    result: Outcome | None


class Chooser:
    """Somebody who plays one deal in a style."""

    def __init__(self, deal: Position, pyramid: Pyramid, style: Style, dice: Random) -> None:
        self._play = Play(deal)
        self._pyramid, self._style, self._dice = pyramid, style, dice
        self._places: dict[object, int] = {card: place for place, card in enumerate(deal.stock)}
        self._ranks = [card.rank for card in deal.stock]
        self._seen = 0
        self._line: tuple[Move, ...] = ()  # what is left of a shortest line from the position expected
        self._expected: Position | None = None

    def play(self) -> Choices:
        """Play to the win, or until nothing more can be hoped for."""
        idle = 0
        while self._play.result is None and self._play.version < LONGEST and idle <= len(self._ranks) + 2:
            move = self._choose()
            if move is None:
                break
            idle = 0 if move.kind is Kind.REMOVE else idle + 1
            self._do(move)
        if self._play.result is None:
            self._play.resign()
        return Choices(tuple(timed.action for timed in self._play.actions), self._play.result)

    def _do(self, action: Action) -> None:
        self._seen += len(self._play.do(action, 0))

    def _choose(self) -> Move | None:
        """Return the next move; a slip may be made and taken back on the way."""
        legal, style = self._play.legal_moves, self._style
        if not legal:
            return None
        others = [move for move in legal if not move.cards]
        if len(legal) == 1 or (style.draws_first and self._seen < len(self._ranks) and others):
            return others[0] if others else legal[0]
        if style.overlooks and others and self._dice.random() < style.overlooks:
            return others[0]
        if self._dice.random() < style.slips:
            slip = self._dice.choice(self._slips(legal))
            if self._dice.random() >= style.undoes or self._play.position.after(slip).is_won:
                return slip
            self._do(slip)
            self._do(UNDO)
        return self._best(legal)

    def _slips(self, legal: Sequence[Move]) -> Sequence[Move]:
        """Return what a slip may be: any removal; with the stock in view, one that does not lose the game."""
        removals = [move for move in legal if move.cards] or legal
        if self._style.sees < WHOLE_STOCK:
            return removals
        return [move for move in removals if is_winnable(self._play.position.after(move))] or removals

    def _best(self, legal: Sequence[Move]) -> Move | None:
        if self._style.sees == WHOLE_STOCK or (self._style.samples and self._seen == len(self._ranks)):
            return self._shortest()
        if self._style.samples:
            return self._best_of_samples(legal)
        removals = [move for move in legal if move.kind is Kind.REMOVE]
        return greediest(self._play.position, removals) if removals else next(m for m in legal if not m.cards)

    def _shortest(self) -> Move | None:
        """Return the next move of a shortest line, None where the game is lost."""
        if self._play.position != self._expected:
            self._line = solve(self._play.position).moves
        if not self._line:
            return None
        move, self._line = self._line[0], self._line[1:]
        self._expected = self._play.position.after(move)
        return move

    def _best_of_samples(self, legal: Sequence[Move]) -> Move | None:
        rows = self._samples()
        after = [Progress.of(self._play.position.after(move), self._places) for move in legal]
        lengths = np.array([self._pyramid.lengths(progress, rows, node_limit=NODE_LIMIT) for progress in after])
        decided = lengths[:, ~np.any(lengths == UNDECIDED, axis=0)]
        if not decided.size:
            decided = np.where(lengths == UNDECIDED, LOST // 2, lengths)
        means = np.where(decided == NO_WIN, LOST, decided).mean(axis=1)
        if means.min() >= LOST:
            return None
        best = [move for move, mean in zip(legal, means, strict=True) if mean <= means.min() + 1e-9]
        return self._dice.choice(best)

    def _samples(self) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
        known = min(len(self._ranks), self._seen + self._style.sees)
        rest = self._ranks[known:]
        rows = [
            self._ranks[:known] + self._dice.sample(rest, len(rest)) for _ in range(self._style.samples if rest else 1)
        ]
        return np.array(rows, np.uint8)
