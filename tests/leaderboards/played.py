"""Finished attempts with logs that say what they are: played through the session and the journal."""

from __future__ import annotations

from datetime import datetime, timedelta

from games import journal
from games.models import Game, Player
from games.rules import Kind
from games.services.starting import start_ranked
from leaderboards.services.submission import submit
from tests.games.playing import open_session

STEP = timedelta(seconds=1)
MOST_ACTIONS = 25


def played(player: Player, now: datetime, *, actions: int = MOST_ACTIONS) -> Game:
    """Play today's deal for some actions, removing what can be removed, one a second; resign, and be entered."""
    game = start_ranked(player, "standard", now)
    session = open_session(game, now)
    for number in range(actions):
        moves = session.play.legal_moves
        removals = [move for move in moves if move.kind is Kind.REMOVE]
        journal.commit(session.act((removals or list(moves))[0], number, now + STEP * (number + 1)))
    if session.play.result is None:
        journal.commit(session.resign(session.play.version, now + STEP * (actions + 1)))
    submit([game.pk], now + STEP * (actions + 1))
    game.refresh_from_db()
    return game
