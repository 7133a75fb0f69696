"""Daphne with limits on requests and a graceful shutdown that closes sockets with a code.

Importing this module installs an event loop.
"""

import asyncio
import faulthandler
import logging
from time import monotonic, time
from typing import Any

from daphne.server import Server, reactor
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import ITCPTransport
from twisted.logger import STDLibLogObserver, globalLogPublisher
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.connection import end_all
from games.doors.sockets.token_bucket import REFUSED_SECONDS, FrameLimit
from games.runtime.descriptors import Arrivals
from pyramid_server.oversized import (
    ADDRESS_TOO_LONG,
    HEADERS_TOO_LARGE,
    LONGEST_ADDRESS,
    LONGEST_HEADERS,
    TOO_LARGE,
    Answer,
    as_bytes,
)

logger = logging.getLogger(__name__)

CLOSING_SECONDS = 10.0
PAUSE_SECONDS = 0.02
# Of a socket: read at once, and taken in before the application has read what came before.
PART_BYTES = 4096
MOST_UNREAD = 16
READ_AGAIN_SECONDS = 0.05
FIRST_CONTROL_FRAME = 8
# Headers that daphne believes: where the site begins, and with it where links lead, also those in mails; and what a
# socket is to speak, at which it fails if that is not ASCII.
BELIEVED = (b"Daphne-Root-Path", b"Sec-WebSocket-Protocol")
arrivals = Arrivals()
# A chunked body has more bytes on the wire than content; the application refuses content that is too long.
LONGEST_ON_WIRE = 4 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
LEAVING_SECONDS = 15.0  # for what follows, the worker's end included
LEAST_JUMP_SECONDS = 1.0  # of the clock
ACCEPTING_SECONDS = 60.0  # a busy machine takes long for a handshake, and a client that is cut off comes again


