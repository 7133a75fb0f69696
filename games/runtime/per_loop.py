"""Objects of which each event loop of a process has one: what belongs to a loop must not be shared with another."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One object for each event loop, made in that loop when it is first needed."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def __call__(self) -> T:
        """Return the object of the running event loop."""
        loop = asyncio.get_running_loop()
        known = self._by_loop.get(loop)
        if known is None:  # not `or`: an empty collection is an object too
            known = self._by_loop[loop] = self._make()
        return known

    def items(self) -> list[tuple[asyncio.AbstractEventLoop, T]]:
        """Return all event loops, which may be closed, and their objects. Thread-safe."""
        return list(self._by_loop.items())
