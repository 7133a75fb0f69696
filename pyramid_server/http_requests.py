"""Requests read by httptools, the parser of Node, in a third of the time of one in Python; the limits are set here.

Requests that servers understand differently are refused too: one could smuggle another past a proxy.
"""

from prometheus_client import Counter
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from pyramid_server.oversized import ADDRESS_TOO_LONG, HEADERS_TOO_LARGE, LONGEST_ADDRESS, MALFORMED, Answer, as_bytes

LONGEST_HEAD = 64 * 1024
LONGEST_REQUEST = 8 * LONGEST_HEAD  # as it comes, with whatever its parts are wrapped in
MOST_WAITING = 16  # of a connection, for the answers to earlier requests
HOSTS = {"1.0": (0, 1), "1.1": (1,)}  # how many headers name one

unreadable = Counter("pyramid_unreadable_requests_total", "Requests that were refused because nobody could read them.")


class Refused(Exception):
    """The parser ends, and `send_400_response` is called."""


class RequestReader(HttpToolsProtocol):
    """Reads requests; after one that is refused, what still comes is dropped.

    A client that is cut off while it sends would see no answer.
    """

    url = b""  # of no request yet
    _is_refused = False
    _is_in_head = False
    _arrived = 0  # bytes since the end of the last request

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._arrived += len(data)
        super().data_received(data)
        if self._arrived > (LONGEST_HEAD if self._is_in_head else LONGEST_REQUEST) and not self._is_refused:
            self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if len(self.pipeline) >= MOST_WAITING:
            raise Refused
        self._is_in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_in_head:  # nobody needs what follows a body
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        is_too_soon = self.parser.should_upgrade() and self._is_answering
        if is_too_soon or not self._is_understood:
            raise Refused
        self._is_in_head = False
        super().on_headers_complete()

    @property
    def _is_understood(self) -> bool:
        """True if every server on the way reads the same from this head."""
        version = self.parser.get_http_version()
        hosts = [value for name, value in self.headers if name == b"host"]
        codings = [value.lower() for name, value in self.headers if name == b"transfer-encoding"]
        is_coded = codings == [b"chunked"] and version == "1.1"
        return self.url.startswith(b"/") and len(hosts) in HOSTS.get(version, ()) and (is_coded or not codings)

    def on_message_complete(self) -> None:
        self._arrived = 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it refers to this object

    def _unsupported_upgrade_warning(self) -> None:
        """Answer without a word in the log: another protocol was only offered."""
        self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read: never before answers that are due, nor amid one."""
        self._is_refused = True
        unreadable.inc()
        last = self._last
        if self._is_answering:
            self.cycle.keep_alive = False
        elif last is None or last.response_complete:
            self._write(self._refusal)
        elif self.pipeline or last.response_started:
            self.transport.close()
        else:
            last.disconnected = True
            last.message_event.set()
            self._write(self._refusal)

    @property
    def _last(self) -> RequestResponseCycle | None:
        """The newest request whose head has arrived, and its answer."""
        return self.cycle

    @property
    def _is_answering(self) -> bool:
        """True if the newest request has arrived as a whole, and its answer is due."""
        return self._last is not None and not (self._last.response_complete or self._last.more_body)

    @property
    def _refusal(self) -> Answer:
        if len(self.url) > LONGEST_ADDRESS:
            return ADDRESS_TOO_LONG
        return HEADERS_TOO_LARGE if self._is_in_head and self._arrived > LONGEST_HEAD else MALFORMED

    def _write(self, answer: Answer) -> None:
        self.transport.write(as_bytes(answer))
        self.transport.write_eof()
