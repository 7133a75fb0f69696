"""`/ws/races/{id}/`: the room of a race, its countdown, and the progress of the racers; with `play/`, then the game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from msgspec import UNSET
from rest_framework.exceptions import NotAuthenticated, Throttled

from games.doors.refusals import Refusal
from games.doors.rest.errors import body_of
from games.doors.scopes import Scope, require_scope
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Conversation, Handlers
from games.doors.wire import write
from games.keys.sockets import VisitorConnection, serve
from games.play.live.starting import Attempt
from games.play.socket import player_of, talk
from games.players.models import Player
from games.races import acting, rooms, socket_wire
from games.races.feed import NOBODY, RaceFeed, race_feeds
from games.races.reading import KnownRace, know_race
from games.races.refusals import UnknownRace
from games.races.socket_wire import Done, Leave, Ping, Pong, Refused, Rematch, Room, Start
from games.races.wire import Race, Racer
from games.runtime.clock import clock
from games.runtime.threads import run_in_db_thread, run_in_own_thread

# In messages, on top of the one that every message counts for.
COMMAND_COST, REMATCH_COST = 5, 50


def race_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a race. Anyone may watch a public race, members one of their circle, racers their own."""
    return serve(scope, receive, send, _talk_about_race)


def racer_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a racer's own game, which is one on the race until the race begins."""
    return serve(scope, receive, send, _talk_with_racer, Scope.PLAY)


def _talk_about_race(connection: VisitorConnection) -> Awaitable[None]:
    return _converse(connection, RaceSocket(connection, connection.visitor.player))


async def _talk_with_racer(connection: VisitorConnection) -> None:
    waiting = RacerSocket(connection, player_of(connection))
    await _converse(connection, waiting)
    await talk(connection, Attempt(waiting.game.result()))


async def _converse(connection: VisitorConnection, socket: RaceSocket) -> None:
    race_id, feeds = connection.scope["url_route"]["kwargs"]["race_id"], race_feeds()
    follow = partial(feeds.following, race_id, make=partial(RaceFeed, race_id, feeds))
    async with AsyncExitStack() as stack:
        async with follow(NOBODY) as feed:  # keeps it, and tells nothing to somebody who may not watch
            known = await _admitted(socket, feed, race_id)
            await stack.enter_async_context(follow(socket))
        feed.welcome(socket, known)
        await socket.converse()


async def _admitted(socket: RaceSocket, feed: RaceFeed, race_id: str) -> KnownRace:
    """Return the race that a socket may watch. Raises `Closed`."""
    try:
        known = await feed.known_at_last()
        if not socket.may_watch(known):  # someone who joined in another process this moment may
            known = await run_in_own_thread(know_race, race_id, {})
    except UnknownRace:
        raise Closed(CloseCode.NOT_FOUND) from None
    if not socket.may_watch(known):
        raise Closed(CloseCode.NOT_FOUND)
    return known


class RaceSocket(Conversation[socket_wire.ClientMessage]):
    """A watcher of a race, who may also be one of its racers."""

    __slots__ = ("_known", "player")

    refusals = (Refusal, Throttled, NotAuthenticated)
    read = staticmethod(socket_wire.read)

    def __init__(self, connection: VisitorConnection, player: Player | None) -> None:
        super().__init__(connection)
        self.player = player
        self._known: KnownRace

    def may_watch(self, known: KnownRace) -> bool:
        """Return True if the player of this socket may follow the race."""
        return known.may_watch(self.player)

    def post(self, text: str) -> None:
        """Queue a text; a client that reads too slowly gets the whole room instead."""
        self._connection.post(text, self._last_room)

    def post_room(self, known: KnownRace, rows: Mapping[str, Racer]) -> None:
        """Queue the room, or close the connection of someone who may no longer watch it."""
        now = clock.now()
        if not self.may_watch(known):
            self._connection.end(CloseCode.NOT_FOUND)
            return
        self._known = known
        self._connection.post(self._text(now, rows), self._last_room)

    def refused(self, number: int | None, error: Exception) -> Refused:
        body = body_of(error)
        return Refused(number, body["code"], body["message"], body.get("scope", UNSET))

    async def _ping(self, message: Ping) -> None:
        await self.send(Pong(message.id, clock.now()))

    async def _command(self, command: Start | Leave | Rematch) -> None:
        self._connection.charge(COMMAND_COST)
        if self.player is None:
            raise NotAuthenticated
        require_scope(self.player.scopes, Scope.RACES)
        race_id, now = self._known.race.pk, clock.now()
        match command:
            case Start():
                await run_in_db_thread(rooms.start, race_id, self.player, now)
            case Leave():
                await acting.leave(race_id, self.player, now)
            case Rematch():
                self._connection.charge(REMATCH_COST)
                race_id = (await run_in_own_thread(rooms.rematch, race_id, self.player, now)).pk
        await self.send(Done(command.id, race_id))

    def _text(self, now: datetime, rows: Mapping[str, Racer] | None = None) -> str:
        return write(Room(now, Race.of(self._known, self.player, now, rows)))

    def _last_room(self) -> str:
        return self._text(clock.now())

    handlers: ClassVar[Handlers] = {Ping: _ping, Start: _command, Leave: _command, Rematch: _command}


class RacerSocket(RaceSocket):
    """A racer until the race begins: `game` is then the game to play."""

    __slots__ = ("game",)

    def __init__(self, connection: VisitorConnection, player: Player) -> None:
        super().__init__(connection, player)
        self.game: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def may_watch(self, known: KnownRace) -> bool:
        return known.racer_of(self.player) is not None

    def post_room(self, known: KnownRace, rows: Mapping[str, Racer]) -> None:
        """Queue the room, or find out that the game has begun, whose state follows."""
        racer = known.racer_of(self.player)
        if racer is None or racer.game_id is None:
            super().post_room(known, rows)
        elif not self.game.done():
            self.game.set_result(racer.game_id)

    async def _answer_all(self) -> None:
        while await self._connection.has_frame_before(self.game):
            await self._answer(await self._connection.next_frame())
