"""`/ws/races/{id}/`: the room of a race, its countdown, and the progress of the racers."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Any

from django.db import DatabaseError
from rest_framework.exceptions import NotAuthenticated, Throttled

from games import race_wire
from games.errors import UnknownRace
from games.kit.errors import BadMessage, MessageTooLarge, Refusal, Unavailable
from games.kit.rest.errors import body_of
from games.kit.sockets.close_codes import CloseCode, Closed
from games.kit.sockets.connection import Connection, serve
from games.kit.threads import run_in_db_thread, run_in_own_thread
from games.kit.wire import read_id, write
from games.models import Player
from games.playing import races
from games.playing.race_feed import race_feeds
from games.race_wire import Done, Leave, Ping, Pong, Race, Refused, Rematch, Room, Start
from games.services.races import rooms
from games.services.races.reading import KnownRace, know_race

# In messages, on top of the one that every message counts for.
COMMAND_COST, REMATCH_COST = 5, 50


def race_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a race. Anyone may watch a public race; a race by invite is for its racers only."""
    return serve(scope, receive, send, _talk_about_race)


async def _talk_about_race(connection: Connection) -> None:
    race_id, player = connection.scope["url_route"]["kwargs"]["race_id"], connection.visitor.player
    socket, feeds = RaceSocket(connection, player), race_feeds()
    try:
        known = await feeds.known(race_id)
        if not socket.may_watch(known):  # someone who joined in another process this moment may
            known = await run_in_own_thread(know_race, race_id, {})
    except UnknownRace:
        raise Closed(CloseCode.NOT_FOUND) from None
    if not socket.may_watch(known):
        raise Closed(CloseCode.NOT_FOUND)
    async with feeds.watching(known, socket):
        await socket.run(race_id)


class RaceSocket:
    """A watcher of a race, who may also be one of its racers."""

    def __init__(self, connection: Connection, player: Player | None) -> None:
        self._connection, self._player = connection, player
        self._known: KnownRace

    def may_watch(self, known: KnownRace) -> bool:
        """Return True for racers, and for everyone if the race is public."""
        return known.race.is_public or known.racer_of(self._player) is not None

    def post(self, text: str) -> None:
        """Queue a text; a client that reads too slowly gets the whole room instead."""
        self._connection.post(text, self._last_room)

    def post_room(self, known: KnownRace) -> None:
        """Queue the room, or close the connection of someone who may no longer watch it."""
        now = datetime.now(UTC)
        if not self.may_watch(known):
            self._connection.end(CloseCode.NOT_FOUND)
            return
        self._known = known
        self._connection.post(self._text(now), self._last_room)

    async def run(self, race_id: str) -> None:
        """Answer until either side closes. Raises `Closed`."""
        try:
            while True:
                await self._answer(race_id, await self._connection.next_frame())
        except Closed as closed:
            if closed.code is CloseCode.MESSAGE_TOO_LARGE:
                await self._refuse(None, MessageTooLarge("a message is shorter; docs/live-protocol.md says how long"))
            raise

    async def _answer(self, race_id: str, frame: str | None) -> None:
        try:
            if frame is None:
                raise BadMessage("binary frames are not supported; send JSON as text")
            await self._carry_out(race_id, race_wire.read(frame))
        except (Refusal, Throttled, NotAuthenticated) as error:
            await self._refuse(read_id(frame), error)
        except DatabaseError:
            await self._refuse(read_id(frame), Unavailable("the database does not answer; send it again"))

    async def _carry_out(self, race_id: str, message: race_wire.ClientMessage) -> None:
        now = datetime.now(UTC)
        if isinstance(message, Ping):
            await self._tell(Pong(message.id, now))
            return
        self._connection.charge(COMMAND_COST)
        if self._player is None:
            raise NotAuthenticated
        match message:
            case Start():
                await run_in_db_thread(rooms.start, race_id, self._player, now)
            case Leave():
                await races.leave(race_id, self._player, now)
            case Rematch():
                self._connection.charge(REMATCH_COST)
                race_id = (await run_in_own_thread(rooms.rematch, race_id, self._player, now)).pk
        await self._tell(Done(message.id, race_id))

    def _text(self, now: datetime) -> str:
        return write(Room(now, Race.of(self._known, self._player, now)))

    def _last_room(self) -> str:
        return self._text(datetime.now(UTC))

    async def _refuse(self, number: int | None, error: Exception) -> None:
        told = body_of(error)
        await self._tell(Refused(number, told["code"], told["message"]))

    async def _tell(self, message: race_wire.ServerMessage) -> None:
        await self._connection.tell(write(message))
