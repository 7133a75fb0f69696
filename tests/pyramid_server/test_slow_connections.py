"""Connections that never finish what they ask, or ask too much, under uvicorn and daphne."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from time import time
from typing import Any

import pytest
import uvicorn
from daphne.ws_protocol import WebSocketFactory
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.http import HTTPFactory, Request

from games.doors.sockets.close_codes import CloseCode
from games.runtime.turns import Turns
from pyramid_server import daphne_server, keepalive, uvicorn_protocols
from pyramid_server.daphne_server import LONGEST_ON_WIRE, PART_BYTES, GracefulServer, GracefulSocket, LimitedChannel
from pyramid_server.keepalive import Keepalive
from pyramid_server.uvicorn_protocols import CountingSocket, TimeoutProtocol

HOUR = 3600.0
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


class Hasty(TimeoutProtocol):
    request_seconds = 0.2


class Watched(Hasty):
    ended: asyncio.Event  # of one test

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.ended.set()


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


async def test_a_crowd_is_read_a_few_at_a_time_and_nobody_is_cut_who_waits_for_a_turn(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(2, 2, HOUR)
    monkeypatch.setattr(uvicorn_protocols, "turns", lambda: turns)
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
    async with asyncio.timeout(20):
        for _, writer in streams:
            writer.write(REQUEST[:-2])
            await asyncio.sleep(0)
        *first, last = [asyncio.create_task(reader.readuntil(b"ok")) for reader, _ in streams]
        for _, writer in streams:
            writer.write(b"\r\n")
        await asyncio.gather(*first)  # after longer than a request may take to arrive
        assert not last.done()
        turns._go_on(0.0)
        await last
    for _, writer in streams:
        writer.close()


async def answer_at_length(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer with more than the buffers of a connection hold, whether anybody reads it or not."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x" * 30_000_000})


@pytest.mark.parametrize("sent", [REQUEST * 2, REQUEST[:-2] + b"Connection: close\r\n\r\n"])
async def test_an_answer_that_nobody_reads_is_cut(sent: bytes) -> None:
    Watched.ended = asyncio.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(answer_at_length, http=Watched, lifespan="off", log_level="error"))
    serving = asyncio.create_task(server.serve([listener]))
    client = socket.create_connection(listener.getsockname())
    client.sendall(sent)
    async with asyncio.timeout(20):
        await Watched.ended.wait()
    client.close()
    server.should_exit = True
    await serving


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


@pytest.mark.parametrize("kind", [b"multipart/form-data; boundary=x", b"multipart/form-data"])
def test_under_daphne_what_only_says_that_it_is_a_form_reaches_the_application(twisted: Twisted, kind: bytes) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Type: " + kind
    twisted.channel.dataReceived(head + b"\r\n\r\n{}")
    assert twisted.received == [b"{}"]


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


def test_under_daphne_the_last_answer_that_nobody_reads_is_cut_too(twisted: Twisted) -> None:
    twisted.channel.dataReceived(REQUEST[:-2] + b"Connection: close\r\n\r\n")
    twisted.channel.pauseProducing()
    twisted.clock.advance(40)
    assert twisted.channel.waits_for_client()
    twisted.channel.resumeProducing()  # the buffer is less full, but not empty: it closes once that has been read
    assert twisted.is_closed
    assert not twisted.transport.disconnected
    twisted.clock.advance(61)
    assert twisted.transport.disconnected


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


def frame(first: int, payload: bytes = b"") -> bytes:
    """Return a masked frame of a client; the first byte has the opcode, and 0x80 in the last frame of a message."""
    return bytes([first, 0x80 | len(payload)]) + b"\0" * 4 + payload


# Frames that never become a message, however many come: pongs, and the further parts of a message.
ENDLESS = [frame(0x8A) * 20_000, frame(0x01) + frame(0x00) * 20_000]
MESSAGES = frame(0x81, b"{}") * 20_000


class Read:
    """An application of sockets that reads one message, and then so many more as it is allowed to."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.is_slow = asyncio.Event()
        self.goes_on = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while not self.events or self.events[-1] != "websocket.disconnect":
            self.events.append((await receive())["type"])
            self.is_slow.set()
            await self.goes_on.wait()
        self.ended.set()


@pytest.fixture
async def reading() -> AsyncIterator[tuple[Read, asyncio.StreamReader, asyncio.StreamWriter]]:
    """An application under uvicorn, and a client's open socket to it."""
    application, listener = Read(), socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, http=Hasty, ws=CountingSocket, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    async with asyncio.timeout(60):
        await reader.readuntil(b"\r\n\r\n")
        yield application, reader, writer
        application.goes_on.set()
        writer.close()
        server.should_exit = True
        await serving


@pytest.mark.parametrize("sent", ENDLESS)
async def test_under_uvicorn_frames_without_messages_end_a_socket(reading: Any, sent: bytes) -> None:
    application, _, writer = reading
    application.goes_on.set()
    writer.write(sent)
    async with asyncio.timeout(60):
        await application.ended.wait()
    assert application.events == ["websocket.disconnect"]


