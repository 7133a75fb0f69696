"""The durable log: a change is committed before anyone hears of it.

There is no lock: the second writer of a version fails on the unique constraint and catches up. A lock would cost a
round trip for every move, and would outlive a process that dies while holding it. All changes that are pending in a
process at the same moment are committed in one transaction (`games.play.journal.writer`).
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future, wait
from time import perf_counter

from games.play.journal.batcher import write, writer
from games.play.models import Game
from games.play.refusals import Conflict
from games.play.scores import Placement, game_finished
from games.play.session import Change
from games.runtime.objectives import RANKS

__all__ = ["commit_together", "publish_end", "stop", "write"]


def commit_together(changes: Sequence[Change]) -> None:
    """Commit changes of different games and publish all ends together.

    Skips games that have moved on without us. Raises `DatabaseError` if it is unknown whether anything was written.
    """
    writing = [(change, writer.submit(change)) for change in changes]
    published: list[Future[list[Placement]]] = []
    for change, written in writing:
        error = written.exception()
        if error is None and change.summary is not None:
            published += _published(change.game)
        elif error is not None and not isinstance(error, Conflict):
            raise error
    wait(published)


async def publish_end(game: str) -> list[Placement]:
    """Notify other apps that a game has ended, and return its placements.

    Failures are only logged, because the worker enters such games later.
    """
    began = perf_counter()
    futures = map(asyncio.wrap_future, _published(game))
    answers = await asyncio.gather(*futures, return_exceptions=True)
    RANKS.note(perf_counter() - began, failed=any(isinstance(answer, Exception) for answer in answers))
    return [placement for answer in answers if not isinstance(answer, BaseException) for placement in answer]


def stop() -> None:
    """Commit what is waiting and close the connection; a later change reopens it."""
    writer.stop()


def _published(game: str) -> list[Future[list[Placement]]]:
    """Send the signal, and return the futures of the receivers."""
    return [answer for _, answer in game_finished.send_robust(Game, game=game) if isinstance(answer, Future)]
