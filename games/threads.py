"""Threads for queries that may take a while, so that the one which Django shares between all sockets stays free."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")


async def in_lent_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a function returns that runs in a thread of its own."""

    def run() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connection.close()  # the thread is lent, and its connection would never be used again

    return await asyncio.to_thread(run)