async def test_under_uvicorn_no_more_is_parsed_than_the_application_reads(
    reading: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[None] = []
    monkeypatch.setattr(CountingSocket, "_deliver", lambda self, text: parsed.append(deliver(self, text)))
    application, _, writer = reading
    writer.write(MESSAGES)
    async with asyncio.timeout(60):
        await application.is_slow.wait()
    assert 0 < len(parsed) <= 3
    application.goes_on.set()
    writer.write_eof()
    async with asyncio.timeout(60):
        await application.ended.wait()
    assert len(application.events) == 20_001
    assert set(application.events) == {"websocket.receive", "websocket.disconnect"}


deliver = CountingSocket._deliver

PING = bytes([0x89, 0])  # of the server, which masks nothing


async def test_under_uvicorn_a_silent_socket_is_pinged_and_closed_if_it_does_not_answer(
    reading: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepalive, "ROUND_SECONDS", 0.1)
    application, reader, writer = reading
    application.goes_on.set()
    async with asyncio.timeout(60):
        for _ in range(3):
            assert await reader.readexactly(2) == PING
            writer.write(frame(0x8A))
        last = await reader.read()
        assert last.startswith(PING)
        assert last.endswith(b"keepalive ping timeout")
        await application.ended.wait()


async def test_each_socket_has_turns_of_its_own_and_who_sends_anything_is_not_pinged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Socket:
        silent_looks = 0

        def __init__(self) -> None:
            self.seen: list[int] = []

        def send_ping(self) -> None:
            self.seen.append(looks)

        def give_up(self) -> None:
            self.seen.append(-looks)

    monkeypatch.setattr(keepalive, "ROUND_SECONDS", HOUR)
    sockets, here, looks = Keepalive(), [Socket() for _ in range(3)], 0
    alice, bob, mallory = here
    sockets.add(alice)
    sockets.add(bob)
    for looks in range(1, 5 * keepalive.PARTS):
        sockets._look()
        bob.silent_looks = 0
        if looks == 7:
            sockets.add(mallory)
        if looks == 2 * keepalive.PARTS + 7:
            sockets.discard(mallory)
    sockets.discard(mallory)
    assert [one.seen for one in here] == [[200, -400], [], [207]]


def connected_under_daphne() -> GracefulSocket:
    factory = WebSocketFactory(GracefulServer(lambda: None, endpoints=["tcp:0"]))
    factory.protocol = GracefulSocket
    factory.setProtocolOptions(openHandshakeTimeout=0, closeHandshakeTimeout=0)
    connected: GracefulSocket = factory.buildProtocol(None)
    transport = StringTransport()
    transport.registerProducer(object(), streaming=True)  # the channel of the handshake
    connected.makeConnection(transport)
    return connected


def opened_under_daphne() -> GracefulSocket:
    opened = connected_under_daphne()
    opened.application_queue, opened.current_frame, opened.inside_message = asyncio.Queue(), None, False
    opened.state, opened.websocket_version, opened.client_addr = GracefulSocket.STATE_OPEN, 13, None
    return opened


@pytest.mark.parametrize("sent", ENDLESS)
async def test_under_daphne_frames_without_messages_end_a_socket(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daphne_server, "REFUSED_SECONDS", 0)
    opened = opened_under_daphne()
    for part in range(0, len(sent), PART_BYTES):
        opened.dataReceived(sent[part : part + PART_BYTES])
    assert opened.transport.value().endswith(b"\x88\x02" + CloseCode.TOO_MANY_MESSAGES.to_bytes(2, "big"))
    assert opened.trafficStats.incomingWebSocketFrames < 2_000
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert opened.state == GracefulSocket.STATE_CLOSED


@pytest.mark.parametrize(
    ("method", "head"), [(b"GET", b""), (b"GET", b"Origin: http://a:b.c\r\n" + KEY), (b"POST", KEY)]
)
async def test_under_daphne_a_handshake_of_mallory_that_is_refused_is_no_error(method: bytes, head: bytes) -> None:
    refused = connected_under_daphne()
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    refused.dataReceived(method + b" / HTTP/1.1\r\nHost: localhost\r\n" + upgrade + head + b"\r\n")
    assert refused.transport.value().startswith(b"HTTP/1.1 40")
    refused.connectionLost(Failure(ConnectionDone()))
    assert refused.state == GracefulSocket.STATE_CLOSED


async def test_under_daphne_a_clock_that_jumps_ends_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("daphne.server.reactor.callLater", lambda *_: None)
    opened, days = opened_under_daphne(), 2 * 86_400
    opened.server = server = opened.factory.server_class
    server.connections = {opened: {}}
    opened.last_ping = time()
    opened.socket_opened = time() - days
    server._ahead -= days  # until now the clock was behind by as much
    server.timeout_checker()
    assert opened.duration() < 60
    assert opened.state == GracefulSocket.STATE_OPEN
    opened.socket_opened -= days
    server.timeout_checker()
    assert opened.state != GracefulSocket.STATE_OPEN


async def test_under_daphne_no_more_is_read_until_the_application_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daphne_server, "READ_AGAIN_SECONDS", 0)
    opened = opened_under_daphne()
    opened.dataReceived(frame(0x81, b"{}") * 15)
    assert opened.transport.producerState == "producing"
    opened.dataReceived(frame(0x81, b"{}") * 2)
    assert opened.transport.producerState == "paused"
    await asyncio.sleep(0)
    assert opened.transport.producerState == "paused"
    while not opened.application_queue.empty():
        opened.application_queue.get_nowait()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert opened.transport.producerState == "producing"
