"""Commands of racers that also act on live games."""

from datetime import datetime

from games.play.live.live_games import live_games
from games.players.models import Player
from games.races import rooms
from games.runtime.threads import run_in_db_thread


async def leave(race_id: str, player: Player, now: datetime) -> None:
    """Leave a race; in one that is running, give up the game. Repeating it changes nothing. Raises `UnknownRace`."""
    racer = await run_in_db_thread(rooms.leave, race_id, player, now)
    if racer is not None and racer.game_id is not None:
        async with live_games().using(racer.game_id, now) as game:
            await game.give_up(now)
            await game.end_published()
