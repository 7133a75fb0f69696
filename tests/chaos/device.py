"""A connection to a game, of its player or of a watcher, that requires to be shown everything in order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.chaos.rest import TIMEOUT_SECONDS, Guest, Message

ABNORMAL = 1006
BROKEN = (ConnectionClosed, InvalidHandshake, ConnectionError, EOFError)
SUPERSEDED = 4409

Told = dict[int, str]  # the action that led to each version


class Device:
    """A socket. `told` is what all connections to a game have received together, from whichever server."""

    def __init__(self, socket: ClientConnection, told: Told) -> None:
        self._socket, self._told = socket, told
        self._version = 0  # that is shown

    async def send(self, message: Message) -> None:
        await self._socket.send(json.dumps(message))

    async def receive(self) -> Message:
        """Return the next message. Raises `AssertionError` if an action is missing or has changed."""
        message: Message = json.loads(await asyncio.wait_for(self._socket.recv(), TIMEOUT_SECONDS))
        match message["type"]:
            case "state":
                assert message["version"] >= self._version, (self._version, message)
                self._version = message["version"]
            case "played":
                self._show(message)
            case "finished":
                assert message["version"] == self._version, (self._version, message)
        return message

    async def superseded(self, by: Device) -> bool:
        """Hear the rest. Returns True if it ends with the other device taking over, False if a connection breaks.

        With the server of the other device dies what nobody else may know: that it had taken over.
        """
        hearing, gone = asyncio.create_task(self._hear_the_rest()), asyncio.create_task(by._socket.wait_closed())
        try:
            await asyncio.wait((hearing, gone), return_when=asyncio.FIRST_COMPLETED)
            return await hearing if hearing.done() else False
        finally:
            for task in (hearing, gone):
                task.cancel()

    async def _hear_the_rest(self) -> bool:
        last: Message = {}
        try:
            while True:
                last = await self.receive()
        except ConnectionClosed as closed:
            if closed.rcvd is None or closed.rcvd.code != SUPERSEDED:
                return False
        assert last == {"type": "superseded"}, last
        return True

    def _show(self, played: Message) -> None:
        """Take an action over; only who asked for it again hears of an earlier one."""
        version, following = played["version"], self._version + 1
        assert version == following or (played["id"] is not None and version < following), (self._version, played)
        assert self._told.setdefault(version, played["move"]) == played["move"], (self._told[version], played)
        self._version = max(version, self._version)


@asynccontextmanager
async def connected(guest: Guest, path: str, told: Told) -> AsyncIterator[Device]:
    """Connect to a game's socket while the block runs."""
    address, headers = guest.url.replace("http", "ws", 1) + path, {"Authorization": f"Bearer {guest.token}"}
    async with connect(address, additional_headers=headers, compression=None, proxy=None) as socket:
        yield Device(socket, told)
