"""Connections that never finish what they ask, or ask too much, under uvicorn and daphne."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.http import HTTPFactory, Request

from pyramid_server.daphne_server import LONGEST_ON_WIRE, GracefulServer, GracefulSocket, LimitedChannel
from pyramid_server.uvicorn_protocols import TimeoutProtocol

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Hasty(TimeoutProtocol):
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
        with suppress(ConnectionResetError):  # of bytes that came after the server had closed
            assert await answer == b""
    writer.close()


async def test_an_answer_that_takes_longer_is_sent(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    async with asyncio.timeout(20):
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    writer.close()


class Twisted:
    """A connection to daphne's half of Twisted, with a clock; each request takes 40 seconds to be answered."""

    def __init__(self) -> None:
        self.clock, self.transport, self.received = Clock(), StringTransport(), list[bytes]()
        received, clock = self.received, self.clock

        class Answer(Request):  # type: ignore[misc]  # of which mypy sees no type
            def process(self) -> None:
                received.append(self.content.read())
                self.content.close()
                clock.callLater(40, self.finish)

        factory = HTTPFactory(timeout=60, reactor=clock)
        factory.protocol = LimitedChannel
        self.channel = factory.buildProtocol(None)
        self.channel.requestFactory = Answer
        self.channel.callLater = clock.callLater
        self.channel.makeConnection(self.transport)

    @property
    def is_closed(self) -> bool:
        return bool(self.transport.disconnecting)

    def hang_up(self) -> None:
        self.channel.connectionLost(Failure(ConnectionDone()))

    def drip(self, sent: bytes) -> int:
        """Send a byte each second until the connection is closed; return how many were taken."""
        for number, byte in enumerate(sent):
            if self.is_closed:
                return number
            self.channel.dataReceived(bytes([byte]))
            self.clock.advance(1)
        return len(sent)


@pytest.fixture
def twisted() -> Iterator[Twisted]:
    connection = Twisted()
    yield connection
    connection.hang_up()


LONG_HEAD = b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000
LONG_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", LONG_HEAD, LONG_BODY + b"x" * 899])
def test_under_daphne_a_request_that_drips_in_is_not_waited_for(twisted: Twisted, sent: bytes) -> None:
    taken = twisted.drip(sent)
    twisted.clock.advance(60 - taken)
    assert twisted.is_closed
    assert taken <= 60
    assert twisted.received == []


def test_under_daphne_an_answer_may_take_its_time_and_the_next_request_has_a_minute_again(twisted: Twisted) -> None:
    for _ in range(3):
        twisted.clock.advance(50)
        twisted.channel.dataReceived(REQUEST)
        twisted.clock.advance(40)
    assert not twisted.is_closed
    assert len(twisted.received) == 3
    twisted.clock.advance(61)
    assert twisted.is_closed


@pytest.mark.parametrize(
    "head", [b"Content-Length: 300000000", b"Transfer-Encoding: chunked", b"Content-Length: 65537"]
)
def test_under_daphne_a_giant_body_is_refused_before_it_is_received(twisted: Twisted, head: bytes) -> None:
    twisted.channel.dataReceived(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n")
    part = b"1000\r\n" + b"x" * 4096 + b"\r\n"
    sent = 0
    while not twisted.is_closed:
        twisted.channel.dataReceived(part)
        sent += len(part)
    assert sent <= (LONGEST_ON_WIRE + len(part) if b"chunked" in head else 0)
    twisted.channel.dataReceived(part)
    assert twisted.transport.value().startswith(b"HTTP/1.1 413 ")
    assert twisted.transport.value().count(b"HTTP/1.1") == 1
    assert b"message_too_large" in twisted.transport.value()
    assert twisted.received == []


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /" + b"x" * 30_000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 30_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 8_000 + b"\r\n", b"431"),
    ],
)
@pytest.mark.parametrize("size", [1000, 10**6])
def test_under_daphne_a_giant_head_is_refused_once(twisted: Twisted, head: bytes, status: bytes, size: int) -> None:
    for start in range(0, len(head), size):
        twisted.channel.dataReceived(head[start : start + size])
    assert twisted.transport.value().startswith(b"HTTP/1.1 " + status)
    assert twisted.transport.value().count(b"HTTP/1.1") == 1
    assert twisted.received == []


@pytest.mark.parametrize(
    ("head", "status"), [(b"GET /" + b"x" * 10**6, b"414"), (b"GET / HTTP/1.1\r\nX: " + b"x" * 10**6, b"431")]
)
async def test_under_uvicorn_a_giant_head_is_refused(port: int, head: bytes, status: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head)
    async with asyncio.timeout(20):
        assert (await reader.read()).startswith(b"HTTP/1.1 " + status)
    writer.close()


def test_under_daphne_bodies_that_may_come_are_received(twisted: Twisted) -> None:
    for _ in range(10):  # each by itself, not all together
        twisted.channel.dataReceived(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65536\r\n\r\n")
        twisted.channel.dataReceived(b"x" * 65536)
        twisted.clock.advance(40)
    assert [len(body) for body in twisted.received] == [65536] * 10


def test_under_daphne_no_further_answers_wait_for_a_client_that_does_not_read(twisted: Twisted) -> None:
    twisted.channel.dataReceived(REQUEST * 50)
    assert len(twisted.received) == 1
    twisted.channel.pauseProducing()  # as its transport does once its buffer is full
    twisted.clock.advance(40)
    assert len(twisted.received) == 1
    twisted.channel.resumeProducing()
    assert len(twisted.received) == 2
    twisted.clock.advance(40)
    assert len(twisted.received) == 3


def test_under_daphne_an_answer_that_nobody_reads_is_cut(twisted: Twisted) -> None:
    twisted.channel.dataReceived(REQUEST * 2)
    twisted.channel.pauseProducing()
    twisted.clock.advance(40)
    assert twisted.channel.waits_for_client()
    twisted.clock.advance(61)
    assert twisted.is_closed
    assert len(twisted.received) == 1


async def test_under_daphne_a_socket_that_is_not_read_makes_its_application_wait() -> None:
    server = GracefulServer(lambda: None, endpoints=["tcp:0"])
    socket_of_client, transport = GracefulSocket(), StringTransport()
    socket_of_client.transport, transport.producer = transport, object()
    server.connections = {socket_of_client: {}}
    socket_of_client.handle_reply = lambda message: transport.write(message["text"].encode())
    assert server.websocket_handshake_timeout == server.websocket_connect_timeout == 60, "a busy machine takes long"
    await server.handle_reply(socket_of_client, {"type": "websocket.send", "text": "read"})
    socket_of_client.pauseProducing()
    sending = asyncio.create_task(server.handle_reply(socket_of_client, {"type": "websocket.send", "text": "unread"}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not sending.done()
    socket_of_client.resumeProducing()
    await sending
    assert transport.value() == b"readunread"
