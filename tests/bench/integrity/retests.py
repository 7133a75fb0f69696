"""Measure the new deals that a retest takes until its figures are high, and how often honest players reach that.

    SEED=retest DEALS=12 PLAYS=1 .venv/bin/python -m tests.bench.integrity.retests

Deals, plays and bets are made as for `make bench-integrity`. Each retest draws 30 of the stored plays of a style, with
replacement. Cheats get the cards that really came. For the bet on honest players each card is drawn again by its
chance: else a lucky play would be drawn many times.
"""

from __future__ import annotations

from os import environ
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboards.detectors import foresight, near_par
from leaderboards.detectors.foresight import Placed
from tests.bench.integrity.corpus import HONEST_ROLES, Table
from tests.bench.integrity.null import redrawn
from tests.integrity import store

CHEATS = ("perfect", "slips 10 %", "slips 20 %", "sees three")
HONEST = tuple(role.style for role in HONEST_ROLES)
BARS, LENGTHS, MOST = (100, 10_000), (5, 10, 15, 20, 30), 30

Floats = NDArray[np.float64]


class Plays(NamedTuple):
    """The plays of a style: their bets, what those paid on the cards that came, and what near par makes of them."""

    placed: list[tuple[Placed, ...]]
    bets: Floats
    gaps: Floats


def main() -> None:
    seed, retests = environ.get("SEED") or "retest", int(environ.get("RETESTS") or 20_000)
    deals, plays = int(environ.get("DEALS") or 12), int(environ.get("PLAYS") or 1)
    table = Table(store.deals(seed, deals, plays, int(environ.get("JOBS") or 1)))
    dice = np.random.default_rng(list(seed.encode()))
    print(f"seed {seed!r}: {deals} deals, {plays} plays of each style, {retests} retests of each")
    print(
        f"\n{'who, figure':<26}{'bar':>7}"
        + "".join(f"{f'{n} deals':>10}" for n in LENGTHS)
        + "      ever  median (90 %)"
    )
    for style in (*CHEATS, *HONEST):
        own = _plays(table, style)
        chosen = dice.integers(len(own.placed), size=(retests, MOST))
        bets = _drawn_again(own, chosen, dice) if style in HONEST else own.bets[chosen]
        _report(f"{style}: bet", _values(bets))
        _report(f"{style}: near par", _values(own.gaps[chosen]))


def _plays(table: Table, style: str) -> Plays:
    plays = [play for deal in table.deals for play in deal.plays[style]]
    settled = [[bet.settled(play.stock[bet.seen]) for bet in play.stored.placed] for play in plays]
    return Plays(
        [play.stored.placed for play in plays],
        np.array([foresight.factors(bets) for bets in settled]),
        np.array([near_par.factors(play.game) for play in plays]),
    )


def _drawn_again(own: Plays, chosen: NDArray[np.int64], dice: np.random.Generator) -> Floats:
    factors = np.ones((*chosen.shape, own.bets.shape[1]))
    for place, game in enumerate(own.placed):
        where = chosen == place
        factors[where] = redrawn(game, int(where.sum()), dice)
    return factors


def _values(factors: Floats) -> Floats:
    """Return the value of each retest after each deal, as `from_the_first` computes it."""
    values: Floats = np.minimum(factors.cumprod(axis=1), 1e200).mean(axis=2)
    return values


def _report(name: str, values: Floats) -> None:
    """Print the shares of retests of some lengths that end above each bar or were ever there, and after which deal."""
    for bar in BARS:
        ends = [float(np.mean(values[:, length - 1] >= bar)) for length in LENGTHS]
        above = values >= bar
        first = np.sort(np.where(above.any(axis=1), above.argmax(axis=1) + 1, MOST + 1))
        median, most = (int(first[int(share * len(first))]) for share in (0.5, 0.9))
        when = f"{_number(median):>8} ({_number(most)})"
        shares = "".join(f"{share:>10.2%}" for share in (*ends, float(above.any(axis=1).mean())))
        print(f"{name:<26}{bar:>7,}{shares}{when}")


def _number(deals: int) -> str:
    return "never" if deals > MOST else str(deals)


if __name__ == "__main__":
    main()
