"""Daphne with a graceful shutdown that closes sockets with a code. Importing this module installs an event loop."""

from __future__ import annotations

import asyncio
import faulthandler
from typing import Any

from daphne.server import Server, reactor
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.defer import Deferred

from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.connection import end_all
from games.doors.sockets.token_bucket import PingLimit

CLOSING_SECONDS = 10.0
PAUSE_SECONDS = 0.02
LEAVING_SECONDS = 15.0  # for what follows, the worker's end included


class GracefulSocket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """Counts pings, and closes with any code; daphne itself refuses to send 1009, 1012 and 1013."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pings = PingLimit()

    def onPing(self, payload: bytes) -> None:  # noqa: N802  autobahn's name
        if self._pings.is_reached():
            self.serverClose(CloseCode.TOO_MANY_MESSAGES)
        else:
            super().onPing(payload)

    def serverClose(self, code: int = 1000) -> None:  # noqa: N802  daphne's name
        self.sendCloseFrame(code=code)


class GracefulServer(Server):  # type: ignore[misc]  # daphne has no types
    """Closes the sockets with a code, and answers the current requests, before the reactor stops.

    A thread that answers a request needs the event loop until the end; without it the process would wait forever.
    """

    def listen_success(self, port: Any) -> None:
        """Have the port closed before the sockets, so that clients reconnect elsewhere."""
        super().listen_success(port)
        reactor.addSystemEventTrigger("before", "shutdown", port.stopListening)

    def kill_all_applications(self) -> Deferred[Any]:
        """Close the sockets first. Daphne calls this when the server is about to stop."""
        closing = Deferred.fromFuture(asyncio.ensure_future(asyncio.wait_for(self._close_sockets(), CLOSING_SECONDS)))
        _leave_in_any_case()
        return closing.addBoth(lambda _: super(GracefulServer, self).kill_all_applications())

    async def _close_sockets(self) -> None:
        while any("disconnected" not in details for details in self.connections.values()):
            await end_all(CloseCode.RESTARTING)
            await asyncio.sleep(PAUSE_SECONDS)


def _leave_in_any_case() -> None:
    """End the process in time even if a thread waits for something that never comes, and show what each waits for."""
    faulthandler.dump_traceback_later(CLOSING_SECONDS + LEAVING_SECONDS, exit=True)
