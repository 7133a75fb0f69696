"""What the sockets of one process share: whose socket plays which game, and who watches which."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple
from uuid import uuid4
from weakref import WeakKeyDictionary

from games.live import messages, metrics
from games.live.closing import CloseCode
from games.live.connection import Connection
from games.live.feed import Feed, Progress, Shown
from games.live.line import Notice, line

INTEREST_SECONDS = 30.0
SUPERSEDED = messages.write(messages.Superseded())
PROCESS = uuid4().hex

_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


class _Seat(NamedTuple):
    """The socket that plays a game, and when it took over: (seconds, process), the later one stays."""

    connection: Connection
    taken_at: tuple[float, str]


class Hub:
    """The sockets on games in this event loop, with a line to those of other processes."""

    def __init__(self) -> None:
        self._seats: dict[str, _Seat] = {}
        self._feeds: dict[str, Feed] = {}
        self._watched_elsewhere: dict[str, float] = {}
        self._line = line()
        self._line.listen(self._hear)

    @asynccontextmanager
    async def playing(self, game: str, connection: Connection) -> AsyncIterator[None]:
        """Give a player's socket the seat at a game while the block runs; another one that has it is closed."""
        seat = _Seat(connection, (time.time(), PROCESS))
        self._supersede(game, seat.taken_at)
        self._seats[game] = seat
        self._line.say({"type": "taken", "game": game, "at": seat.taken_at[0], "process": PROCESS})
        try:
            yield
        finally:
            if self._seats.get(game) is seat:
                del self._seats[game]

    @asynccontextmanager
    async def watching(self, game: str) -> AsyncIterator[Feed]:
        """Share the feed of a game while the block runs."""
        feed = self._feeds.get(game)
        if feed is None:
            feed = self._feeds[game] = Feed(game, lambda: self._line.say({"type": "watched", "game": game}))
        feed.watchers += 1
        try:
            with metrics.watchers.track_inprogress():
                yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                del self._feeds[game]
                await feed.end()

    def is_watched(self, game: str) -> bool:
        """Tell whether anyone watches a game, here or elsewhere."""
        if game in self._feeds:
            return True
        until = self._watched_elsewhere.get(game)
        if until is None:
            return False
        if until < time.monotonic():
            del self._watched_elsewhere[game]
            return False
        return True

    def show(self, game: str, message: messages.Played | messages.Finished) -> None:
        """Show what has become durable to those who watch a game."""
        progress = Progress(message.version, isinstance(message, messages.Finished))
        shown = Shown(progress, messages.write(message))
        if game in self._feeds:
            self._feeds[game].add(shown)
        if game in self._watched_elsewhere:
            notice = {"type": "shown", "game": game, "progress": list(progress), "text": shown.text, "process": PROCESS}
            self._line.say(notice)

    def _hear(self, notice: Notice) -> None:
        game = notice["game"]
        match notice["type"]:
            case "taken" if notice["process"] != PROCESS:
                self._supersede(game, (notice["at"], notice["process"]))
            case "watched" if game in self._seats and game not in self._feeds:
                self._watched_elsewhere[game] = time.monotonic() + INTEREST_SECONDS
            case "shown" if notice["process"] != PROCESS and game in self._feeds:
                self._feeds[game].add(Shown(Progress(*notice["progress"]), notice["text"]))

    def _supersede(self, game: str, taken_at: tuple[float, str]) -> None:
        seat = self._seats.get(game)
        if seat is not None and seat.taken_at < taken_at:
            metrics.superseded.inc()
            seat.connection.end(CloseCode.SUPERSEDED, SUPERSEDED)


def hub() -> Hub:
    """Return the hub of the running event loop; once there is one, its line stays open."""
    loop = asyncio.get_running_loop()
    return _hubs.get(loop) or _hubs.setdefault(loop, Hub())
