"""The foresight bet on people who cannot see the stock: its fortune has to keep within its bound.

The bets that honest plays placed are kept; here each card is drawn again by its chance, for far more games than could
be played. Every game is honest by construction, whatever its choices were: this tests the arithmetic of the bets, the
restarts and the bound. That real choices know nothing of the cards that came is shown by the mean of the real
factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from leaderboards.detectors import foresight
from leaderboards.detectors.foresight import Placed
from tests.bench.integrity.corpus import HONEST_ROLES, Table

GAMES = 100
LIMITS = (10, 100, 1_000, 10_000)

Floats = NDArray[np.float64]
Game = TypeVar("Game")


def report(table: Table, accounts: int, seed: str) -> None:
    """Print how often the fortunes of honest accounts get where."""
    highest = highest_fortunes(_honest(table), accounts, GAMES, seed, redrawn)
    print(f"\nnull of the bet: {accounts} accounts x {GAMES} games, cards drawn again")
    for limit in LIMITS:
        print(f"  ever above {limit:>6,}: {np.mean(highest >= limit):.5%}, bound {1 / limit:.5%}")
    print(f"  highest of all: {highest.max():,.0f}")
    for role in HONEST_ROLES:
        paid = _as_it_came(table, role.style)
        error = paid.std() / sqrt(len(paid))
        print(f"  {role.name}: {len(paid)} games as they came pay {paid.mean():.3f} each (standard error {error:.3f})")


def highest_fortunes(
    games: Sequence[Game],
    accounts: int,
    number: int,
    seed: str,
    redraw: Callable[[Game, int, np.random.Generator], Floats],
) -> Floats:
    """Return how high the fortune of each account ever rose over so many of these games, drawn with replacement."""
    dice = np.random.default_rng(list(seed.encode()))
    chosen = dice.integers(len(games), size=(accounts, number))
    factors = np.ones((accounts, number, len(foresight.factors(()))))
    for place, game in enumerate(games):
        where = chosen == place
        factors[where] = redraw(game, int(where.sum()), dice)
    running, highest = np.zeros((accounts, factors.shape[2])), np.ones(accounts)
    for played in range(1, number + 1):
        running = (running + 1 / (played * (played + 1))) * factors[:, played - 1]
        highest = np.maximum(highest, running.mean(axis=1) + 1 / (played + 1))
    return highest


def redrawn(game: tuple[Placed, ...], times: int, dice: np.random.Generator) -> Floats:
    """Return the factors of a game whose cards are drawn again so many times."""
    product = np.ones((times, len(foresight.factors(()))))
    for bet in game:
        came = dice.choice(len(bet.ranks), size=times, p=np.array(bet.chances))
        product *= np.array(bet.factors)[came]
    return product


def _honest(table: Table) -> list[tuple[Placed, ...]]:
    styles = {role.style for role in HONEST_ROLES}
    return [play.stored.placed for deal in table.deals for style in sorted(styles) for play in deal.plays[style]]


def _as_it_came(table: Table, style: str) -> Floats:
    """Return what each stored play of a style multiplied the fortune by, on average over the sizes of bets."""
    plays = [play for deal in table.deals for play in deal.plays[style]]
    settled = [[bet.settled(play.stock[bet.seen]) for bet in play.stored.placed] for play in plays]
    return np.array([np.mean(foresight.factors(bets)) for bets in settled])
