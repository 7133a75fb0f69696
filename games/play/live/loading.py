"""The database queries of a live game; they block, so they run on a thread."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from games.play.models import Game, logs_of
from games.play.refusals import UnknownGame
from games.play.session import Session
from games.play.sessions import games_with, load_sessions
from games.rules import Logged
from games.runtime.gathering import CROWD_LINGERS_S, Gathering
from games.runtime.per_loop import PerLoop


class Loaded(NamedTuple):
    """A loaded session, its player's primary key, whether its clock has started, and the race that it is part of."""

    session: Session
    player: int
    has_begun: bool
    race: str | None = None


def load(game_id: str, now: datetime) -> Loaded:
    """Replay a game from its log. Raises `UnknownGame`."""
    [loaded] = load_together([(game_id, now)])
    if isinstance(loaded, Exception):
        raise loaded
    return loaded


async def load_in_crowd(game_id: str, now: datetime) -> Loaded:
    """Return what `load` returns, for a socket: all that wait at the same moment are loaded together."""
    return await _loads().get((game_id, now))


def load_together(asked: Sequence[tuple[str, datetime]]) -> list[Loaded | Exception]:
    """Return the games with these ids, as of the latest of the times, or errors for those that cannot be loaded."""
    found = {game.pk: game for game in games_with([*{game_id for game_id, _ in asked}])}
    sessions = load_sessions(found.values(), max(now for _, now in asked))
    return [_loaded(game_id, found.get(game_id), sessions.get(game_id)) for game_id, _ in asked]


def _loaded(game_id: str, game: Game | None, session: Session | Exception | None) -> Loaded | Exception:
    if game is None or session is None:
        return UnknownGame(f"there is no game {game_id!r}")
    if isinstance(session, Exception):
        return session
    race = game.racer.race_id if hasattr(game, "racer") else None
    return Loaded(session, game.player_id, game.started_at is not None, race)


_loads = PerLoop(lambda: Gathering(load_together, lingers_s=CROWD_LINGERS_S))


def changes_since(game_id: str, version: int) -> tuple[list[Logged], str]:
    """Return the actions after a version, and the status, which must not be newer than they are.

    Raises `UnknownGame` if the game was deleted.
    """
    # The status first: if the game ends between the two queries, its last actions without its end are harmless.
    game = Game.objects.only("status").filter(pk=game_id).first()
    if game is None:
        raise UnknownGame(f"there is no game {game_id} any more")
    return logs_of([game_id], after=version)[game_id], game.status
