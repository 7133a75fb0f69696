"""Notice in the background that a game can no longer be won, without delaying any move."""

from collections.abc import Callable

from games.hints.losses import Loss, LossWatch
from games.hints.search_pool import search
from games.rules import Play, Position, TimedAction

NOTICE_SECONDS = 0.5

Told = Callable[[int, int | None], None]


class LossNotices:
    """Watches one game. It replays the actions on a separate play, so that its thread shares nothing with the game."""

    def __init__(self, start: Position) -> None:
        self._play = Play(start)
        self._watch = LossWatch(self._play)
        self._actions: list[TimedAction] = []
        self._is_lost = False
        self._is_looking = False

    async def look(self, actions: list[TimedAction], tell: Told) -> None:
        """Call back once when the game can no longer be won, and again if it is lost again after an undo has saved it.

        `actions` are those that are durable. If a search is running already, it goes on with them; if too many others
        are queued, the next move tries again.
        """
        self._actions = actions
        if self._is_looking:
            return
        self._is_looking = True
        try:
            while (known := self._play.version) < len(self._actions):
                loss = await search(self._follow, self._actions, seconds=NOTICE_SECONDS)
                if self._play.version == known:
                    break
                if loss is not None and not self._is_lost:
                    tell(self._play.version, loss.since)
                self._is_lost = loss is not None
        finally:
            self._is_looking = False

    def _follow(self, actions: list[TimedAction]) -> Loss | None:
        for timed in actions[self._play.version :]:
            self._play.do(*timed)
        return None if self._play.result is not None else self._watch.judge()
