"""The WebSocket protocol class for uvicorn: `--ws=pyramid_server.uvicorn_socket:CountingSocket`."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.token_bucket import PingLimit


class Inbox:
    """The unread messages of a client, for one reader; an `asyncio.Queue`, which serves many, takes 3 KB."""

    __slots__ = ("_loop", "_messages", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._messages.pop(0)

    def empty(self) -> bool:
        return not self._messages


class CountingSocket(WebSocketsSansIOProtocol):
    """Counts pings, and keeps no more in memory than an open connection needs."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pings = PingLimit()
        self.queue = Inbox(self.loop)  # type: ignore[assignment]  # with the methods that are called

    def handle_ping(self) -> None:
        if self._pings.is_reached() and self.conn.state is State.OPEN:
            self.conn.send_close(CloseCode.TOO_MANY_MESSAGES)
        super().handle_ping()

    def start_keepalive(self) -> None:
        """Start the tasks of an open connection, and free the memory of its handshake."""
        super().start_keepalive()
        self.request.headers.clear()  # the parser keeps the request itself
        del self.request, self.response
        self.__dict__ = {**self.__dict__}  # a table that has grown has twice as many places as a copy
