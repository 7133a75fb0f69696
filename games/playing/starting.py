"""Today's attempt of a player, as a live game that nothing is read back for."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from games import journal
from games.errors import AlreadyAttempted, Conflict
from games.kit.threads import run_in_db_thread
from games.models import Game, Player
from games.playing.loading import Loaded
from games.services.sessions import new_session
from games.services.starting import first_attempt, get_or_start_next, known_first_attempt, start_of


class Attempt(NamedTuple):
    """A ranked attempt; `loaded` if it was just started here."""

    game: str
    loaded: Loaded | None = None


async def todays_attempt(player: Player, rules: str, now: datetime) -> Attempt:
    """Return the player's newest attempt at today's deal, or start the first one, with its clock.

    Raises what `get_or_start_ranked` raises but `AlreadyAttempted`.
    """
    game = known_first_attempt(player, rules, now) or await run_in_db_thread(first_attempt, player, rules, now)
    if game is not None:
        game.started_at = now
        try:
            await journal.write(start_of(game))
        except Conflict:
            pass  # there is one already, or something forbids it
        else:
            return Attempt(game.id, _loaded(game, now))
    return Attempt(await run_in_db_thread(_next_attempt, player, rules, now))


def _loaded(game: Game, now: datetime) -> Loaded:
    return Loaded(new_session(game, now), game.player_id, has_begun=True)


def _next_attempt(player: Player, rules: str, now: datetime) -> str:
    try:
        return get_or_start_next(player, rules, now)[0].id
    except AlreadyAttempted as last:
        return last.game
