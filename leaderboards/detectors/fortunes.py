"""The sequential test: a fortune that an honest account is very unlikely ever to make large, however long it plays.

Each game multiplies the stake by a factor whose mean is at most 1 for an honest player. By Ville's inequality the
probability that the fortune *ever* reaches x is then at most 1 / x, however often it is inspected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST = 1e200


@dataclass(frozen=True, slots=True)
class Fortune:
    """A fortune of 1, spread over stakes and over the games from which on they are bet.

    From game s on 1 / (s (s + 1)) of each stake is bet, so that those who start cheating later are found too:
    `running` is the current value of the parts already bet, one for each stake; the share 1 / (games + 1) still waits.
    """

    running: tuple[float, ...]
    games: int = 0
    highest: float = 1.0

    @classmethod
    def of(cls, stakes: int) -> Fortune:
        return cls((0.0,) * stakes)

    def after(self, factors: tuple[float, ...]) -> Fortune:
        """Return the fortune after one more game, which multiplies each stake by its factor."""
        games = self.games + 1
        joining = 1 / (games * (games + 1))
        running = tuple(min(MOST, (own + joining) * f) for own, f in zip(self.running, factors, strict=True))
        later = Fortune(running, games)
        return Fortune(running, games, max(self.highest, later.value))

    @property
    def value(self) -> float:
        return sum(self.running) / len(self.running) + 1 / (self.games + 1)


def from_the_first(games: Iterable[Sequence[float]], stakes: int) -> float:
    """Return what a fortune becomes that is bet as a whole from the first game on, where it is known which one that is.

    It is the mean over the stakes of the product of the games' factors, a martingale again.
    """
    running = [1.0] * stakes
    for factors in games:
        running = [min(MOST, own * f) for own, f in zip(running, factors, strict=True)]
    return sum(running) / stakes


class SettledBet:
    """A bet that has been decided; `factors` is what it paid each stake."""

    __slots__ = ()
    factors: tuple[float, ...]

    @property
    def paid(self) -> float:
        return sum(self.factors) / len(self.factors)

    def sentence(self, game: str) -> str:
        """Say of a game what this bet of it paid, and for what."""
        raise NotImplementedError


NOTHING = Fortune.of(1)
