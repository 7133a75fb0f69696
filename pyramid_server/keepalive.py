"""Pings to sockets whose clients have sent nothing for a while; one timer serves all sockets of an event loop."""

from __future__ import annotations

import asyncio
from typing import Protocol

ROUND_SECONDS = 10.0  # each socket is looked at once a round
PARTS = 100  # of a round, so that a hundredth of the sockets is looked at together
PING_AFTER, CLOSE_AFTER = 2, 4  # looks since the client has sent anything


class Pinged(Protocol):
    """A socket, and how often it was looked at since its client has sent anything."""

    silent_looks: int

    def send_ping(self) -> None: ...

    def give_up(self) -> None: ...


class Keepalive:
    """Pings sockets after 10 to 20 seconds of silence, and gives them up 20 seconds later.

    A timer for each socket, made again with each ping, costs more than the ping, and the garbage collector as much.
    """

    def __init__(self) -> None:
        self._parts: list[set[Pinged]] = [set() for _ in range(PARTS)]
        self._part_of: dict[Pinged, set[Pinged]] = {}
        self._now = 0
        self._is_looking = False

    def add(self, socket: Pinged) -> None:
        """Look at an open socket from now on, for the first time a round later."""
        self._part_of[socket] = self._parts[self._now]
        self._parts[self._now].add(socket)
        if not self._is_looking:
            self._is_looking = True
            self._wait()

    def discard(self, socket: Pinged) -> None:
        """Look no longer at a socket, if it is one of them."""
        part = self._part_of.pop(socket, None)
        if part is not None:
            part.remove(socket)

    def _wait(self) -> None:
        asyncio.get_running_loop().call_later(ROUND_SECONDS / PARTS, self._look)

    def _look(self) -> None:
        self._is_looking = bool(self._part_of)
        if self._is_looking:
            self._wait()
        self._now = (self._now + 1) % PARTS
        for socket in [*self._parts[self._now]]:
            socket.silent_looks += 1
            if socket.silent_looks == PING_AFTER:
                socket.send_ping()
            elif socket.silent_looks == CLOSE_AFTER:
                socket.give_up()
