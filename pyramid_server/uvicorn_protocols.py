"""The protocol classes for uvicorn, whose options name them: `--http=` and `--ws=`; docs/packages.md says why."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

import pyramid_server.settings  # noqa: F401  says what is wrong with them before anything is counted
from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.token_bucket import REFUSED_SECONDS, FrameLimit
from games.runtime.descriptors import Arrivals
from games.runtime.per_loop import PerLoop
from games.runtime.turns import Turns
from pyramid_server.frames import framed, payload_of, text_in
from pyramid_server.http_requests import RequestReader
from pyramid_server.keepalive import Keepalive

arrivals = Arrivals()
turns = PerLoop(lambda: Turns(8, 16, 0.01))
keepalive = PerLoop(Keepalive)
PART_BYTES = 4096  # that are parsed at once


class TimeoutProtocol(RequestReader):
    """Closes a connection whose next request, head and body, has not arrived in time, however it drips in, or whose
    client has read nothing of an answer for as long.

    Connections that come in a crowd are read a few at a time: a thousand handshakes in one turn of the event loop would
    hold up everybody's moves for a third of a second.
    """

    request_seconds: float = 30.0
    _unread_since: float | None = None  # of an answer that fills the buffer
    _waits_for_turn = False  # not for the client; where descriptors are scarce, it may be closed all the same
    _has_begun = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._waiting_since = self.loop.time()
        arrivals.add(self)
        self._look_again()

    def data_received(self, data: bytes) -> None:
        if self._has_begun or turns().take_at_once():
            self._has_begun = True
            super().data_received(data)
        else:
            self._waits_for_turn = True
            self.transport.pause_reading()
            turns().queue().add_done_callback(lambda turn: self._begin(data))

    def _begin(self, data: bytes) -> None:
        self._waits_for_turn, self._has_begun = False, True
        self._waiting_since = self.loop.time()
        if not self.transport.is_closing():
            self.transport.resume_reading()
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        arrivals.discard(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the socket's protocol, which has separate limits."""
        self._timer.cancel()
        arrivals.discard(self)
        super().handle_websocket_upgrade()

    def on_response_complete(self) -> None:
        self._waiting_since = self.loop.time()
        arrivals.add(self)
        super().on_response_complete()

    def pause_writing(self) -> None:
        self._unread_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._unread_since = None
        super().resume_writing()

    def _look_again(self) -> None:
        since = self._waiting_since if self._unread_since is None else self._unread_since
        late = self.loop.time() - since - self.request_seconds
        if late >= 0 and self.waits_for_client() and not self._waits_for_turn:
            self.give_up()
            return
        pause = -late if late < 0 else self.request_seconds
        self._timer: asyncio.TimerHandle = self.loop.call_later(pause, self._look_again)

    def give_up(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # to close would wait until the client has read
        else:
            self.transport.close()

    def waits_for_client(self) -> bool:
        """Return True if it is the client's turn, to send or to read; an answer that is being made has no limit."""
        cycle: RequestResponseCycle | None = self.cycle
        return self._unread_since is not None or cycle is None or cycle.response_complete or cycle.more_body


class Inbox:
    """The unread messages of a client, for one reader; an `asyncio.Queue`, which serves many, takes 3 KB."""

    __slots__ = ("_loop", "_messages", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._messages.pop(0)

    def empty(self) -> bool:
        return not self._messages

    @property
    def is_awaited(self) -> bool:
        return self._reader is not None and not self._reader.done()


class CountingSocket(WebSocketsSansIOProtocol):
    """Counts frames, parses no more than its application reads, and keeps no more than an open connection needs.

    It reads and writes itself what nearly all frames are, and leaves the others to the parser of `websockets`.
    """

    _is_refused = False
    _next = 0  # of the bytes that have arrived
    _unfinished = 0  # bytes of the current frame that the parser still gets

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._frames = FrameLimit()
        self._arrived = b""
        self.silent_looks = 0
        self.queue = Inbox(self.loop)  # type: ignore[assignment]  # with the methods that are called

    def data_received(self, data: bytes) -> None:
        self.silent_looks = 0
        if not self._is_refused:
            self._arrived, self._next = self._arrived[self._next :] + data, 0
            self._parse()

    async def receive(self) -> Any:
        message = await super().receive()
        self._parse()
        return message

    async def send(self, message: Any) -> None:
        text = message.get("text") if message["type"] == "websocket.send" else None
        if text is None or self.conn.extensions or not self._may_send:
            await super().send(message)
        else:
            self.transport.write(framed(text))

    @property
    def _may_send(self) -> bool:
        is_open = self.conn.state is State.OPEN and not self.close_sent
        return is_open and self.writable.is_set() and not self.disconnected

    def _parse(self) -> None:
        """Parse what has arrived, until there is a message for the application."""
        while self._arrived and not (self.read_paused or self._is_refused or self.transport.is_closing()):
            if self._unfinished or not self.handshake_initiated:
                self._leave_to_parser()
            elif not self._read_frame():
                return

    def _read_frame(self) -> bool:
        """Read a text, or begin another frame; return False if its head has not arrived."""
        payload = payload_of(self._arrived, self._next)
        if payload is None:
            return False
        start, end = payload
        text = None if self.frames or self.close_sent else text_in(self._arrived, self._next, start, end)
        if text is None:
            self._unfinished = end - self._next
        else:
            self._go_on_at(end)
            self._deliver(text)
        return True

    def _deliver(self, text: str) -> None:
        """Pass a text to the application; read on only if it waits for one."""
        self.read_paused = not self.queue.is_awaited  # type: ignore[attr-defined]
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.read_paused:
            self.transport.pause_reading()

    def _leave_to_parser(self) -> None:
        """Have a part of the handshake, or of a frame, parsed."""
        part = self._arrived[self._next : self._next + min(self._unfinished or PART_BYTES, PART_BYTES)]
        self._go_on_at(self._next + len(part))
        self._unfinished = max(0, self._unfinished - len(part))
        super().data_received(part)

    def _go_on_at(self, position: int) -> None:
        self._arrived, self._next = (self._arrived, position) if position < len(self._arrived) else (b"", 0)

    def handle_ping(self) -> None:
        if not self._is_flooded():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._is_flooded()

    def handle_cont(self, event: Frame) -> None:
        if not self._is_flooded():
            super().handle_cont(event)

    def _is_flooded(self) -> bool:
        """Count a frame that begins no message. Of a client that has sent too many, nothing more is parsed."""
        if self._is_refused or not self._frames.is_reached():
            return self._is_refused
        self._is_refused, self._arrived, self._next = True, b"", 0
        self.stop_keepalive()  # a connection that is being closed cannot ping
        if self.conn.state is State.OPEN:
            self.conn.send_close(CloseCode.TOO_MANY_MESSAGES)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.loop.call_later(REFUSED_SECONDS, self.transport.close)
        return True

    def start_keepalive(self) -> None:
        """Have an open connection pinged, and free the memory of its handshake."""
        keepalive().add(self)
        self.request.headers.clear()  # the parser keeps the request itself
        del self.request, self.response
        self.__dict__ = {**self.__dict__}  # a table that has grown has twice as many places as a copy

    def stop_keepalive(self) -> None:
        keepalive().discard(self)

    def send_ping(self) -> None:
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self.conn.send_ping(b"")
            self.transport.write(b"".join(self.conn.data_to_send()))

    def give_up(self) -> None:
        self.keepalive_timeout()
