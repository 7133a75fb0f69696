"""HTTP for uvicorn: `--http=pyramid_server.uvicorn_http:TimeoutProtocol` (docs/operations.md says why)."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


class TimeoutProtocol(H11Protocol):
    """Closes a connection whose next request, head and body, has not arrived in time, however it drips in."""

    request_seconds: ClassVar[float] = 30.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._waiting_since = self.loop.time()
        self._look_again()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Leave the connection to the socket's protocol, which has separate limits."""
        self._timer.cancel()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._waiting_since = self.loop.time()
        super().on_response_complete()

    def _look_again(self) -> None:
        late = self.loop.time() - self._waiting_since - self.request_seconds
        if late >= 0 and self._waits_for_client():
            self.transport.close()
            return
        pause = -late if late < 0 else self.request_seconds
        self._timer: asyncio.TimerHandle = self.loop.call_later(pause, self._look_again)

    def _waits_for_client(self) -> bool:
        """Return True if it is the client's turn; an answer that is being made or sent has no time limit."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body
