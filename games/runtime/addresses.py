"""The network address of a client: the one place that decides which of the addresses in a request to trust.

Limits are kept by what one subscriber gets: an IPv4 address, or the /64 of an IPv6 address.
"""

import logging
from functools import cache, lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

SUBSCRIBER_BITS = 64
SITE_BITS = 48
UNKNOWN = "unknown"

logger = logging.getLogger(__name__)


def address_of_request(request: HttpRequest) -> str:
    """Return where a request comes from, as text."""
    return _address(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def address_of_scope(scope: dict[str, Any]) -> str:
    """Return where a socket comes from, as text."""
    client = scope.get("client")
    forwarded = [value.decode("latin1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return _address(client[0] if client else "", ",".join(forwarded))


def _address(peer: str, forwarded: str) -> str:
    """Return the address that the outermost of our own proxies gives, or without a proxy that of the connection.

    Each proxy appends the address that it was called from; what stands before those was written by the client.
    """
    if settings.BEHIND_TLS_PROXY:
        named = forwarded.split(",")[-settings.PYRAMID_PROXY_HOPS :]
        if (address := subscriber(named[0])) is not None:
            return address
        _warn_once()
    return subscriber(peer) or UNKNOWN


@lru_cache(4096)
def subscriber(text: str) -> str | None:
    """Return an address without its port, of IPv6 the network of one subscriber; None if it is not an address."""
    try:
        address = ip_address(_without_port(text.strip()))
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((int(address), SUBSCRIBER_BITS), strict=False))


@lru_cache(4096)
def site_of(identity: str) -> str | None:
    """Return the /48 around the network of an IPv6 subscriber, which may all be one customer's; None for all others."""
    if not identity.endswith(f"/{SUBSCRIBER_BITS}"):
        return None
    try:
        return str(IPv6Network(identity).supernet(new_prefix=SITE_BITS))
    except ValueError:
        return None


def _without_port(text: str) -> str:
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    return text.partition("%")[0]  # of a link


@cache
def _warn_once() -> None:
    logger.warning(
        "the proxy names no client address in X-Forwarded-For: limits by address count all clients as one"
        " (docs/several-nodes.md shows what a proxy has to send)"
    )
