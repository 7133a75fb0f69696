"""An HTTP client that costs next to nothing: many connections in a closed loop, each asks when it is answered."""

from __future__ import annotations

import asyncio
from typing import NamedTuple


class Answer(NamedTuple):
    status: int
    body: bytes


class Asked(NamedTuple):
    """A request: its line without the version, further headers as lines, and its body."""

    line: str
    headers: str = ""
    body: bytes = b""

    @property
    def text(self) -> bytes:
        has = f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n" if self.body else ""
        return f"{self.line} HTTP/1.1\r\nHost: 127.0.0.1\r\n{self.headers}{has}\r\n".encode() + self.body


class Connection:
    """A connection that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def ask(self, asked: Asked) -> Answer:
        self._writer.write(asked.text)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        _, is_measured, length = head.partition(b"content-length:")
        status = int(head.split(None, 2)[1])
        if is_measured:
            return Answer(status, await self._reader.readexactly(int(length.partition(b"\r\n")[0])))
        return Answer(status, await self._reader.readuntil(b"\r\n0\r\n\r\n"))  # in chunks

    def close(self) -> None:
        self._writer.close()


async def connect(port: int) -> Connection:
    return Connection(*await asyncio.open_connection("127.0.0.1", port))


async def ask_all(port: int, asked: list[Asked], connections: int) -> list[Answer]:
    """Ask on so many connections and return the answers in the order of the requests."""
    answers: dict[int, Answer] = {}
    numbered = enumerate(asked)

    async def ask() -> None:
        connection = await connect(port)
        for number, one in numbered:
            answers[number] = await connection.ask(one)
        connection.close()

    await asyncio.gather(*(ask() for _ in range(connections)))
    return [answers[number] for number in range(len(asked))]
