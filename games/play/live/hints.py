"""Hints during a game, within the time that a player is willing to wait."""

from games.doors.refusals import Unavailable
from games.hints.hints import Knowledge, Suggestion, suggest, suggest_quickly
from games.hints.readiness import solver_is_ready
from games.hints.search_pool import search
from games.play.session import Session, Step

HINT_SECONDS = 2.0
LOADING_SECONDS = 2.0


async def require_hints(session: Session) -> None:
    """Wait a moment for the solver before a hint is counted. Raises `Unavailable` while it is being compiled."""
    if session.policy.hints and not await solver_is_ready(seconds=LOADING_SECONDS):
        raise Unavailable("hints are being prepared, which takes a minute after an installation; ask again")


async def hint_for(session: Session, step: Step) -> Suggestion:
    """Return the best move after a step, from what the player knew then; a greedy one if time runs out."""
    play = session.play
    knowledge = Knowledge.of(play if play.version == step.version else play.up_to(step.version))
    return await search(suggest, knowledge, seconds=HINT_SECONDS) or suggest_quickly(knowledge)
