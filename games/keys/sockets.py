"""Sockets of visitors: who opens one, and its end as soon as the key that opened it is revoked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from django.db import Error

from games.doors.scopes import Scope
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.connection import Connection, open_connections
from games.doors.sockets.connection_limits import counted_for_address, counted_for_player
from games.keys.authentication import NOBODY, REVOKED, revoked_among, visitor_of
from games.players.devices import tell_of_visit
from games.players.models import Player
from games.runtime import descriptors, log_context, socket_metrics
from games.runtime.clock import clock
from games.runtime.outages import tell
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.runtime.shedding import Crowd
from games.runtime.threads import run_in_db_thread
from games.runtime.turns import Turns

KEYS_SECONDS = 60.0
KEYS_TOGETHER = 500

# The sockets whose visitors are being looked up, one after the other on the thread on which games are loaded too.
opening = Crowd("sockets", 2_000)
_turns = PerLoop(lambda: Turns(6, 12, 0.015))  # a thousand who come back at once do not hold up the moves of the others

logger = logging.getLogger(__name__)


class VisitorConnection(Connection):
    """A connection of a visitor, who may be unknown."""

    __slots__ = ("_revoked", "visitor")

    def __init__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        super().__init__(scope, receive, send)
        self.visitor = NOBODY
        self._revoked: bool | None = False  # while the visitor is looked up: has a key been revoked? then None

    async def find_visitor(self) -> Player | None:
        """Find out whose connection this is; again, if keys are revoked while their rows are being read."""
        while True:
            self._revoked = False
            self.visitor = await visitor_of(self.scope)
            if not self._revoked:
                self._revoked = None
                return self.visitor.player

    def require_scope(self, *needed: Scope) -> None:
        """Raise `Closed`, whose reason names the first, for a player whose key has none of these scopes."""
        player = self.visitor.player
        if player is not None and player.scopes.isdisjoint(needed):
            raise Closed(CloseCode.MISSING_SCOPE, reason=f"scope={needed[0]}")

    def forget_visitor(self, player: int, key: str | None) -> None:
        """Have the connection closed if it was opened by a player, by primary key, with a key or with any."""
        if self._revoked is not None:
            self._revoked = True
        elif self.visitor.player is not None and self.visitor.player.pk == player and key in {None, self.visitor.key}:
            self.end(CloseCode.NOT_SIGNED_IN)


async def serve(
    scope: dict[str, Any],
    receive: Any,
    send: Any,
    talk: Callable[[VisitorConnection], Awaitable[None]],
    *needs: Scope,
) -> None:
    """Accept a socket, authenticate it, and converse until either side closes it or the database fails.

    A key has to have one of the scopes that the socket needs, `read` unless others are named.
    """
    await receive()  # websocket.connect; only an accepted socket can be closed with a code of ours
    await send({"type": "websocket.accept"})
    pubsub().subscribe(REVOKED, _end_revoked)
    _key_check().plan()
    log_context.begin(scope, log_context.given_in(scope["headers"]))
    connection = VisitorConnection(scope, receive, send)
    try:
        # The address counts before the visitor is looked up: strangers must not get queries without a limit.
        _require_room()
        with socket_metrics.connections.track_inprogress(), counted_for_address(scope):
            player = await _visitor_of(connection, needs or (Scope.READ,))
            with counted_for_player(player.pk if player else None):
                if player is not None:
                    scope["log_player"] = player.pk
                    await tell_of_visit(player, scope, has_session=connection.visitor.has_session)
                scope["headers"].clear()  # the server keeps them otherwise, as long as the socket is open
                await talk(connection)
    except Exception as error:  # noqa: BLE001  here it is known whose socket it was, in the server no longer
        await _close_after(error, connection)
    except asyncio.CancelledError:
        if connection.ending is None:
            raise  # the server cancels its tasks when it stops
        connection.task.uncancel()  # `end` cancels only to wake the task, which still has to close the socket
        await connection.close(connection.ending)
    finally:
        connection.forget()


async def _close_after(error: Exception, connection: VisitorConnection) -> None:
    if isinstance(error, Closed):
        await connection.close(error.code, error.wait_seconds, error.reason)
    else:
        tell(logger, "sockets", "a socket is closed", error)
        await connection.close(CloseCode.TRY_AGAIN_LATER)


async def _visitor_of(connection: VisitorConnection, needs: tuple[Scope, ...]) -> Player | None:
    with opening:
        await _turns().take()
        player = await connection.find_visitor()
    connection.require_scope(*needs)
    return player


def _require_room() -> None:
    """Raise `Closed` for a new socket that another node would serve better, or this one later."""
    if not clock.is_right or descriptors.must_refuse():
        raise Closed(CloseCode.TRY_AGAIN_LATER)
    if opening.is_full():
        raise Closed(CloseCode.TRY_AGAIN_LATER, opening.seconds_to_turn())


def _end_revoked(notice: dict[str, Any]) -> None:
    for connection in _of_visitors():
        connection.forget_visitor(notice["player"], notice["key"])


class KeyCheck:
    """The repeated check of the keys of an event loop's open sockets.

    A key may have expired, and the notice that it was revoked may have been lost.
    """

    def __init__(self) -> None:
        self._is_planned = False
        self._task: asyncio.Task[None] | None = None

    def plan(self) -> None:
        """Check in a while, unless that is planned already."""
        if not self._is_planned:
            self._is_planned = True
            asyncio.get_running_loop().call_later(KEYS_SECONDS, self._start)

    def _start(self) -> None:
        self._task = asyncio.create_task(self._check())

    async def _check(self) -> None:
        loop = asyncio.get_running_loop()
        mine = [one for one in _of_visitors() if one.task.get_loop() is loop and one.visitor.player is not None]
        try:
            for first in range(0, len(mine), KEYS_TOGETHER):
                some = mine[first : first + KEYS_TOGETHER]
                revoked = await run_in_db_thread(revoked_among, {one.visitor.identity for one in some})
                for one in some:
                    if one.visitor.identity in revoked:
                        one.end(CloseCode.NOT_SIGNED_IN)
        except Error as error:
            tell(logger, "keys", "the keys of open sockets are checked later", error)
        finally:
            self._is_planned = False
            if mine:
                self.plan()


_key_check = PerLoop(KeyCheck)


def _of_visitors() -> list[VisitorConnection]:
    return [connection for connection in open_connections if isinstance(connection, VisitorConnection)]
