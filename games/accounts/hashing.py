"""Hash passwords, which takes long by design: a few at once, and never at the expense of play."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import TypeVar

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from rest_framework.exceptions import Throttled

from games.runtime.threads import threads_for

T = TypeVar("T")

AT_ONCE = 2
MOST_WAITING = 2
NICENESS = 10
WAIT_SECONDS = 1


class QueuedHasher(PBKDF2PasswordHasher):
    """Django's own hashes, made on threads that yield the processor to play.

    Raises `Throttled` if too many wait already: a waiting request holds a thread that could answer others.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        hashed: str = _queue().run(lambda: super(QueuedHasher, self).encode(password, salt, iterations))
        return hashed


class HashingQueue:
    """Threads for hashes, with room for `room` of them at once, waiting ones included."""

    def __init__(self, room: int) -> None:
        self._room = threading.BoundedSemaphore(room)
        self._threads = ThreadPoolExecutor(min(AT_ONCE, room), "hashing", initializer=_yield_to_play)

    def run(self, work: Callable[[], T]) -> T:
        """Return what the work returns. Raises `Throttled`."""
        with self.place() as is_free:
            if not is_free:
                raise Throttled(wait=WAIT_SECONDS)
            return self._threads.submit(work).result()

    @contextmanager
    def place(self) -> Iterator[bool]:
        """Yield True with a place that is held while the block runs, or False: then the block must not wait."""
        is_free = self._room.acquire(blocking=False)
        try:
            yield is_free
        finally:
            if is_free:
                self._room.release()


def place_to_wait() -> AbstractContextManager[bool]:
    """Return a place of those who sign in, for one who waits for something else than a hash."""
    return _queue().place()


@cache
def _queue() -> HashingQueue:
    return HashingQueue(min(AT_ONCE + MOST_WAITING, threads_for("passwords")))


def _yield_to_play() -> None:
    if sys.platform == "linux":  # where each thread has a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
