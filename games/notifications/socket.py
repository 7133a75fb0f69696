"""`/ws/me/`: a player's notifications. Everything that happens while a client does not read is sent in one message."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, ClassVar

from django.conf import settings
from django.db import DatabaseError

from games.doors.scopes import Scope
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Handlers, Updates
from games.keys.sockets import VisitorConnection, serve
from games.notifications.models import Notification as Row
from games.notifications.notifications import TOPIC, is_missed, newest_of
from games.notifications.wire import News, Notification, Ping, Pong
from games.players.models import Player
from games.runtime.clock import clock
from games.runtime.gathering import Gathering
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import HEARD_AGAIN, Message, pubsub
from games.runtime.waiting import is_set_within

PAUSE_SECONDS = 0.25
LOOK_AGAIN_SECONDS = 300.0  # a notice from another process may be lost
LOOK_WITHOUT_REDIS_SECONDS = 3.0  # then those of the worker, such as achievements, never come


def news_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on the notifications of the player who opens it."""
    return serve(scope, receive, send, _tell_news, Scope.NOTIFICATIONS)


async def _tell_news(connection: VisitorConnection) -> None:
    player = connection.visitor.player
    if player is None:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    with _news_of(player.pk) as news:
        await NewsSocket(connection, player, news).converse()


@contextmanager
def _news_of(player: int) -> Iterator[asyncio.Event]:
    """Provide an event that is set whenever a player, given by primary key, may have news."""
    events, news = _events(), asyncio.Event()
    events[player].add(news)
    try:
        yield news
    finally:
        events[player].discard(news)
        if not events[player]:
            del events[player]


def _subscribed() -> defaultdict[int, set[asyncio.Event]]:
    """Return the events of players, which messages on the topic set in the running event loop."""
    events: defaultdict[int, set[asyncio.Event]] = defaultdict(set)

    def receive(message: Message) -> None:
        for player in events.keys() & set(message["players"]):
            for news in events[player]:
                news.set()

    def look(_: Message) -> None:
        for news in chain.from_iterable(events.values()):
            news.set()

    pubsub().subscribe(TOPIC, receive)
    pubsub().subscribe(HEARD_AGAIN, look)
    return events


_events = PerLoop(_subscribed)


def _newest(players: Sequence[int]) -> list[tuple[list[Row], int]]:
    found = newest_of(set(players))
    return [found[player] for player in players]


# A round of a cup is news for thousands at the same moment.
_readings = PerLoop(lambda: Gathering(_newest))


def _look_seconds() -> float:
    """Return after which time without a notice a socket looks for news."""
    return LOOK_AGAIN_SECONDS if settings.REDIS_URL else LOOK_WITHOUT_REDIS_SECONDS


class NewsSocket(Updates):
    """A connection that waits for notifications of its player. `news` is set when there may be some."""

    __slots__ = ("_known", "_news", "_player", "_unread")

    def __init__(self, connection: VisitorConnection, player: Player, news: asyncio.Event) -> None:
        super().__init__(connection)
        self._player, self._news = player, news
        self._known: set[int] = set()
        self._unread = 0

    async def greet(self) -> None:
        """Send how many notifications are unread; of those that exist, only what cannot wait is news."""
        rows, self._unread = await _readings().get(self._player.pk)
        self._known, now = {row.pk for row in rows}, clock.now()
        await self.send(News(self._unread, [Notification.of(row) for row in rows if is_missed(row, now)]))

    async def send_updates(self) -> None:
        try:
            while True:
                await is_set_within(self._news, _look_seconds())
                self._news.clear()
                await self._send_changes()
                await asyncio.sleep(PAUSE_SECONDS)
        except DatabaseError:
            self._connection.end(CloseCode.TRY_AGAIN_LATER)

    async def _send_changes(self) -> None:
        """Send what has changed, if anything.

        If others are deleted, older rows move up into the newest twenty; those are not new.
        """
        rows, unread = await _readings().get(self._player.pk)
        oldest = min(self._known, default=0)
        new = [row for row in rows if row.pk not in self._known and row.pk > oldest]
        if new or unread != self._unread:
            self._known, self._unread = {row.pk for row in rows}, unread
            await self.send(News(unread, [Notification.of(row) for row in new]))

    async def _ping(self, message: Ping) -> None:
        await self.send(Pong(message.id))

    handlers: ClassVar[Handlers] = {Ping: _ping}
