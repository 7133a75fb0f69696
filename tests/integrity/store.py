"""Deals, what simulated players make of them, and the bets on it: kept on disk, since it takes long to make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import TypeVar

import msgspec
from tqdm import tqdm

from games.rules import CARDS, RULE_SETS, Action, Deck, Outcome, Play, Position
from games.solver import is_winnable, solve
from games.solver.orders import Pyramid
from leaderboards.detectors.foresight import Placed, placed
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import VERSION
from tests.integrity.styles import STYLES, Choices, Chooser
from tests.processes import PROJECT

FOLDER = PROJECT / "var" / "integrity" / VERSION.replace("/", "-")
RULES = RULE_SETS["standard"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredPlay:
    """A play of a deal: its actions, and the bets on its new cards as they were placed."""

    actions: str
    result: Outcome | None
    placed: tuple[Placed, ...]

    def choices(self) -> Choices:
        return Choices(tuple(Action.from_text(text, decks=1) for text in self.actions.split()), self.result)


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal, its par, and some plays in each style."""

    deck: str
    par: int
    plays: dict[str, tuple[StoredPlay, ...]]


def deals(seed: str, number: int, plays: int, jobs: int) -> list[StoredDeal]:
    """Return the deals of a seed, made where they are not on disk yet; progress goes to the standard error."""
    tasks = [(seed, place, plays) for place in range(number)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(tqdm(pool.map(_stored, tasks), total=number, desc=f"deals of {seed!r}"))


def _stored(task: tuple[str, int, int]) -> StoredDeal:
    seed, place, plays = task
    return kept(f"{seed}-{place}-{plays}", StoredDeal, lambda: _made(seed, place, plays))


def kept(name: str, kind: type[T], make: Callable[[], T]) -> T:
    """Return what is on disk under a name, once it is made."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(make()))
    return msgspec.json.decode(path.read_bytes(), type=kind)


def _made(seed: str, place: int, plays: int) -> StoredDeal:
    deal = winnable_deal(Random(f"{seed}/{place}"))
    par, pyramid, orders = solve(deal).length, Pyramid(deal), Orders(deal)
    assert par is not None
    made: dict[str, tuple[StoredPlay, ...]] = {}
    for style in STYLES.values():
        dice = [Random(f"{seed}/{place}/{style.name}/{number}") for number in range(plays)]
        chosen = [Chooser(deal, pyramid, style, own).play() for own in dice]
        made[style.name] = tuple(_with_bets(deal, orders, choices) for choices in chosen)
    return StoredDeal("".join(card.text for card in (*deal.layout.cards, *deal.stock)), par, made)


def winnable_deal(dice: Random) -> Position:
    """Return a random deal that can be won."""
    while True:
        deal = Position.deal(Deck(tuple(dice.sample(CARDS[:52], 52))), RULES)
        if is_winnable(deal):
            return deal


def _with_bets(deal: Position, orders: Orders, choices: Choices) -> StoredPlay:
    game = RankedGame("", "", "", 0, played(deal, choices))
    return StoredPlay(" ".join(action.text for action in choices.actions), choices.result, tuple(placed(game, orders)))


def played(deal: Position, choices: Choices, times: Sequence[int] = ()) -> Play:
    """Return a play of these choices, at these times or all at once."""
    play = Play(deal)
    for number, action in enumerate(choices.actions):
        play.do(action, times[number] if times else 0)
    if choices.result and play.result is None:
        play.end(choices.result)
    return play
