"""Requests as mallory writes them, under uvicorn: one answer to each that all servers would read, and no other."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import socket
from collections.abc import AsyncIterator
from typing import Any
from weakref import WeakSet

import pytest
import uvicorn
from prometheus_client import REGISTRY
from websockets.asyncio.client import connect

from pyramid_server.http_requests import LONGEST_HEAD, LONGEST_REQUEST, MOST_WAITING
from pyramid_server.uvicorn_protocols import CountingSocket, TimeoutProtocol
from tests.waiting import SECONDS, until

HOST = b"Host: localhost\r\n"
CHUNKED = b"POST /1 HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"


class Watched(TimeoutProtocol):
    request_seconds = 3600.0
    alive: WeakSet[Watched] = WeakSet()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.alive.add(self)


class Echo:
    """An application that answers with the path and the body of each request, and notes what it receives."""

    def __init__(self) -> None:
        self.scopes: list[dict[str, Any]] = []
        self.received: list[str] = []

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await receive()
            await receive()
            return
        if scope["path"] == "/early":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        body, is_whole = b"", False
        while not is_whole:
            message = await receive()
            self.received.append(message["type"])
            if message["type"] == "http.disconnect":
                return
            body, is_whole = body + message["body"], not message["more_body"]
        said = scope["path"].encode() + b" " + body
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(said))]})
        await send({"type": "http.response.body", "body": said})


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
async def port(echo: Echo) -> AsyncIterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    options: dict[str, Any] = {"http": Watched, "ws": CountingSocket, "lifespan": "off", "log_config": None}
    server = uvicorn.Server(uvicorn.Config(echo, **options))
    serving = asyncio.create_task(server.serve([listener]))
    yield listener.getsockname()[1]
    server.should_exit = server.force_exit = True
    await serving


def request(path: str, head: bytes = b"", version: bytes = b"1.1", method: bytes = b"GET") -> bytes:
    return method + b" " + path.encode() + b" HTTP/" + version + b"\r\n" + HOST + head + b"\r\n"


async def answers(port: int, *parts: bytes) -> list[tuple[bytes, bytes]]:
    """Return status and body of all that comes until the server ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await writer.drain()
        await asyncio.sleep(0)
    async with asyncio.timeout(SECONDS):
        got = await reader.read()
    writer.close()
    return [(part[:3], part.partition(b"\r\n\r\n")[2]) for part in re.split(rb"HTTP/1.1 (?=\d)", got)[1:]]


