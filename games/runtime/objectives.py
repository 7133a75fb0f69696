"""Service level objectives: how soon players get what they ask for, measured where it is given to them.

`pyramid_server/deployment/objectives.yml` has the alerts.
"""

from __future__ import annotations

from threading import Lock
from time import perf_counter
from typing import Literal, NamedTuple

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


ObjectiveName = Literal["move", "start", "opening", "ranks"]


class Counted(NamedTuple):
    """The measurements of an objective in this process, and those that missed it."""

    total: int
    missed: int


class Objective:
    """A limit in seconds for something that players ask for; `may_miss` is the part of it that may take longer."""

    def __init__(self, name: ObjectiveName, seconds: float, may_miss: float) -> None:
        self.name, self.seconds, self.may_miss = name, seconds, may_miss
        self.counted = Counted(0, 0)
        self._took, self._missed = _seconds.labels(name), _missed.labels(name)
        self._lock = Lock()

    @property
    def promised(self) -> float:
        """The part that is to be in time."""
        return 1 - self.may_miss

    def timed(self) -> Timing:
        """Return a context manager that counts what its block does."""
        return Timing(self)

    def note(self, seconds: float, *, failed: bool = False) -> None:
        """Count what took some seconds, or failed after them."""
        is_missed = failed or seconds > self.seconds
        self._took.observe(seconds)
        if is_missed:
            self._missed.inc()
        with self._lock:
            self.counted = Counted(self.counted.total + 1, self.counted.missed + is_missed)


class Timing:
    """Counts a block, unless it was cancelled. A refusal is an answer; a database that does not answer is none.

    A class and no generator, which costs half as much again: every move pays for it.
    """

    __slots__ = ("_began", "_objective")

    def __init__(self, objective: Objective) -> None:
        self._objective = objective

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if error is None or isinstance(error, Exception):
            self._objective.note(perf_counter() - self._began, failed=isinstance(error, DatabaseError))


MOVE = Objective("move", 0.1, 0.001)  # from its arrival until it is durable
START = Objective("start", 1.0, 0.005)  # of a ranked attempt
OPENING = Objective("opening", 1.0, 0.01)  # the same, in the first minute of a day
RANKS = Objective("ranks", 5.0, 0.005)  # from the end of a game until it is on all its boards
objectives = {objective.name: objective for objective in (MOVE, START, OPENING, RANKS)}
