"""Simulate weeks of the leagues: python -m tests.bench.leagues [--help]

Players have a fixed strength, and a week's points are that and luck; a share does not play. The assignment is the
server's own. With --database, each week is entered on its board in the configured database, which has to be empty, and
closed as the worker does it: python -m tests.with_servers python -m tests.bench.leagues --database
"""

from __future__ import annotations

import os
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from time import process_time
from typing import NamedTuple, Protocol

import django
import numpy as np
from numpy.typing import NDArray

from leaderboards.leagues.tiers import Score, Seat, next_seats

MOST_POINTS = 9000
POINTS_OF_STRENGTH = 1000

Numbers = NDArray[np.float64]


class Week(NamedTuple):
    """A closed week: the share of players who changed their tier, and of the processor's time what the closing took.

    `correlation` is Spearman's, of strength and tier: 1 if nobody is in a higher tier than somebody stronger.
    """

    players: int
    groups: int
    correlation: float
    moved: float
    seconds: float


class Closing(Protocol):
    """Weeks that are closed one after another."""

    def enter(self, number: int, table: Sequence[Score]) -> None:
        """Make a table that of a week."""

    def close(self) -> None:
        """Close that week."""

    def seats(self) -> Sequence[Seat]:
        """Return the seats of the week after."""


class InMemory:
    """The assignment alone."""

    def __init__(self) -> None:
        self._table: Sequence[Score] = []
        self._seats: list[Seat] = []
        self._tiers: dict[int, int] = {}

    def enter(self, number: int, table: Sequence[Score]) -> None:
        self._table = table

    def close(self) -> None:
        seated = {seat.player for seat in self._seats}
        players = (score.player for score in self._table if score.player not in seated)
        resting = {player: self._tiers[player] for player in players if player in self._tiers}
        self._seats = next_seats(self._seats, self._table, resting)
        self._tiers |= {seat.player: seat.tier for seat in self._seats}

    def seats(self) -> Sequence[Seat]:
        return self._seats


def simulate(asked: Namespace, closing: Closing) -> Iterator[Week]:
    """Play and close weeks. Players are numbered from 0."""
    dice = np.random.default_rng(asked.seed)
    strength = dice.normal(size=asked.players)
    tiers: dict[int, int] = {}
    for number in range(asked.weeks):
        closing.enter(number, played(strength, dice, asked))
        started = process_time()
        closing.close()
        seconds, seats = process_time() - started, closing.seats()
        before, tiers = tiers, tiers | {seat.player: seat.tier for seat in seats}
        moved = sum(before.get(player, tier) != tier for player, tier in tiers.items())
        yield Week(
            players=len(seats),
            groups=len({(seat.tier, seat.group) for seat in seats}),
            correlation=correlation(strength, seats),
            moved=moved / len(seats),
            seconds=seconds,
        )


def played(strength: Numbers, dice: np.random.Generator, asked: Namespace) -> list[Score]:
    """Return the table of a week."""
    result = strength + asked.luck * dice.normal(size=len(strength))
    points = np.clip(np.round(MOST_POINTS / 2 + POINTS_OF_STRENGTH * result), 0, MOST_POINTS).astype(int)
    present = np.flatnonzero(dice.random(len(strength)) < asked.present)
    order = present[np.argsort(-points[present], kind="stable")]
    return [Score(int(player), int(MOST_POINTS - points[player])) for player in order]


def correlation(strength: Numbers, seats: Sequence[Seat]) -> float:
    """Return the rank correlation of strength and tier; tier 1 is the highest."""
    tiers = np.array([seat.tier for seat in seats])
    by_strength = np.argsort(np.argsort(-strength[[seat.player for seat in seats]])).astype(float)
    sizes = np.bincount(tiers)
    middle = np.cumsum(sizes) - sizes / 2
    return float(np.corrcoef(by_strength, middle[tiers])[0, 1])


def parser() -> ArgumentParser:
    asked = ArgumentParser("leagues", description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    add = asked.add_argument
    add("--players", type=int, default=100_000)
    add("--weeks", type=int, default=20)
    add("--luck", type=float, default=1.0, help="the standard deviation of a week's luck; that of strength is 1")
    add("--present", type=float, default=0.8, help="the share that plays in a week")
    add("--seed", type=int, default=1, help="the same one gives the same weeks")
    add("--database", action="store_true", help="close the weeks in the configured database")
    return asked


def main(arguments: Sequence[str] | None = None) -> None:
    asked = parser().parse_args(arguments)
    print("week  players  groups  correlation  moved  CPU seconds")
    for number, week in enumerate(simulate(asked, _closing(asked)), 1):
        figures = f"{week.correlation:>11.3f}  {week.moved:>5.1%}  {week.seconds:>11.2f}"
        print(f"{number:>4}  {week.players:>7,}  {week.groups:>6,}  {figures}", flush=True)


def _closing(asked: Namespace) -> Closing:
    if not asked.database:
        return InMemory()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from tests.bench.leagues_seed import InDatabase  # noqa: PLC0415  it imports models

    return InDatabase(asked.players)


if __name__ == "__main__":
    main()
