"""Connections that never finish what they ask, under uvicorn."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn

from pyramid_server.uvicorn_http import PatientProtocol

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Hasty(PatientProtocol):
    request_seconds = 0.2


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer after longer than a request may take to arrive."""
    await receive()
    await asyncio.sleep(0.5)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, http=Hasty, lifespan="off", log_level="error"))
    serving = asyncio.create_task(server.serve([listener]))
    yield listener.getsockname()[1]
    server.should_exit = True
    await serving


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HT", REQUEST[:-2], b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"]
)
async def test_a_request_that_never_ends_is_not_waited_for(port: int, sent: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(20):
        assert b"200 OK" not in await reader.read()
    writer.close()


async def test_a_request_that_drips_in_is_not_waited_for(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async with asyncio.timeout(20):
        answer = asyncio.create_task(reader.read())
        for byte in b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000:
            if answer.done():
                break
            writer.write(bytes([byte]))
            await asyncio.sleep(0.02)
        assert await answer == b""
    writer.close()


async def test_an_answer_that_takes_longer_is_sent(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    async with asyncio.timeout(20):
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    writer.close()
