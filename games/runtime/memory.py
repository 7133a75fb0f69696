"""Caches of values from the database, in the memory of a process, until they change or for some seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from functools import partial
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet

from django.db import transaction

from games.runtime.pubsub import Message, pubsub

Value = TypeVar("Value")

SECONDS = 10.0
EVERYTHING = None

_memories: WeakSet[Memory[Any]] = WeakSet()


def forget_everything() -> None:
    """Empty all caches of this process."""
    for memory in _memories:
        memory.drop(EVERYTHING)


class _Remembered(NamedTuple, Generic[Value]):
    """A cached value, its subject, its expiry, and the period of uninterrupted notices in which it was read."""

    value: Value
    about: int | str
    until: float
    period: int


class Moment(NamedTuple):
    """The moment at which a reader begins to read: the clock, the period of notices, and how often was forgotten."""

    at: float
    period: int
    times_forgotten: int


class Memory(Generic[Value]):
    """Values by key. Those about one subject can be forgotten, in all processes at once.

    Code that changes something calls `forget`. A notice to another process may be lost; so nothing is cached for longer
    than it lasts, by default `SECONDS`, and nothing while other processes cannot be heard. Cached values are shared by
    all threads: nobody may change them. `clock` is in seconds.
    """

    def __init__(
        self,
        topic: str,
        most: int,
        clock: Callable[[], float] = monotonic,
        seconds_of: Callable[[Value], float] = lambda value: SECONDS,
    ) -> None:
        self._topic, self._most, self._clock, self._seconds_of = topic, most, clock, seconds_of
        self._values: dict[str, _Remembered[Value]] = {}  # oldest first
        self._keys: dict[int | str, set[str]] = {}
        self._times_forgotten = 0
        self._lock = threading.Lock()
        _memories.add(self)

    def recall(self, key: str) -> Value | None:
        """Return the cached value, or None. Never blocks."""
        kept = self._values.get(key)
        if kept is None or self._clock() >= kept.until or kept.period != pubsub().period:
            return None
        return kept.value

    def get(
        self, key: str, read: Callable[[], Value | None], about: Callable[[Value], int | str] | None = None
    ) -> Value | None:
        """Return the cached value, or else what `read` returns, which is cached unless it is None.

        `about` returns the subject of a value, by default its key.
        """

        def read_one(keys: Collection[str]) -> dict[str, Value]:
            value = read()
            return {} if value is None else {key: value}

        return self.get_all([key], read_one, about).get(key)

    def get_all(
        self,
        keys: Collection[str],
        read: Callable[[Collection[str]], dict[str, Value]],
        about: Callable[[Value], int | str] | None = None,
    ) -> dict[str, Value]:
        """Return the cached values, and for the other keys what `read` finds, which is cached."""
        known = {key: value for key in keys if (value := self.recall(key)) is not None}
        missing = [key for key in keys if key not in known]
        if not missing:
            return known
        began = self.begin()
        found = read(missing)
        self.keep(began, {key: (value, about(value) if about else key) for key, value in found.items()})
        return known | found

    def begin(self) -> Moment:
        """Return the moment at which a reader begins to read what `keep` is to cache."""
        self._listen()
        return Moment(self._clock(), pubsub().period, self._times_forgotten)

    def keep(self, began: Moment, found: Mapping[str, tuple[Value, int | str]]) -> None:
        """Cache what was read since a moment, each value with its subject, unless something has changed meanwhile."""
        # Inside a transaction a value may never be committed; without a period no other process can be heard.
        if not (found and began.period) or transaction.get_connection().in_atomic_block:
            return
        with self._lock:
            if began.times_forgotten == self._times_forgotten:  # otherwise they may be outdated
                for key, (value, about) in found.items():
                    until = began.at + self._seconds_of(value)
                    self._keep(key, _Remembered(value, about, until, began.period))

    def forget(self, about: int | str | None = EVERYTHING) -> None:
        """Forget the values about one subject, or all: in this process now, and everywhere after the commit."""
        self.drop(about)
        transaction.on_commit(partial(pubsub().publish, self._topic, {"about": about}), robust=True)

    def drop(self, about: int | str | None) -> None:
        """Forget the values about one subject, or all, in this process."""
        with self._lock:
            self._times_forgotten += 1
            if about is EVERYTHING:
                self._values, self._keys = {}, {}
            else:
                for key in list(self._keys.get(about, ())):
                    self._discard(key)

    def _listen(self) -> None:
        pubsub().listen(self._topic, self._receive)

    def _keep(self, key: str, kept: _Remembered[Value]) -> None:
        self._discard(key)
        self._values[key] = kept
        self._keys.setdefault(kept.about, set()).add(key)
        now = self._clock()
        while self._values:
            oldest = next(iter(self._values))
            if len(self._values) <= self._most and self._values[oldest].until > now:
                break
            self._discard(oldest)

    def _discard(self, key: str) -> None:
        kept = self._values.pop(key, None)
        if kept is not None:
            keys = self._keys[kept.about]
            keys.discard(key)
            if not keys:
                del self._keys[kept.about]

    def _receive(self, notice: Message) -> None:
        self.drop(notice["about"])
