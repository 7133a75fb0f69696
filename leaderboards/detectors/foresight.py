"""The foresight bet: test whether a player's choices predict cards that they cannot have seen.

If winnability does not depend on the order of the stock, that order is uniform for everyone who does not know it,
however they play. Before each new card the choices so far are turned into odds on its rank: those of a cheat who knows
the stock and slips now and then. The odds f are fixed before the card is seen, by those choices and by random numbers
independent of it, and the sum of chance times f over the ranks is 1. So, given all that came before, each bet pays 1 on
average to an honest player, whatever their skill; the product of the payouts is a martingale, and so is a mean of such
products. How cheats are thought to slip, and how many orders are sampled, changes power, never innocence.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from games.rules import Kind
from games.rules.cards import RANKS
from games.solver.orders import Progress
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.fortunes import Fortune, SettledBet
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.naming import FORESIGHT, Naming
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS, Slip
from leaderboards.detectors.wasted_moves import Choice, Wasteful, wasteful

INNOCENT = (
    "A lucky streak: it is counted, in the share of honest accounts that the list allows.",
    "The deal was known from elsewhere through a fault of the server: look whether many accounts rise on the same day.",
)
SENTENCES = 3

Line = list[Choice]


@dataclass(frozen=True, slots=True)
class Bet(SettledBet):
    """A bet on one new card: the rank that came, its fair chance, and what each size of bet paid."""

    card: int  # the place in the stock, from 1
    rank: int
    chance: float
    factors: tuple[float, ...]

    def sentence(self, game: str) -> str:
        return (
            f"In game {game}, the choices before stock card {self.card} fitted the rank {RANKS[self.rank - 1]} "
            f"{self.paid:.1f} times better than chance ({self.chance:.0%}), and that rank came."
        )


@dataclass(frozen=True, slots=True)
class Placed:
    """The bets before a card comes: for each rank its chance and the factor of each size of bet."""

    seen: int  # stock cards seen before
    ranks: tuple[int, ...]
    chances: tuple[float, ...]
    factors: tuple[tuple[float, ...], ...]  # by rank

    def settled(self, rank: int) -> Bet:
        """Return the bet once a card of this rank has come."""
        at = self.ranks.index(rank)
        return Bet(self.seen + 1, rank, self.chances[at], self.factors[at])


def is_exact_for(game: RankedGame) -> bool:
    """Return True if the bet is exact under the rules of a game."""
    return game.rules.slug in THRESHOLDS.foresight_rules


def bets(game: RankedGame, orders: Orders) -> tuple[Bet, ...]:
    """Return the bets on a game's new cards, in order, as far as a bet is possible."""
    return tuple(bet.settled(orders.stock[bet.seen]) for bet in placed(game, orders))


def placed(game: RankedGame, orders: Orders) -> Iterator[Placed]:
    """Return the bets, made without looking at the cards that came."""
    for seen, (line, before) in enumerate(_new_cards(game, orders)):
        bet = None if seen < THRESHOLDS.first_bet else place_bet(orders, seen, line, before)
        if bet is not None:
            yield bet


def _new_cards(game: RankedGame, orders: Orders) -> Iterator[tuple[Line, Progress]]:
    """Return for each new card the moves standing since some new cards ago, its draw too, and the progress before."""
    line: list[Choice] = []
    marks: list[int] = [0]  # for each card seen, how many moves stood once it was drawn, fewer if they were undone
    for step in game.steps:
        if step.action.kind is Kind.UNDO:
            line.pop()
            marks = [min(mark, len(line)) for mark in marks]
            continue
        line.append(Choice.of(step, orders))
        if step.turned:
            mark = marks[max(0, len(marks) - THRESHOLDS.looking_back)]
            yield line[mark:], line[mark - 1].after if mark else orders.start
            marks.append(len(line))


def place_bet(orders: Orders, seen: int, line: Line, before: Progress) -> Placed | None:
    """Turn the moves up to a draw into odds on the drawn card, without looking at it."""
    ranks = orders.ranks(seen)
    if len(ranks) == 1 or not any(choice.is_removal for choice in line):
        return None
    waste = wasteful(orders, seen, before, line)
    if waste is None:
        return None
    names = sorted(ranks)
    chances = np.array([ranks[rank] for rank in names]) / ranks.total()
    worth = np.array([likelihoods(waste, slip) for slip in THRESHOLDS.slips])
    paid = (1 - THRESHOLDS.kept_back) * worth / (worth @ chances)[:, None] + THRESHOLDS.kept_back
    return Placed(seen, tuple(names), tuple(chances.tolist()), tuple(map(tuple, paid.T.tolist())))


def likelihoods(waste: Wasteful, slip: Slip) -> NDArray[np.float64]:
    """Return for each rank how likely a cheat who slips in this way makes such choices, up to a common factor.

    What a slip costs does not matter: one that loses ten moves is as likely as one that loses one.
    """
    mean: NDArray[np.float64] = (slip.removal**waste.removals * slip.draw**waste.draws).mean(axis=1)
    return mean


def factors(settled: Iterable[Bet]) -> tuple[float, ...]:
    """Return the factor by which a game's bets multiply each stake."""
    paid = [bet.factors for bet in settled]
    return tuple(prod(own) for own in zip(*paid, strict=True)) if paid else (1.0,) * len(THRESHOLDS.slips)


@dataclass(frozen=True, slots=True)
class TellingBet:
    """One of the bets that paid most, as a sentence."""

    game: str
    paid: float
    text: str


def finding(
    fortune: Fortune, telling: tuple[TellingBet, ...], cards: int, listed: Naming, strength: Strength
) -> Finding:
    """Return the finding about an account that is on a list because of its bets."""
    value = fortune.value
    return Finding(
        detector=FORESIGHT,
        strength=strength,
        score=value,
        threshold=listed.bar,
        explanation=(
            f"The choices before cards were turned up for the first time were turned into bets on those cards: "
            f"{cards} bets in {fortune.games} games. A player who cannot see hidden cards, however good, has at most "
            f"1 chance in {value:,.0f} to make that much of them by a given day. {listed.sentence(value)} "
            + " ".join(sentence.text for sentence in telling)
        ),
        numbers={"fortune": value, "games": fortune.games, "cards": cards},
        innocent=INNOCENT,
        games=tuple(dict.fromkeys(sentence.game for sentence in telling)),
    )


def most_telling(
    game: str, settled: Iterable[SettledBet], known: tuple[TellingBet, ...] = ()
) -> tuple[TellingBet, ...]:
    """Return the three bets that paid most, among the known ones and those of another game."""
    telling = [*known, *(TellingBet(game, bet.paid, bet.sentence(game)) for bet in settled if bet.paid > 1)]
    return tuple(sorted(telling, key=attrgetter("paid"), reverse=True)[:SENTENCES])
