"""Who opens a socket: the holder of a bearer token or of a ticket, or the user of a browser session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser

from games.services.players import ticket_holder, token_holder

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class Authenticate:
    """Set `scope["user"]`. A wrong token or ticket makes the user anonymous; it never falls back to the session."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._with_session_user: Application = AuthMiddlewareStack(application)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if (token := _bearer_token(scope)) is not None:
            user = await database_sync_to_async(token_holder)(token)
        elif (ticket := _ticket(scope)) is not None:
            user = await database_sync_to_async(ticket_holder)(ticket)
        else:
            return await self._with_session_user(scope, receive, send)
        scope["user"] = user or AnonymousUser()
        return await self._application(scope, receive, send)


def _bearer_token(scope: dict[str, Any]) -> str | None:
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return None


def _ticket(scope: dict[str, Any]) -> str | None:
    tickets = parse_qs(scope["query_string"].decode("latin1")).get("ticket")
    return tickets[0] if tickets else None
