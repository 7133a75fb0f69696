"""Start today's attempt of a player, or a deal again, in the same way through every door."""

from contextlib import nullcontext
from datetime import datetime
from typing import NamedTuple

from games.play import journal
from games.play.live.live_game import LiveGame
from games.play.live.loading import Loaded
from games.play.models import Game
from games.play.refusals import AlreadyAttempted, Conflict
from games.play.sessions import find_game, new_session
from games.play.starting import (
    first_attempt,
    get_or_start_next,
    known_first_attempt,
    permit_restart,
    start_again,
    start_of,
    unfinished_attempts,
)
from games.players.models import Player
from games.rules import RULE_SETS
from games.runtime.gathering import Gathering
from games.runtime.objectives import OPENING, START
from games.runtime.per_loop import PerLoop
from games.runtime.threads import run_in_db_thread


class Attempt(NamedTuple):
    """A ranked attempt; `loaded` if it was just started here, so that nothing is read back for it."""

    game: str
    loaded: Loaded | None = None


async def start_ranked(
    player: Player, rules: str, now: datetime, started_at: datetime | None = None
) -> tuple[Game, bool]:
    """Return the player's unfinished attempt at today's deal, or else a new one, and True if it is new.

    The clock of a first attempt starts at `started_at`, or when its layout is first sent. Two devices that start at the
    same moment get the same game. Raises `UnknownRuleSet`, `NoOpenDaily`, `AlreadySeenByStaff`, `Conflict`, or
    `AlreadyAttempted` naming the last attempt.
    """
    is_opening = now.hour == now.minute == 0
    with START.timed(), OPENING.timed() if is_opening else nullcontext():
        return await _start_ranked(player, rules, now, started_at)


async def _start_ranked(player: Player, rules: str, now: datetime, started_at: datetime | None) -> tuple[Game, bool]:
    first = known_first_attempt(player, rules, now)
    if first is not None and await _has_started(first, started_at):
        return first, True
    going_on = await _unfinished().get((player.pk, RULE_SETS[rules].slug, now.date()))
    if going_on is not None:
        return going_on, False
    if first is None:
        first = await run_in_db_thread(first_attempt, player, rules, now)
        if first is not None and await _has_started(first, started_at):
            return first, True
    return await run_in_db_thread(get_or_start_next, player, rules, now)


async def _has_started(first: Game, started_at: datetime | None) -> bool:
    """Start a first attempt; return False if there is one already, or something forbids it."""
    first.started_at = started_at
    try:
        await journal.write(start_of(first))
    except Conflict:
        return False
    return True


_unfinished = PerLoop(lambda: Gathering(unfinished_attempts))


async def todays_attempt(player: Player, rules: str, now: datetime) -> Attempt:
    """Return the player's newest attempt at today's deal, or start the first one, with its clock.

    Raises what `start_ranked` raises but `AlreadyAttempted`.
    """
    try:
        game, is_new = await start_ranked(player, rules, now, started_at=now)
    except AlreadyAttempted as last:
        return Attempt(last.game)
    if is_new and game.started_at is not None:
        return Attempt(game.id, Loaded(new_session(game, now), game.player_id, has_begun=True))
    return Attempt(game.id)


async def restart(game: LiveGame, now: datetime) -> str:
    """Return the successor of a game; a game that is still being played is resigned first.

    Repeating the call returns the same successor. Raises what `permit_restart` and `start_again` raise.
    """
    if await run_in_db_thread(lambda: permit_restart(find_game(game.id), now)):
        await game.give_up(now)
        await game.end_published()
    return (await run_in_db_thread(lambda: start_again(find_game(game.id), now))).id
