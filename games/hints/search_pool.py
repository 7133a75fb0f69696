"""Background searches: one thread, a short queue and a deadline, so that no search delays a move."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

A = TypeVar("A")
T = TypeVar("T")

MOST_WAITING = 16


class SearchPool:
    """A thread that answers one question after the other, with a short queue."""

    def __init__(self, name: str, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._waiting: set[Future[Any]] = set()

    def begin(self, function: Callable[[A], T], about: A) -> Future[T] | None:
        """Queue a question, or return None if the queue is full.

        The solver's kernels release the GIL, so a thread suffices and moves go on meanwhile. A search that has begun
        cannot be cancelled; its node limit bounds it.
        """
        if len(self._waiting) >= self._most_waiting:
            return None
        future = self._thread.submit(function, about)
        self._waiting.add(future)
        future.add_done_callback(self._waiting.discard)
        return future

    def wait(self, function: Callable[[A], T], about: A, *, seconds: float) -> T | None:
        """Return what `search` returns, blocking the calling thread."""
        future = self.begin(function, about)
        if future is None:
            return None
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()  # if it is still queued, it need not run any more
            return None


_beside_play = SearchPool("searching")


async def search(function: Callable[[A], T], about: A, *, seconds: float) -> T | None:
    """Return the function's answer, or None if the queue is full or the time runs out."""
    future = _beside_play.begin(function, about)
    if future is None:
        return None
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
    except TimeoutError:
        return None
