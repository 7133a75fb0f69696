"""The waste of each move of a game: by what its player had seen, and in truth. For reviewers' eyes; not a test."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from games.deals.shuffle import bytes_from, shuffled
from games.rules import Move
from games.solver.orders import NO_WIN, UNDECIDED, Progress, Pyramid
from leaderboards.detectors.games import JudgedStep, RankedGame
from leaderboards.detectors.weighed import WeighedMove, WeighedStep

SAMPLES = 24
NODE_LIMIT = 20_000

Lengths = NDArray[np.int64]


def weigh(game: RankedGame) -> tuple[WeighedStep, ...]:
    """Weigh every step of a game. Raises `ValueError` for rules whose stock cannot be asked about in many orders."""
    scales = _Scales(game)
    return tuple(scales.weighed(step, seen) for step, seen in zip(game.steps, scales.seen(), strict=True))


class _Scales:
    """One deal under its true order and under sampled orders of what was unseen; the dice depend on the deal alone."""

    def __init__(self, game: RankedGame) -> None:
        deal = game.play.start
        self._game, self._pyramid = game, Pyramid(deal)
        self._places: dict[object, int] = {card: place for place, card in enumerate(deal.stock)}
        self._ranks = [card.rank for card in deal.stock]
        self._rows: dict[int, NDArray[np.uint8]] = {}

    def seen(self) -> Iterator[int]:
        """Yield how many stock cards had been seen before each step."""
        seen = 0
        for step in self._game.steps:
            yield seen
            seen += sum(card in self._places for card in step.turned)

    def weighed(self, step: JudgedStep, seen: int) -> WeighedStep:
        before = self._lengths(Progress.of(step.before, self._places), seen)
        moves = [self._weighed(move, step, seen, before) for move in step.before.legal_moves]
        moves.sort(key=lambda own: (own.seen is None, own.seen or 0.0, own.move))
        return WeighedStep(_mean(before[1:]), _one(before[0]), tuple(moves))

    def _weighed(self, move: Move, step: JudgedStep, seen: int, before: Lengths) -> WeighedMove:
        after = self._lengths(Progress.of(step.before.after(move), self._places), seen)
        waste = np.where((after < 0) | (before < 0), NO_WIN, np.maximum(0, 1 + after - before))
        return WeighedMove(move.text, _mean(waste[1:]), _one(waste[0]), move is step.action)

    def _lengths(self, progress: Progress, seen: int) -> Lengths:
        lengths = self._pyramid.lengths(progress, self._orders(seen), node_limit=NODE_LIMIT)
        return np.where(lengths == UNDECIDED, NO_WIN, lengths)

    def _orders(self, seen: int) -> NDArray[np.uint8]:
        """Return the true stock, then stocks with the unseen cards in sampled orders."""
        if seen not in self._rows:
            dice = bytes_from(f"hindsight|{self._game.deal}|{seen}")
            unseen = sorted(self._ranks[seen:])
            samples = [[*self._ranks[:seen], *shuffled(unseen, dice)] for _ in range(SAMPLES)]
            self._rows[seen] = np.array([self._ranks, *samples], np.uint8)
        return self._rows[seen]


def _mean(values: Lengths) -> float | None:
    decided = values[values >= 0]
    return round(float(decided.mean()), 2) if decided.size else None


def _one(value: np.int64) -> float | None:
    return float(value) if value >= 0 else None
