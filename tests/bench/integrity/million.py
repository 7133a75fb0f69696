"""The lists of a million accounts: how many of those who are named are honest, and how many cheats are named.

    make bench-guarantee (ACCOUNTS=1000000 RUNS=100 DEALS=12 SEED=guarantee)

Deals, plays and bets are those of `make bench-integrity`. On each of 30 days everyone plays one of the stored plays of
their style on the same deal, and honest accounts that chose the same play get the same cards, drawn again by their
chance: their fates hang together more than those of people would. Cheats get the cards that really came.
"""

from __future__ import annotations

from os import environ
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from leaderboards.detectors import foresight, near_par
from leaderboards.detectors.naming import NAMED_SHARE, WATCHED_SHARE, Naming, naming
from leaderboards.detectors.thresholds import THRESHOLDS
from tests.bench.integrity.corpus import HONEST_ROLES, Table
from tests.integrity import store

CHEATS = ("perfect", "slips 10 %", "slips 20 %")
CHEATING_SHARE, DAYS = 0.005, 30

Floats = NDArray[np.float32]


class Plays(NamedTuple):
    """The factors by which each play of a deal multiplies the stakes: of the bet, and of near par."""

    bets: Floats
    gaps: Floats


class Fortunes:
    """The fortunes of all accounts, added up as `Fortune` does."""

    def __init__(self, accounts: int, stakes: int) -> None:
        self._running, self._games = np.zeros((accounts, stakes), np.float32), 0

    def after(self, factors: Floats) -> Floats:
        """Return the values after one more game."""
        self._games += 1
        self._running += np.float32(1 / (self._games * (self._games + 1)))
        self._running *= factors
        np.minimum(self._running, np.float32(1e30), out=self._running)
        values: Floats = self._running.mean(axis=1) + np.float32(1 / (self._games + 1))
        return values


class Run(NamedTuple):
    """The shares of honest accounts among those named after the last day, and of cheats named by then."""

    false: float  # by the bet
    false_of_both: float
    false_of_highest: float  # if the highest values were taken
    found: dict[str, float]
    bar: float


def plays_of(table: Table, deal: int, styles: tuple[str, ...], dice: np.random.Generator | None) -> Plays:
    """Return the plays of some styles on a deal; with dice, the cards on which they bet are drawn again."""
    plays = [play for style in styles for play in table.deals[deal].plays[style]]
    bets, gaps = [], []
    for play in plays:
        came = [bet.settled(_rank(bet, dice) if dice else play.stock[bet.seen]) for bet in play.stored.placed]
        bets.append(foresight.factors(came))
        gaps.append(near_par.factors(play.game))
    return Plays(np.array(bets, np.float32), np.array(gaps, np.float32))


def _rank(bet: foresight.Placed, dice: np.random.Generator) -> int:
    return int(dice.choice(bet.ranks, p=np.array(bet.chances) / sum(bet.chances)))


def simulated(table: Table, accounts: int, dice: np.random.Generator) -> Run:
    """Have so many accounts play for `DAYS` days, with the lists of each day."""
    honest_styles = tuple(role.style for role in HONEST_ROLES)
    cheats = int(accounts * CHEATING_SHARE)
    honest = accounts - cheats
    style = dice.integers(len(CHEATS), size=cheats)
    bets, gaps = Fortunes(accounts, len(THRESHOLDS.slips)), Fortunes(accounts, 3)
    value = highest = np.ones(accounts, np.float32)
    named, lists = np.zeros(accounts, bool), list[NDArray[np.bool_]]()
    for _ in range(DAYS):
        deal = int(dice.integers(len(table.deals)))
        fair, known = plays_of(table, deal, honest_styles, dice), plays_of(table, deal, CHEATS, None)
        each = len(known.bets) // len(CHEATS)
        chosen = np.concatenate(
            [
                dice.integers(len(fair.bets), size=honest),
                len(fair.bets) + style * each + dice.integers(each, size=cheats),
            ]
        )
        value = bets.after(np.concatenate([fair.bets, known.bets])[chosen])
        mean = (value + gaps.after(np.concatenate([fair.gaps, known.gaps])[chosen])) / 2
        both = np.where(value >= THRESHOLDS.support, mean, 0)
        highest = np.maximum(highest, value)
        lists = [listed(one) for one in (value, both)]
        named |= lists[0] | lists[1]
    found = {name: float(named[honest:][style == place].mean()) for place, name in enumerate(CHEATS)}
    false, false_of_both, false_of_highest = (
        float(one[:honest].sum() / max(1, one.sum())) for one in (*lists, listed(highest))
    )
    return Run(false, false_of_both, false_of_highest, found, _naming(value).bar)


def listed(values: Floats) -> NDArray[np.bool_]:
    """Return who is named."""
    is_listed: NDArray[np.bool_] = values >= _naming(values).bar
    return is_listed


def _naming(values: Floats) -> Naming:
    return naming(values[values >= 1 / WATCHED_SHARE].tolist(), len(values), NAMED_SHARE)


def main() -> None:
    accounts, runs = int(environ.get("ACCOUNTS") or 1_000_000), int(environ.get("RUNS") or 100)
    seed = environ.get("SEED") or "guarantee"
    table = Table(store.deals(seed, int(environ.get("DEALS") or 12), 2, int(environ.get("JOBS") or 1)))
    begun = process_time()
    made = [simulated(table, accounts, np.random.default_rng([*seed.encode(), run])) for run in tqdm(range(runs))]
    print(
        f"{runs} runs, {accounts:,} accounts, {DAYS} days, {CHEATING_SHARE:.1%} cheats, {process_time() - begun:.0f} s"
    )
    for name in ("false", "false_of_both", "false_of_highest"):
        shares = [getattr(run, name) for run in made]
        print(f"  {name:<18} mean {np.mean(shares):.4%}, worst {max(shares):.4%}")
    for name in CHEATS:
        print(f"  {name:<18} named within {DAYS} games {np.mean([run.found[name] for run in made]):.2%}")
    print(f"  bar of the bet on the last day {np.median([run.bar for run in made]):,.0f}")


if __name__ == "__main__":
    main()
