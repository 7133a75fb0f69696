"""Run the queries of sockets: short ones in the thread that Django shares, long ones in a thread of their own."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from time import monotonic
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import DatabaseError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

_unreachable_at = -math.inf


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
