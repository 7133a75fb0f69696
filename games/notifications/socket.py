"""`/ws/me/`: a player's notifications. Everything that happens while a client does not read is sent in one message."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, ClassVar

from django.db import DatabaseError

from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Handlers, Updates
from games.doors.sockets.listeners import Listeners
from games.keys.sockets import VisitorConnection, serve
from games.notifications.notifications import TOPIC, newest
from games.notifications.wire import News, Notification, Ping, Pong
from games.players.models import Player
from games.runtime.threads import run_in_db_thread
from games.runtime.waiting import is_set_within

PAUSE_SECONDS = 0.25
LOOK_AGAIN_SECONDS = 300.0  # a notice from another process may be lost

# An event is set whenever its player may have news.
_listeners: Listeners[asyncio.Event] = Listeners(TOPIC, lambda news, _: news.set())


def news_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on the notifications of the player who opens it."""
    return serve(scope, receive, send, _tell_news)


async def _tell_news(connection: VisitorConnection) -> None:
    player = connection.visitor.player
    if player is None:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    news = asyncio.Event()
    with _listeners.hearing(player.pk, news):
        await NewsSocket(connection, player, news).converse()


class NewsSocket(Updates):
    """A connection that waits for notifications of its player. `news` is set when there may be some."""

    __slots__ = ("_known", "_news", "_player", "_unread")

    def __init__(self, connection: VisitorConnection, player: Player, news: asyncio.Event) -> None:
        super().__init__(connection)
        self._player, self._news = player, news
        self._known: set[int] = set()
        self._unread = 0

    async def greet(self) -> None:
        """Send how many notifications are unread; those that exist are not news."""
        rows, self._unread = await run_in_db_thread(newest, self._player)
        self._known = {row.pk for row in rows}
        await self.send(News(self._unread, []))

    async def send_updates(self) -> None:
        try:
            while True:
                await is_set_within(self._news, LOOK_AGAIN_SECONDS)
                self._news.clear()
                await self._send_changes()
                await asyncio.sleep(PAUSE_SECONDS)
        except DatabaseError:
            self._connection.end(CloseCode.TRY_AGAIN_LATER)

    async def _send_changes(self) -> None:
        """Send what has changed, if anything.

        If others are deleted, older rows move up into the newest twenty; those are not new.
        """
        rows, unread = await run_in_db_thread(newest, self._player)
        oldest = min(self._known, default=0)
        new = [row for row in rows if row.pk not in self._known and row.pk > oldest]
        if new or unread != self._unread:
            self._known, self._unread = {row.pk for row in rows}, unread
            await self.send(News(unread, [Notification.of(row) for row in new]))

    async def _ping(self, message: Ping) -> None:
        await self.send(Pong(message.id))

    handlers: ClassVar[Handlers] = {Ping: _ping}
