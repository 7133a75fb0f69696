"""Start today's attempt of a player, or a deal again, in the same way through every door."""

from contextlib import AbstractContextManager, nullcontext
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
from games.runtime.gathering import CROWD_LINGERS_S, Gathering
from games.runtime.objectives import OPENING, START
from games.runtime.per_loop import PerLoop
from games.runtime.threads import run_in_db_thread


class Attempt(NamedTuple):
    """A ranked attempt; `loaded` if it was just started here, so that nothing is read back for it."""

    game: str
    loaded: Loaded | None = None


async def start_ranked(player: Player, rules: str, now: datetime) -> tuple[Game, bool]:
    """Return the player's unfinished attempt at today's deal, or else a new one, and True if it is new.

    The clock of a first attempt starts when its layout is first sent. Two devices that start at the same moment get the
    same game. Raises `UnknownRuleSet`, `NoOpenDaily`, `AlreadySeenByStaff`, `Conflict`, or `AlreadyAttempted` naming
    the last attempt.
    """
    with START.timed(), _opening(now):
        first = known_first_attempt(player, rules, now) or await run_in_db_thread(first_attempt, player, rules, now)
        if first is not None and await _has_started(first):
            return first, True
        return await run_in_db_thread(get_or_start_next, player, rules, now)


def _opening(now: datetime) -> AbstractContextManager[None]:
    return OPENING.timed() if now.hour == now.minute == 0 else nullcontext()


async def _has_started(first: Game) -> bool:
    """Start a first attempt; return False if there is one already, or something forbids it."""
    try:
        await journal.write(start_of(first))
    except Conflict:
        return False
    return True


_unfinished = PerLoop(lambda: Gathering(unfinished_attempts, lingers_s=CROWD_LINGERS_S))


async def todays_attempt(player: Player, rules: str, now: datetime) -> Attempt:
    """Return the player's newest attempt at today's deal, or start the first one, with its clock.

    For sockets: those of a crowd that comes back are looked up together. Raises what `start_ranked` raises but
    `AlreadyAttempted`.
    """
    with START.timed(), _opening(now):
        known = known_first_attempt(player, rules, now)
        if known is not None and (begun := await _begun(known, now)):
            return begun
        going_on = await _unfinished().get((player.pk, RULE_SETS[rules].slug, now.date()))
        if going_on is not None:
            return Attempt(going_on.id)
        if known is None:
            first = await run_in_db_thread(first_attempt, player, rules, now)
            if first is not None and (begun := await _begun(first, now)):
                return begun
        try:
            return Attempt((await run_in_db_thread(get_or_start_next, player, rules, now))[0].id)
        except AlreadyAttempted as last:
            return Attempt(last.game)


async def _begun(first: Game, now: datetime) -> Attempt | None:
    """Start a first attempt and its clock; return None if it cannot be started."""
    first.started_at = now
    if not await _has_started(first):
        return None
    return Attempt(first.id, Loaded(new_session(first, now), first.player_id, has_begun=True))


async def restart(game: LiveGame, now: datetime) -> str:
    """Return the successor of a game; a game that is still being played is resigned first.

    Repeating the call returns the same successor. Raises what `permit_restart` and `start_again` raise.
    """
    if await run_in_db_thread(lambda: permit_restart(find_game(game.id), now)):
        await game.give_up(now)
        await game.end_published()
    return (await run_in_db_thread(lambda: start_again(find_game(game.id), now))).id
