"""`/ws/me/`: a player's notifications. Everything that happens while a client does not read is sent in one message."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from django.db import DatabaseError

from games import news_wire
from games.kit.errors import BadMessage
from games.kit.reasons import message_of
from games.kit.sockets.close_codes import CloseCode, Closed
from games.kit.sockets.connection import Connection, serve
from games.kit.sockets.listeners import Listeners
from games.kit.threads import run_in_db_thread
from games.kit.waiting import is_set_within
from games.kit.wire import write
from games.models import Player
from games.news_wire import News, Notification, Pong, Refused
from games.services.notifications import TOPIC, newest

PAUSE_SECONDS = 0.25
LOOK_AGAIN_SECONDS = 300.0  # a notice from another process may be lost

# An event is set whenever its player may have news.
_listeners: Listeners[asyncio.Event] = Listeners(TOPIC, lambda heard, _: heard.set())


def news_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on the notifications of the player who opens it."""
    return serve(scope, receive, send, _tell_news)


async def _tell_news(connection: Connection) -> None:
    player = connection.visitor.player
    if player is None:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    heard = asyncio.Event()
    with _listeners.hearing(player.pk, heard):
        await NewsSocket(connection, player, heard).run()


class NewsSocket:
    """A connection that waits for notifications of its player. `heard` is set when there may be some."""

    def __init__(self, connection: Connection, player: Player, heard: asyncio.Event) -> None:
        self._connection, self._player, self._heard = connection, player, heard
        self._known: set[int] = set()
        self._unread = 0

    async def run(self) -> None:
        """Send notifications until either side closes. Raises `Closed`."""
        rows, self._unread = await run_in_db_thread(newest, self._player)
        self._known = {row.pk for row in rows}
        await self._tell(News(self._unread, []))
        telling = asyncio.create_task(self._keep_telling())
        try:
            while True:
                await self._answer(await self._connection.next_frame())
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    async def _keep_telling(self) -> None:
        try:
            while True:
                await is_set_within(self._heard, LOOK_AGAIN_SECONDS)
                self._heard.clear()
                await self._tell_new()
                await asyncio.sleep(PAUSE_SECONDS)
        except DatabaseError:
            self._connection.end(CloseCode.TRY_AGAIN_LATER)

    async def _tell_new(self) -> None:
        """Send what has changed, if anything.

        If others are deleted, older rows move up into the newest twenty; those are not new.
        """
        rows, unread = await run_in_db_thread(newest, self._player)
        oldest = min(self._known, default=0)
        new = [row for row in rows if row.pk not in self._known and row.pk > oldest]
        if new or unread != self._unread:
            self._known, self._unread = {row.pk for row in rows}, unread
            await self._tell(News(unread, [Notification.of(row) for row in new]))

    async def _answer(self, frame: str | None) -> None:
        try:
            ping = news_wire.read(frame or "")
        except BadMessage as error:
            await self._tell(Refused("bad_message", message_of(error)))
        else:
            await self._tell(Pong(ping.id))

    async def _tell(self, message: news_wire.ServerMessage) -> None:
        await self._connection.tell(write(message))
