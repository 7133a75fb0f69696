"""The foresight bet: test whether a player's choices predict cards that they cannot have seen.

If winnability does not depend on the order of the stock, that order is uniform for everyone who does not know it,
however they play. Before each new card the choices so far are turned into odds on its rank. For every honest player
the product of the payouts has mean 1, whatever their skill; only knowledge of the coming cards makes it grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from games.deals.shuffle import bytes_from, shuffled
from games.rules import Kind, Position
from games.rules.cards import RANKS
from games.solver.orders import NO_WIN, UNDECIDED, Progress, Pyramid
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.games import RankedGame, Step
from leaderboards.detectors.thresholds import THRESHOLDS, Thresholds

SAMPLER = "1"
INNOCENT = (
    "A lucky streak: it is counted, at most one honest account in as many as the fortune says ever gets here.",
    "The deal was known from elsewhere through a fault of the server: look whether many accounts rise on the same day.",
)
SENTENCES = 3
KEPT_TABLES = 4096
ORDERS = 32
NODE_LIMIT = 20_000

Lengths = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet on one new card: the rank that came, its fair chance, and what each size of bet paid."""

    card: int  # the place in the stock, from 1
    rank: int
    chance: float
    factors: tuple[float, ...]

    @property
    def paid(self) -> float:
        return sum(self.factors) / len(self.factors)


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


class Orders:
    """The sampled orders of one deal's stock and the lengths of their wins, shared by all players of the deal.

    The random numbers depend on the sampler's version, the pyramid and the cards seen so far, never on the player.
    """

    def __init__(self, deal: Position) -> None:
        self.places: dict[object, int] = {card: place for place, card in enumerate(deal.stock)}
        self.stock = [card.rank for card in deal.stock]
        self._name = f"{SAMPLER}|{''.join(RANKS[card.rank - 1] for card in deal.layout.cards)}"
        self.start = Progress.of(deal, self.places)
        self._pyramid = Pyramid(deal)
        self._rows: dict[int, NDArray[np.uint8]] = {}
        self._tables: dict[tuple[int, Progress], Lengths] = {}

    def ranks(self, seen: int) -> Counter[int]:
        """Return the ranks of the cards still unseen after so many."""
        return Counter(self.stock[seen:])

    def lengths(self, seen: int, progress: Progress) -> Lengths:
        """Return the fewest actions to the win, a row for each rank that may come next, a column for each order."""
        key = seen, progress
        if key not in self._tables:
            if len(self._tables) >= KEPT_TABLES:
                self._tables.pop(next(iter(self._tables)))
            rows = self._orders(seen)
            self._tables[key] = self._pyramid.lengths(progress, rows, node_limit=NODE_LIMIT).reshape(
                len(self.ranks(seen)), -1
            )
        return self._tables[key]

    def _orders(self, seen: int) -> NDArray[np.uint8]:
        """Return whole stocks: those seen, each rank that may come, and the rest in the same sampled orders."""
        if seen not in self._rows:
            self._rows[seen] = np.array(list(self._stocks(seen)), np.uint8)
        return self._rows[seen]

    def _stocks(self, seen: int) -> Iterator[list[int]]:
        dice = bytes_from("|".join((self._name, "".join(RANKS[rank - 1] for rank in self.stock[:seen]))))
        unseen = sorted(self.stock[seen:])
        samples = [shuffled(unseen, dice) for _ in range(ORDERS)]
        for rank in sorted(self.ranks(seen)):
            for sample in samples:
                at = sample.index(rank)
                yield [*self.stock[:seen], rank, *sample[:at], *sample[at + 1 :]]


def is_exact_for(game: RankedGame, thresholds: Thresholds = THRESHOLDS) -> bool:
    """Return True if the bet is exact under the rules of a game."""
    return game.rules.slug in thresholds.foresight_rules


def bets(game: RankedGame, orders: Orders, thresholds: Thresholds = THRESHOLDS) -> tuple[Bet, ...]:
    """Return the bets on a game's new cards, in order, as far as a bet is possible."""
    return tuple(bet.settled(orders.stock[bet.seen]) for bet in placed(game, orders, thresholds))


def placed(game: RankedGame, orders: Orders, thresholds: Thresholds = THRESHOLDS) -> Iterator[Placed]:
    """Return the bets, made without looking at the cards that came."""
    for seen, then, draw in _new_cards(game, thresholds):
        bet = None if seen < thresholds.first_bet else place_bet(orders, seen, then, draw, thresholds)
        if bet is not None:
            yield bet


