"""Where sockets have their queries made: in the one thread that Django shares between them, or in one of their own."""

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

    Without a database each attempt to reach it takes seconds, and the thread makes one after the other. Whoever waited
    for the thread while such an attempt failed is told so without another one, by an `OperationalError`.
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
    """Return what a query returns that may take a while: in a thread of its own it keeps no other socket waiting."""

    def run() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connection.close()  # the thread is lent, and its connection would never be used again

    return await asyncio.to_thread(run)
