"""Work for a thread beside others in one process: the detectors on some games, in slices of a few."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from threading import Thread

from games.rules import Record
from leaderboards.judging.days import Day, judge_day
from leaderboards.judging.reading import GameRow, Placed
from tests.leaderboards.detectors.games import QUICK, choices, deal, deck, game

DEALS, PLAYERS, SLICE = QUICK[:3], 4, 2
NOON = "2026-03-01T12:00:00Z"


def slices() -> list[Callable[[], object]]:
    """Return the work: on each of some deals, the first attempts of careless players."""
    days = (_games_of(seed) for seed in DEALS)
    return [
        partial(judge_day, Day(games, {}, {}, range(first, first + SLICE)))
        for games in days
        for first in range(0, PLAYERS, SLICE)
    ]


def _games_of(seed: int) -> tuple[Placed, ...]:
    return tuple(Placed(f"deal {seed}", _row(seed, f"player-{number}", number)) for number in range(PLAYERS))


def _row(seed: int, player: str, number: int) -> GameRow:
    own = choices("careless", seed, number)
    times = [Random(f"{seed}/{player}/{place}").randint(0, 900) + 1000 * place for place in range(len(own.actions))]
    played = game(own, seed, times).play
    record = Record(f"{player}-{seed}", deal(seed).rules, deck(seed), player, NOON, tuple(played.actions), own.result)
    return GameRow(record.game, player, NOON[:10], NOON, record.text)


def keep_judging() -> None:
    """Judge on a thread of this process until it ends."""
    work = slices()

    def judge() -> None:
        while True:
            for piece in work:
                piece()

    Thread(target=judge, daemon=True).start()
