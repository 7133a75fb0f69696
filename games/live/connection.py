"""A WebSocket and the limits that hold for every client, whatever the socket is about.

A plain ASGI application inside Channels' routing: none of our sockets needs the tasks and dispatch of its consumers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakSet

from django.conf import settings
from django.db import DatabaseError

from games.live import metrics
from games.live.authentication import user_of
from games.live.closing import CloseCode, Closed
from games.live.credit import Credit
from games.live.places import place_of_address, place_of_player
from games.threads import in_shared_thread

BURST_SECONDS = 5
CLOSING_SECONDS = 5.0

_open: WeakSet[Connection] = WeakSet()


async def serve(scope: dict[str, Any], receive: Any, send: Any, talk: Callable[[Connection], Awaitable[None]]) -> None:
    """Accept a socket, set `scope["user"]`, and talk until one side ends it or the database does not answer."""
    await receive()  # websocket.connect; only an accepted socket can be closed with a code of ours
    await send({"type": "websocket.accept"})
    connection = Connection(scope, receive, send)
    try:
        with metrics.connections.track_inprogress(), place_of_address(scope):
            scope["user"] = await in_shared_thread(user_of, scope)
            with place_of_player(scope["user"].pk):
                await talk(connection)
    except Closed as closed:
        await connection.close(closed.code)
    except DatabaseError:
        await connection.close(CloseCode.TRY_AGAIN_LATER)
    except asyncio.CancelledError:
        if connection.ending is None:
            raise
        connection.task.uncancel()
        await connection.close(connection.ending)
    finally:
        connection.forget()


async def end_all(code: CloseCode) -> None:
    """Have every connection of this process closed, and wait until all are."""
    ending = list(_open)
    for connection in ending:
        connection.end(code)
    await asyncio.gather(*(connection.task for connection in ending), return_exceptions=True)


class Connection:
    """An accepted socket. `ending` is the code with which another part of the server had it closed."""

    def __init__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.scope = scope
        self.ending: CloseCode | None = None
        self.task = _this_task()
        self._last_words: str | None = None
        self._receive, self._send = receive, send
        self._loop = asyncio.get_running_loop()
        self._listening_since: float | None = None
        self._sending_since: float | None = None
        rate = settings.PYRAMID_MESSAGES_PER_SECOND
        self._credit = Credit(rate, rate * BURST_SECONDS, self._loop.time())
        self._longest = settings.PYRAMID_MAX_FRAME_BYTES
        self._timer = self._loop.call_later(0, self._watch_limits)
        _open.add(self)

    async def next_frame(self) -> str | None:
        """Return the next text frame, None for a binary one. Raises `Closed`, also at any limit."""
        if self.ending is not None:
            raise Closed(self.ending)
        self._listening_since = self._loop.time()
        event = await self._receive()
        self._listening_since = None
        if event["type"] == "websocket.disconnect":
            raise Closed(None)
        if not self._credit.spend(self._loop.time()):
            raise Closed(CloseCode.TOO_MANY_MESSAGES)
        text: str | None = event.get("text")
        if len(text or event.get("bytes") or "") > self._longest or (text and self._is_too_long(text)):
            raise Closed(CloseCode.MESSAGE_TOO_LARGE)
        return text

    async def tell(self, text: str) -> None:
        """Send a text frame; waits while the client does not read."""
        self._sending_since = self._loop.time()
        await self._send({"type": "websocket.send", "text": text})
        self._sending_since = None

    def end(self, code: CloseCode, last_words: str | None = None) -> None:
        """Have the connection closed as soon as the message at hand is answered."""
        if self.ending is not None:
            return
        self.ending, self._last_words = code, last_words
        if self._listening_since is not None or code is CloseCode.NOT_READING:
            self.task.cancel()

    async def close(self, code: CloseCode | None) -> None:
        """Say the last words and close with a code, or do nothing if the client is gone."""
        metrics.closed.labels(code=int(code or 0)).inc()
        if code is None:
            return
        try:
            async with asyncio.timeout(CLOSING_SECONDS):  # a client that does not read would not even hear this
                if self._last_words:
                    await self._send({"type": "websocket.send", "text": self._last_words})
                await self._send({"type": "websocket.close", "code": int(code)})
        except TimeoutError:
            return

    def forget(self) -> None:
        """Watch no limits any more."""
        self._timer.cancel()
        _open.discard(self)

    def _is_too_long(self, text: str) -> bool:
        return not text.isascii() and len(text.encode()) > self._longest

    def _watch_limits(self) -> None:
        """Look whether the client is silent, or does not read, for too long; one timer costs less than one a frame."""
        now, idle, unread = self._loop.time(), settings.PYRAMID_IDLE_SECONDS, settings.PYRAMID_UNREAD_SECONDS
        silent_since = now if self._listening_since is None else self._listening_since
        if self._sending_since is not None and now - self._sending_since >= unread:
            self.end(CloseCode.NOT_READING)
        elif now - silent_since >= idle and self._listening_since is not None:
            self.end(CloseCode.IDLE)
        else:
            self._timer = self._loop.call_at(min(silent_since + idle, now + unread), self._watch_limits)


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101  a server runs each socket as a task
    return task
