"""Enter ended games on their boards: one thread per process takes all that are waiting at once."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future

from django.db import OperationalError, connection

from games.play.scores import Placement
from games.runtime.batching import BatchThread
from games.runtime.clock import clock
from games.runtime.outages import briefly
from leaderboards.boards.submission import submit

logger = logging.getLogger(__name__)


def enter(game: str) -> Future[list[Placement]]:
    """Queue an ended game for its boards, and return the future of its placements.

    A thread waits for it with `result`, an event loop with `asyncio.wrap_future`.
    """
    return _thread.submit(game)


def stop() -> None:
    """Enter the waiting games and close the connection; a later game reopens it."""
    _thread.stop()


def _submit(games: Sequence[str]) -> list[list[Placement]]:
    try:
        return submit(games, clock.now())
    except OperationalError as error:
        # A deadlock, a lock that was held for too long, a server that restarted. Players wait for their ranks, and
        # nobody would tell them later; whatever was entered stays entered.
        logger.warning("%d games are entered again: %s", len(games), briefly(error))
        connection.close()
        return submit(games, clock.now())


# Most of what a batch asks is asked once for any number of games.
_thread: BatchThread[str, list[Placement]] = BatchThread("scores", _submit, lingers_s=0.01)