class LimitedChannel(HTTPChannel):  # type: ignore[misc]  # of which mypy sees no type
    """Closes a connection whose next request is too long, or has not arrived in time, head and body, however it drips.

    Without it, Twisted would receive bodies of any size, wait as long as bytes drip in, and answer requests that came
    together however many answers wait in memory for a client that does not read. The time is `timeOut` of the factory,
    also for reading an answer before the next; while a request is answered there is none.
    """

    MAX_LENGTH = LONGEST_HEADERS  # of a line
    totalHeadersSize = LONGEST_ADDRESS + LONGEST_HEADERS  # noqa: N815  Twisted's name
    maxHeaders = totalHeadersSize  # noqa: N815  their length alone is limited
    _length_on_wire = 0
    _unread: Any = None  # the request whose answer waits for the client to read
    _is_refused = False  # the rest is read and dropped: a client that is cut off while it sends would see no answer

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        if not self._is_refused:
            super().dataReceived(data)

    def lineReceived(self, line: bytes) -> None:  # noqa: N802
        """Receive a line of the head, or refuse it if there have been too many."""
        if self._receivedHeaderSize + len(line) > self.totalHeadersSize:
            self._refuse(HEADERS_TOO_LARGE)
        if not self._is_refused:
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        """Refuse a line that is too long: the first has the address."""
        self._refuse(HEADERS_TOO_LARGE if self._receivedHeaderSize else ADDRESS_TOO_LONG)

    def connectionMade(self) -> None:  # noqa: N802
        arrivals.add(self)
        super().connectionMade()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        arrivals.discard(self)
        super().connectionLost(reason)

    def requestDone(self, request: Any) -> None:  # noqa: N802
        """Go on with the next request or close, or wait until the client has read enough of the answer."""
        arrivals.add(self)
        if self._waitingForTransport:
            self._unread = request
            self.setTimeout(self._savedTimeOut)
        else:
            self._go_on_after(request)

    def resumeProducing(self) -> None:  # noqa: N802
        super().resumeProducing()
        request, self._unread = self._unread, None
        if request is not None:
            self._go_on_after(request)

    def _go_on_after(self, request: Any) -> None:
        super().requestDone(request)
        if not self.persistent:  # it closes once the rest of the answer is read, for which there is a time too
            self.setTimeout(None)
            self._abortingCall = self.callLater(self._savedTimeOut, self.forceAbortClient)

    def waits_for_client(self) -> bool:
        """Return True unless a request is answered, or the connection has become a socket."""
        return self.transport is not None and (not self._handlingRequest or self._unread is not None)

    def give_up(self) -> None:
        self.transport.abortConnection()

    def resetTimeout(self) -> None:  # noqa: N802  Twisted's name
        """Let the time for the request run on, whatever arrives of it."""

    def allHeadersReceived(self) -> None:  # noqa: N802
        """Drop what no client may say, and refuse a body that is announced as too long before any of it is received."""
        for name in BELIEVED:
            self.requests[-1].requestHeaders.removeHeader(name)
        if (self.length or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            self._refuse(TOO_LARGE)
        else:
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        """Receive a part of a body, or refuse it if there has been too much."""
        self._length_on_wire += len(data)
        if self._length_on_wire > LONGEST_ON_WIRE:
            self._refuse(TOO_LARGE)
        if not self._is_refused:
            super().rawDataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802
        self._length_on_wire = 0
        self.requests[-1]._parsePOSTFormSubmission = False  # Django does, and refuses in words
        super().allContentReceived()

    def _refuse(self, answer: Answer) -> None:
        if self._is_refused:
            return
        self._is_refused = True
        self.transport.write(as_bytes(answer))
        if ITCPTransport.providedBy(self.transport):
            self.transport.loseWriteConnection()
        else:
            self.loseConnection()


class GracefulSocket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """Counts frames, closes with any code, reads no more than its application, and says when a client has read.

    daphne itself refuses to send 1009, 1012 and 1013, drops the reason of a close frame, and keeps in memory whatever a
    client or an application sends.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._frames = FrameLimit()
        self._is_refused = False
        self._full: asyncio.Event | None = None  # set once the client has read
        self.reason = ""  # to close, of which daphne passes on the code alone

    def connectionMade(self) -> None:  # noqa: N802  Twisted's name
        super().connectionMade()
        self.transport.bufferSize = PART_BYTES
        self.transport.unregisterProducer()  # the channel of the handshake
        self.transport.registerProducer(self, streaming=True)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        if not self._is_refused:
            super().dataReceived(data)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803  autobahn's names
        super().onMessage(payload, isBinary)
        if self.application_queue.qsize() == MOST_UNREAD:
            self.transport.pauseProducing()
            self._read_on()

    def _read_on(self) -> None:
        """Read from the client again as soon as the application has read."""
        if self.application_queue.qsize() >= MOST_UNREAD:
            asyncio.get_running_loop().call_later(READ_AGAIN_SECONDS, self._read_on)
        else:
            self.transport.resumeProducing()

    def pauseProducing(self) -> None:  # noqa: N802
        """Have the application wait: the buffer of the connection is full."""
        self._full = self._full or asyncio.Event()

    def resumeProducing(self) -> None:  # noqa: N802
        full, self._full = self._full, None
        if full is not None:
            full.set()
        if self.transport.disconnecting:
            self.transport.unregisterProducer()  # which closes it

    stopProducing = resumeProducing  # noqa: N815

    async def drained(self) -> None:
        """Wait while the client does not read."""
        if self._full is not None:
            await self._full.wait()

    def onFrameBegin(self) -> None:  # noqa: N802  autobahn's name
        """Count a frame that begins no message. Of a client that sends too many, nothing more is parsed."""
        code = self.current_frame.opcode
        begins_none = code == 0 or code >= FIRST_CONTROL_FRAME
        if begins_none and not self._is_refused and self._frames.is_reached():
            self._is_refused = True
            self.serverClose(CloseCode.TOO_MANY_MESSAGES)
            asyncio.get_running_loop().call_later(REFUSED_SECONDS, self.dropConnection)
        super().onFrameBegin()

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: N802, N803  autobahn's names
        """Have daphne note the end of a socket; it knows nothing of one whose handshake was refused as malformed."""
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def serverClose(self, code: int = 1000) -> None:  # noqa: N802  daphne's name
        self.sendCloseFrame(code=code, reasonUtf8=self.reason.encode())


class GracefulServer(Server):  # type: ignore[misc]  # daphne has no types
    """Closes the sockets with a code, and answers the current requests, before the reactor stops.

    A thread that answers a request needs the event loop until the end; without it the process would wait forever.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        waits = dict.fromkeys(("websocket_handshake_timeout", "websocket_connect_timeout"), ACCEPTING_SECONDS)
        super().__init__(*args, **waits, **options)
        self._ahead = time() - monotonic()

    def timeout_checker(self) -> None:
        """End what has lasted too long, but nothing because the clock has jumped: daphne measures by it."""
        before, self._ahead = self._ahead, time() - monotonic()
        jump = self._ahead - before
        if jump > LEAST_JUMP_SECONDS:
            for protocol in self.connections:
                _begin_later(protocol, jump)
        super().timeout_checker()

    async def handle_reply(self, protocol: Any, message: Any) -> None:
        """Send a message, and wait until the client of a socket has read enough, as uvicorn does."""
        if not isinstance(protocol, GracefulSocket):
            await super().handle_reply(protocol, message)
            return
        protocol.reason = message.get("reason") or ""
        await super().handle_reply(protocol, message)
        await protocol.drained()

    def listen_success(self, port: Any) -> None:
        """Have the port closed before the sockets, so that clients reconnect elsewhere."""
        super().listen_success(port)
        reactor.addSystemEventTrigger("before", "shutdown", port.stopListening)

    def run(self) -> None:
        """Serve until a signal, and have logged what fails in Twisted, which daphne throws away."""
        reactor.callWhenRunning(globalLogPublisher.addObserver, STDLibLogObserver())
        super().run()

    def kill_all_applications(self) -> Deferred[Any]:
        """Close the sockets first. Daphne calls this when the server is about to stop."""
        closing = Deferred.fromFuture(asyncio.ensure_future(asyncio.wait_for(self._close_sockets(), CLOSING_SECONDS)))
        _leave_in_any_case()
        closing.addErrback(self._close_unanswered)
        return closing.addBoth(lambda _: self._kill_the_rest())

    def _close_unanswered(self, failure: Failure) -> None:
        """Tell clients to come back although what they wait for is not answered, which took too long or has failed."""
        logger.error("Sockets are closed without an answer: %s", failure.getErrorMessage() or failure.type.__name__)
        for protocol in self.connections:
            if isinstance(protocol, GracefulSocket) and protocol.state == protocol.STATE_OPEN:
                protocol.serverClose(CloseCode.RESTARTING)

    def _kill_the_rest(self) -> Deferred[Any]:
        # Daphne expects an application of each connection. One that has answered has none any more.
        ended = [one for one, details in self.connections.items() if "application_instance" not in details]
        for one in ended:
            del self.connections[one]
        return super().kill_all_applications()

    async def _close_sockets(self) -> None:
        while any("disconnected" not in details for details in self.connections.values()):
            await end_all(CloseCode.RESTARTING)
            await asyncio.sleep(PAUSE_SECONDS)


def _begin_later(protocol: Any, seconds: float) -> None:
    for begun in ("request_start", "socket_opened"):
        if hasattr(protocol, begun):
            setattr(
                protocol, begun, min(getattr(protocol, begun) + seconds, time())
            )  # it may have begun after the jump


def _leave_in_any_case() -> None:
    """End the process in time even if a thread waits for something that never comes, and show what each waits for."""
    faulthandler.dump_traceback_later(CLOSING_SECONDS + LEAVING_SECONDS, exit=True)
