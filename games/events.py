"""What other apps hear about games, without games importing them."""

from __future__ import annotations

from typing import NamedTuple

from django.dispatch import Signal


class Placement(NamedTuple):
    """Where a finished game stands on a score table: its rank, and of how many entries."""

    board: str
    rank: int
    of: int


# Sent after the commit that ended a game, with `game: str`, its id. It may be lost when the process dies at that
# moment, so receivers must be idempotent and have another way to catch up. It may come from an event loop, so they do
# not block: they begin their work elsewhere and return a `concurrent.futures.Future` of a list of `Placement`.
game_finished = Signal()

# Asks where a finished game stands, with `game: Game`. Receivers return a list of `Placement`.
placements_wanted = Signal()

# Tells from where a signed-in player came, at most once a day, process and place: `player: int`, `address: str` and
# `device: str`, the mark of a browser; either may be empty. Receivers are called in a thread that may use the database.
player_seen = Signal()
