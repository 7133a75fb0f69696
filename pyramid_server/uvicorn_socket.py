"""The WebSocket protocol class for uvicorn: `--ws=pyramid_server.uvicorn_socket:CountingSocket`."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from games.kit.sockets.close_codes import CloseCode
from pyramid_server.ping_limit import PingLimit


class CountingSocket(WebSocketsSansIOProtocol):
    """Counts pings."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pings = PingLimit()

    def handle_ping(self) -> None:
        """Answer a ping, or close the connection."""
        if self._pings.is_reached() and self.conn.state is State.OPEN:
            self.conn.send_close(CloseCode.TOO_MANY_MESSAGES)
        super().handle_ping()
