"""Hash passwords, which takes long by design: a few at once, and never at the expense of play."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
        if not self._room.acquire(blocking=False):
            raise Throttled(wait=WAIT_SECONDS)
        try:
            return self._threads.submit(work).result()
        finally:
            self._room.release()


@cache
def _queue() -> HashingQueue:
    return HashingQueue(min(AT_ONCE + MOST_WAITING, threads_for("passwords")))


def _yield_to_play() -> None:
    if sys.platform == "linux":  # where each thread has a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
