"""Requests and sockets that this node must not serve and another can: refused before anything of them has begun."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from http import HTTPStatus
from typing import Any

from django.conf import settings

from games.doors.refusals import Unavailable
from games.runtime.clock import clock
from games.runtime.descriptors import must_refuse
from pyramid_server.middleware import METRICS
from pyramid_server.oversized import Answer, refused

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

UNKNOWN_CLOCK = "the clock of this server is not compared yet; try again in a moment"
WRONG_CLOCK = "the clock of this server is wrong; try again, another may serve you"
NO_ROOM = "this server has no room for more connections; try again"
DENIAL = "websocket.http.response"  # what a server has to be able to send


def left_to_another(scope: dict[str, Any]) -> Answer | None:
    """Return the answer to a request or a handshake if this node cannot serve any, else None."""
    has_proxy = settings.BEHIND_TLS_PROXY
    if not clock.is_right and scope["path"] != METRICS:  # they show how wrong the clock is
        return _refused(WRONG_CLOCK if clock.is_known else UNKNOWN_CLOCK, has_proxy)
    return _refused(NO_ROOM, has_proxy) if must_refuse() else None


@cache
def _refused(reason: str, has_proxy: bool) -> Answer:
    # On this status alone nginx.conf.template asks another node, whatever the method: a 503 may come from what has
    # begun, and would be begun twice. Without a proxy it would mean nothing to a client.
    status = HTTPStatus.BAD_GATEWAY if has_proxy else HTTPStatus.SERVICE_UNAVAILABLE
    return refused(Unavailable(reason), status)


def sockets_left_to_another(application: Application) -> Application:
    """Refuse handshakes that this node cannot serve, where the server can: otherwise the socket is closed with a code.

    An accepted socket would stay with this node, which has the fewest of them and so gets every new one.
    """

    async def serve(scope: dict[str, Any], receive: Any, send: Any) -> None:
        answer = left_to_another(scope) if DENIAL in scope.get("extensions", ()) else None
        if answer is None:
            await application(scope, receive, send)
            return
        await receive()
        status, headers, body = answer
        await send({"type": f"{DENIAL}.start", "status": int(status), "headers": headers})
        await send({"type": f"{DENIAL}.body", "body": body})

    return serve
