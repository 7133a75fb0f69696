"""The durable log: a change is committed before anyone hears of it.

There is no lock. Whoever writes a version second loses on the unique constraint and catches up. All changes of a
process that wait at the same moment become durable in one transaction (`games.journal.writer`).
"""

from __future__ import annotations

from games.events import game_finished
from games.journal.batcher import write, writer
from games.models import Game
from games.session import Change

__all__ = ["commit", "stop", "write"]


def commit(change: Change) -> None:
    """Make a change durable together with all that waits, from a thread that may wait, and announce the end of a game.

    Raises `Conflict`, with nothing written, if the game has moved on without us, and `DatabaseError` if it is not
    known whether anything was written; to send the same action again is safe.
    """
    writer.write(change)
    if change.summary is not None:
        game_finished.send_robust(Game, game=Game.objects.get(pk=change.game))


def stop() -> None:
    """Write what waits and close the connection; a later change opens it again."""
    writer.stop()
