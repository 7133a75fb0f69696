"""The database queries of a live game; they block, so they run on a thread."""

from datetime import datetime
from typing import NamedTuple

from games.play.models import Game, logs_of
from games.play.refusals import UnknownGame
from games.play.session import Session
from games.play.sessions import find_game, load_session
from games.rules import Logged


class Loaded(NamedTuple):
    """A loaded session, its player's primary key, whether its clock has started, and the race that it is part of."""

    session: Session
    player: int
    has_begun: bool
    race: str | None = None


def load(game_id: str, now: datetime) -> Loaded:
    """Replay a game from its log. Raises `UnknownGame`."""
    game = find_game(game_id)
    race = game.racer.race_id if hasattr(game, "racer") else None
    return Loaded(load_session(game, now), game.player_id, game.started_at is not None, race)


def changes_since(game_id: str, version: int) -> tuple[list[Logged], str]:
    """Return the actions after a version, and the status, which must not be newer than they are.

    Raises `UnknownGame` if the game was deleted.
    """
    # The status first: if the game ends between the two queries, its last actions without its end are harmless.
    game = Game.objects.only("status").filter(pk=game_id).first()
    if game is None:
        raise UnknownGame(f"there is no game {game_id} any more")
    return logs_of([game_id], after=version)[game_id], game.status
