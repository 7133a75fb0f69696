"""A client that costs next to nothing: many WebSockets in a closed loop, each sends when it is answered."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import NamedTuple

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

Ask = Callable[[bytes], bytes]  # from the server's last text to the client's next


class Endpoint(NamedTuple):
    """The address of a socket, and its player."""

    port: int
    path: str
    token: str


class HungUp(ConnectionError):
    """The server closed a socket. `asked` is how many seconds it asks to wait, 0 if it does not."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(f"the server hung up: {code} {reason}")
        self.asked = int(reason.partition("retry_after_ms=")[2] or 0) / 1000


class Socket(asyncio.Protocol):
    """One WebSocket. Frames are read just as far as our servers write them: whole, and at most 64 KB long."""

    kind = TEXT

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._read = bytearray()
        self._texts: list[bytes] = []
        self.is_open = asyncio.get_running_loop().create_future()
        self._is_lost = asyncio.get_running_loop().create_future()
        self._waiting: asyncio.Future[bytes] | None = None
        self._close_code: int | None = None
        self._close_reason = ""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._endpoint.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: Bearer {self._endpoint.token}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._read += data
        if not self.is_open.done():
            end = self._read.find(b"\r\n\r\n")
            if end < 0:
                return
            assert self._read.startswith(b"HTTP/1.1 101"), bytes(self._read)
            del self._read[: end + 4]
            self.is_open.set_result(None)
        while (text := self._next_text()) is not None:
            self._texts.append(text)
        if self._texts and self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(self._texts.pop(0))

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost.set_result(None)
        for waiting in (self.is_open, self._waiting):
            if waiting is not None and not waiting.done():
                waiting.set_exception(HungUp(self._close_code, self._close_reason))

    @property
    def unread(self) -> int:
        """The number of texts received but not read."""
        return len(self._texts)

    async def text(self) -> bytes:
        """Return the server's next text."""
        if self._texts:
            return self._texts.pop(0)
        if self._transport.is_closing():
            raise HungUp(self._close_code, self._close_reason)
        self._waiting = asyncio.get_running_loop().create_future()
        return await self._waiting

    async def stay(self, seconds: float) -> None:
        """Wait for a while, and raise `HungUp` as soon as the connection breaks, as a client notices that."""
        if (await asyncio.wait([self._is_lost], timeout=seconds))[0]:
            raise HungUp(self._close_code, self._close_reason)

    def say(self, text: bytes) -> None:
        """Send a text; a mask of zeros leaves it as it is."""
        size = len(text)
        head = (
            bytes((0x80 | self.kind, 0x80 | size))
            if size < 126
            else bytes((0x80 | self.kind, 0xFE)) + size.to_bytes(2, "big")
        )
        self._transport.write(head + b"\0\0\0\0" + text)

    def hang_up(self) -> None:
        self._transport.abort()

    def _next_text(self) -> bytes | None:
        read = self._read
        if len(read) < 2:
            return None
        size, start = read[1], 2
        if size == 126:
            size, start = int.from_bytes(read[2:4], "big"), 4
        if len(read) < start + size:
            return None
        text, opcode = bytes(read[start : start + size]), read[0] & 15
        del read[: start + size]
        if opcode == CLOSE:
            self._close_code, self._close_reason = int.from_bytes(text[:2], "big"), text[2:].decode()
            self._transport.close()
        elif opcode == PING:  # a client that leaves it unanswered is taken for dead, after some forty seconds
            self._transport.write(bytes((0x80 | PONG, 0x80 | size)) + b"\0\0\0\0" + text)
        return text if opcode == self.kind else self._next_text()


async def opened(endpoints: list[Endpoint], kind: type[Socket] = Socket) -> list[Socket]:
    """Open sockets, one after the other."""
    loop, sockets = asyncio.get_running_loop(), []
    for endpoint in endpoints:
        _, socket = await loop.create_connection(partial(kind, endpoint), "127.0.0.1", endpoint.port)
        await socket.is_open
        sockets.append(socket)
    return sockets


async def closed_loop(socket: Socket, ask: Ask, last: bytes, count: int, pause: float = 0) -> tuple[list[float], bytes]:
    """Ask, wait for the answer and pause, again and again; return the seconds each answer took, and the last one."""
    taken = []
    for _ in range(count):
        asked = perf_counter()
        socket.say(ask(last))
        last = await socket.text()
        taken.append(perf_counter() - asked)
        if pause:
            await asyncio.sleep(pause)
    return taken, last
