"""HTTP for daphne: without this, Twisted receives bodies of any size, and waits as long as bytes drip in."""

from __future__ import annotations

from django.conf import settings
from twisted.web.http import HTTPChannel

from pyramid_server.http import TOO_LARGE

# A chunked body has more bytes on the wire than content; the application refuses content that is too long.
LONGEST_ON_WIRE = 4 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class LimitedChannel(HTTPChannel):  # type: ignore[misc]  # of which mypy sees no type
    """Closes a connection whose next request is too long, or has not arrived in time, head and body, however it drips.

    Its time is `timeOut` of the factory; while a request is answered there is none.
    """

    _length_on_wire = 0
    _is_refused = False

    def resetTimeout(self) -> None:  # noqa: N802  Twisted's name
        """Let the time for the request run on, whatever arrives of it."""

    def allHeadersReceived(self) -> None:  # noqa: N802
        """Refuse a body that is announced as too long before any of it is received."""
        if (self.length or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            self._refuse()
        else:
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        """Receive a part of a body, or refuse it if there has been too much."""
        self._length_on_wire += len(data)
        if not self._is_refused and self._length_on_wire > LONGEST_ON_WIRE:
            self._refuse()
        if not self._is_refused:
            super().rawDataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802
        self._length_on_wire = 0
        super().allContentReceived()

    def _refuse(self) -> None:
        self._is_refused = True
        status, headers, body = TOO_LARGE
        lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode())]
        lines += [b"%s: %s" % header for header in [*headers, (b"content-length", b"%d" % len(body))]]
        self.transport.write(b"\r\n".join([*lines, b"", body]))
        self.loseConnection()
