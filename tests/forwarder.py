"""One address in front of several nodes, as a proxy is; and a line that can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Self
from urllib.parse import urlsplit, urlunsplit


class Forwarder:
    """Forwards each connection to the next node that answers, or hangs up if none does. `port` is the address.

    A node is a port of this machine, or the path of a socket. The port of the address is free unless it is given.
    """

    def __init__(self, nodes: Sequence[int | str], host: str = "127.0.0.1", port: int = 0) -> None:
        self._nodes = list(nodes)
        self.host, self.port = host, port
        self._callers: list[asyncio.StreamWriter] = []
        self._passes = asyncio.Event()
        self._passes.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._forward, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._server.close()
        for caller in self._callers:
            caller.transport.abort()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def cut(self, chance: Random) -> None:
        """Cut one of the connections, in the middle of whatever it says."""
        if self._callers:
            chance.choice(self._callers).transport.abort()

    async def divide(self, seconds: float, *, breaks: bool) -> None:
        """Pass nothing on for a while, as a network that is divided; at its end break all connections, or go on."""
        self._passes.clear()
        await asyncio.sleep(seconds)
        for caller in self._callers if breaks else ():
            caller.transport.abort()
        self._passes.set()

    def instead_of(self, url: str) -> str:
        """Return the address of what this stands in front of, by way of this."""
        parts = urlsplit(url)
        who = parts.netloc.rpartition("@")[0]
        return urlunsplit(parts._replace(netloc=f"{who}@{self.host}:{self.port}".lstrip("@")))

    async def _forward(self, reader: asyncio.StreamReader, caller: asyncio.StreamWriter) -> None:
        self._callers.append(caller)
        try:
            answers, node = await self._next_node()
        except ConnectionError:
            caller.transport.abort()
        else:
            ways = [asyncio.create_task(self._pass_on(*way)) for way in ((reader, node), (answers, caller))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            node.close()
            caller.close()
            await asyncio.gather(*ways)
        self._callers.remove(caller)

    async def _next_node(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        for _ in self._nodes:
            node = self._nodes.pop(0)
            self._nodes.append(node)
            with suppress(ConnectionError, FileNotFoundError):  # a socket that is not there, or not yet
                if isinstance(node, str):
                    return await asyncio.open_unix_connection(node)
                return await asyncio.open_connection("127.0.0.1", node)
        raise ConnectionError("no node answers")

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while text := await source.read(65536):
                await self._passes.wait()
                target.write(text)
                await target.drain()
