"""Noticing that a game cannot be won any more, beside the play: no move waits for it."""

from __future__ import annotations

from collections.abc import Callable

from games.losses import Loss, LossWatch
from games.rules import Entry, Play, Position
from games.services.search_pool import search

NOTICE_SECONDS = 0.5

Told = Callable[[int, int | None], None]


class LossNotices:
    """Watches one game. It plays the entries on a play of its own, so that its thread shares nothing with the game."""

    def __init__(self, start: Position) -> None:
        self._play = Play(start)
        self._watch = LossWatch(self._play)
        self._is_lost = False
        self._is_looking = False

    async def look(self, entries: list[Entry], tell: Told) -> None:
        """Tell once that a game cannot be won any more, and again after an undo has saved it in between.

        `entries` may grow meanwhile. Returns at once if it is being looked at already; leaves it to the next move where
        too much else is searched for.
        """
        if self._is_looking:
            return
        self._is_looking = True
        try:
            while (known := self._play.version) < len(entries):
                loss = await search(self._follow, entries, seconds=NOTICE_SECONDS)
                if self._play.version == known:
                    break
                if loss is not None and not self._is_lost:
                    tell(self._play.version, loss.since)
                self._is_lost = loss is not None
        finally:
            self._is_looking = False

    def _follow(self, entries: list[Entry]) -> Loss | None:
        for entry in entries[self._play.version :]:
            self._play.do(*entry)
        return None if self._play.result is not None else self._watch.judge()
