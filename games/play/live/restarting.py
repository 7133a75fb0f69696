"""Restart a deal from the beginning, as a new game."""

from datetime import datetime

from games.play.live.live_game import LiveGame
from games.play.sessions import find_game
from games.play.starting import permit_restart, start_again
from games.runtime.threads import run_in_db_thread


async def restart(game: LiveGame, now: datetime) -> str:
    """Return the successor of a game; a game that is still being played is resigned first.

    Repeating the call returns the same successor. Raises what `permit_restart` and `start_again` raise.
    """
    if await run_in_db_thread(_permit_restart, game.id, now):
        await game.give_up(now)
        await game.end_published()
    return await run_in_db_thread(_start_again, game.id, now)


def _permit_restart(game_id: str, now: datetime) -> bool:
    return permit_restart(find_game(game_id), now)


def _start_again(game_id: str, now: datetime) -> str:
    return start_again(find_game(game_id), now).id
