"""Hints during a game, within the time that a player is willing to wait."""

from __future__ import annotations

from games.hints.hints import Knowledge, Suggestion, suggest, suggest_quickly
from games.hints.search_pool import search
from games.play.session import Session, Step

HINT_SECONDS = 2.0


async def hint_for(session: Session, step: Step) -> Suggestion:
    """Return the best move after a step, from what the player knew then; a greedy one if time runs out."""
    play = session.play
    knowledge = Knowledge.of(play if play.version == step.version else play.up_to(step.version))
    return await search(suggest, knowledge, seconds=HINT_SECONDS) or suggest_quickly(knowledge)
