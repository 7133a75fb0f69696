"""Games for the detectors: who plays what on which deal, at which times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from games.rules import Action, Deck, Outcome, Position
from games.solver import solve
from games.solver.orders import Pyramid
from leaderboards.detectors.games import RankedGame
from tests.integrity.store import played, winnable_deal
from tests.integrity.styles import STYLES, Choices, Chooser

QUICK = (7, 16, 18, 23, 24, 25)  # seeds of deals whose bets cost little
SECOND = 1000


@lru_cache(maxsize=32)
def deal(seed: int = QUICK[0]) -> Position:
    return winnable_deal(Random(seed))


def deck(seed: int = QUICK[0]) -> Deck:
    return Deck((*deal(seed).layout.cards, *deal(seed).stock))


@lru_cache(maxsize=32)
def par(seed: int = QUICK[0]) -> int:
    return len(solve(deal(seed)).moves)


@lru_cache(maxsize=128)
def choices(style: str, seed: int = QUICK[0], dice: int = 0) -> Choices:
    """Return what somebody of a style plays."""
    return Chooser(deal(seed), Pyramid(deal(seed)), STYLES[style], Random(dice)).play()


def game(
    own: Choices,
    seed: int = QUICK[0],
    times: Sequence[int] = (),
    *,
    name: str = "g1",
    account: str = "alice",
    start: int = 0,
) -> RankedGame:
    """Return a game of these choices, an action a second unless times are given."""
    times = times or [SECOND * number for number in range(len(own.actions))]
    return RankedGame(name, account, f"deal {seed}", start, played(deal(seed), own, times), par(seed))


def game_of(actions: str, seed: int = QUICK[0], result: Outcome | None = Outcome.RESIGNED) -> RankedGame:
    """Return a game of actions in notation."""
    return game(Choices(tuple(Action.from_text(text, decks=1) for text in actions.split()), result), seed)


def swapped(start: Position, one: int, other: int) -> Position:
    """Return a deal with two cards of its stock exchanged."""
    stock = list(start.stock)
    stock[one], stock[other] = stock[other], stock[one]
    return Position.deal(Deck((*start.layout.cards, *stock)), start.rules)


def drawing(number: int) -> str:
    return " ".join(["D"] * number)
