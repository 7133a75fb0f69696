"""Ratings of racers: how a race changes them, and which rule sets share them. Pure.

The model is that of Bradley and Terry in the form of Weng and Lin, each racer compared with every other and the mean
taken, so that a race of fifty weighs as much as one of four. docs/races.md compares it with the others of `openskill`.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from openskill.models import BradleyTerryPart

from games.races.models import Rating, RatingChange
from games.rules import Match, RuleSet

FEWEST_RATED = 4
"""Persons, among people or among bots, who are rated separately."""
FEWEST_MOVED = 2
"""Persons among them who made a move."""
PROVISIONAL_RACES = 10


class Family(StrEnum):
    """The rule sets that share a rating."""

    THIRTEEN = "thirteen"
    OTHER_PAIRS = "other-pairs"
    TWO_DECKS = "two-decks"


class Strength(NamedTuple):
    """The strength of a player as known after a number of rated races."""

    mean: float
    deviation: float
    races: int


class Runner(NamedTuple):
    """A racer as ratings see one: strength before the race, place, and how much the race counts, 0 to 1."""

    strength: Strength
    place: int
    weight: float = 1.0


class Figures(NamedTuple):
    """A rating as it is shown; `uncertainty` is two standard deviations."""

    rating: int
    uncertainty: int
    races: int

    @property
    def is_provisional(self) -> bool:
        return self.races < PROVISIONAL_RACES


NEWCOMER = Strength(1500.0, 500.0, 0)


def family_of(rules: RuleSet) -> Family:
    """Return the family of a rule set: by the number of decks, then by which cards leave together."""
    if rules.decks > 1:
        return Family.TWO_DECKS
    return Family.THIRTEEN if rules.match is Match.THIRTEEN else Family.OTHER_PAIRS


def after_race(before: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """Return the strengths after a race that ended in these places; equal places are a draw."""
    mean, deviation, _ = NEWCOMER
    model = BradleyTerryPart(mean, deviation, beta=deviation / 2, tau=deviation / 100, window_size=len(before))
    racers = [[model.rating(each.mean, each.deviation)] for each in before]
    rated = model.rate(racers, ranks=[float(place) for place in places])
    return [Strength(rating.mu, rating.sigma, each.races + 1) for each, [rating] in zip(before, rated, strict=True)]


def after_races_against(rivals: Sequence[Runner], others: Sequence[Runner]) -> list[Strength]:
    """Return the strengths after a race: rivals are compared with each other, others with the rivals alone."""
    among = after_race([one.strength for one in rivals], [one.place for one in rivals])
    alone = [
        after_race([one.strength for one in field], [one.place for one in field])[0]
        for field in ((own, *rivals) for own in others)
    ]
    return [_towards(runner, after) for runner, after in zip([*rivals, *others], [*among, *alone], strict=True)]


def weight_of(meetings: float) -> float:
    """Return how much a race counts after so many others with the same rivals; the form of a few days is one form."""
    return float((1 + meetings) ** -0.5)


def _towards(runner: Runner, after: Strength) -> Strength:
    """Return a strength on the way to the one after a race that counts in full."""
    before, weight = runner.strength, runner.weight
    mean = before.mean + weight * (after.mean - before.mean)
    return Strength(mean, before.deviation + weight * (after.deviation - before.deviation), after.races)


def figures_of(row: Rating | RatingChange | Strength) -> Figures:
    """Return a rating as it is shown."""
    return Figures(round(row.mean), round(2 * row.deviation), row.races)
