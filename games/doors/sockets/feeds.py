"""Feeds: what sockets that follow the same subject share, kept up to date while at least one of them is open."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from contextlib import asynccontextmanager
from typing import Any, Generic, TypeVar

from games.doors.refusals import Refusal
from games.runtime.outages import tell
from games.runtime.pubsub import Message, pubsub
from games.runtime.waiting import is_set_within

logger = logging.getLogger(__name__)

FAILURE_SECONDS = 1.0

Follower = TypeVar("Follower")
F = TypeVar("F", bound="Feed[Any]")


class Feed(ABC, Generic[Follower]):
    """A subject, such as a board, with its followers. It is renewed after each message about it, and now and then.

    `label` names it in the log.
    """

    def __init__(self, label: str) -> None:
        self.followers: Counter[Follower] = Counter()
        self._label = label
        self._stale = asyncio.Event()

    @abstractmethod
    async def renew(self) -> None:
        """Read what has changed, for the followers."""

    @abstractmethod
    def pause_seconds(self) -> float:
        """Return the shortest time between two renewals."""

    @abstractmethod
    def look_seconds(self) -> float:
        """Return the longest time until the next renewal if there is no message; it may have been lost."""

    def join(self, follower: Follower) -> None:
        self.followers[follower] += 1

    def leave(self, follower: Follower) -> None:
        self.followers[follower] -= 1
        if not self.followers[follower]:
            del self.followers[follower]

    def receive(self, message: Message) -> None:
        """Take note of a message."""
        self.wake()

    def wake(self) -> None:
        """Have the feed renewed as soon as possible."""
        self._stale.set()

    def distrust(self) -> None:
        """Have the next renewal read everything: messages may have been lost, or a renewal has failed."""

    async def run(self) -> None:
        while True:
            # Before the renewal: a change published during it may be missing from what was read.
            self._stale.clear()
            try:
                await self.renew()
            except Refusal:
                return  # there is nothing to follow, of which its followers learn by themselves
            except Exception as error:  # noqa: BLE001  without the task its followers would wait in vain
                tell(logger, "feeds", f"followers of {self._label} wait for the database", error)
                self.distrust()
                await asyncio.sleep(FAILURE_SECONDS)
            # After the renewal: the first change after a quiet time is sent at once, the next ones together.
            await asyncio.sleep(self.pause_seconds())
            if not await is_set_within(self._stale, self.look_seconds()):
                self.distrust()


class Feeds(Generic[F]):
    """The feeds of an event loop that receive the messages of a topic, by key. A feed runs while it has followers.

    `subjects` returns what a message is about. Several feeds may be about one subject, which is by default the key.
    """

    def __init__(self, topic: str, subjects: Callable[[Message], Iterable[Hashable]]) -> None:
        self._subjects = subjects
        self._running: dict[Hashable, tuple[F, asyncio.Task[None]]] = {}
        self._about: defaultdict[Hashable, set[F]] = defaultdict(set)
        pubsub().subscribe(topic, self._receive)

    def running(self, key: Hashable) -> F | None:
        return self._running[key][0] if key in self._running else None

    @asynccontextmanager
    async def following(
        self, key: Hashable, follower: Any, make: Callable[[], F], about: Hashable = None
    ) -> AsyncIterator[F]:
        """Follow the feed with a key while the block runs; for the first follower `make` makes it."""
        subject = key if about is None else about
        if key not in self._running:
            feed = make()
            self._running[key] = feed, asyncio.create_task(feed.run())
            self._about[subject].add(feed)
        feed, task = self._running[key]
        feed.join(follower)
        try:
            yield feed
        finally:
            feed.leave(follower)
            if not feed.followers:
                del self._running[key]  # before waiting for the task: the next follower starts another feed
                self._forget(subject, feed)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    def _forget(self, subject: Hashable, feed: F) -> None:
        self._about[subject].discard(feed)
        if not self._about[subject]:
            del self._about[subject]

    def _receive(self, message: Message) -> None:
        for subject in self._subjects(message):
            for feed in self._about.get(subject, ()):
                feed.receive(message)
