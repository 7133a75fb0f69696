"""The skeleton of every conversation on a socket: each message is read, and then answered or refused."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from django.db import DatabaseError

from games.doors.refusals import BadMessage, MessageTooLarge, Refusal, Unavailable, message_of
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.connection import Connection
from games.doors.sockets.pings import Ping, Refused, read
from games.doors.wire import read_id, write
from games.runtime.outages import failure_of, tell

M = TypeVar("M", bound=msgspec.Struct)
Handlers = dict[type[msgspec.Struct], Callable[[Any, Any], Awaitable[None]]]

logger = logging.getLogger(__name__)


class Conversation(ABC, Generic[M]):
    """A conversation with a client whose messages are `M`: one handler for each of their types.

    `refusals` are the errors of handlers that are sent to the client; `when_unavailable` is what to do if the database
    fails.
    """

    __slots__ = ("_connection",)

    handlers: ClassVar[Handlers]
    refusals: ClassVar[tuple[type[Exception], ...]] = (Refusal,)
    refusal_cost: ClassVar[float] = 0  # in messages, on top of the one that every message counts for
    when_unavailable: ClassVar[str] = "send it again"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @abstractmethod
    def read(self, frame: str) -> M:
        """Read a message. Raises `BadMessage`."""

    @abstractmethod
    def refused(self, number: int | None, error: Exception) -> msgspec.Struct:
        """Return the message that refuses the client's message with a number."""

    async def greet(self) -> None:
        """Send what a client gets first."""

    async def converse(self) -> None:
        """Greet the client, then answer until either side closes. Raises `Closed`."""
        try:
            await self.greet()
            await self._answer_all()
        except Closed as closed:
            if closed.code is CloseCode.MESSAGE_TOO_LARGE:
                await self.refuse(None, MessageTooLarge(f"a message has at most {self._connection.longest} bytes"))
            raise

    async def refuse(self, number: int | None, error: Exception) -> None:
        await self.send(self.refused(number, error))

    def send(self, message: msgspec.Struct) -> Awaitable[None]:
        """Send a message after all posted ones; waits while the client does not read."""
        return self._connection.tell(write(message))

    def read_text(self, frame: str | None) -> M:
        """Read a text frame; None stands for a binary one. Raises `BadMessage`."""
        if frame is None:
            raise BadMessage("binary frames are not supported; send JSON as text")
        return self.read(frame)

    async def _answer_all(self) -> None:
        while True:
            await self._answer(await self._connection.next_frame())

    async def _answer(self, frame: str | None) -> None:
        try:
            message = self.read_text(frame)
            await self.handlers[type(message)](self, message)
        except self.refusals as error:
            self._connection.charge(self.refusal_cost)
            await self.refuse(read_id(frame), error)
        except DatabaseError as error:
            tell(logger, "sockets", "a message is refused", error)
            await self.refuse(read_id(frame), Unavailable(f"{failure_of(error)}; {self.when_unavailable}"))


class Updates(Conversation[Ping]):
    """A conversation in which a task sends updates, while the client may only ping."""

    __slots__ = ()

    read = staticmethod(read)

    @abstractmethod
    async def send_updates(self) -> None:
        """Send updates until the task is cancelled."""

    async def converse(self) -> None:
        await self.greet()
        updates = asyncio.create_task(self.send_updates())
        updates.add_done_callback(self._end_without_updates)
        try:
            while True:
                await self._answer(await self._connection.next_frame())
        finally:
            updates.cancel()
            await asyncio.gather(updates, return_exceptions=True)

    def _end_without_updates(self, updates: asyncio.Task[None]) -> None:
        error = None if updates.cancelled() else updates.exception()
        if error is not None and not isinstance(error, Closed):
            logger.error("a socket gets no more updates", exc_info=error)
            self._connection.end(CloseCode.TRY_AGAIN_LATER)

    def refused(self, number: int | None, error: Exception) -> Refused:
        return Refused("bad_message", message_of(error))

    def read_text(self, frame: str | None) -> Ping:
        return self.read(frame or "")
