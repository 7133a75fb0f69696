"""One socket on one board: the first rows, then what changes. Whoever reads slowly gets fewer, bigger changes."""

from __future__ import annotations

import asyncio
from typing import Any

from django.conf import settings

from games.errors import BadMessage
from games.live.credit import Credit
from games.models import Player
from leaderboards.errors import UnknownBoard
from leaderboards.live import messages
from leaderboards.live.feed import Feed, Snapshot, look, watching
from leaderboards.live.messages import Changes, Pong, Refused, Table

NO_SUCH_BOARD, IDLE, TOO_MANY_MESSAGES = 4404, 4408, 4429
TOO_LARGE = 1009
BURST_SECONDS = 5


async def watch_board(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve `/ws/boards/{slug}/`. Anyone may watch; who is signed in is told the own rank too."""
    await receive()  # websocket.connect; only an accepted socket can be closed with a code of ours
    await send({"type": "websocket.accept"})
    slug = scope["url_route"]["kwargs"]["slug"]
    handle = scope["user"].username if isinstance(scope["user"], Player) else ""
    try:
        first = await look(slug, [handle])
    except UnknownBoard:
        await send({"type": "websocket.close", "code": NO_SUCH_BOARD})
        return
    async with watching(slug, handle) as feed:
        code = await BoardSocket(feed, handle, receive, send).serve(first)
    if code is not None:
        await send({"type": "websocket.close", "code": code})


class BoardSocket:
    """A watcher of a board."""

    def __init__(self, feed: Feed, handle: str, receive: Any, send: Any) -> None:
        self._feed, self._handle = feed, handle
        self._receive, self._send = receive, send
        rate = settings.PYRAMID_MESSAGES_PER_SECOND
        self._credit = Credit(rate, rate * BURST_SECONDS, asyncio.get_running_loop().time())
        self._version = 0

    async def serve(self, first: Snapshot) -> int | None:
        """Tell until one side closes, and return the close code, None if the client is gone."""
        own = first.own.get(self._handle)
        await self._tell(Table(self._feed.slug, first.version, first.count, first.rows, own))
        telling = asyncio.create_task(self._tell_changes(first))
        try:
            return await self._listen()
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    async def _tell_changes(self, told: Snapshot) -> None:
        while True:
            self._version = told.version
            news = await self._feed.newer_than(told.version)
            await self._tell(changes(told, news, self._handle))
            told = news

    async def _listen(self) -> int | None:
        while True:
            try:
                async with asyncio.timeout(settings.PYRAMID_IDLE_SECONDS):
                    event = await self._receive()
            except TimeoutError:
                return IDLE
            if event["type"] == "websocket.disconnect":
                return None
            if not self._credit.spend(asyncio.get_running_loop().time()):
                return TOO_MANY_MESSAGES
            text = event.get("text") or ""
            if len(text.encode() or event.get("bytes") or b"") > settings.PYRAMID_MAX_FRAME_BYTES:
                return TOO_LARGE
            await self._answer(text)

    async def _answer(self, frame: str) -> None:
        try:
            ping = messages.read(frame)
        except BadMessage as error:
            await self._tell(Refused(error.code, str(error)))
        else:
            await self._tell(Pong(ping.id, self._version))

    async def _tell(self, message: messages.ServerMessage) -> None:
        await self._send({"type": "websocket.send", "text": messages.write(message)})


def changes(told: Snapshot, news: Snapshot, handle: str) -> Changes:
    """Return what a watcher who knows one snapshot has to be told of a later one."""
    before = {row.handle: row for row in told.rows}
    now = {row.handle for row in news.rows}
    return Changes(
        version=news.version,
        count=news.count,
        rows=[row for row in news.rows if before.get(row.handle) != row],
        gone=[row.handle for row in told.rows if row.handle not in now],
        own=news.own.get(handle),
    )
