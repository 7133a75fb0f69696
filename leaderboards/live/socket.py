"""A socket on a board: the first rows, then changes. A client that reads slowly gets fewer and bigger changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from games.kit.errors import BadMessage
from games.kit.reasons import message_of
from games.kit.sockets.close_codes import CloseCode, Closed
from games.kit.sockets.connection import Connection, serve
from games.kit.wire import write
from leaderboards.errors import UnknownBoard
from leaderboards.live import messages
from leaderboards.live.feed import Feed, Snapshot, look, watching
from leaderboards.live.messages import Changes, Pong, Refused, Table


def board_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve `/ws/boards/{slug}/`. Anyone may watch; players also get their own rank."""
    return serve(scope, receive, send, _talk_about_board)


async def _talk_about_board(connection: Connection) -> None:
    slug, player = connection.scope["url_route"]["kwargs"]["slug"], connection.visitor.player
    handle = player.username if player else ""
    try:
        first = await look(slug, [handle])
    except UnknownBoard:
        raise Closed(CloseCode.NOT_FOUND) from None
    async with watching(slug, handle) as feed:
        await BoardSocket(feed, handle, connection).run(first)


class BoardSocket:
    """A watcher of a board."""

    def __init__(self, feed: Feed, handle: str, connection: Connection) -> None:
        self._feed, self._handle = feed, handle
        self._connection = connection
        self._version = 0

    async def run(self, first: Snapshot) -> None:
        """Send changes until either side closes. Raises `Closed`."""
        own = first.own.get(self._handle)
        await self._tell(Table(self._feed.slug, first.version, first.count, first.rows, own))
        telling = asyncio.create_task(self._tell_changes(first))
        try:
            while True:
                await self._answer(await self._connection.next_frame())
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    async def _tell_changes(self, told: Snapshot) -> None:
        while True:
            self._version = told.version
            later = await self._feed.newer_than(told.version, self._handle)
            await self._tell(changes(told, later, self._handle))
            told = later

    async def _answer(self, frame: str | None) -> None:
        try:
            ping = messages.read(frame or "")
        except BadMessage as error:
            await self._tell(Refused("bad_message", message_of(error)))
        else:
            await self._tell(Pong(ping.id, self._version))

    async def _tell(self, message: messages.ServerMessage) -> None:
        await self._connection.tell(write(message))


def changes(told: Snapshot, later: Snapshot, handle: str) -> Changes:
    """Return the changes from one snapshot to a later one, for a watcher."""
    before = {row.player.handle: row for row in told.rows}
    now = {row.player.handle for row in later.rows}
    return Changes(
        version=later.version,
        count=later.count,
        rows=[row for row in later.rows if before.get(row.player.handle) != row],
        gone=[row.player.handle for row in told.rows if row.player.handle not in now],
        own=later.own.get(handle),
    )
