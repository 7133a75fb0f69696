"""The bet on an order: test whether a player's choices fit the order of hidden cards better than other orders.

It stands in for the foresight bet where the certificate of a deal depends on the order of its hidden cards, so that
the chances of the next card are not known. At a few moments of a game the choices so far are weighed under the true
order of the cards not yet seen, and under orders drawn among those with the same certificate. To anyone who cannot see
those cards the true order is one more draw, so its weight over the mean weight of all has mean 1, whatever the weights
are and however few orders were drawn: a Monte Carlo e-value. It looks at all hidden cards, and the bets of one game
overlap, so they share the stake of the game: their mean is an e-value, their product would not be.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.rules import Card, Kind, Move, Position
from games.solver import is_winnable, solve
from leaderboards.detectors.certified_orders import NODE_LIMIT, CertifiedOrders, Drawn
from leaderboards.detectors.fortunes import SettledBet
from leaderboards.detectors.games import JudgedStep, RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS, Slip

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moment:
    """The choices of a game up to the move that turned a hidden card, with the cards seen before that move."""

    seen: frozenset[Card]
    before: Position
    moves: int  # that stand, this one included
    move: Move


@dataclass(frozen=True, slots=True)
class OrderBet(SettledBet):
    """A bet on the order of all cards not yet seen at a moment, and what each size of bet paid."""

    seen: int  # hidden cards seen before it
    drawn: int  # orders drawn
    fitting: int  # of them as well as the true one, or better
    factors: tuple[float, ...]

    def sentence(self, game: str) -> str:
        return (
            f"In game {game}, once {self.seen} hidden cards were seen, the choices fitted the order of the others "
            f"{self.paid:.1f} times better than {self.drawn} other orders with which the deal can be won: "
            f"{self.fitting} of those fitted as well."
        )


def order_bets(game: RankedGame, orders: CertifiedOrders) -> tuple[OrderBet, ...]:
    """Return the bets on a game's hidden cards, in order."""
    if not orders.is_fair:
        return ()
    return tuple(_bet(moment, orders) for moment in moments(game))


def moments(game: RankedGame) -> Iterator[Moment]:
    """Yield the moments to bet at: moves that turn a card once given shares of the hidden cards are seen."""
    start = game.play.start
    seen = frozenset(start.in_sight)
    hidden, visible = start.rules.deck_size - len(seen), len(seen)
    left = [int(share * hidden) for share in THRESHOLDS.bet_on_order_at]
    line: list[JudgedStep] = []
    for step in game.steps:
        if step.action.kind is Kind.UNDO:
            line.pop()
            continue
        line.append(step)
        if left and isinstance(step.action, Move) and step.turned and len(seen) - visible >= left[0]:
            left.pop(0)
            if any(own.is_removal for own in line):
                yield Moment(seen, step.before, len(line), step.action)
        seen |= frozenset(step.turned)


def _bet(moment: Moment, orders: CertifiedOrders) -> OrderBet:
    drawn = orders.drawn(moment.seen)
    waste = wasted(moment, drawn)
    paid = tuple(e_value(weights(waste, slip)) for slip in THRESHOLDS.slips)
    hidden_at_first = orders.deal.rules.deck_size - len(orders.deal.in_sight)
    return OrderBet(
        seen=hidden_at_first - len(drawn.true),
        drawn=len(drawn.others),
        fitting=int(np.sum(waste[1:] <= waste[0])),
        factors=paid,
    )


def wasted(moment: Moment, drawn: Drawn) -> NDArray[np.int64]:
    """Return how many moves the choices wasted under each order, the true one first, counted up to a limit.

    A win that is lost counts as one more than the limit, and an order that the search leaves open as nothing.
    """
    before, most = moment.before.seen_by(moment.seen), THRESHOLDS.most_wasted

    def waste(order: Sequence[Card], par: int | None) -> int:
        after = before.filled(order).after(moment.move)
        solution = solve(after, node_limit=NODE_LIMIT)
        can_be_won = is_winnable(after, node_limit=NODE_LIMIT) if solution.is_winnable is None else solution.is_winnable
        if can_be_won is False:
            return most + 1
        if par is None or solution.length is None:
            return 0
        return min(most, max(0, moment.moves + solution.length - par))

    return np.array([waste(order, par) for order, par in zip(drawn.orders, drawn.pars, strict=True)])


def weights(waste: NDArray[np.int64], slip: Slip) -> Weights:
    """Return how likely a cheat who slips in this way makes such choices, up to a common factor."""
    return np.asarray(slip.removal**waste, np.float64)


def e_value(own: Weights) -> float:
    """Return what a bet on the first of some weights pays: on average 1 if their order is exchangeable."""
    return float((1 - THRESHOLDS.kept_back) * own[0] / own.mean() + THRESHOLDS.kept_back)


def factors(settled: Iterable[OrderBet]) -> tuple[float, ...]:
    """Return the factor by which a game's bets multiply each stake; what is not bet is kept."""
    paid = np.array([bet.factors for bet in settled] or np.ones((0, len(THRESHOLDS.slips))))
    shares = len(THRESHOLDS.bet_on_order_at)
    return tuple(((paid.sum(axis=0) + shares - len(paid)) / shares).tolist())
