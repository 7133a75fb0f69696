"""Who opens a socket: the holder of a bearer token or of a ticket, or the user of a browser session."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest, parse_cookie

from games.services.players import ticket_holder, token_holder


def user_of(scope: dict[str, Any]) -> AbstractBaseUser | AnonymousUser:
    """Return who opens a socket: with a wrong token or ticket nobody, also where there is a session."""
    if (token := _bearer_token(scope)) is not None:
        return token_holder(token) or AnonymousUser()
    if (ticket := _ticket(scope)) is not None:
        return ticket_holder(ticket) or AnonymousUser()
    return _session_user(scope)


def _session_user(scope: dict[str, Any]) -> AbstractBaseUser | AnonymousUser:
    cookies = parse_cookie(_header(scope, b"cookie") or "")
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return get_user(request)


def _bearer_token(scope: dict[str, Any]) -> str | None:
    header = _header(scope, b"authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _ticket(scope: dict[str, Any]) -> str | None:
    tickets = parse_qs(scope["query_string"].decode("latin1")).get("ticket")
    return tickets[0] if tickets else None


def _header(scope: dict[str, Any], wanted: bytes) -> str | None:
    for name, value in scope["headers"]:
        if name == wanted:
            text: str = value.decode("latin1")
            return text
    return None
