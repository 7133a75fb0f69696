"""Commit changes from the tasks of an event loop."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from games.play.journal.writer import Outcomes, new_writer
from games.play.session import Change
from games.runtime.batching import BatchThread
from games.runtime.per_loop import PerLoop

MOST_WAITING = 1000  # of the tasks of one process; the others wait until there is room

writer = new_writer()


def write(change: Change) -> Coroutine[Any, Any, None]:
    """Commit a change together with all that are waiting.

    Raises `Conflict`, with nothing written, if the game has moved on without us, and `DatabaseError` if it is unknown
    whether anything was written; sending the same action again is safe.

    Publishing the end of a game is left to the caller.
    """
    return _batcher().write(change)


class Batcher:
    """Passes all changes of one iteration of an event loop to the writer together, so that its thread wakes once."""

    def __init__(self, writer: BatchThread[Change, None]) -> None:
        self._loop, self._writer = asyncio.get_running_loop(), writer
        self._changes: list[Change] = []
        self._futures: list[asyncio.Future[None]] = []
        self._waiting = 0
        self._room = asyncio.Event()

    async def write(self, change: Change) -> None:
        """Return when the change is durable. Raises `Conflict` or `DatabaseError`."""
        while self._waiting >= MOST_WAITING:
            self._room.clear()
            await self._room.wait()
        await self._enqueue(change)

    def _enqueue(self, change: Change) -> asyncio.Future[None]:
        if not self._changes:
            # After this iteration of the loop, by when its other tasks have queued their changes too.
            self._loop.call_soon(self._flush)
        future = self._loop.create_future()
        self._changes.append(change)
        self._futures.append(future)
        self._waiting += 1
        return future

    def _flush(self) -> None:
        self._writer.put(self._changes, partial(self._report, self._futures))
        self._changes, self._futures = [], []

    def _report(self, futures: list[asyncio.Future[None]], outcomes: Outcomes) -> None:
        # On the writer's thread: one call wakes the loop for the whole batch instead of one for each future.
        with suppress(RuntimeError):  # the loop is closed, so nobody is waiting there
            self._loop.call_soon_threadsafe(self._end, futures, outcomes)

    def _end(self, futures: list[asyncio.Future[None]], outcomes: Outcomes) -> None:
        self._waiting -= len(futures)
        self._room.set()
        for future, error in zip(futures, outcomes, strict=True):
            if future.done():  # its task was cancelled
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)


_batcher = PerLoop(lambda: Batcher(writer))
