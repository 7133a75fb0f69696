"""Ended games on their way to the boards: one thread of the process enters all that wait at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from django.db import connection
from django.utils import timezone

from games.batching import BatchThread
from leaderboards.services.placements import Placement
from leaderboards.services.submission import submit

Placements = Sequence[Placement]


def _submit(games: Sequence[str]) -> list[Placements]:
    return list(submit(games, timezone.now()))


_thread: BatchThread[str, Placements] = BatchThread("scores", _submit)


def enter(game: str) -> Future[Placements]:
    """Enter an ended game on its boards together with all that wait, and return where it stands once it is there.

    A thread waits for it with `result`, an event loop with `asyncio.wrap_future`. Inside a transaction, which no other
    thread could look into, the game is entered at once.
    """
    if connection.in_atomic_block:
        done: Future[Placements] = Future()
        done.set_result(submit([game], timezone.now())[0])
        return done
    return _thread.submit(game)


def stop() -> None:
    """Enter what waits and close the connection; a later game opens it again."""
    _thread.stop()
