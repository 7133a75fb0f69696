"""`/ws/runs/{id}/`: a streak or a storm, without a request for each removal."""

from __future__ import annotations

from asyncio import wrap_future
from collections.abc import Awaitable
from typing import Any, ClassVar

from games.doors.refusals import message_of
from games.doors.scopes import Scope
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Conversation, Handlers
from games.keys.sockets import VisitorConnection, serve
from games.players.models import Player
from games.puzzles import socket_wire
from games.puzzles.live import judge_soon
from games.puzzles.refusals import RunOver, StalePuzzle, UnknownRun
from games.puzzles.runs import give_up_run, read_run
from games.puzzles.socket_wire import End, Judged, Look, Ping, Pong, Refused, Remove, Shown
from games.puzzles.wire import Run
from games.runtime.clock import clock
from games.runtime.threads import run_in_db_thread


def run_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a run of the player who opens it."""
    return serve(scope, receive, send, _talk_about_run, Scope.PLAY)


async def _talk_about_run(connection: VisitorConnection) -> None:
    player = connection.visitor.player
    if player is None:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    try:
        await RunSocket(connection, player).converse()
    except UnknownRun:
        raise Closed(CloseCode.NOT_FOUND) from None


class RunSocket(Conversation[socket_wire.ClientMessage]):
    """A connection of the player of a run, of which there may be several."""

    __slots__ = ("_player", "_run_id")

    read = staticmethod(socket_wire.read)

    def __init__(self, connection: VisitorConnection, player: Player) -> None:
        super().__init__(connection)
        self._player = player
        self._run_id: str = connection.scope["url_route"]["kwargs"]["run_id"]

    async def greet(self) -> None:
        """Send how the run stands. Raises `UnknownRun`."""
        await self.send(Shown(None, await run_in_db_thread(self._shown)))

    def refused(self, number: int | None, error: Exception) -> Refused:
        return Refused(number, error.code, message_of(error))  # type: ignore[attr-defined]  # refusals have one

    async def refuse(self, number: int | None, error: Exception) -> None:
        await super().refuse(number, error)
        if isinstance(error, (StalePuzzle, RunOver)):  # spares the client a `look`
            await self.greet()

    async def _remove(self, message: Remove) -> None:
        step = await wrap_future(judge_soon(self._player, self._run_id, message.number, message.moves))
        await self.send(Judged(message.id, step.state, step.mistake, step.run))

    async def _look(self, message: Look) -> None:
        await self.send(Shown(message.id, await run_in_db_thread(self._shown)))

    async def _end(self, message: End) -> None:
        await self.send(Shown(message.id, await run_in_db_thread(self._ended)))

    async def _ping(self, message: Ping) -> None:
        await self.send(Pong(message.id, clock.now()))

    def _shown(self) -> Run:
        now = clock.now()
        return Run.of(read_run(self._player, self._run_id, now), now)

    def _ended(self) -> Run:
        now = clock.now()
        return Run.of(give_up_run(self._player, self._run_id, now), now)

    handlers: ClassVar[Handlers] = {Remove: _remove, Look: _look, End: _end, Ping: _ping}
