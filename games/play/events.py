"""The signal of a finished game, by which other apps learn of it without being imported."""

from typing import NamedTuple

from django.dispatch import Signal


class Placement(NamedTuple):
    """The place of a finished game on a score table: its rank, and the number of entries."""

    board: str
    rank: int
    of: int


# Sent after the commit that ended a game, with `game: str`, its id. It is lost if the process dies at that moment,
# so receivers must be idempotent and have another way to catch up. It may be sent from an event loop, so receivers
# must not block: they start their work elsewhere and return a `concurrent.futures.Future` of a list of `Placement`.
game_finished = Signal()
