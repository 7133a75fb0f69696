from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host


class KnownOrigin:
    """Rejects sockets opened by pages of other sites, because the browser would send our session cookie along.

    Clients other than browsers send no Origin header and may connect; they have no cookie to steal.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        chosen: Callable[..., Awaitable[None]] = self.application if is_known(headers) else WebsocketDenier.as_asgi()
        return chosen(scope, receive, send)


def is_known(headers: dict[bytes, str]) -> bool:
    """Return True if a handshake comes to one of our host names, and from our own pages or a trusted origin."""
    host = headers.get(b"host", "")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    origin = headers.get(b"origin")
    ours = (None, f"http://{host}", f"https://{host}")
    return origin in ours or origin in settings.CSRF_TRUSTED_ORIGINS
