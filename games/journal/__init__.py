"""The durable log: a change is committed before anyone hears of it.

There is no lock. Whoever writes a version second loses on the unique constraint and catches up. All changes of a
process that wait at the same moment become durable in one transaction (`games.journal.writer`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future, wait

from django.db import connection, transaction

from games.errors import Conflict
from games.events import Placement, game_finished
from games.journal.batcher import write, writer
from games.journal.statements import write_changes
from games.models import Game
from games.session import Change

__all__ = ["announce", "commit", "commit_together", "start", "stop", "write"]


def commit(change: Change) -> None:
    """Make a change durable together with all that waits, from a thread that may wait, and announce the end of a game.

    Raises `Conflict`, with nothing written, if the game has moved on without us, and `DatabaseError` if it is not
    known whether anything was written; to send the same action again is safe.
    """
    writer.submit(change).result()
    if change.summary is not None:
        wait(_announced(change.game))


def start(change: Change) -> bool:
    """Make the start of a game durable on this thread's own connection; return False if it cannot start."""
    with transaction.atomic():
        return not write_changes(connection, [change])


def commit_together(changes: Sequence[Change]) -> None:
    """Make changes of different games durable and announce all ends together.

    Games that have moved on without us are left as they are. Raises `DatabaseError` as `commit` does.
    """
    writing = [(change, writer.submit(change)) for change in changes]
    announced: list[Future[list[Placement]]] = []
    for change, written in writing:
        error = written.exception()
        if error is None and change.summary is not None:
            announced += _announced(change.game)
        elif error is not None and not isinstance(error, Conflict):
            raise error
    wait(announced)


async def announce(game: str) -> list[Placement]:
    """Tell other apps that a game has ended, and return where it stands now.

    A failure is no one's loss: the worker catches up.
    """
    futures = map(asyncio.wrap_future, _announced(game))
    answers = await asyncio.gather(*futures, return_exceptions=True)
    return [placement for answer in answers if not isinstance(answer, BaseException) for placement in answer]


def stop() -> None:
    """Write what waits and close the connection; a later change opens it again."""
    writer.stop()


def _announced(game: str) -> list[Future[list[Placement]]]:
    """Send the signal, and return what receivers have begun and not finished yet."""
    return [answer for _, answer in game_finished.send_robust(Game, game=game) if isinstance(answer, Future)]
