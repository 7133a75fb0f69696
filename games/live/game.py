"""What a player's and a watcher's socket have in common: read a message, carry it out, or say why not."""

from __future__ import annotations

from abc import ABC, abstractmethod

from django.db import DatabaseError

from games.errors import BadMessage, MessageTooLarge, Refusal, Unavailable
from games.live import messages
from games.live.closing import CloseCode, Closed
from games.live.connection import Connection
from games.rules import RulesError
from games.session import Session


class GameSocket(ABC):
    """A connection to a game.

    `_session` is None while it may differ from the database and has to be loaded before it is used again.
    """

    def __init__(self, connection: Connection, game: str) -> None:
        self._connection = connection
        self._game = game
        self._session: Session | None = None

    @abstractmethod
    async def run(self) -> None:
        """Send the state, then answer until one side closes. Raises `Closed`."""

    @abstractmethod
    async def _carry_out(self, message: messages.ClientMessage) -> None: ...

    @abstractmethod
    async def _tell_state(self) -> None: ...

    async def _converse(self) -> None:
        while True:
            try:
                frame = await self._connection.next_frame()
            except Closed as closed:
                if closed.code is CloseCode.MESSAGE_TOO_LARGE:
                    await self._refuse(
                        None, MessageTooLarge("a message is shorter; docs/live-protocol.md says how long")
                    )
                raise
            await self._answer(frame)

    async def _answer(self, frame: str | None) -> None:
        try:
            await self._carry_out_or_refuse(frame)
        except DatabaseError:
            self._session = None
            error = Unavailable("the database does not answer; if you send it again, it is not counted twice")
            await self._refuse(messages.read_id(frame), error)

    async def _carry_out_or_refuse(self, frame: str | None) -> None:
        before = self._session
        try:
            if frame is None:
                raise BadMessage("binary frames are not understood; send JSON text")
            await self._carry_out(messages.read(frame))
        except (Refusal, RulesError) as error:
            await self._refuse(messages.read_id(frame), error)
            if self._session is not before:
                await self._tell_state()

    async def _refuse(self, number: int | None, error: Refusal | RulesError) -> None:
        version = self._session.play.version if self._session else None
        await self._tell(messages.Refused(number, error.code, str(error), version))

    async def _tell(self, message: messages.ServerMessage) -> None:
        await self._connection.tell(messages.write(message))
