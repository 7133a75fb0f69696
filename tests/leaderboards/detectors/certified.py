"""Games for the bet on an order, under rules whose certificate depends on the order of the hidden cards."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from games.deals.certify import can_be_won
from games.rules import CARDS, RULE_SETS, Deck, Position
from leaderboards.detectors.games import RankedGame
from tests.integrity.any_rules import play_of

QUICK = ("no-waste", "classic", "relaxed")


@lru_cache(maxsize=64)
def certified_deal(rules: str, seed: int = 0) -> Position:
    """Return a random deal that has a certificate."""
    dice = Random(f"certified/{rules}/{seed}")
    while True:
        deck = Deck(tuple(dice.sample(CARDS[:52], 52)))
        if can_be_won(deck, RULE_SETS[rules]):
            return Position.deal(deck, RULE_SETS[rules])


def who_sees(start: Position) -> RankedGame:
    """Return the game of somebody who knows all cards."""
    return RankedGame("g", "mallory", "d", 0, play_of(start, "perfect", Random(0)))


def who_does_not(start: Position, dice: Random) -> RankedGame:
    """Return the game of an honest player."""
    return RankedGame("g", "alice", "d", 0, play_of(start, "casual", dice))
