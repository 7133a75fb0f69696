"""Share threads: those of requests among all that is slow, and one of Django's among the queries of sockets."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

# What requests wait for, each with its part of the threads of requests: one in so many. Together they leave some free.
WAITS = {"passwords": 2, "hints": 4, "mails": 8}

_unreachable_at = -math.inf


def threads_for(wait: str) -> int:
    """Return how many threads of requests may wait for one thing at once."""
    return max(1, settings.PYRAMID_HTTP_THREADS // WAITS[wait])


class Places:
    """The places of requests that wait for one thing, of which each visitor gets no more than one."""

    def __init__(self, wait: str) -> None:
        self._most = threads_for(wait)
        self._lock = threading.Lock()
        self._visitors: set[int] = set()

    @contextmanager
    def taken_by(self, visitor: int) -> Iterator[bool]:
        """Yield True with a place that is held while the block runs, or False: then the block must not wait."""
        with self._lock:
            is_free = visitor not in self._visitors and len(self._visitors) < self._most
            if is_free:
                self._visitors.add(visitor)
        try:
            yield is_free
        finally:
            if is_free:
                self._visitors.discard(visitor)


async def run_in_db_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a short query returns.

    While the database is down each attempt to connect takes seconds, and the thread makes one after another. So a
    query that was queued when an attempt failed raises `OperationalError` at once, without another attempt.
    """
    asked_at = monotonic()

    def run() -> T:
        global _unreachable_at  # noqa: PLW0603  of the thread, of which there is one
        if asked_at <= _unreachable_at:
            raise OperationalError("the database could not be reached a moment ago")
        try:
            return function(*args, **kwargs)
        except DatabaseError:
            if connection.connection is None:
                _unreachable_at = monotonic()
            raise

    answer: T = await database_sync_to_async(run)()
    return answer


async def run_in_own_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a slow query returns: in its own thread it does not delay other sockets."""

    def run() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connection.close()  # the thread comes from a pool, and its connection would never be used again

    return await asyncio.to_thread(run)
