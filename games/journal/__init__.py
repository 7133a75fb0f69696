"""The durable log: a change is committed before anyone is told of it.

There is no lock. Whoever writes a version second loses on the unique constraint and loads the game anew. All changes
of a process that wait at the same moment become durable in one transaction (`games.journal.writer`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Future, wait
from typing import Any
from weakref import WeakKeyDictionary

from django.db import IntegrityError, connection, transaction

from games.errors import Conflict
from games.events import game_finished
from games.journal.desk import Desk
from games.journal.statements import write_changes
from games.journal.writer import writer
from games.models import Game
from games.session import Change

_writer = writer()
_desks: WeakKeyDictionary[asyncio.AbstractEventLoop, Desk] = WeakKeyDictionary()


def commit(change: Change) -> None:
    """Make a change durable: in the caller's transaction where there is one, otherwise together with all that waits.

    Raises `Conflict`, with nothing written, if the game has moved on without us, and `DatabaseError` if it is not
    known whether anything was written; to send the same action again is safe.
    """
    if connection.in_atomic_block:
        _commit_in_transaction(change)
    else:
        _writer.submit(change).result()
        if change.summary is not None:
            _announce(change.game)


def write(change: Change) -> Awaitable[None]:
    """Make a change durable, as `commit` does; the end of a game is still to be announced."""
    loop = asyncio.get_running_loop()
    desk = _desks.get(loop) or _desks.setdefault(loop, Desk(loop, _writer))
    return desk.write(change)


async def announce(game: str) -> list[Any]:
    """Tell the rest of the house that a game has ended, wait for what it does about it, and return what came of it.

    A failure is no one's loss: the worker catches up.
    """
    futures = map(asyncio.wrap_future, _announced(game))
    answers = await asyncio.gather(*futures, return_exceptions=True)
    return [answer for answer in answers if not isinstance(answer, BaseException)]


def stop() -> None:
    """Write what waits and close the connection; a later change opens it again."""
    _writer.stop()


def _commit_in_transaction(change: Change) -> None:
    try:
        with transaction.atomic():
            write_changes(connection, [change])
    except IntegrityError as error:
        raise Conflict(f"game {change.game} was changed by someone else meanwhile") from error
    if change.summary is not None:
        transaction.on_commit(lambda: _announce(change.game), robust=True)


def _announce(game: str) -> None:
    wait(_announced(game))


def _announced(game: str) -> list[Future[Any]]:
    """Send the signal, and return what receivers have begun and not finished yet."""
    return [answer for _, answer in game_finished.send_robust(Game, game=game) if isinstance(answer, Future)]
