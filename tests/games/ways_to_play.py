"""Playing without a door: sessions to look into, and the calls that doors make."""

from __future__ import annotations

from datetime import datetime

from asgiref.sync import async_to_sync

from games.play import journal, wire
from games.play.live import requests
from games.play.models import Game
from games.play.session import Change, Session
from games.play.sessions import begin, find_game, load_sessions
from games.play.wire import ActionInput


def open_session(game: Game, now: datetime) -> Session:
    """Return a game as its player is shown it, with its clock started."""
    begin(game.id, now)
    game.refresh_from_db(fields=["started_at"])
    return loaded_session(game.id, now)


def loaded_session(game_id: str, now: datetime) -> Session:
    """Return a game as it is in its log."""
    session = load_sessions([find_game(game_id)], now)[game_id]
    assert isinstance(session, Session)
    return session


def commit(change: Change) -> None:
    """Make a change durable and publish the end of a game, as a live game does. Raises `Conflict`."""

    async def write() -> None:
        await journal.write(change)
        if change.summary is not None:
            await journal.publish_end(change.game)

    async_to_sync(write)()


def look(game: Game, now: datetime) -> wire.State:
    """Look at a game as its player does over the REST API."""
    return async_to_sync(requests.read_state)(game.id, game.player, now)


def take_action(game: Game, action: str, version: int, now: datetime) -> wire.ActionTaken:
    """Take an action as the REST API does."""
    return async_to_sync(requests.take_action)(game.id, game.player, ActionInput(version, action), now)


def resign(game: Game, version: int, now: datetime) -> wire.Finished:
    """Give up as the REST API does."""
    return async_to_sync(requests.resign)(game.id, game.player, version, now)


def restart(game: Game, now: datetime) -> Game:
    """Start a game again as the doors do."""
    return find_game(async_to_sync(requests.restart)(game.id, game.player, now))
