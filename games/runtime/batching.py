"""Batch threads: one per process and kind of work, which processes all waiting items together on its own connection."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import islice
from queue import Empty, SimpleQueue
from time import sleep
from typing import Generic, NamedTuple, TypeVar

from django.db import connection

from games.runtime.outages import tell

logger = logging.getLogger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")

STOP = None


class _Waiting(NamedTuple, Generic[Item, Result]):
    """Items, and the function that the thread calls with the outcome of each: a result or an error."""

    items: Sequence[Item]
    deliver: Callable[[Sequence[Result | Exception]], None]


class BatchThread(Generic[Item, Result]):
    """Processes items in order of arrival, all that are waiting at once. The thread starts with the first item.

    `work` returns a result or an error for each item. If it raises an error, that is the outcome of all of them. In a
    crowd, when items came while others were worked on, the thread waits `lingers_s` seconds for more of them: where
    each batch has a price, fewer and larger ones cost the server less (PostgreSQL does so with `commit_delay`).
    """

    def __init__(
        self, name: str, work: Callable[[Sequence[Item]], Sequence[Result | Exception]], *, lingers_s: float = 0.0
    ) -> None:
        self._name = name
        self._work = work
        self._lingers_s = lingers_s
        self._queue: SimpleQueue[_Waiting[Item, Result] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        atexit.register(self.stop)

    def put(self, items: Sequence[Item], deliver: Callable[[Sequence[Result | Exception]], None]) -> None:
        """Queue items, to be processed with all others that are waiting."""
        with self._lock:
            if self._thread is None:
                # A new queue: a thread that is stopping still has to find STOP in the old one.
                self._queue = SimpleQueue()
                self._thread = threading.Thread(target=self._run, args=[self._queue], name=self._name, daemon=True)
                self._thread.start()
            self._queue.put(_Waiting(items, deliver))

    def submit(self, item: Item) -> Future[Result]:
        """Queue one item and return its future; a loop awaits it with `asyncio.wrap_future`."""
        future: Future[Result] = Future()

        def deliver(results: Sequence[Result | Exception]) -> None:
            if not future.set_running_or_notify_cancel():
                return
            if isinstance(results[0], Exception):
                future.set_exception(results[0])
            else:
                future.set_result(results[0])

        self.put([item], deliver)
        return future

    def stop(self) -> None:
        """Finish the waiting items, end the thread and close its connection; a later item starts it again."""
        with self._lock:
            thread, self._thread = self._thread, None
            self._queue.put(STOP)
        if thread is not None:
            thread.join()

    def _run(self, queue: SimpleQueue[_Waiting[Item, Result] | None]) -> None:
        is_stopping = is_crowd = False
        while not is_stopping:
            waiting, is_stopping = _next(queue, self._lingers_s if is_crowd else 0.0)
            is_crowd = len(waiting) > 1
            if waiting:
                self._work_on(waiting)
        connection.close()

    def _work_on(self, waiting: Sequence[_Waiting[Item, Result]]) -> None:
        items = [item for items, _ in waiting for item in items]
        results: Sequence[Result | Exception]
        try:
            if _server_has_hung_up():
                connection.close()
            results = self._work(items)
        except Exception as error:  # noqa: BLE001  without the thread everyone would wait in vain
            tell(logger, self._name, f"{self._name}: {len(items)} items failed", error)
            connection.close()
            results = [error] * len(items)
        remaining = iter(results)
        for own_items, deliver in waiting:
            deliver(list(islice(remaining, len(own_items))))


def _next(
    queue: SimpleQueue[_Waiting[Item, Result] | None], lingers_s: float
) -> tuple[list[_Waiting[Item, Result]], bool]:
    """Wait for an item, and so long for more; return all that are queued, and whether to stop after them."""
    waiting: list[_Waiting[Item, Result]] = []
    more = queue.get()
    if lingers_s:
        sleep(lingers_s)
    try:
        while more is not STOP:
            waiting.append(more)
            more = queue.get_nowait()
    except Empty:
        return waiting, False
    return waiting, True


def _server_has_hung_up() -> bool:
    """Return True if the server closed the connection since the last batch, which shows as unsolicited data.

    Using the connection would fail even if the server is back.
    """
    if connection.vendor != "postgresql" or connection.connection is None or connection.connection.closed:
        return False
    return not connection.connection.is_quiet
