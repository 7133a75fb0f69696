"""Daphne, which says goodbye before it goes. Importing this installs an event loop."""

from __future__ import annotations

import asyncio
from typing import Any

from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.defer import Deferred

from games.kit.sockets.close_codes import CloseCode
from games.kit.sockets.connection import end_all

GOODBYE_SECONDS = 10.0
PAUSE_SECONDS = 0.02


class PoliteSocket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """Closes with any code. Daphne itself refuses to send 1009, 1012 and 1013, which are a server's to send."""

    def serverClose(self, code: int = 1000) -> None:  # noqa: N802  daphne's name
        self.sendCloseFrame(code=code)


class PoliteServer(Server):  # type: ignore[misc]  # daphne has no types
    """Closes the sockets with a code and answers the requests at hand before the reactor stops.

    A thread that answers a request needs the event loop to the end; without one, the process would wait for it forever.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        """Keep the port: daphne itself does not."""
        super().listen_success(port)
        self._ports.append(port)

    def kill_all_applications(self) -> Deferred[Any]:
        """Say goodbye first. Daphne calls this when the server is to stop."""
        goodbye = Deferred.fromFuture(asyncio.ensure_future(asyncio.wait_for(self._say_goodbye(), GOODBYE_SECONDS)))
        return goodbye.addBoth(lambda _: super(PoliteServer, self).kill_all_applications())

    async def _say_goodbye(self) -> None:
        for port in self._ports:
            port.stopListening()
        while any("disconnected" not in details for details in self.connections.values()):
            await end_all(CloseCode.RESTARTING)
            await asyncio.sleep(PAUSE_SECONDS)
