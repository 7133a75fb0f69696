"""Exchanges with other servers on threads, beside what a worker does: it begins some, and later asks how they ended."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from games.runtime.posting import Answer


class Exchanges:
    """Exchanges under way, each known by a number; `most` of them may wait for one of the threads or run."""

    def __init__(self, name: str, threads: int, most: int) -> None:
        self._most = most
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._under_way: dict[int, Future[Answer]] = {}

    @property
    def room(self) -> int:
        """The number of exchanges that may begin now."""
        return self._most - len(self._under_way)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the exchanges under way."""
        return [*self._under_way]

    def begin(self, number: int, attempt: Callable[[], Answer]) -> None:
        self._under_way[number] = self._pool.submit(attempt)

    def ended(self, *, waits: bool = False) -> list[tuple[int, Answer]]:
        """Return the answers since the last time, or with `waits` those of all exchanges."""
        if waits:
            wait(self._under_way.values())
        numbers = [number for number, attempt in self._under_way.items() if attempt.done()]
        return [(number, self._under_way.pop(number).result()) for number in numbers]

    def give_back(self) -> list[int]:
        """Cancel the exchanges that have not begun, and return their numbers."""
        numbers = [number for number, attempt in self._under_way.items() if attempt.cancel()]
        for number in numbers:
            del self._under_way[number]
        return numbers
