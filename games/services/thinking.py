"""Thinking beside the play: one thread, a short queue and a deadline, so that no search delays a move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

A = TypeVar("A")
T = TypeVar("T")

MOST_WAITING = 16

_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="thinking")
_waiting: set[Future[Any]] = set()


async def think(function: Callable[[A], T], about: A, *, seconds: float) -> T | None:
    """Return the function's answer, or None if too much else is being thought about or the time runs out.

    The kernels of the solver release the interpreter's lock; what is begun runs to its node limit in any case.
    """
    if len(_waiting) >= MOST_WAITING:
        return None
    future = _thread.submit(function, about)
    _waiting.add(future)
    future.add_done_callback(_waiting.discard)
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
    except TimeoutError:
        return None
