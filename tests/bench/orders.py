"""The cost of solving one pyramid with many orders of its stock, and of the foresight bet of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import process_time

import numpy as np

from games.rules import DRAW, Deck, Move, Play, Position
from games.solver import solve
from games.solver.orders import Progress, Pyramid
from leaderboards.detectors.foresight import bets
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.sampled_orders import Orders
from tests.bench.solver import deals, summary
from tests.bench.table import Row

DEALS, ORDERS, GAMES = 20, 32, 10


def rows() -> Iterator[Row]:
    starts = [deal for deal in deals("standard", 3 * DEALS) if solve(deal).moves][:DEALS]
    yield from _orders(starts)
    yield from _games(starts[:GAMES])


def _orders(starts: list[Position]) -> Iterator[Row]:
    """Compare one call for many orders with a call for each, from the deal and along a shortest win."""
    for what, seen in (("from the deal", 0), ("after 16 cards of a win", 16)):
        together, alone = [], []
        for start in starts:
            moves, others = _first_moves(start, seen), _reordered(start, seen)
            here = [_after(other, moves) for other in others]
            progress = Progress.of(_after(start, moves), {card: place for place, card in enumerate(start.stock)})
            ranks = np.array([[card.rank for card in other.stock] for other in others], np.uint8)
            pyramid = Pyramid(start)
            pyramid.lengths(progress, ranks[:1])
            together.append(_milliseconds(partial(pyramid.lengths, progress, ranks)) / ORDERS)
            alone.append(sum(_milliseconds(partial(solve, position)) for position in here) / ORDERS)
        yield from summary(f"orders: {what}, one pyramid, an order", together)
        yield from summary(f"orders: {what}, each alone, an order", alone)


def _first_moves(start: Position, seen: int) -> list[Move]:
    """Return the moves of a shortest win up to the draw of so many cards."""
    moves: list[Move] = []
    for move in solve(start).moves:
        if moves.count(DRAW) < seen:
            moves.append(move)
    return moves


def _games(starts: list[Position]) -> Iterator[Row]:
    """Bet on the shortest win of each deal, for the first game on a deal and for one that was bet on before."""
    first, again = [], []
    for start in starts:
        play = Play(start)
        for number, move in enumerate(solve(start).moves):
            play.do(move, number)
        game, orders = RankedGame("", "", "", 0, play), Orders(start)
        first.append(_milliseconds(partial(bets, game, orders)))
        again.append(_milliseconds(partial(bets, game, orders)))
    yield from summary("foresight bet: the first game on a deal", first)
    yield from summary("foresight bet: the same choices again", again)


def _reordered(start: Position, seen: int) -> list[Position]:
    dice, cards = Random(2026), start.stock
    rest = cards[seen:]
    stocks = [(*cards[:seen], *dice.sample(rest, len(rest))) for _ in range(ORDERS)]
    return [Position.deal(Deck((*start.layout.cards, *stock)), start.rules) for stock in stocks]


def _after(start: Position, moves: list[Move]) -> Position:
    for move in moves:
        start = start.after(move)
    return start


def _milliseconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return (process_time() - begun) * 1e3
