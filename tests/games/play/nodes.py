"""Event loops with separate live games, like those of several processes, and sockets that keep what they receive."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any, TypeVar

from games.play.live.live_game import LiveGame
from games.play.live.live_games import LiveGames, live_games
from games.play.models import Game

T = TypeVar("T")


class Listener:
    """A socket that keeps the actions that it receives, and the types of all other messages but notices of losses."""

    def __init__(self) -> None:
        self.told: list[tuple[int, str]] = []
        self.others: list[str] = []
        self.instead: Callable[[], str] = str  # what it would get if it had missed too much
        self._heard = SimpleQueue[str]()

    def post(self, text: str, instead: Callable[[], str]) -> None:
        self.instead = instead
        message = json.loads(text)
        if message["type"] == "unwinnable":  # sooner or later
            return
        if message["type"] == "played":
            self.told.append((message["version"], message["move"]))
        else:
            self.others.append(message["type"])
        self._heard.put(message["type"])

    def hear(self) -> str:
        """Wait for the next message and return its type."""
        return self._heard.get(timeout=180)


class Node:
    """An event loop in a thread, with separate live games, like those of another process."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._open = AsyncExitStack()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def games(self) -> LiveGames:
        """Return the live games of this node, after it has heard all that was published so far."""

        async def get() -> LiveGames:
            return live_games()

        return self.run(get())

    def keep(self, game: Game) -> LiveGame:
        """Have a game here as long as the node runs, as a connected socket would."""
        return self.run(self._keep(game.id))

    def watch(self, game: Game, listener: Listener) -> LiveGame:
        """Have someone watch a game here as long as the node runs."""
        return self.run(self._watch(game.id, listener))

    def play(
        self, game: Game, listener: Listener, supersede: Callable[[], None] = lambda: None, at: float | None = None
    ) -> LiveGame:
        """Have someone play a game here as long as the node runs, who came now or at a time."""
        return self.run(self._play(game.id, listener, supersede, time.time() if at is None else at))

    async def _keep(self, game_id: str) -> LiveGame:
        return await self._open.enter_async_context(live_games().using(game_id, datetime.now(UTC)))

    async def _watch(self, game_id: str, listener: Listener) -> LiveGame:
        game = await self._keep(game_id)
        await self._open.enter_async_context(live_games().watching(game))
        game.subscribers.add(listener)
        return game

    async def _play(self, game_id: str, listener: Listener, supersede: Callable[[], None], at: float) -> LiveGame:
        game = await self._keep(game_id)
        seat = live_games().take_seat(game, supersede, at)
        self._open.callback(live_games().leave_seat, game, seat)
        await game.begin(datetime.now(UTC))
        game.subscribers.add(listener)
        return game

    def leave(self) -> None:
        """Let go of all games."""
        self.run(self._open.aclose())

    def close(self) -> None:
        self.leave()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@contextmanager
def running(count: int) -> Iterator[list[Node]]:
    nodes = [Node() for _ in range(count)]
    try:
        yield nodes
    finally:
        for node in nodes:
            node.close()
