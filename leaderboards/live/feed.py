"""The feed of a board: its first rows, queried a few times a second at most and shared by all watchers in this process.

Without a feed each watcher would query the board after each change: a thousand watchers of a busy board, a thousand
times as much work for the database."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from django.db import DatabaseError
from django.utils import timezone

from games.kit.pubsub import Message, pubsub
from games.kit.threads import run_in_own_thread
from games.kit.waiting import is_set_within
from leaderboards.services import reading
from leaderboards.services.notifications import TOPIC
from leaderboards.wire import Row

logger = logging.getLogger(__name__)

SHOWN = 20
PAUSE_SECONDS = 0.25
# The longest delay if a notice is lost, for example with the process that was sending it.
LOOK_SECONDS = 15


@dataclass(frozen=True)
class Snapshot:
    """A board at a version: its first rows, and those of some of its watchers by handle."""

    version: int
    count: int
    rows: list[Row]
    own: dict[str, Row]
    handles: frozenset[str]  # those whose rows were looked for, found or not


class Feed:
    """A board with watchers. It takes a snapshot whenever the board has changed, a few times a second at most."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.watchers: Counter[str] = Counter()  # by handle; "" for unknown visitors
        self.snapshot: Snapshot | None = None
        self._changed = asyncio.Condition()
        self._stale = asyncio.Event()

    async def newer_than(self, version: int, handle: str) -> Snapshot:
        """Wait for a snapshot that is newer than a version and includes a watcher's own row."""
        async with self._changed:
            while self.snapshot is None or self.snapshot.version <= version or handle not in self.snapshot.handles:
                await self._changed.wait()
            return self.snapshot

    def join(self, handle: str) -> None:
        """Include a watcher's own row from now on, with a new snapshot at once unless the last one has it."""
        self.watchers[handle] += 1
        if self.snapshot is not None and handle not in self.snapshot.handles:
            self._stale.set()

    def hear(self, version: int) -> None:
        """Take a new snapshot if a version is newer than the last one."""
        if self.snapshot is None or version > self.snapshot.version:
            self._stale.set()

    async def run(self) -> None:
        """Take a snapshot whenever the board has changed, and wake the watchers."""
        while True:
            # Before the query: a change that is heard during it may be missing from its answer, and needs another one.
            self._stale.clear()
            await self._renew()
            # After the query: the first change after a quiet time is shown at once, the next ones together.
            await asyncio.sleep(PAUSE_SECONDS)
            await is_set_within(self._stale, LOOK_SECONDS)

    async def _renew(self) -> None:
        try:
            snapshot = await look(self.slug, self.watchers)
        except DatabaseError as error:
            logger.warning("watchers of %s wait for the database: %s", self.slug, error)
            return  # the feed goes on: the next look follows within LOOK_SECONDS
        async with self._changed:
            self.snapshot = snapshot
            self._changed.notify_all()


class _Watched(NamedTuple):
    feed: Feed
    task: asyncio.Task[None]


# By event loop, because tasks and conditions belong to the one that made them.
_watched: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, _Watched]] = WeakKeyDictionary()


async def look(slug: str, handles: Iterable[str]) -> Snapshot:
    """Return a snapshot of a board. Raises `UnknownBoard`."""
    return await run_in_own_thread(_snapshot, slug, frozenset(handles))


@asynccontextmanager
async def watching(slug: str, handle: str) -> AsyncIterator[Feed]:
    """Share the feed of a board while the block runs. The feed runs as long as it has watchers."""
    boards = _boards()
    if slug not in boards:
        feed = Feed(slug)
        boards[slug] = _Watched(feed, asyncio.create_task(feed.run()))
    feed, task = boards[slug]
    feed.join(handle)
    try:
        yield feed
    finally:
        feed.watchers -= Counter([handle])  # which also drops a handle without watchers
        if not feed.watchers:
            del boards[slug]  # before waiting for the task: who comes meanwhile starts a feed that runs
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _boards() -> dict[str, _Watched]:
    """Return the watched boards of the running event loop, subscribed to their changes."""
    loop = asyncio.get_running_loop()
    if loop not in _watched:
        boards = _watched[loop] = {}

        def hear(notice: Message) -> None:
            if watched := boards.get(notice["board"]):
                watched.feed.hear(notice["version"])

        pubsub().subscribe(TOPIC, hear)
    return _watched[loop]


def _snapshot(slug: str, handles: frozenset[str]) -> Snapshot:
    # All parts are read from one view, so that they agree although scores are entered meanwhile.
    view = reading.view_of(reading.find_board(slug, timezone.now()))
    table = reading.top_of(view, SHOWN)
    own = [Row.at_place(standing.row) for standing in reading.standings_of(view, handles - {""})]
    rows = [Row.at_place(row) for row in table.rows]
    return Snapshot(view.version, table.count, rows, {row.player.handle: row for row in own}, handles)
