"""Commit changes from the tasks of an event loop."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any

from games.play.journal.statements import APPEND_BY_LOOP, is_action_alone, rows_of
from games.play.journal.writer import Outcomes, new_writer, note_batch
from games.play.session import Change
from games.runtime import tracing
from games.runtime.batching import BatchThread
from games.runtime.loop_statement import LoopStatement, Outcome
from games.runtime.per_loop import PerLoop

MOST_WAITING = 1000  # of the tasks of one process; the others wait until there is room

_Waiting = tuple[Change, "asyncio.Future[None]"]

writer = new_writer()


def write(change: Change) -> Coroutine[Any, Any, None]:
    """Commit a change together with all that are waiting.

    Raises `Conflict`, with nothing written, if the game has moved on without us, and `DatabaseError` if it is unknown
    whether anything was written; sending the same action again is safe.

    Publishing the end of a game is left to the caller.
    """
    return _batcher().write(change)


class Batcher:
    """Commits all changes of one iteration of an event loop together.

    On PostgreSQL the loop writes actions by itself, once it has a connection. All else takes a thread, which wakes once
    for them all: the other changes, and actions that were refused together, of which some may be possible.
    """

    def __init__(self, writer: BatchThread[Change, None]) -> None:
        self._loop, self._writer = asyncio.get_running_loop(), writer
        self._append = LoopStatement(APPEND_BY_LOOP)
        self._actions: list[_Waiting] = []
        self._others: list[_Waiting] = []
        self._waiting = 0
        self._room = asyncio.Event()

    async def write(self, change: Change) -> None:
        """Return when the change is durable. Raises `Conflict` or `DatabaseError`."""
        while self._waiting >= MOST_WAITING:
            self._room.clear()
            await self._room.wait()
        await self._enqueue(change)

    def _enqueue(self, change: Change) -> asyncio.Future[None]:
        queue, flush = (
            (self._actions, self._flush_actions) if is_action_alone(change) else (self._others, self._flush_others)
        )
        if not queue:
            # After this iteration of the loop, by when its other tasks have queued their changes too.
            self._loop.call_soon(flush)
        future = self._loop.create_future()
        queue.append((change, future))
        self._waiting += 1
        return future

    def _flush_others(self) -> None:
        waiting, self._others = self._others, []
        self._put(waiting)

    def _flush_actions(self) -> None:
        if self._append.is_busy or not self._actions:
            return  # its answer flushes them, or has just done so
        waiting, self._actions = self._actions, []
        rows = _rows_of(waiting) if self._append.is_ready and not tracing.is_recording() else None
        if rows is None:
            self._put(waiting)
        else:
            self._append.send(rows, partial(self._answered, waiting, perf_counter()))

    def _answered(self, waiting: list[_Waiting], began: float, outcome: Outcome) -> None:
        self._flush_actions()
        if outcome == "refused":
            self._put(waiting)
            return
        note_batch(len(waiting), perf_counter() - began, None if outcome == "done" else outcome)
        self._end(waiting, [None if outcome == "done" else outcome] * len(waiting))

    def _put(self, waiting: list[_Waiting]) -> None:
        self._writer.put([change for change, _ in waiting], partial(self._report, waiting))

    def _report(self, waiting: list[_Waiting], outcomes: Outcomes) -> None:
        # On the writer's thread: one call wakes the loop for the whole batch instead of one for each future.
        with suppress(RuntimeError):  # the loop is closed, so nobody is waiting there
            self._loop.call_soon_threadsafe(self._written, waiting, outcomes)

    def _written(self, waiting: list[_Waiting], outcomes: Outcomes) -> None:
        if None in outcomes:
            self._append.open()
        self._end(waiting, outcomes)

    def _end(self, waiting: list[_Waiting], outcomes: Outcomes) -> None:
        self._waiting -= len(waiting)
        self._room.set()
        for (_, future), error in zip(waiting, outcomes, strict=True):
            if future.done():  # its task was cancelled
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)


def _rows_of(waiting: list[_Waiting]) -> bytes | None:
    """Return what appends the actions of changes, or nothing if one cannot be written: the writer finds out which."""
    try:
        return rows_of([change for change, _ in waiting])
    except Exception:  # noqa: BLE001  otherwise all of them would wait in vain
        return None


_batcher = PerLoop(lambda: Batcher(writer))
