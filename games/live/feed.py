"""What all watchers of a game in this process share: the last messages about it.

Moves arrive as they become durable. The log is looked at now and then all the same: notices between processes may be
lost, and moves made over REST send none.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from django.db import DatabaseError
from django.db.models import Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.live import answers, messages
from games.models import Game
from games.services.attempts import find_game, session_to_watch
from games.threads import in_lent_thread

logger = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
MOST_KEPT = 100  # messages; who is further behind gets the state instead
WOKEN_TOGETHER = 50
FRESH_SECONDS = 1.0


class Progress(NamedTuple):
    """How far a game has come."""

    version: int
    is_over: bool


class Shown(NamedTuple):
    """A message for watchers, and how far the game has come with it."""

    progress: Progress
    text: str


class Feed:
    """The messages about a game since someone watches it, numbered from 0. `call` is made at each look."""

    def __init__(self, game: str, call: Callable[[], None]) -> None:
        self.watchers = 0
        self._game, self._call = game, call
        self._progress: Progress | None = None
        self._kept: deque[Shown] = deque(maxlen=MOST_KEPT)
        self._count = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._looking = asyncio.Lock()
        self._seen: tuple[float, Shown] | None = None
        self._task = asyncio.create_task(self._look_now_and_then())

    @property
    def count(self) -> int:
        """How many messages there have been."""
        return self._count

    async def state(self) -> Shown:
        """Return the whole game as its player knows it, not older than the last message; many may ask at once."""
        async with self._looking:
            now = asyncio.get_running_loop().time()
            if self._seen and now - self._seen[0] < FRESH_SECONDS and self._seen[1].progress == self._progress:
                return self._seen[1]
            shown = await in_lent_thread(shown_state, self._game)
            self._seen = now, shown
            self._progress = self._progress or shown.progress
            return shown

    async def since(self, number: int) -> list[Shown] | None:
        """Wait until there are messages from a number on and return them; None if some are not kept any more."""
        while number >= self._count:
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
        missing = self._count - number
        return list(self._kept)[-missing:] if missing <= len(self._kept) else None

    def add(self, shown: Shown) -> None:
        """Add the next message. One that does not follow the last is not missed for long: the next look tells more."""
        if self._progress is None or shown.progress in _next_to(self._progress):
            self._tell(shown)

    async def end(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _look_now_and_then(self) -> None:
        while True:
            self._call()
            try:
                await self._look()
            except DatabaseError as error:
                logger.warning("watchers of game %s wait for the database: %s", self._game, error)
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        progress = await in_lent_thread(_progress_of, self._game)
        if self._progress is not None and progress > self._progress:
            shown = await self.state()
            if shown.progress > self._progress:
                self._tell(shown)

    def _tell(self, shown: Shown) -> None:
        self._progress = shown.progress
        self._kept.append(shown)
        self._count += 1
        waiting, self._waiting = self._waiting, []
        self._wake(waiting)

    def _wake(self, waiting: list[asyncio.Future[None]]) -> None:
        """Wake watchers a few at a time, so that players are answered in between."""
        for future in waiting[:WOKEN_TOGETHER]:
            if not future.done():
                future.set_result(None)
        if len(waiting) > WOKEN_TOGETHER:
            asyncio.get_running_loop().call_soon(self._wake, waiting[WOKEN_TOGETHER:])


def shown_state(game: str) -> Shown:
    """Return the whole game as its player knows it."""
    now = timezone.now()
    session = session_to_watch(find_game(game), now)
    state = answers.state(session, now)
    return Shown(Progress(state.version, session.play.result is not None), messages.write(state))


def _next_to(progress: Progress) -> tuple[Progress, ...]:
    if progress.is_over:
        return ()
    return Progress(progress.version + 1, is_over=False), Progress(progress.version, is_over=True)


def _progress_of(game: str) -> Progress:
    version, status = Game.objects.filter(pk=game).values_list(Coalesce(Max("log__version"), 0), "status").get()
    return Progress(version, status != Game.Status.PLAYING)
