"""Send a request to an address that an operator gave, and to nothing inside the operator's network."""

import ipaddress
import socket
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

SECONDS = 10.0  # for the whole exchange
KINDS = {"http": HTTPConnection, "https": HTTPSConnection}
# Addresses of IPv6 that lead to any of IPv4.
TRANSLATED = [ipaddress.ip_network(network) for network in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16")]


class Answer(NamedTuple):
    """The status of an answer, or why there is none. Its body is not read, and no redirect is followed."""

    status: int | None
    error: str = ""

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


class PrivateAddressError(OSError):
    """The address leads into a private network."""


def post(address: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send a body, and return the answer's status. An exchange that takes too long is cut."""
    try:
        parts = urlsplit(address)
        connection = KINDS[parts.scheme](parts.hostname or "", parts.port, timeout=SECONDS)
        return _exchange(connection, parts._replace(scheme="", netloc="").geturl() or "/", headers, body)
    except (OSError, HTTPException, ValueError, KeyError) as error:
        return Answer(None, str(error) or type(error).__name__)


def _exchange(connection: HTTPConnection, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    # The checked address is the one connected to: a second look-up of the name could lead elsewhere.
    connection._create_connection = _connect_checked  # type: ignore[attr-defined]
    limit = Timer(SECONDS, _cut, [connection])
    limit.start()
    try:
        connection.request("POST", path, body, dict(headers))
        status = connection.getresponse().status
    finally:
        limit.cancel()
        connection.close()
    return Answer(status, "" if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES else f"HTTP {status}")


def is_public(address: str) -> bool:
    """Return True if an IP address is one of the internet, where no service of the operator's own network listens."""
    found = ipaddress.ip_address(address.partition("%")[0])
    is_translated = any(found in network for network in TRANSLATED if network.version == found.version)
    return found.is_global and not found.is_multicast and not is_translated


def _connect_checked(address: tuple[str, int], *arguments: object) -> socket.socket:
    host, port = address
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not (settings.PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES or all(is_public(ip) for ip in found)):
        raise PrivateAddressError(
            f"{host} is in a private network, which PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES forbids"
        )
    return socket.create_connection((found[0], port), SECONDS)


def _cut(connection: HTTPConnection) -> None:
    if connection.sock is not None:
        with suppress(OSError):  # closed at this very moment
            connection.sock.shutdown(socket.SHUT_RDWR)
