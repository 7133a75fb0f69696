"""All games being played in this process, and the notices about them between processes."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from django.db import DatabaseError
from django.db.models import Max
from django.db.models.functions import Coalesce

from games.play.live.live_game import LiveGame
from games.play.live.loading import Loaded
from games.play.models import Game
from games.play.refusals import UnknownGame
from games.runtime.clock import clock
from games.runtime.outages import tell
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import HEARD_AGAIN, Message, pubsub
from games.runtime.threads import run_in_db_thread

logger = logging.getLogger(__name__)

TOPIC = "games"
LOOK_SECONDS = 2.0
LINGER_SECONDS, MOST_LINGERING = 10.0, 2_000
SEATS_AT_ONCE, SEATS_PAUSE_SECONDS = 500, 0.2
PEER_SECONDS = 30.0  # many looks: a few lost notices do not make a watched game look unwatched


class Seat(NamedTuple):
    """The connection that plays a game, and when it took over, as (seconds, process): the latest one wins."""

    supersede: Callable[[], None]
    taken_at: tuple[float, str]


class LiveGames:
    """The live games of an event loop. A game without users is dropped.

    Most games are followed in one process only, so a notice is published only for games that another process may be
    watching: `_peers` maps these games to the time until which that is assumed. Any notice may be lost, so watched
    games are also looked up in the log from time to time.
    """

    def __init__(self) -> None:
        self._id = uuid4().hex
        self._games: dict[str, LiveGame] = {}
        self._seats: dict[str, Seat] = {}
        self._watched: Counter[LiveGame] = Counter()
        self._peers: dict[str, float] = {}
        self._lingering: dict[LiveGame, float] = {}  # until when
        self._looking: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._pubsub = pubsub()
        self._pubsub.subscribe(TOPIC, self._hear)
        self._pubsub.subscribe(HEARD_AGAIN, self._tell_seats)

    @asynccontextmanager
    async def using(self, game_id: str, now: datetime, *, to_act: bool = False) -> AsyncIterator[LiveGame]:
        """Keep a game here while the block runs. Raises `UnknownGame`.

        One that is used `to_act` may be behind other processes, which an action finds out, and stays for a while after
        it: the next action of a player without a socket follows soon, and need not replay the game.
        """
        game = await self.enter(game_id, now, to_act=to_act)
        try:
            yield game
        finally:
            if to_act and game.session.play.result is None:
                self._linger(game)
            self.leave(game)

    def _linger(self, game: LiveGame) -> None:
        """Count as a user of a game until nobody has acted on it for a while."""
        if game in self._lingering or len(self._lingering) < MOST_LINGERING:
            is_new, now = game not in self._lingering, asyncio.get_running_loop().time()
            self._lingering[game] = now + LINGER_SECONDS
            if is_new:
                game.users += 1
                self._leave_later(game, LINGER_SECONDS)

    def _leave_later(self, game: LiveGame, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._leave_at_last, game)

    def _leave_at_last(self, game: LiveGame) -> None:
        left = self._lingering[game] - asyncio.get_running_loop().time()
        if left > 0:
            self._leave_later(game, left)
        else:
            del self._lingering[game]
            self.leave(game)

    async def enter(
        self,
        game_id: str,
        now: datetime,
        just_started: Loaded | None = None,
        *,
        in_crowd: bool = False,
        to_act: bool = False,
    ) -> LiveGame:
        """Keep a game here until someone leaves it as often as it was entered. Raises `UnknownGame`.

        In a crowd, it is loaded together with all others that wait. An entry to act does not ask the log first.
        """
        known = self._games.get(game_id)
        game = known or self._games.setdefault(game_id, LiveGame(game_id, self._publish))
        game.users += 1
        try:
            if known is not None and not to_act:
                # The new user may know more than this process: a notice of what happened at another one is on its way.
                await game.catch_up(now)
            elif just_started is not None:
                game.adopt(just_started, now)
            else:
                # It is entered already, so that no notice of what happens while it is read is missed.
                await game.load(now, in_crowd=in_crowd)
        except BaseException:
            self.leave(game)
            raise
        return game

    def leave(self, game: LiveGame) -> None:
        """Let go of a game that was entered."""
        game.users -= 1
        game.when_end_published(lambda: self._drop(game))

    def take_seat(self, game: LiveGame, supersede: Callable[[], None], at: float) -> Seat:
        """Let the connection that was accepted at a time play a game that was entered; of several, the last one plays.

        The others are superseded, even one that was accepted earlier but took longer to get here: it may be dead.
        """
        seat, present = Seat(supersede, (at, self._id)), self._seats.get(game.id)
        if present is not None and present.taken_at > seat.taken_at:
            supersede()
            return seat
        self._supersede(game.id, seat.taken_at)
        self._seats[game.id] = seat
        self._say(game.id, "taken", at=at)
        return seat

    def leave_seat(self, game: LiveGame, seat: Seat) -> None:
        """Give up a seat, unless another connection has taken it."""
        if self._seats.get(game.id) is seat:
            del self._seats[game.id]

    @asynccontextmanager
    async def watching(self, game: LiveGame) -> AsyncIterator[None]:
        """Follow what other processes do to a game while the block runs."""
        self._watched[game] += 1
        self._say(game.id, "watched")
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_now_and_then())
        try:
            yield
        finally:
            self._watched[game] -= 1
            if not self._watched[game]:
                del self._watched[game]

    def catch_up(self, games: Iterable[str]) -> None:
        """Load the changes that other processes made to those of the games that are live here."""
        for game in filter(None, map(self._games.get, games)):
            self._catch_up(game)

    def _drop(self, game: LiveGame) -> None:
        if not game.users:
            self._games.pop(game.id, None)
            self._peers.pop(game.id, None)

    def _publish(self, game: LiveGame) -> None:
        """Notify other processes if they may be listening; without a seat here, the player may be connected there."""
        if game.id not in self._seats or self._is_watched_elsewhere(game.id):
            self._say(game.id, "changed")

    def _is_watched_elsewhere(self, game_id: str) -> bool:
        until = self._peers.get(game_id)
        if until is not None and until <= time.monotonic():
            del self._peers[game_id]
            return False
        return until is not None

    def _say(self, game_id: str, kind: str, **more: object) -> None:
        self._pubsub.publish(TOPIC, {"kind": kind, "game": game_id, "by": self._id, **more})

    def _tell_seats(self, _: Message) -> None:
        """Tell other processes who plays here: notices about that may be lost, and no log has it."""
        self._keep(asyncio.create_task(self._tell_all_seats()))

    async def _tell_all_seats(self) -> None:
        seats = [(game_id, seat.taken_at[0]) for game_id, seat in self._seats.items()]
        for first in range(0, len(seats), SEATS_AT_ONCE):
            await asyncio.sleep(SEATS_PAUSE_SECONDS)  # so that neither the queue to Redis nor the other loops fill
            some = seats[first : first + SEATS_AT_ONCE]
            self._pubsub.publish(TOPIC, {"kind": "seats", "by": self._id, "seats": some})

    def _hear(self, notice: Message) -> None:
        if notice["by"] == self._id:
            return
        if notice["kind"] == "seats":
            for game_id, at in notice["seats"]:
                self._hear_of_seat(game_id, (at, notice["by"]))
        elif (game := self._games.get(notice["game"])) is not None:
            self._hear_of(game, notice)

    def _hear_of(self, game: LiveGame, notice: Message) -> None:
        match notice["kind"]:
            case "taken":
                self._hear_of_seat(game.id, (notice["at"], notice["by"]))
                if game in self._watched:  # so that the process that plays publishes every move
                    self._say(game.id, "watched")
            case "watched":
                self._peers[game.id] = time.monotonic() + PEER_SECONDS
            case "changed":
                self._catch_up(game)

    def _hear_of_seat(self, game_id: str, taken_at: tuple[float, str]) -> None:
        self._supersede(game_id, taken_at)
        seat = self._seats.get(game_id)
        # The other process has not heard of a later seat here, and would let both play.
        if seat is not None and seat.taken_at > taken_at:
            self._say(game_id, "taken", at=seat.taken_at[0])

    def _supersede(self, game_id: str, taken_at: tuple[float, str]) -> None:
        seat = self._seats.get(game_id)
        if seat is not None and seat.taken_at < taken_at:
            del self._seats[game_id]
            seat.supersede()

    def _catch_up(self, game: LiveGame) -> None:
        self._keep(asyncio.create_task(self._catch_up_quietly(game)))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)  # the event loop itself holds tasks only weakly
        task.add_done_callback(self._tasks.discard)

    async def _catch_up_quietly(self, game: LiveGame) -> None:
        try:
            with suppress(UnknownGame):  # deleted: there is nothing to tell of it any more
                await game.catch_up(clock.now())
        except DatabaseError as error:
            tell(logger, "subscribers", f"subscribers of game {game.id} are notified later", error)

    async def _look_now_and_then(self) -> None:
        """Poll the log while anyone watches, and tell other processes that someone does."""
        try:
            while self._watched:
                await asyncio.sleep(LOOK_SECONDS)
                for game in self._watched:
                    self._say(game.id, "watched")
                await self._look()
        finally:
            self._looking = None

    async def _look(self) -> None:
        games = {game.id: game for game in self._watched}
        try:
            for game_id, version, status in await run_in_db_thread(_progress_of, list(games)):
                if games[game_id].is_behind(version, status):
                    self._catch_up(games[game_id])
        except DatabaseError as error:
            tell(logger, "watchers", "watchers wait for the database", error)


live_games = PerLoop(LiveGames)


def _progress_of(games: list[str]) -> list[tuple[str, int, str]]:
    latest = Game.objects.filter(pk__in=games).annotate(version=Coalesce(Max("log__version"), 0))
    return list(latest.values_list("pk", "version", "status"))
