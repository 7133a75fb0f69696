"""Frames that are read and written without the parser of `websockets` mean what they mean with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
from hypothesis import example, given
from hypothesis import strategies as st
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.utils import apply_mask

from pyramid_server.frames import LONGEST, framed, payload_of, text_in
from pyramid_server.uvicorn_protocols import CountingSocket

HEAD = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MOST_BYTES = 65_536
SELDOM = st.integers(0, 20).map(lambda number: number == 0)
LENGTHS = [0, 1, 125, 126, 127, LONGEST, LONGEST + 1, MOST_BYTES, MOST_BYTES + 1]


class Wire(asyncio.Transport):
    """The transport of a socket, which keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self._is_closing = b"", False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self._is_closing = True

    def pause_reading(self) -> None:
        """Do nothing: what has arrived by then comes all the same."""

    resume_reading = pause_reading


async def behind(protocol: type[WebSocketsSansIOProtocol], parts: Iterable[bytes]) -> tuple[list[Any], bytes]:
    """Return the events of an application that reads behind a protocol, and what is written to its client."""
    events: list[Any] = []

    async def read(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while not events or events[-1]["type"] != "websocket.disconnect":
            events.append(await receive())

    config = uvicorn.Config(read, ws_per_message_deflate=False, ws_max_size=MOST_BYTES, log_level="critical")
    config.load()
    socket, wire = protocol(config, ServerState(), {}), Wire()
    socket.connection_made(wire)
    for part in (HEAD, *parts):
        if not wire.is_closing():
            socket.data_received(part)
            await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    socket.connection_lost(None)
    await asyncio.gather(*socket.tasks)
    return events, wire.written.partition(b"\r\n\r\n")[2]


@st.composite
def frames(draw: st.DrawFn) -> bytes:
    """A frame of a client, most likely a well-formed one."""
    if draw(SELDOM):
        return draw(st.binary(max_size=20))
    texts = st.text(max_size=50).map(str.encode) | st.sampled_from(LENGTHS).map(lambda length: b"x" * length)
    opcode = draw(st.sampled_from([Opcode.TEXT] * 6 + [*Opcode]))
    payload = draw(texts | st.binary(max_size=50))[: 125 if opcode >= Opcode.CLOSE else None]
    fin = draw(st.integers(0, 4)) > 0 or opcode >= Opcode.CLOSE
    frame = Frame(opcode, payload, fin=fin).serialize(mask=not draw(SELDOM))
    return bytes([frame[0] | draw(SELDOM) * 0x40]) + frame[1:]


BEGUN, WHOLE = (Frame(Opcode.TEXT, b"a", fin=fin).serialize(mask=True) for fin in (False, True))
ENDED, PING, CLOSE = (Frame(opcode, b"").serialize(mask=True) for opcode in (Opcode.CONT, Opcode.PING, Opcode.CLOSE))


@example(BEGUN + WHOLE, [])
@example(BEGUN + PING + ENDED + WHOLE, [9])
@example(WHOLE + CLOSE + WHOLE, [3, 8])
@example(Frame(Opcode.TEXT, b"x" * (MOST_BYTES + 1)).serialize(mask=True), [])
@given(st.lists(frames(), max_size=6).map(b"".join), st.lists(st.integers(0, 500), max_size=6))
def test_an_application_sees_and_a_client_gets_what_they_do_if_every_byte_is_parsed_by_itself(
    sent: bytes, cuts: list[int]
) -> None:
    parts = [sent[start:end] for start, end in pairwise([0, *sorted(cuts), len(sent)])]
    single = (sent[at : at + 1] for at in range(len(sent)))
    assert asyncio.run(behind(CountingSocket, parts)) == asyncio.run(behind(WebSocketsSansIOProtocol, single))


async def test_an_application_waits_for_a_client_that_does_not_read_and_learns_that_it_is_gone() -> None:
    sends: list[Any] = []

    async def accept(scope: Any, receive: Any, send: Any) -> None:
        sends.append(send)
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    config = uvicorn.Config(accept, ws_per_message_deflate=False)
    config.load()
    socket, wire = CountingSocket(config, ServerState(), {}), Wire()
    socket.connection_made(wire)
    socket.data_received(HEAD)
    await asyncio.sleep(0)
    [send], text = sends, {"type": "websocket.send", "text": "hello"}
    socket.pause_writing()
    sending = asyncio.create_task(send(text))
    await asyncio.sleep(0)
    assert not wire.written.endswith(framed("hello"))
    socket.resume_writing()
    await sending
    assert wire.written.endswith(framed("hello"))
    socket.connection_lost(None)
    with pytest.raises(OSError):
        await send(text)
    assert wire.written.count(framed("hello")) == 1
    await asyncio.gather(*socket.tasks)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_text_of_any_length_is_framed_as_the_library_does(length: int) -> None:
    assert framed("ü" * length) == Frame(Opcode.TEXT, ("ü" * length).encode()).serialize(mask=False)


@given(st.text(max_size=200), st.binary(min_size=4, max_size=4), st.binary(max_size=20), st.binary(max_size=20))
def test_a_text_is_read_wherever_its_frame_begins(text: str, mask: bytes, before: bytes, after: bytes) -> None:
    payload = text.encode()
    head = framed(text)[: -len(payload) or None]
    frame = bytes([head[0], head[1] | 0x80]) + head[2:] + mask + apply_mask(payload, mask)
    for known in range(len(before), len(before) + len(frame)):
        place = payload_of((before + frame)[:known], len(before))
        assert place is None or text_in((before + frame)[:known], len(before), *place) is None
    place = payload_of(before + frame + after, len(before))
    assert place is not None
    assert place[1] == len(before + frame)
    assert text_in(before + frame + after, len(before), *place) == text
