"""The feed of a board: its first rows, queried a few times a second at most and shared by all watchers in this process.

Without a feed each watcher would query the board after each change: a thousand watchers of a busy board, a thousand
times as much work for the database."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from games.doors.sockets.feeds import Feed, Feeds
from games.runtime.clock import clock
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import Message
from games.runtime.threads import run_in_own_thread
from leaderboards.boards import reading
from leaderboards.boards.publishing import TOPIC
from leaderboards.boards.ranking.view import View
from leaderboards.boards.wire import Row

SHOWN = 20
PAUSE_SECONDS = 0.25
# The longest delay if a notice is lost, for example with the process that was sending it.
LOOK_SECONDS = 15

# What narrows a view to some players, at a time.
Narrow = Callable[[View, datetime], View]


@dataclass(frozen=True)
class Snapshot:
    """A board at a version: its first rows, and those of some of its watchers by handle."""

    version: int
    count: int
    rows: list[Row]
    own: dict[str, Row]
    handles: frozenset[str]  # those whose rows were looked for, found or not
    among: frozenset[int] | None  # the players to whom it is narrowed
    day: date  # on which it was taken; those to whom it is narrowed depend on it

    @property
    def moment(self) -> tuple[int, date]:
        """The version and the day, which only grow: snapshots of one moment show the same."""
        return self.version, self.day

    def may_lack(self, message: Message) -> bool:
        """Return True unless a message is about this version, or about players who are not shown."""
        players = message.get("players")
        concerns = self.among is None or players is None or not self.among.isdisjoint(players)
        return concerns and bool(message["version"] > self.version)


class BoardFeed(Feed[str]):
    """A board with watchers, by handle, which is "" for unknown visitors: snapshots, a few each second at most."""

    def __init__(self, slug: str, narrow: Narrow) -> None:
        super().__init__(slug)
        self.slug = slug
        self._narrow = narrow
        self.snapshot: Snapshot | None = None
        self._changed = asyncio.Condition()

    async def newer_than(self, moment: tuple[int, date], handle: str) -> Snapshot:
        """Wait for a snapshot that is newer than another one and includes a watcher's own row."""
        async with self._changed:
            while self.snapshot is None or self.snapshot.moment <= moment or handle not in self.snapshot.handles:
                await self._changed.wait()
            return self.snapshot

    def join(self, handle: str) -> None:
        """Include a watcher's own row from now on, with a new snapshot at once unless the last one has it."""
        super().join(handle)
        if self.snapshot is not None and handle not in self.snapshot.handles:
            self.wake()

    def receive(self, message: Message) -> None:
        """Take a new snapshot if the last one may lack something."""
        if self.snapshot is None or self.snapshot.may_lack(message):
            self.wake()

    async def renew(self) -> None:
        """Take a snapshot, and wake the watchers."""
        snapshot = await look(self.slug, self.followers, self._narrow)
        async with self._changed:
            self.snapshot = snapshot
            self._changed.notify_all()

    def pause_seconds(self) -> float:
        return PAUSE_SECONDS

    def look_seconds(self) -> float:
        return LOOK_SECONDS


@PerLoop
def board_feeds() -> Feeds[BoardFeed]:
    """Return the feeds of the running event loop."""
    return Feeds(TOPIC, lambda message: [message["board"]])


def whole(view: View, at: datetime) -> View:
    """Return a view as it is."""
    return view


async def look(slug: str, handles: Iterable[str], narrow: Narrow = whole) -> Snapshot:
    """Return a snapshot of a board. Raises `UnknownBoard`."""
    return await run_in_own_thread(_snapshot, slug, frozenset(handles), narrow)


def _snapshot(slug: str, handles: frozenset[str], narrow: Narrow = whole) -> Snapshot:
    now = clock.now()
    # All parts are read from one view, so that they agree although scores are entered meanwhile.
    view = narrow(reading.view_of(reading.find_board(slug, now)), now)
    table = reading.top_of(view, SHOWN)
    own = [Row.at_place(standing.row) for standing in reading.standings_of(view, handles - {""})]
    rows = [Row.at_place(row) for row in table.rows]
    among = None if view.among is None else frozenset(view.among)
    own_rows = {row.player.handle: row for row in own}
    return Snapshot(view.version, table.count, rows, own_rows, handles, among, now.date())
