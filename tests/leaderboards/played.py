"""Finished attempts with logs that say what they are: played through the session and the journal."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection

from games.play.journal.statements import write_changes
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from games.rules import Kind
from leaderboards.boards.submission import submit
from tests.games.ways_to_play import open_session

STEP = timedelta(seconds=1)
MOST_ACTIONS = 25


def played(player: Player, now: datetime, *, actions: int = MOST_ACTIONS, step: timedelta = STEP) -> Game:
    """Play today's deal for some actions, removing what can be removed, one a `step`; resign, and be entered."""
    game = start_ranked(player, "standard", now)
    session = open_session(game, now)
    changes = []
    for number in range(actions):
        moves = session.play.legal_moves
        removals = [move for move in moves if move.kind is Kind.REMOVE]
        changes.append(session.act((removals or list(moves))[0], number, now + step * (number + 1)))
    ended = now + step * (actions + 1)
    changes.append(session.resign(session.play.version, ended))
    write_changes(connection, changes)
    submit([game.pk], ended)
    game.refresh_from_db()
    return game
