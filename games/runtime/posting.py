"""Send a request to an address that a stranger or an operator gave, and to nothing inside the server's own network."""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Timer
from time import monotonic
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

SECONDS = 10.0  # for the whole exchange

# What is in use of IPv6. Outside are loopback, link-local and site-local addresses, segment identifiers, and whatever
# embeds an address of IPv4: mapped, compatible, translated, NAT64.
UNICAST = IPv6Network("2000::/3")
# Parts of it, and of IPv4, that lead elsewhere and that not every version of Python knows: 6to4, Teredo, identifiers
# that no router knows (ORCHID), documentation.
LEADING_ELSEWHERE = [
    ip_network(text) for text in ("192.88.99.0/24", "2002::/16", "2001::/32", "2001:20::/28", "3fff::/20")
]


class Answer(NamedTuple):
    """The status of an answer, or why there is none. Its body is read if that was asked for; no redirect is followed.

    `may_be_sent` is False if the other side cannot have received the request, and `is_private` True if the address
    leads into a private network, which was not allowed.
    """

    status: int | None
    error: str = ""
    may_be_sent: bool = True
    retry_after: str = ""
    is_private: bool = False
    body: bytes = b""

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


class PrivateAddressError(OSError):
    """The address leads into a private network."""


def post(
    address: str, headers: Mapping[str, str], body: bytes, *, to_private: bool = False, most_bytes: int = 0
) -> Answer:
    """Send a body, and return the answer; `to_private` allows addresses of private networks.

    Of the answer's body at most so many bytes are read; a longer one is an error.

    An exchange that takes too long is cut. Only the look-up of a name cannot be; it leaves less time to the rest.
    """
    exchange = _Exchange(to_private=to_private, most_bytes=most_bytes, seconds=SECONDS)
    return _exchanged(address, exchange, headers, body)


def get(address: str, *, to_private: bool, most_bytes: int, seconds: float) -> Answer:
    """Read what is at an address, as `post` sends to one, within some seconds."""
    exchange = _Exchange(to_private=to_private, most_bytes=most_bytes, seconds=seconds)
    return _exchanged(address, exchange, {"Accept": "application/json"}, None)


def _exchanged(address: str, exchange: "_Exchange", headers: Mapping[str, str], body: bytes | None) -> Answer:
    try:
        parts = urlsplit(address)
        connection = _connection(parts)
        path = parts._replace(scheme="", netloc="", fragment="").geturl()
        return exchange.run(connection, path if path.startswith("/") else f"/{path}", headers, body)
    except (OSError, HTTPException, ValueError) as error:
        is_private = isinstance(error, PrivateAddressError)
        return Answer(None, printable(str(error)) or type(error).__name__, exchange.may_be_sent, is_private=is_private)


def is_public(address: str) -> bool:
    """Return True if an IP address is one of the internet, where no service of the server's own network listens."""
    found = ip_address(address.partition("%")[0])
    leads_elsewhere = any(found in network for network in LEADING_ELSEWHERE)
    return found.is_global and not found.is_multicast and not leads_elsewhere and _is_in_use(found)


def leads_inside(address: str) -> bool:
    """Return True if an address is one of the server's own network and says so: as a number, or as localhost."""
    host = urlsplit(address).hostname or ""
    try:
        return not is_public(host)
    except ValueError:
        return host == "localhost"


def printable(error: str) -> str:
    """Return an error, which may quote the other side, without what no database stores and no terminal should get."""
    return "".join(char if char.isprintable() else "?" for char in error.strip())


def _connection(parts: SplitResult) -> HTTPConnection:
    """Return a connection to the host of an address, not open yet. Raises ValueError."""
    host, port = parts.hostname or "", parts.port
    if "@" in parts.netloc:
        raise ValueError("a name and a password in an address are not sent")
    if parts.scheme == "https":
        return HTTPSConnection(host, port, timeout=SECONDS, context=_tls())
    if parts.scheme == "http":
        return HTTPConnection(host, port, timeout=SECONDS)
    raise ValueError(f"{parts.scheme!r} is neither http nor https")


@cache
def _tls() -> ssl.SSLContext:
    """Return what all connections share: to read the certificates of authorities takes longer than an exchange."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _is_in_use(address: IPv4Address | IPv6Address) -> bool:
    return isinstance(address, IPv4Address) or address in UNICAST


class _Exchange:
    """One request, in a limited time, to the address that was checked."""

    def __init__(self, *, to_private: bool, most_bytes: int, seconds: float) -> None:
        self.may_be_sent = False
        self._most_bytes = most_bytes
        self._to_private = to_private
        self._seconds = seconds
        self._ends_at = monotonic() + seconds
        self._line: socket.socket | None = None

    def run(self, connection: HTTPConnection, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        """Send a body, or ask for what is there if there is none."""
        # A second look-up of the name could lead elsewhere. TLS and the header `Host` still have the name.
        connection._create_connection = self._connect  # type: ignore[attr-defined]
        with self._cut_in_time():
            try:
                connection.connect()
                self.may_be_sent = True
                connection.request("GET" if body is None else "POST", path, body, dict(headers))
                with connection.getresponse() as response:
                    status, later = response.status, response.headers.get("Retry-After", "")
                    data = self._read(response)
            finally:
                connection.close()
        error = "" if Answer(status).is_accepted else f"HTTP {status}"
        return Answer(status, error, retry_after=later, body=data)

    def _read(self, response: HTTPResponse) -> bytes:
        data = response.read(self._most_bytes + 1) if self._most_bytes else b""
        if len(data) > self._most_bytes:
            raise ValueError(f"the answer has more than {self._most_bytes} bytes")
        return data

    def _connect(self, address: tuple[str, int], *arguments: object) -> socket.socket:
        """Connect to the first of a name's addresses that can be reached, if all of them are allowed."""
        host, port = address
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        if not self._to_private and not all(is_public(str(info[4][0])) for info in found):
            raise PrivateAddressError(f"{host} is in a private network")
        failed: OSError = TimeoutError("the name was looked up for too long")
        for family, kind, protocol, _, place in found:
            if (left := self._ends_at - monotonic()) <= 0:
                break
            line = socket.socket(family, kind, protocol)
            try:
                line.settimeout(left)
                line.connect(place)
            except OSError as error:
                line.close()
                failed = error
            else:
                self._line = line.dup()  # TLS takes the socket over
                return line
        raise failed

    @contextmanager
    def _cut_in_time(self) -> Iterator[None]:
        timer = Timer(self._seconds, self._cut)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            if self._line is not None:
                self._line.close()

    def _cut(self) -> None:
        if self._line is not None:
            with suppress(OSError):  # closed at this very moment
                self._line.shutdown(socket.SHUT_RDWR)