def _new_cards(game: RankedGame, thresholds: Thresholds) -> Iterator[tuple[int, Step | None, Step]]:
    """Return for each new card the number seen before, the step to compare with (None is the deal) and the draw."""
    line: list[Step] = []
    marks: list[int] = [0]  # for each card seen, how many moves stood once it was drawn, fewer if they were undone
    for step in game.steps:
        if step.action.kind is Kind.UNDO:
            line.pop()
            marks = [min(mark, len(line)) for mark in marks]
            continue
        line.append(step)
        if step.turned:
            mark = marks[max(0, len(marks) - thresholds.looking_back)]
            yield len(marks) - 1, line[mark - 1] if mark else None, step
            marks.append(len(line))


def place_bet(
    orders: Orders, seen: int, then: Step | None, draw: Step, thresholds: Thresholds = THRESHOLDS
) -> Placed | None:
    """Turn the choices between an earlier step and a draw into odds on the drawn card, without looking at it."""
    now, before = Progress.of(draw.after, orders.places), _progress_after(then, orders)
    ranks = orders.ranks(seen)
    if len(ranks) == 1 or (now.tableau, now.talon) == (before.tableau, before.talon):
        return None
    stood = draw.standing - (then.standing if then else 0)
    waste = _waste(stood, orders.lengths(seen, now), orders.lengths(seen, before), thresholds.most_waste)
    if waste is None:
        return None
    names = sorted(ranks)
    chances = np.array([ranks[rank] for rank in names]) / ranks.total()
    worth = np.array([np.exp(-size * waste).mean(axis=1) for size in thresholds.bet_sizes])
    paid = (1 - thresholds.kept_back) * worth / (worth @ chances)[:, None] + thresholds.kept_back
    return Placed(seen, tuple(names), tuple(chances.tolist()), tuple(map(tuple, paid.T.tolist())))


def _progress_after(step: Step | None, orders: Orders) -> Progress:
    return Progress.of(step.after, orders.places) if step else orders.start


def _waste(stood: int, after: Lengths, before: Lengths, most: int) -> NDArray[np.float64] | None:
    """Return the moves wasted by the choices, by rank and order, above the minimum; None if undecided.

    Orders that are undecided for some rank are left out for all ranks. Winnability does not depend on the order.
    """
    is_open = np.any((after == UNDECIDED) | (before == UNDECIDED), axis=0)
    after, before = after[:, ~is_open], before[:, ~is_open]
    if not after.size or np.any(after == NO_WIN):
        return None
    waste = stood + after - before
    above_least: NDArray[np.float64] = np.minimum(waste - waste.min(), most).astype(np.float64)
    return above_least


def factors(settled: Iterable[Bet], thresholds: Thresholds = THRESHOLDS) -> tuple[float, ...]:
    """Return the factor by which a game's bets multiply each stake."""
    paid = [bet.factors for bet in settled]
    return tuple(prod(own) for own in zip(*paid, strict=True)) if paid else (1.0,) * len(thresholds.bet_sizes)


@dataclass(frozen=True, slots=True)
class Told:
    """One of the bets that paid most, as a sentence."""

    game: str
    paid: float
    text: str


def finding(
    fortune: Fortune, told: tuple[Told, ...], cards: int, thresholds: Thresholds = THRESHOLDS
) -> Finding | None:
    """Return a finding if an account's bets are worth watching."""
    if fortune.highest < thresholds.watch:
        return None
    is_case = fortune.highest >= thresholds.case_alone
    return Finding(
        detector="foresight bet",
        version=f"{thresholds.version}/{SAMPLER}",
        strength=Strength.CASE if is_case else Strength.WATCH,
        score=fortune.highest,
        threshold=thresholds.case_alone if is_case else thresholds.watch,
        explanation=(
            f"The choices before each new stock card were turned into bets on that card: {cards} cards in "
            f"{fortune.games} games. Whoever cannot see the stock, however well they play, has at most 1 chance in "
            f"{fortune.highest:,.0f} to ever make that much of it. " + " ".join(sentence.text for sentence in told)
        ),
        numbers={"fortune now": fortune.value, "highest": fortune.highest, "games": fortune.games, "cards": cards},
        innocent=INNOCENT,
        games=tuple(dict.fromkeys(sentence.game for sentence in told)),
    )


def most_telling(game: str, settled: Iterable[Bet], known: tuple[Told, ...] = ()) -> tuple[Told, ...]:
    """Return the three bets that paid most, among the known ones and those of another game."""
    told = [*known, *(Told(game, bet.paid, _sentence(game, bet)) for bet in settled if bet.paid > 1)]
    return tuple(sorted(told, key=attrgetter("paid"), reverse=True)[:SENTENCES])


def _sentence(game: str, bet: Bet) -> str:
    return (
        f"In game {game}, the choices before stock card {bet.card} fitted the rank {RANKS[bet.rank - 1]} "
        f"{bet.paid:.1f} times better than chance ({bet.chance:.0%}), and that rank came."
    )
