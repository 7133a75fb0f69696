"""Service level objectives: how soon players get what they ask for, measured where it is given to them.

`pyramid_server/deployment/objectives.yml` has the share that may be missed, and the alerts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from django.db import DatabaseError
from prometheus_client import Counter, Histogram

# Served at `/metrics`.
_seconds = Histogram(
    "pyramid_objective_seconds",
    "How long something took for which there is an objective.",
    ["objective"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
_missed = Counter(
    "pyramid_objective_missed_total", "Those that failed or took longer than their objective.", ["objective"]
)


class Objective:
    """What should take at most a number of seconds."""

    def __init__(self, name: str, seconds: float) -> None:
        self.name, self.seconds = name, seconds
        self._took, self._missed = _seconds.labels(name), _missed.labels(name)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count what the block does. A refusal is an answer; a database that does not answer is none."""
        began = perf_counter()
        try:
            yield
        except Exception as error:
            self.note(perf_counter() - began, failed=isinstance(error, DatabaseError))
            raise
        self.note(perf_counter() - began)

    def note(self, seconds: float, *, failed: bool = False) -> None:
        """Count what took some seconds, or failed after them."""
        self._took.observe(seconds)
        if failed or seconds > self.seconds:
            self._missed.inc()


MOVE = Objective("move", 0.1)  # from its arrival until it is durable
START = Objective("start", 1.0)  # of a ranked attempt
OPENING = Objective("opening", 1.0)  # the same, in the first minute of a day
RANKS = Objective("ranks", 5.0)  # from the end of a game until it is on all its boards
