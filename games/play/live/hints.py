"""Hints, and notices that a game can no longer be won: searches that delay no move and that nobody waits long for."""

from collections.abc import Callable

from games.doors.refusals import Unavailable
from games.hints.hints import Knowledge, Suggestion, suggest, suggest_quickly
from games.hints.losses import Loss, LossWatch
from games.hints.readiness import solver_is_ready
from games.hints.search_pool import search
from games.play.session import Session, Step
from games.rules import Play, Position, TimedAction

HINT_SECONDS = 2.0
LOADING_SECONDS = 2.0
NOTICE_SECONDS = 0.5


async def require_hints(session: Session, *, may_wait: bool = True) -> None:
    """Wait a moment for the solver before a hint is counted. Raises `Unavailable` while it is being compiled."""
    if session.policy.hints and not await solver_is_ready(session.rules, seconds=LOADING_SECONDS * may_wait):
        raise Unavailable("hints are being prepared, which takes a minute after an installation; ask again")


async def hint_for(session: Session, step: Step, player: int, *, may_wait: bool = True) -> Suggestion:
    """Return the best move after a step, from what the player knew then; a greedy one if time runs out."""
    play = session.play
    knowledge = Knowledge.of(play if play.version == step.version else play.up_to(step.version))
    return await search(suggest, knowledge, asker=player, seconds=HINT_SECONDS * may_wait) or suggest_quickly(knowledge)


class LossNotices:
    """Watches one game. It replays the actions on a separate play, so that its thread shares nothing with the game."""

    def __init__(self, start: Position, player: int) -> None:
        self._play, self._player = Play(start), player
        self._watch = LossWatch(self._play)
        self._actions: list[TimedAction] = []
        self._is_lost = False
        self._is_looking = False

    async def look(self, actions: list[TimedAction], tell: Callable[[int, int | None], None]) -> None:
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
                loss = await search(self._follow, self._actions, asker=self._player, seconds=NOTICE_SECONDS)
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
