"""A socket on a board: the first rows, then changes. A client that reads slowly gets fewer and bigger changes."""

from collections.abc import Awaitable
from functools import partial
from typing import Any, ClassVar

from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Handlers, Updates
from games.keys.sockets import VisitorConnection, serve
from leaderboards.boards.feed import BoardFeed, Narrow, Snapshot, board_feeds, look, whole
from leaderboards.boards.refusals import UnknownBoard
from leaderboards.boards.socket_wire import Changes, Ping, Pong, Table


def board_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve `/ws/boards/{slug}/`. Anyone may watch; players also get their own rank."""
    return serve(scope, receive, send, _talk_about_board)


async def _talk_about_board(connection: VisitorConnection) -> None:
    await talk_about_table(connection, "", whole)


async def talk_about_table(connection: VisitorConnection, part: str, narrow: Narrow) -> None:
    """Talk about a board, or about a part of it that has a name of its own."""
    slug, player = connection.scope["url_route"]["kwargs"]["slug"], connection.visitor.player
    handle = player.username if player else ""
    try:
        first = await look(slug, [handle], narrow)
    except UnknownBoard:
        raise Closed(CloseCode.NOT_FOUND) from None
    make = partial(BoardFeed, slug, narrow)
    async with board_feeds().following((slug, part), handle, make, about=slug) as feed:
        await BoardSocket(connection, feed, handle, first).converse()


class BoardSocket(Updates):
    """A watcher of a board. `_sent` is the last snapshot that was sent."""

    __slots__ = ("_feed", "_handle", "_sent")

    def __init__(self, connection: VisitorConnection, feed: BoardFeed, handle: str, first: Snapshot) -> None:
        super().__init__(connection)
        self._feed, self._handle, self._sent = feed, handle, first

    async def greet(self) -> None:
        """Send the table."""
        first = self._sent
        own = first.own.get(self._handle)
        await self.send(Table(self._feed.slug, first.version, first.count, first.rows, own))

    async def send_updates(self) -> None:
        while True:
            later = await self._feed.newer_than(self._sent.moment, self._handle)
            if is_news(self._sent, later, self._handle):
                await self.send(changes(self._sent, later, self._handle))
            self._sent = later

    async def _ping(self, message: Ping) -> None:
        await self.send(Pong(message.id, self._sent.version))

    handlers: ClassVar[Handlers] = {Ping: _ping}


def is_news(sent: Snapshot, later: Snapshot, handle: str) -> bool:
    """Return False if a later snapshot of a board differs only in its day, or in players who are not shown on it."""
    before, after = ((each.rows, each.count, each.own.get(handle)) for each in (sent, later))
    return before != after or (later.among is None and sent.version != later.version)


def changes(sent: Snapshot, later: Snapshot, handle: str) -> Changes:
    """Return the changes from one snapshot to a later one, for a watcher."""
    before = {row.player.handle: row for row in sent.rows}
    now = {row.player.handle for row in later.rows}
    return Changes(
        version=later.version,
        count=later.count,
        rows=[row for row in later.rows if before.get(row.player.handle) != row],
        gone=[row.player.handle for row in sent.rows if row.player.handle not in now],
        own=later.own.get(handle),
    )
