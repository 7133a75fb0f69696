"""The work of a command on several cores: in processes, or in threads where Python has no global interpreter lock."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from django.db import connections

Item = TypeVar("Item")
Result = TypeVar("Result")


class Map(Protocol):
    """The results of work on items, in order, as the built-in `map` gives them."""

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]: ...


@contextmanager
def parallel_map(jobs: int, initializer: Callable[[], None] | None = None) -> Iterator[Map]:
    """Yield a `map` that works on so many items at a time.

    If it does so in other processes, each of them calls `initializer` first, and `work` and items are pickled.
    """
    if jobs == 1:
        yield map
        return
    if has_free_threads():
        pool: Executor = ThreadPoolExecutor(jobs)
        run: Map = lambda work, items: pool.map(partial(_on_a_thread, work), items)  # noqa: E731
    else:
        # A fresh process: a fork would inherit this one's threads and connections.
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=partial(_begin, initializer))
        run = partial(_without_interrupts, pool.map)
    try:
        yield run
    finally:
        pool.shutdown(cancel_futures=True)  # who ends early does not wait for all that was planned


def in_parallel(work: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Yield the results of work on items, in order, as `parallel_map` does."""
    with parallel_map(jobs) as run:
        yield from run(work, items)


def has_free_threads() -> bool:
    """Return True if threads of this process run Python at the same time: in 3.14t, unless an import forbade it."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


def _without_interrupts(start: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Start processes on which a Ctrl-C waits until they begin: they would show it as a fault of their imports."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return start(*arguments)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(initializer: Callable[[], None] | None) -> None:
    """Have a Ctrl-C end this process without a word; the one that has started it says what there is to say."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in the background, where none is meant
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if initializer:
        initializer()


def _on_a_thread(work: Callable[[Item], Result], item: Item) -> Result:
    """Work, and close the connections that this thread has opened: nobody else could."""
    try:
        return work(item)
    finally:
        connections.close_all()
