"""Estimate how much of players' results is due to the player, to the deals, and to neither.

The model is `result = mean + player + deal + rest`, with independent random effects whose variances are estimated by
the method of moments for crossed effects (Gao and Owen, 2017), in time linear in the games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.int64]
Values = NDArray[np.float64]

FEWEST_GAMES = 30
FEWEST_DEALS = 30
GROUPS = 20
DEVIATIONS = 1.96
"""Standard errors on either side of an estimate that make an interval of 95%."""


class Results(NamedTuple):
    """The results of games, with their players and deals numbered from 0.

    `names` has each player's original number.
    """

    players: Numbers
    deals: Numbers
    values: Values
    names: Numbers

    @classmethod
    def of(cls, players: ArrayLike, deals: ArrayLike, values: ArrayLike) -> Results:
        """Return the results of games whose players and deals have any numbers."""
        names, own = np.unique(np.asarray(players, dtype=np.int64), return_inverse=True)
        _, dealt = np.unique(np.asarray(deals, dtype=np.int64), return_inverse=True)
        return cls(own.astype(np.int64), dealt.astype(np.int64), np.asarray(values, dtype=np.float64), names)

    def only(self, chosen: NDArray[np.bool_]) -> Results:
        """Return the results of the chosen games, numbered again."""
        return Results.of(self.names[self.players[chosen]], self.deals[chosen], self.values[chosen])


class Components(NamedTuple):
    """The variances of the effects."""

    player: float
    deal: float
    rest: float

    @property
    def deal_of_others(self) -> float:
        """The share of the deals in the variance that is not due to players."""
        return self.deal / ((self.deal + self.rest) or 1.0)


class Share(NamedTuple):
    """The shares of a player and of the deals in how far the player's results lie from the mean, with 95% intervals.

    `effect` is how many more cards the player leaves than others on the same deals; below 0 is better.
    """

    player: int
    games: int
    effect: float
    by_player: float
    by_player_low: float
    by_player_high: float
    by_deal: float
    by_deal_low: float
    by_deal_high: float


def components(results: Results) -> Components | None:
    """Return the variances, none below 0; None if there are too few games to tell them apart."""
    players, deals, values, _ = results
    of_player, of_deal = np.bincount(players), np.bincount(deals)
    count = len(values)
    if min(count - len(of_player), count - len(of_deal)) < FEWEST_GAMES:
        return None
    # The sums of squares around the means of players, of deals and of all: their expectations are linear in the three
    # variances, so the variances solve three equations.
    squares = [_within(players, values), _within(deals, values), float(((values - values.mean()) ** 2).sum())]
    expected = np.array(
        [
            [0, count - len(of_player), count - len(of_player)],
            [count - len(of_deal), 0, count - len(of_deal)],
            [count - (of_player**2).sum() / count, count - (of_deal**2).sum() / count, count - 1],
        ],
        dtype=np.float64,
    )
    if np.linalg.matrix_rank(expected) < len(expected):
        return None
    return Components(*(max(0.0, float(variance)) for variance in np.linalg.solve(expected, squares)))


def shares(results: Results) -> list[Share]:
    """Return the shares of all players with enough games on deals that others also played; none if there is too little.

    The effect of a player is the mean difference from the others on the same deals.
    """
    variances = components(results)
    if variances is None or results.deals.max() + 1 < FEWEST_DEALS:
        return []
    error = _error_of_deals(results)
    return [_share(results.names[index], own, variances, error) for index, own in _differences(results)]


def _differences(results: Results) -> Iterator[tuple[int, Values]]:
    """Yield the players with enough games, and the difference of each game from the mean of the others on its deal."""
    others = np.bincount(results.deals)[results.deals] - 1
    sums = np.bincount(results.deals, results.values)[results.deals]
    compared = others > 0
    differences = results.values[compared] - (sums - results.values)[compared] / others[compared]
    players = results.players[compared]
    order = np.argsort(players, kind="stable")
    numbers, firsts = np.unique(players[order], return_index=True)
    for index, own in zip(numbers, np.split(differences[order], firsts[1:]), strict=True):
        if len(own) >= FEWEST_GAMES:
            yield int(index), own


def _error_of_deals(results: Results) -> float:
    """Return the standard error of the share of deals, by a jackknife that leaves out one group of deals at a time."""
    left_out = [components(results.only(results.deals % GROUPS != group)) for group in range(GROUPS)]
    found = np.array([variances.deal_of_others for variances in left_out if variances is not None])
    return float(found.std() * max(len(found) - 1, 0) ** 0.5) if len(found) else 1.0


def _share(player: int, differences: Values, variances: Components, error_of_deals: float) -> Share:
    effect, error = float(differences.mean()), float(differences.std(ddof=1)) / len(differences) ** 0.5
    margin = DEVIATIONS * error
    # The square of an estimate exceeds that of the true effect, on average, by the square of its standard error.
    squares = (max(0.0, effect**2 - error**2), max(0.0, abs(effect) - margin) ** 2, (abs(effect) + margin) ** 2)
    others = (variances.deal + variances.rest) or 1.0
    by_player, low, high = (square / (square + others) for square in squares)
    by_deal = variances.deal_of_others * (1 - by_player)
    # The deals' share is uncertain in two ways, which are independent: by the player's own share, and by the variances.
    of_deals = DEVIATIONS * error_of_deals * (1 - by_player)
    below = float(np.hypot(variances.deal_of_others * (high - by_player), of_deals))
    above = float(np.hypot(variances.deal_of_others * (by_player - low), of_deals))
    ends = max(0.0, by_deal - below), min(1.0, by_deal + above)
    return Share(int(player), len(differences), effect, by_player, low, high, by_deal, *ends)


def _within(groups: Numbers, values: Values) -> float:
    """Return the sum of squares around the mean of each group."""
    means = np.bincount(groups, values) / np.bincount(groups)
    return float(((values - means[groups]) ** 2).sum())
