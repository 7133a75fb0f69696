"""Play without a connection: each call keeps the game in memory while it runs, and an action for a while longer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import msgspec

from games.play import wire
from games.play.live.hints import hint_for, require_hints
from games.play.live.live_game import LiveGame
from games.play.live.live_games import live_games
from games.play.live.starting import restart as start_again
from games.play.refusals import NotYours
from games.play.session import Change
from games.players.models import Player
from games.rules import HINT, Action
from games.runtime.threads import Places

_waiting = Places("hints")


async def read_state(game_id: str, player: Player, now: datetime) -> wire.State:
    """Return the layout of a player's game, which starts the clock. Raises `UnknownGame` or `NotYours`."""
    async with _own(game_id, player, now) as game:
        await game.begin(now)
        return game.state(now)


async def take_action(game_id: str, player: Player, asked: wire.ActionInput, now: datetime) -> wire.ActionTaken:
    """Take an action, such as `4s9s`, `U` or `H`. Raises what `LiveGame.act` raises, and `NotationError`."""
    async with _own(game_id, player, now, to_act=True) as game:
        action = Action.from_text(asked.action, decks=game.session.rules.decks)
        if action is HINT:
            return await _take_hint(game, asked, now)
        change = await game.act(action, asked.version, now, asked.client_ms)
        if change.summary is not None:
            await game.end_published()  # who has the answer finds the game on the score tables
        return _taken(game, change, None)


async def _take_hint(game: LiveGame, asked: wire.ActionInput, now: datetime) -> wire.ActionTaken:
    """Take a hint. A request that has no place to wait in gets a greedy move, or is refused at once."""
    with _waiting.taken_by(game.player) as may_wait:
        await require_hints(game.session, may_wait=may_wait)
        change = await game.act(HINT, asked.version, now, asked.client_ms)
        assert change.step is not None  # noqa: S101
        suggestion = await hint_for(game.session, change.step, game.player, may_wait=may_wait)
    return _taken(game, change, wire.Hinted.of(suggestion, change.step.version))


def _taken(game: LiveGame, change: Change, hint: wire.Hinted | None) -> wire.ActionTaken:
    assert change.step is not None  # noqa: S101
    played = wire.Played.of(change.step, game.session)
    finished = game.finished() if change.summary is not None else None
    return wire.ActionTaken(**msgspec.structs.asdict(played), hint=hint, finished=finished)


async def resign(game_id: str, player: Player, version: int, now: datetime) -> wire.Finished:
    """Give up. Raises what `LiveGame.resign` raises."""
    async with _own(game_id, player, now) as game:
        await game.resign(version, now)
        await game.end_published()
        return game.finished()


async def restart(game_id: str, player: Player, now: datetime) -> str:
    """Start the same deal as a new game and return its id. Raises what `games.play.live.starting.restart` raises."""
    async with _own(game_id, player, now) as game:
        return await start_again(game, now)


async def give_up(game_id: str, player: Player, now: datetime) -> None:
    """Give up, whatever the version. Raises `UnknownGame` or `NotYours`."""
    async with _own(game_id, player, now) as game:
        await game.give_up(now)


@asynccontextmanager
async def _own(game_id: str, player: Player, now: datetime, *, to_act: bool = False) -> AsyncIterator[LiveGame]:
    async with live_games().using(game_id, now, to_act=to_act) as game:
        if game.player != player.pk:
            raise NotYours(f"game {game_id} belongs to another player")
        yield game
