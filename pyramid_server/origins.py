"""Sockets opened by pages of other sites: they come with a token or a ticket, and never with our cookies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host


class KnownOrigin:
    """Takes the cookies from sockets of other sites' pages, because a browser sends them with any page's requests.

    Such a page needs a token or a ticket. Clients other than browsers send no Origin header; they have no cookie to
    steal. A handshake for a host that is not ours is refused.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        if not may_use_cookies(headers):
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        chosen: Callable[..., Awaitable[None]] = self.application if is_ours(headers) else WebsocketDenier.as_asgi()
        return chosen(scope, receive, send)


def is_ours(headers: dict[bytes, str]) -> bool:
    return validate_host(split_domain_port(headers.get(b"host", ""))[0], settings.ALLOWED_HOSTS)


def may_use_cookies(headers: dict[bytes, str]) -> bool:
    """Return True if a handshake comes from our own pages, from a trusted origin, or from no browser."""
    host, origin = headers.get(b"host", ""), headers.get(b"origin")
    return origin in (None, f"http://{host}", f"https://{host}") or origin in settings.CSRF_TRUSTED_ORIGINS
