"""Handshakes of sockets: which of them may use our cookies, and the language of the socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils.translation import activate, get_language_from_request

MOST_HOSTS = 100  # that are known, ours or not

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


def with_known_origin(application: Application) -> Application:
    """Take the cookies from sockets of other sites' pages, because a browser sends them with any page's requests.

    Such a page needs a token or a ticket. Clients other than browsers send no Origin header; they have no cookie to
    steal. A handshake for a host that is not ours is refused.
    """

    def serve(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        if not may_use_cookies(headers):
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        chosen: Application = application if is_ours(headers) else WebsocketDenier.as_asgi()
        return chosen(scope, receive, send)

    return serve


def in_readers_language(application: Application) -> Application:
    """Serve each socket in the language that its handshake asks for, chosen as for a request."""

    async def serve(scope: dict[str, Any], receive: Any, send: Any) -> None:
        activate(language_of(scope))  # for this task and what it starts
        await application(scope, receive, send)

    return serve


def is_ours(headers: dict[bytes, str]) -> bool:
    return _is_allowed(headers.get(b"host", ""), tuple(settings.ALLOWED_HOSTS))


@lru_cache(MOST_HOSTS)
def _is_allowed(host: str, allowed: Sequence[str]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)


def may_use_cookies(headers: dict[bytes, str]) -> bool:
    """Return True if a handshake comes from our own pages, from a trusted origin, or from no browser."""
    host, origin = headers.get(b"host", ""), headers.get(b"origin")
    return origin in (None, f"http://{host}", f"https://{host}") or origin in settings.CSRF_TRUSTED_ORIGINS


class _Asked(NamedTuple):
    """All of a request that its language depends on: to make a request takes longer than to read a handshake."""

    COOKIES: dict[str, str]
    META: dict[str, str]


def language_of(scope: dict[str, Any]) -> str:
    """Return the language for a connection, one of `LANGUAGES`."""
    headers = dict(scope["headers"])
    cookies, accepted = (headers.get(name, b"").decode("latin1") for name in (b"cookie", b"accept-language"))
    asked = _Asked(parse_cookie(cookies) if cookies else {}, {"HTTP_ACCEPT_LANGUAGE": accepted})
    return get_language_from_request(cast(HttpRequest, asked))
