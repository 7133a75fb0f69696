"""The rating with which a puzzle begins: the simulated player's chance to solve it, computed exactly.

The player sees of each losing removal with some probability that it loses, the sooner the plainer its reason, and takes
one of the others: rather a king, or two cards at once, than one card with a partner from the stock.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from games.puzzles.clearing import pyramid_cards, removals, without
from games.puzzles.packing import Packed
from games.puzzles.themes import buried_card, takes_last
from games.rules import Move, Position
from games.rules.rulesets import KING

MIDDLE = 1500.0
SCALE = 360.0
"""Rating points between chances whose odds differ by the factor e, once ratings are settled."""
PLAIN, SEEN, HIDDEN = 0.5, -0.6, -1.6
"""Log odds with which a player of middle skill sees a loss: a lone card buried, a last partner spent, anything else."""
LOWEST, HIGHEST = 600, 2400


class Losing(NamedTuple):
    """A losing removal: the log odds with which its loss is seen, and how much it is liked if it is not."""

    seen: float
    liked: int


class Decision(NamedTuple):
    """A removal to find among others."""

    liked: int
    losing: list[Losing]


def seed_of(puzzle: Packed) -> int:
    """Return the rating with which a puzzle begins."""
    chance = chance_of(decisions_of(puzzle), 0.0)
    mean = MIDDLE - SCALE * log(chance / (1 - chance))
    return round(min(max(mean, LOWEST), HIGHEST))


def decisions_of(puzzle: Packed) -> list[Decision]:
    """Return the removals to find as the simulated player meets them."""
    return list(_decisions(puzzle.position, puzzle.win[: puzzle.decisions]))


def chance_of(decisions: Sequence[Decision], skill: float) -> float:
    """Return the chance of a player to find all removals; skill 0 is the middle, and adds to the log odds of seeing."""
    chance = 1.0
    for decision in decisions:
        unseen = {0: 1.0}  # the chance of each sum of what is liked of the losing removals that are not seen
        for losing in decision.losing:
            seen = 1 / (1 + exp(-losing.seen - skill))
            later: dict[int, float] = defaultdict(float)
            for liked, likely in unseen.items():
                later[liked] += likely * seen
                later[liked + losing.liked] += likely * (1 - seen)
            unseen = later
        chance *= sum(likely * decision.liked / (decision.liked + liked) for liked, likely in unseen.items())
    return chance


def _decisions(position: Position, win: Sequence[Move]) -> Iterator[Decision]:
    for right in win:
        taken = pyramid_cards(position, right)
        wrong = [move for move in removals(position) if pyramid_cards(position, move) != taken]
        yield Decision(
            _liked(position, right), [Losing(_seen(position, move), _liked(position, move)) for move in wrong]
        )
        position = without(position, right)


def _seen(position: Position, move: Move) -> float:
    if buried_card(without(position, move)):
        return PLAIN
    return SEEN if takes_last(position, move) else HIDDEN


def _liked(position: Position, move: Move) -> int:
    if move.cards[0].rank == KING:
        return 4
    return 2 if len(pyramid_cards(position, move)) == 2 else 1
