"""The request or socket that a log line belongs to."""

import re
from collections.abc import Iterable
from contextvars import ContextVar
from random import getrandbits
from typing import Any

from django.http import HttpRequest
from django.utils.functional import LazyObject

REQUEST_ID = re.compile("[A-Za-z0-9._-]{8,64}")
HEADER = "X-Request-ID"

_subject: ContextVar[HttpRequest | dict[str, Any] | None] = ContextVar("subject_of_log", default=None)
_request_id: ContextVar[str] = ContextVar("request_id", default="")


def begin(subject: HttpRequest | dict[str, Any], given: str) -> str:
    """Attribute the log lines of this context to a request, or to its scope, and return its identifier.

    It is the one that a proxy sent, if that is plain text, or else a new one.
    """
    # A new one need not be a secret, so it may be had without a system call.
    identifier = given if REQUEST_ID.fullmatch(given) else f"{getrandbits(128):032x}"
    _request_id.set(identifier)
    _subject.set(subject)
    return identifier


def given_in(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the identifier that the headers of a handshake give, empty if they give none."""
    name = HEADER.lower().encode()
    return next((value.decode("latin1") for key, value in headers if key == name), "")


def fields() -> dict[str, object]:
    """Return the identifiers of the request, its player and its game, as far as they are known. Reads no database."""
    subject = _subject.get()
    if subject is None:
        return {}
    if isinstance(subject, HttpRequest):
        found = _of_request(subject)
    else:
        found = {name: subject.get(name) for name in ("method", "route")}
        found |= {"player": subject.get("log_player"), "game": subject["url_route"]["kwargs"].get("game_id")}
    known = {"request": _request_id.get(), **found}
    return {name: value for name, value in known.items() if value}


def route_of(request: HttpRequest) -> str:
    """Return the pattern of a request's address, which has none of its values; empty if there is none."""
    return request.resolver_match.route if request.resolver_match else ""


def _of_request(request: HttpRequest) -> dict[str, object]:
    # `user` is lazy unless a sign-in or REST framework put a player in its place; what a session found is cached.
    users = (request.__dict__.get(name) for name in ("user", "_cached_user"))
    match = request.resolver_match
    return {
        "method": request.method,
        "route": route_of(request),
        "player": next((user.pk for user in users if not isinstance(user, LazyObject | None) and user.pk), None),
        "game": match.kwargs.get("game_id") if match else None,
    }
