"""The language of an answer: the one chosen on the settings page, or else the one that the browser asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, parse_cookie
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate, get_language_from_request, override

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def readers_language(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language. Other than Django's, it varies by the cookie and leaves none behind."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        language = get_language_from_request(request)
        with override(language):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware


class SocketsLanguage:
    """An application for sockets, each in the language that its handshake asks for, chosen as for a request."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        activate(language_of(scope))  # for this task and what it starts
        await self._application(scope, receive, send)


def language_of(scope: dict[str, Any]) -> str:
    """Return the language for a connection, one of `LANGUAGES`."""
    headers = dict(scope["headers"])
    request = HttpRequest()
    request.COOKIES = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin1")
    return get_language_from_request(request)
