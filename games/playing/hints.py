"""Advice while a game is played, within the time that a player waits for it."""

from __future__ import annotations

from games.advice import Advice, Knowledge, advise, advise_quickly
from games.services.search_pool import search
from games.session import Session, Step

HINT_SECONDS = 2.0


async def hint_for(session: Session, step: Step) -> Advice:
    """Return the best move at a step, from what its player knew then; the greedy one if there is no time to search."""
    play = session.play
    knowledge = Knowledge.of(play if play.version == step.version else play.up_to(step.version))
    return await search(advise, knowledge, seconds=HINT_SECONDS) or advise_quickly(knowledge)
