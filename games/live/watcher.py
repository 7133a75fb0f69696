"""A watcher's socket: the same stream as the player's, without a say in it."""

from __future__ import annotations

import asyncio

from django.db import DatabaseError
from django.utils import timezone

from games.errors import NotYours
from games.live import answers, messages
from games.live.closing import CloseCode
from games.live.connection import Connection
from games.live.feed import Feed, Shown
from games.live.game import GameSocket
from games.live.hub import Hub
from games.services.attempts import find_game, session_to_watch
from games.session import Session
from games.threads import in_shared_thread


class WatcherSocket(GameSocket):
    """Watches."""

    def __init__(self, connection: Connection, hub: Hub, game: str) -> None:
        super().__init__(connection, game)
        self._hub = hub

    async def run(self) -> None:
        """Send the state and whatever follows, and answer `sync` and `ping`. Raises `Closed`."""
        async with self._hub.watching(self._game) as feed:
            number, known = feed.count, await feed.state()
            telling = asyncio.create_task(self._tell_until_database_fails(feed, number, known))
            try:
                await self._converse()
            finally:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)

    async def _tell_until_database_fails(self, feed: Feed, number: int, known: Shown) -> None:
        try:
            while True:
                await self._connection.tell(known.text)
                await self._tell_news(feed, number, known)
                number, known = feed.count, await feed.state()
        except DatabaseError:
            self._connection.end(CloseCode.TRY_AGAIN_LATER)

    async def _tell_news(self, feed: Feed, number: int, known: Shown) -> None:
        """Tell what follows a state, until some of it was missed."""
        while (news := await feed.since(number)) is not None:
            number += len(news)
            for shown in news:
                if shown.progress > known.progress:
                    await self._connection.tell(shown.text)

    async def _carry_out(self, message: messages.ClientMessage) -> None:
        now = timezone.now()
        match message:
            case messages.Sync():
                await self._tell(answers.since(message, await self._load(), now))
            case messages.Ping():
                await self._tell(messages.Pong(message.id, (await self._load()).elapsed_ms(now)))
            case _:
                raise NotYours("you watch this game; only its player can do that")

    async def _tell_state(self) -> None:
        await self._tell(answers.state(await self._load(), timezone.now()))

    async def _load(self) -> Session:
        session: Session = await in_shared_thread(_load, self._game)
        return session


def _load(game: str) -> Session:
    return session_to_watch(find_game(game), timezone.now())
