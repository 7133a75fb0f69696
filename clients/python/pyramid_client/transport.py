"""Both clients' way to HTTP, and what it means when a step fails."""

from __future__ import annotations

from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from pyramid_client.errors import PyramidError, Unreachable
from pyramid_client.steps import Answer, Fetch, Lost

SECONDS = 60.0  # for an answer
CONNECT_OPTIONS: dict[str, Any] = {"open_timeout": 10, "close_timeout": 2, "ping_interval": 20, "ping_timeout": 20}
BROKEN = (ConnectionClosed, InvalidHandshake, HTTPException, OSError, EOFError)


class _StayHere(HTTPRedirectHandler):
    """Follow no redirect: the token is for this server alone."""

    def redirect_request(self, *_: object) -> None:
        return None


_opener = build_opener(_StayHere)


def checked(server: str) -> str:
    """Return the address of a server without a slash at its end. Raises `PyramidError`."""
    if not server.startswith(("http://", "https://")):
        raise PyramidError(f"{server!r} is not the address of a server, such as https://example.org")
    return server.rstrip("/")


def headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def fetch(step: Fetch) -> Answer:
    """Send a request. Raises one of `BROKEN`."""
    request = Request(step.address, step.body, step.headers, method=step.method)  # noqa: S310  checked before
    try:
        with _opener.open(request, timeout=SECONDS) as answer:
            return Answer(answer.status, answer.read(), None)
    except HTTPError as refusal:
        with refusal:
            return Answer(refusal.code, refusal.read(), refusal.headers.get("Retry-After"))


def meaning(error: Exception) -> Exception:
    """Return what a failed step means to the conversation."""
    if isinstance(error, ConnectionClosed):
        return Lost(error.rcvd.code, error.rcvd.reason) if error.rcvd else Lost()
    if isinstance(error, InvalidStatus) and error.response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        return Unreachable(f"the server refuses the connection with HTTP {error.response.status_code}")
    return Lost(reason=str(error))
