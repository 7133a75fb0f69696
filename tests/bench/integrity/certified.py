"""The bets on hidden cards, rule set by rule set: their bound for honest players, their power, and what they cost.

    python -m tests.bench.integrity.certified (RULES="classic" DEALS=12 ACCOUNTS=20000 SEED=certified JOBS=1)

Deals are found as those of a day are: the first deck of a seed that has a certificate, and a grade in turn where rules
have grades of their own. They and the bets on them are kept on disk. For the null the true order of each bet is drawn
again among those compared, or the card by its chance; what honest plays were paid on what really came stands beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt
from os import environ
from random import Random
from time import process_time

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from games.deals.certify import first_fitting
from games.deals.daily import DailyKey, Division
from games.deals.grading import LIMITS, Grade
from games.rules import CARDS, RULE_SETS, Deck, Position
from leaderboards.detectors import foresight, order_bet
from leaderboards.detectors.deal_orders import DealOrders, orders_of
from leaderboards.detectors.foresight import Placed, placed
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.order_bet import OrderBet, e_value, moments, wasted, weights
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS
from tests.bench.integrity import null
from tests.integrity.any_rules import CHEATS, HONEST, play_of
from tests.integrity.store import kept

FIRST_DAY = date(2026, 1, 1)
BAR, FOUND_WITHIN = 10_000, 20
LIMITS_OF_NULL = (10, 100, 1_000)
GRADES = (None, *Grade)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Betted:
    """A play with its bets, what they paid as it came, and their processor time.

    A bet on an order is what was wasted under each order, the true one first; `placed` has the bets on single cards.
    """

    waste: tuple[tuple[int, ...], ...]
    is_won: bool
    seconds: float
    placed: tuple[Placed, ...] = ()
    on_cards: tuple[float, ...] = ()

    @property
    def factors(self) -> tuple[float, ...]:
        """The factors of the game with the cards that really came."""
        if self.on_cards:
            return self.on_cards
        paid = [tuple(e_value(weights(np.array(waste), slip)) for slip in THRESHOLDS.slips) for waste in self.waste]
        return order_bet.factors(OrderBet(0, 0, 0, own) for own in paid)


@dataclass(frozen=True, slots=True)
class CertifiedDeal:
    """A deal with a play of each style, in the order in which they were bet on: the first one pays for the draws."""

    deck: str
    grade: str | None
    is_fair: bool
    plays: dict[str, Betted]


def deals(rules: str, seed: str, number: int, jobs: int) -> list[CertifiedDeal]:
    """Return deals of a rule set, made where they are not on disk yet."""
    with ProcessPoolExecutor(jobs) as pool:
        tasks = [(rules, seed, place) for place in range(number)]
        return list(tqdm(pool.map(_stored, tasks), total=number, desc=rules, mininterval=30))


def _stored(task: tuple[str, str, int]) -> CertifiedDeal:
    rules, seed, place = task
    return kept(f"certified-{seed}-{rules}-{place}", CertifiedDeal, lambda: _made(rules, seed, place))


def _made(rules: str, seed: str, place: int) -> CertifiedDeal:
    start, grade = dealt(rules, seed, place)
    orders = orders_of(start)
    assert orders is not None
    plays = {}
    for style in (*HONEST, *CHEATS):
        game = RankedGame("", "", "", 0, play_of(start, style, Random(f"{seed}/{rules}/{place}/{style}")))
        plays[style] = _betted(game, orders)
    deck = "".join(card.text for card in (*start.layout.cards, *start.stock))
    return CertifiedDeal(deck, grade, isinstance(orders, Orders) or orders.is_fair, plays)


def dealt(rules: str, seed: str, place: int) -> tuple[Position, Grade | None]:
    """Return the deal of a day; a day without one is left out."""
    grade = GRADES[place % len(GRADES)] if rules in LIMITS else None
    for attempt in range(100):
        key = DailyKey(FIRST_DAY + timedelta(days=place), rules, Division.MAIN)
        secret = hashlib.sha256(f"{seed}/{attempt}".encode()).digest()
        candidate = first_fitting(key, secret, grade)
        if candidate is not None:
            return Position.deal(key.deck(secret, candidate), RULE_SETS[rules]), grade
    raise ValueError(f"no deal of {rules} has grade {grade}")


def _betted(game: RankedGame, orders: DealOrders) -> Betted:
    begun, is_won = process_time(), game.play.position.is_won
    if isinstance(orders, Orders):
        bets = tuple(placed(game, orders))
        paid = foresight.factors(bet.settled(orders.stock[bet.seen]) for bet in bets)
        return Betted((), is_won, process_time() - begun, bets, paid)
    waste = [wasted(moment, orders.drawn(moment.seen)) for moment in moments(game)] if orders.is_fair else []
    return Betted(tuple(tuple(own.tolist()) for own in waste), is_won, process_time() - begun)


def redrawn(game: Betted, times: int, dice: np.random.Generator) -> Floats:
    """Return the factors of a game in which what came is drawn again for each bet, so many times."""
    if game.on_cards:
        return null.redrawn(game.placed, times, dice)
    paid = np.zeros((len(THRESHOLDS.slips), times))
    for waste in game.waste:
        true = dice.integers(len(waste), size=times)
        for size, slip in enumerate(THRESHOLDS.slips):
            own = weights(np.array(waste), slip)
            paid[size] += ((1 - THRESHOLDS.kept_back) * own / own.mean() + THRESHOLDS.kept_back)[true]
    shares = len(THRESHOLDS.bet_on_order_at)
    return np.asarray((paid + shares - len(game.waste)).T / shares)


def share_fitting_better(waste: Sequence[int]) -> float:
    """Return which part of the drawn orders fitted the choices better than the true one; ties count half."""
    drawn = np.array(waste[1:])
    return float(np.mean((drawn < waste[0]) + (drawn == waste[0]) / 2))


def report_together(own: Sequence[CertifiedDeal]) -> None:
    """Print what all honest games with bets on orders were paid, and how their true orders stand, deal by deal."""
    paid = [float(np.mean(deal.plays[style].factors)) for deal in own for style in HONEST]
    bets = [[waste for style in HONEST for waste in deal.plays[style].waste if len(waste) > 1] for deal in own]
    better = [float(np.mean([share_fitting_better(waste) for waste in each])) for each in bets if each]
    print(
        f"\ntogether, bets on orders: {len(paid)} honest games paid {np.mean(paid):.3f} +- {_error(paid):.3f} each; "
        f"of the drawn orders {np.mean(better):.3f} +- {_error(better):.3f} fitted better ({len(better)} deals)"
    )


def _error(values: Sequence[float]) -> float:
    return float(np.std(values) / sqrt(len(values)))


def games_to(factors: Floats, accounts: int, most: int, dice: np.random.Generator) -> NDArray[np.int64]:
    """Return after how many of these games, drawn with replacement, the fortune of each account reaches the bar."""
    running, found = np.zeros((accounts, factors.shape[1])), np.full(accounts, most + 1)
    for game in range(1, most + 1):
        running = (running + 1 / (game * (game + 1))) * factors[dice.integers(len(factors), size=accounts)]
        value = running.mean(axis=1) + 1 / (game + 1)
        found = np.where((found > most) & (value >= BAR), game, found)
    return np.sort(found)


def report(rules: str, own: Sequence[CertifiedDeal], accounts: int, seed: str) -> None:
    """Print the figures of a rule set."""
    dice = np.random.default_rng(list(f"{seed}/{rules}".encode()))
    honest = [deal.plays[style] for deal in own for style in HONEST]
    highest = null.highest_fortunes(honest, accounts, null.GAMES, f"{seed}/{rules}", redrawn)
    shares = "  ".join(f"{limit:,}: {np.mean(highest >= limit):.3%}" for limit in LIMITS_OF_NULL)
    drawn = [len(waste) - 1 for game in honest for waste in game.waste]
    print(
        f"\n{rules}: {len(own)} deals, {sum(deal.is_fair for deal in own)} bet on, "
        f"{np.mean(drawn or [0]):.0f} orders drawn"
    )
    print(f"  null of {accounts:,} accounts x {null.GAMES} games, ever above  {shares}")
    print("  honest, paid per game as it came  " + "  ".join(_came(own, HONEST)))
    for style in CHEATS:
        factors = np.array([deal.plays[style].factors for deal in own])
        gain = np.log(factors).mean(axis=0).max()
        found = games_to(factors, 2_000, 100, dice)
        within = np.mean(found <= FOUND_WITHIN)
        print(
            f"  {style}: gains {gain:.2f} a game, at {BAR:,} after {_number(found[1000])} games "
            f"({_number(found[1800])} for nine of ten), within {FOUND_WITHIN}: {within:.1%}"
        )
    first, later = next(iter(HONEST)), list(_later(own))
    firsts = [deal.plays[first].seconds for deal in own]
    everything = [play.seconds for deal in own for play in deal.plays.values()]
    print(
        f"  processor time a game: {np.mean(firsts):.2f} s for the first on a deal (at most {max(firsts):.1f}), "
        f"{np.mean(later):.2f} for the others, {np.mean(everything):.2f} on average"
    )


def _came(own: Sequence[CertifiedDeal], styles: Iterable[str]) -> Iterator[str]:
    for style in styles:
        paid = [float(np.mean(deal.plays[style].factors)) for deal in own]
        won = np.mean([deal.plays[style].is_won for deal in own])
        yield f"{style} {np.mean(paid):.2f} +- {_error(paid):.2f} (won {won:.0%})"


def _later(own: Sequence[CertifiedDeal]) -> Iterator[float]:
    for deal in own:
        yield from [play.seconds for play in deal.plays.values()][1:]


def _number(games: int) -> str:
    return "more" if games > 100 else str(games)


def main() -> None:
    seed, number = environ.get("SEED") or "certified", int(environ.get("DEALS") or 12)
    accounts, jobs = int(environ.get("ACCOUNTS") or 20_000), int(environ.get("JOBS") or 1)
    some = Deck(tuple(CARDS[:52]))
    bet_on = [own.slug for own in RULE_SETS.values() if own.decks == 1 and orders_of(Position.deal(some, own))]
    everything: list[CertifiedDeal] = []
    for rules in (environ.get("RULES") or " ".join(bet_on)).split():
        own = deals(rules, seed, number, jobs)
        report(rules, own, accounts, seed)
        everything += [deal for deal in own if deal.is_fair and not any(play.on_cards for play in deal.plays.values())]
    report_together(everything)


if __name__ == "__main__":
    main()
