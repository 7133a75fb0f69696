"""What all watchers of a board in this process share: its first rows, looked at at most a few times a second."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer
from django.db import DatabaseError
from django.utils import timezone
from redis import RedisError

from games.threads import in_lent_thread
from leaderboards.live import messages
from leaderboards.live.messages import Row
from leaderboards.services import reading
from leaderboards.services.notifications import group_of

logger = logging.getLogger(__name__)

SHOWN = 20
PAUSE_SECONDS = 0.25
# A notice may be lost with the process that was to send it; then watchers learn of the change this late.
PATIENCE_SECONDS = 15


@dataclass(frozen=True)
class Snapshot:
    """A board at a version: its first rows, and those of its watchers by handle."""

    version: int
    count: int
    rows: list[Row]
    own: dict[str, Row]


@dataclass(eq=False)
class Feed:
    """A board with watchers, and how many sockets each handle has there; the empty one is of people unknown."""

    slug: str
    watchers: Counter[str] = field(default_factory=Counter)
    snapshot: Snapshot | None = None
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def newer_than(self, version: int) -> Snapshot:
        """Wait for a later version than one."""
        async with self.changed:
            while self.snapshot is None or self.snapshot.version <= version:
                await self.changed.wait()
            return self.snapshot

    async def run(self) -> None:
        """Look whenever the board has changed, and tell the watchers."""
        layer = get_channel_layer()
        channel = await layer.new_channel("board")
        try:
            while True:
                await self._join(layer, channel)
                await self._renew()
                await asyncio.sleep(PAUSE_SECONDS)
                await self._wait_for_news(layer, channel)
        finally:
            await layer.group_discard(group_of(self.slug), channel)

    async def _join(self, layer: Any, channel: str) -> None:
        """Have notices sent to the channel; each time anew, because Redis may have been away, and starts empty."""
        try:
            await layer.group_add(group_of(self.slug), channel)
        except (RedisError, OSError) as error:
            logger.warning("watchers of %s hear late: %s", self.slug, error)

    async def _renew(self) -> None:
        try:
            snapshot = await look(self.slug, self.watchers)
        except DatabaseError as error:
            logger.warning("watchers of %s wait for the database: %s", self.slug, error)
            return
        async with self.changed:
            self.snapshot = snapshot
            self.changed.notify_all()

    async def _wait_for_news(self, layer: Any, channel: str) -> None:
        known = self.snapshot.version if self.snapshot else 0
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await _next_version(layer, channel)) <= known:
                    pass


async def look(slug: str, handles: Iterable[str]) -> Snapshot:
    """Look at a board now. Raises `UnknownBoard`."""
    return await in_lent_thread(_snapshot, slug, {handle for handle in handles if handle})


_feeds: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, tuple[Feed, asyncio.Task[None]]]] = WeakKeyDictionary()


@asynccontextmanager
async def watching(slug: str, handle: str) -> AsyncIterator[Feed]:
    """Share the feed of a board while the block runs. It works as long as anyone watches."""
    feeds = _feeds.setdefault(asyncio.get_running_loop(), {})
    if slug not in feeds:
        feed = Feed(slug)
        feeds[slug] = feed, asyncio.create_task(feed.run())
    feed, task = feeds[slug]
    feed.watchers[handle] += 1
    try:
        yield feed
    finally:
        feed.watchers -= Counter([handle])
        if not feed.watchers:
            del feeds[slug]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _next_version(layer: Any, channel: str) -> int:
    try:
        version: int = (await layer.receive(channel))["version"]
    except (RedisError, OSError) as error:
        logger.warning("notices of boards do not arrive: %s", error)
        await asyncio.sleep(PATIENCE_SECONDS)
        return 0
    return version


def _snapshot(slug: str, handles: set[str]) -> Snapshot:
    view = reading.view_of(reading.find_board(slug, timezone.now()))
    table = reading.top_of(view, SHOWN)
    own = [messages.row_of(standing.row) for standing in reading.standings_of(view, handles)]
    rows = [messages.row_of(row) for row in table.rows]
    return Snapshot(view.version, table.count, rows, {row.handle: row for row in own})