LAST = request("/last", b"Connection: close\r\n")
AMBIGUOUS = {
    "no host": b"GET /1 HTTP/1.1\r\n\r\n",
    "two hosts": request("/1", HOST),
    "two hosts of 1.0": request("/1", HOST, b"1.0"),
    "another version": request("/1", version=b"2.0"),
    "an old version": request("/1", version=b"0.9"),
    "no version": b"GET /1\r\n\r\n",
    "the address of a proxy": request("http://elsewhere/1"),
    "a tunnel": request("elsewhere:80", method=b"CONNECT"),
    "no address": request("*", method=b"OPTIONS"),
    "an address beyond ASCII": request("/ä"),
    "a made-up method": request("/1", method=b"FOO"),
    "two lengths": request("/1", b"Content-Length: 3\r\nContent-Length: 3\r\n") + b"abc",
    "a length with a sign": request("/1", b"Content-Length: +3\r\n") + b"abc",
    "a list of lengths": request("/1", b"Content-Length: 3, 3\r\n") + b"abc",
    "a length and a coding": request("/1", b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n") + b"0\r\n\r\n",
    "another coding": request("/1", b"Transfer-Encoding: gzip, chunked\r\n") + b"3\r\nabc\r\n0\r\n\r\n",
    "two codings": request("/1", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n") + b"0\r\n\r\n",
    "a coding of 1.0": request("/1", b"Transfer-Encoding: chunked\r\n", b"1.0") + b"3\r\nabc\r\n0\r\n\r\n",
    "a coding with a space": request("/1", b"Transfer-Encoding : chunked\r\n") + b"0\r\n\r\n",
    "a wrong chunk": CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n",
    "a chunk that ends without a return": CHUNKED + b"3\nabc\n0\n\n",
    "lines that end without a return": b"GET /1 HTTP/1.1\nHost: localhost\n\n",
    "a folded header": request("/1", b"X: a\r\n b\r\n"),
    "a NUL": request("/1", b"X: a\0b\r\n"),
    "a name with a space": request("/1", b"X y: b\r\n"),
    "a hello of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS)
async def test_what_servers_may_understand_differently_is_refused_and_nothing_after_it_is_read(
    port: int, echo: Echo, sent: bytes
) -> None:
    for parts in [sent + LAST], [bytes([byte]) for byte in sent + LAST]:
        [(status, body)] = await answers(port, *parts)
        assert (status, b"malformed_request" in body) == (b"400", True)
    assert [scope["path"] for scope in echo.scopes if scope["path"] != "/1"] == []
    assert set(echo.received) <= {"http.request", "http.disconnect"}
    await until(lambda: echo.received.count("http.disconnect") == len(echo.scopes))


async def test_requests_that_come_together_are_answered_in_their_order(port: int) -> None:
    together = b"".join(request(f"/{number}") for number in range(MOST_WAITING))
    expected = [(b"200", b"/%d " % number) for number in range(MOST_WAITING)] + [(b"200", b"/last ")]
    assert await answers(port, together + LAST) == expected
    assert await answers(port, *[bytes([byte]) for byte in together + LAST]) == expected


async def test_of_more_requests_than_may_wait_the_first_are_answered(port: int) -> None:
    got = await answers(port, request("/") * 1000)
    assert got == [(b"200", b"/ ")] * (MOST_WAITING + 1)


SOCKET = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


@pytest.mark.parametrize("after", [b"NONSENSE\r\n\r\n", request("/2", HOST), request("/2", SOCKET)])
async def test_a_whole_request_is_answered_whatever_comes_after_it(port: int, after: bytes) -> None:
    assert await answers(port, request("/1") + after) == [(b"200", b"/1 ")]


async def test_an_application_learns_at_once_that_a_body_will_not_be_whole(port: int, echo: Echo) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(CHUNKED)
    await until(lambda: bool(echo.scopes))
    writer.write(b"zz\r\n")
    async with asyncio.timeout(SECONDS):
        assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
        await until(lambda: echo.received == ["http.disconnect"])
    writer.close()


@pytest.mark.parametrize("before", [b"", request("/1") * 2])
async def test_a_wrong_body_is_not_refused_amid_its_answer_nor_before_others(
    port: int, echo: Echo, before: bytes
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(before + CHUNKED.replace(b" /1 ", b" /early ") + (b"zz\r\n" if before else b""))
    await until(lambda: bool(echo.scopes))
    if not before:
        async with asyncio.timeout(SECONDS):
            await reader.readuntil(b"\r\n\r\n")
        writer.write(b"zz\r\n")
    async with asyncio.timeout(SECONDS):
        assert b" 400 " not in await reader.read()
    writer.close()


async def test_nothing_is_read_after_the_last_request(port: int, echo: Echo) -> None:
    for last in LAST, request("/last", version=b"1.0"):
        assert await answers(port, last + request("/2")) == [(b"200", b"/last ")]
    assert {scope["path"] for scope in echo.scopes} == {"/last"}


LONG = 10 * LONGEST_HEAD  # more than is read at once


@pytest.mark.parametrize(
    ("sent", "expected"), [(request("/1", b"X: " + b"x" * LONG + b"\r\n"), b"431"), (request("/" + "x" * LONG), b"414")]
)
async def test_a_head_that_is_too_long_is_refused_if_it_comes_at_once_or_never_ends(
    port: int, echo: Echo, sent: bytes, expected: bytes
) -> None:
    for parts in [sent], [sent[:200], sent[200:-20]]:
        [(status, _)] = await answers(port, *parts)
        assert status == expected
    assert echo.scopes == []


async def test_what_follows_a_body_is_passed_over_and_has_a_limit(port: int, echo: Echo) -> None:
    body = CHUNKED + b"3;a=b\r\nabc\r\n0\r\n"
    assert await answers(port, body + b"Authorization: Bearer x\r\n\r\n" + LAST) == [
        (b"200", b"/1 abc"),
        (b"200", b"/last "),
    ]
    assert b"authorization" not in dict(echo.scopes[0]["headers"])
    [(status, _)] = await answers(port, body, b"X: " + 2 * LONGEST_REQUEST * b"x")
    assert status == b"400"


async def test_a_client_that_begins_no_request_is_not_listened_to_without_end(port: int) -> None:
    [(status, _)] = await answers(port, b"\r\n" * LONGEST_REQUEST)
    assert status == b"400"


async def test_another_protocol_that_a_client_offers_is_not_taken_and_not_logged(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        offer = request("/1", b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n")
        assert await answers(port, offer + LAST) == [(b"200", b"/1 ")]
    assert caplog.messages == []


async def test_what_nobody_can_read_is_counted_and_leaves_no_line_in_the_log(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    before = REGISTRY.get_sample_value("pyramid_unreadable_requests_total") or 0
    with caplog.at_level(logging.WARNING):
        assert [status for status, _ in await answers(port, b"mallory\r\n\r\n")] == [b"400"]
        async with connect(f"ws://127.0.0.1:{port}/") as mallory:
            await mallory.send(b"\xff", text=True)
            await mallory.wait_closed()
    assert mallory.close_code == 1007
    assert caplog.messages == []
    assert REGISTRY.get_sample_value("pyramid_unreadable_requests_total") == before + 1


async def test_who_asks_before_sending_is_told_to_go_on(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("/1", b"Expect: 100-continue\r\nContent-Length: 3\r\n", method=b"POST"))
    async with asyncio.timeout(SECONDS):
        assert re.match(rb"HTTP/1.1 100 ", await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"abc")
        assert (await reader.readuntil(b"/1 abc")).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_an_open_socket_keeps_nothing_of_the_connection_that_its_handshake_came_by(port: int) -> None:
    Watched.alive.clear()
    gc.disable()
    try:
        async with connect(f"ws://127.0.0.1:{port}/", proxy=None):
            assert not list(Watched.alive)
    finally:
        gc.enable()
