"""Overload: new work is refused while so much waits already that those who came before would wait for seconds more."""

import time
from collections.abc import Callable
from types import TracebackType

from prometheus_client import Counter

shed = Counter("pyramid_shed_total", "Requests and new sockets that were refused because too many waited.", ["of"])


LONGEST_TURN_SECONDS = 60.0  # afterwards turns begin again: by then some have given up, or gone to another node
REFUSALS_AS_LONG = 4  # so many refusals take as long as it takes to serve one
# At first, when few of a crowd have been served, it counts as if so many others had been, in so many seconds each.
USUAL_SERVED, USUAL_SECONDS = 500, 0.002


class Crowd:
    """Those who wait for one thing. `is_full` counts a refusal. `now` returns seconds on a clock that never jumps."""

    def __init__(self, of: str, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._of, self._most, self._now = of, most, now
        self._waiting = self._served = self._refused = 0
        self._since = self._last_turn = 0.0

    def is_full(self) -> bool:
        full = self._waiting >= self._most
        if full:
            self._refused += 1
            shed.labels(of=self._of).inc()
        return full

    def seconds_to_turn(self) -> float:
        """Return after how many seconds someone who was refused may come again.

        That is when those who wait, and those who were refused before, have been served as fast as lately: each gets
        a turn of its own, so that they do not come back all at once. While many are refused, fewer are served.
        """
        now = self._now()
        served = self._served + self._refused / REFUSALS_AS_LONG + USUAL_SERVED
        each = (now - self._since + USUAL_SERVED * USUAL_SECONDS) / max(served, 1)
        first = now + min(self._waiting * each, LONGEST_TURN_SECONDS - each)
        turn = max(first, self._last_turn) + each
        self._last_turn = turn if turn <= now + LONGEST_TURN_SECONDS else first + each
        return self._last_turn - now

    def __enter__(self) -> None:
        if not self._waiting:
            self._since, self._served, self._refused = self._now(), 0, 0
        self._waiting += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting -= 1
        self._served += 1
