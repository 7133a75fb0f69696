"""`/ws/games/{id}/`: its player plays, others who may know the deal watch."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import Any

from django.utils import timezone

from games.errors import NotYours, UnknownGame
from games.live.closing import CloseCode, Closed
from games.live.connection import Connection, serve
from games.live.hub import hub
from games.live.player import PlayerSocket
from games.live.watcher import WatcherSocket
from games.models import Player
from games.services.attempts import find_game, require_watchable
from games.threads import in_shared_thread


def game_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a game."""
    return serve(scope, receive, send, _talk_about_game)


async def _talk_about_game(connection: Connection) -> None:
    player = connection.scope["user"]
    game: str = connection.scope["url_route"]["kwargs"]["game_id"]
    if not player.is_authenticated:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    try:
        is_own = await in_shared_thread(_is_own, game, player)
        kind = partial(PlayerSocket, player=player) if is_own else WatcherSocket
        await kind(connection, hub(), game).run()
    except UnknownGame:
        raise Closed(CloseCode.NOT_FOUND) from None
    except NotYours:
        raise Closed(CloseCode.NOT_YOURS) from None


def _is_own(game_id: str, player: Player) -> bool:
    """Tell whether the player plays a game. Raises `UnknownGame`, or `NotYours` if it may not even be watched."""
    game = find_game(game_id)
    if game.player_id == player.pk:
        return True
    require_watchable(game, player, timezone.now())
    return False
