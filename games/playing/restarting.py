"""Restart a deal from the beginning, as a new game."""

from __future__ import annotations

from datetime import datetime

from games.kit.threads import run_in_db_thread
from games.playing.live_game import LiveGame
from games.services.sessions import find_game
from games.services.starting import followed_by, require_restartable, start_again


async def restart(game: LiveGame, now: datetime) -> str:
    """Return the successor of a game; a game that is still being played is resigned first.

    Repeating the call returns the same successor. Raises what `start_again` raises.
    """
    if await run_in_db_thread(_require_restartable, game.id, now):
        await game.give_up(now)
        await game.end_published()
    return await run_in_db_thread(_start_again, game.id, now)


def _require_restartable(game_id: str, now: datetime) -> bool:
    """Return True if the game has no successor yet. Raises what `require_restartable` raises."""
    game = find_game(game_id)
    if followed_by(game) is not None:
        return False
    require_restartable(game, now)
    return True


def _start_again(game_id: str, now: datetime) -> str:
    return start_again(find_game(game_id), now).id
