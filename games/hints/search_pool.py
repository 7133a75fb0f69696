"""Background searches: one thread, fair turns and a deadline, so that no search delays a move."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

A = TypeVar("A")
T = TypeVar("T")

MOST_WAITING = 64
MOST_OF_ONE = 4


class SearchPool:
    """A thread that answers one question after the other. Askers take turns, however many questions one of them has."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._lock = threading.Lock()
        # By asker; whose turn comes next is first.
        self._waiting: dict[int, deque[tuple[Future[Any], Callable[[], object]]]] = {}

    def begin(self, function: Callable[[A], T], about: A, asker: int) -> Future[T] | None:
        """Queue a question of an asker, or return None if too many wait, of this one or of all.

        The solver's kernels release the GIL, so a thread suffices and moves go on meanwhile. A search that has begun
        cannot be cancelled; its node limit bounds it.
        """
        future: Future[T] = Future()
        with self._lock:
            own = self._waiting.get(asker, deque())
            own = deque(question for question in own if not question[0].cancelled())
            if len(own) >= MOST_OF_ONE or sum(map(len, self._waiting.values())) >= MOST_WAITING:
                return None
            own.append((future, lambda: function(about)))
            self._waiting[asker] = own
        self._thread.submit(self._answer_next)
        return future

    def _answer_next(self) -> None:
        with self._lock:
            if not self._waiting:  # the question was cancelled and forgotten
                return
            asker = next(iter(self._waiting))
            questions = self._waiting.pop(asker)
            future, answer = questions.popleft()
            if questions:
                self._waiting[asker] = questions
        if future.set_running_or_notify_cancel():
            _settle(future, answer)


def _settle(future: Future[Any], answer: Callable[[], object]) -> None:
    try:
        future.set_result(answer())
    except BaseException as error:  # noqa: BLE001  the asker gets it
        future.set_exception(error)


_beside_play = SearchPool("searching")


async def search(function: Callable[[A], T], about: A, *, asker: int, seconds: float) -> T | None:
    """Return the function's answer, or None if too many questions wait or the time runs out.

    Players are asked for by their primary keys and take turns.
    """
    future = _beside_play.begin(function, about, asker)
    if future is None:
        return None
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
    except TimeoutError:
        return None
