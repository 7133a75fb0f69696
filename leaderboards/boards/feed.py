"""The feed of a board: its first rows, queried a few times a second at most and shared by all watchers in this process.

Without a feed each watcher would query the board after each change: a thousand watchers of a busy board, a thousand
times as much work for the database."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from games.doors.sockets.feeds import Feed, Feeds
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import Message
from games.runtime.threads import run_in_own_thread
from leaderboards.boards import reading
from leaderboards.boards.publishing import TOPIC
from leaderboards.boards.wire import Row

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


class BoardFeed(Feed[str]):
    """A board with watchers, by handle, which is "" for unknown visitors: snapshots, a few each second at most."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug
        self.snapshot: Snapshot | None = None
        self._changed = asyncio.Condition()

    async def newer_than(self, version: int, handle: str) -> Snapshot:
        """Wait for a snapshot that is newer than a version and includes a watcher's own row."""
        async with self._changed:
            while self.snapshot is None or self.snapshot.version <= version or handle not in self.snapshot.handles:
                await self._changed.wait()
            return self.snapshot

    def join(self, handle: str) -> None:
        """Include a watcher's own row from now on, with a new snapshot at once unless the last one has it."""
        super().join(handle)
        if self.snapshot is not None and handle not in self.snapshot.handles:
            self.wake()

    def receive(self, message: Message) -> None:
        """Take a new snapshot if the board has a newer version than the last one."""
        if self.snapshot is None or message["version"] > self.snapshot.version:
            self.wake()

    async def renew(self) -> None:
        """Take a snapshot, and wake the watchers."""
        snapshot = await look(self.slug, self.followers)
        async with self._changed:
            self.snapshot = snapshot
            self._changed.notify_all()

    def pause_seconds(self) -> float:
        return PAUSE_SECONDS

    def look_seconds(self) -> float:
        return LOOK_SECONDS


@PerLoop
def board_feeds() -> Feeds[BoardFeed]:
    """Return the feeds of the running event loop, by slug."""
    return Feeds(TOPIC, lambda message: [message["board"]])


async def look(slug: str, handles: Iterable[str]) -> Snapshot:
    """Return a snapshot of a board. Raises `UnknownBoard`."""
    return await run_in_own_thread(_snapshot, slug, frozenset(handles))


def _snapshot(slug: str, handles: frozenset[str]) -> Snapshot:
    # All parts are read from one view, so that they agree although scores are entered meanwhile.
    view = reading.view_of(reading.find_board(slug, timezone.now()))
    table = reading.top_of(view, SHOWN)
    own = [Row.at_place(standing.row) for standing in reading.standings_of(view, handles - {""})]
    rows = [Row.at_place(row) for row in table.rows]
    return Snapshot(view.version, table.count, rows, {row.player.handle: row for row in own}, handles)
