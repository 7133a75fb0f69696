"""A running game in this process: its session, its subscribers, and the only way to act on it.

REST, sockets and pages all go through it, so that a move made through one is sent to all others, and a game that is in
memory is never replayed. Actions are taken one at a time and published once they are durable. If another process acts
on the same game, the unique constraint of the log decides, and the loser catches up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime

from games.doors.refusals import Refusal
from games.doors.wire import write
from games.play import journal, wire
from games.play.live import loading
from games.play.live.audience import Audience, Subscriber
from games.play.live.hints import LossNotices
from games.play.models import Game
from games.play.refusals import Conflict, NotBegun
from games.play.scores import placements_of
from games.play.session import Change, Session
from games.play.sessions import begin
from games.play.uptime import was_up_since
from games.rules import Action, Outcome, RulesError
from games.runtime.clock import clock
from games.runtime.objectives import MOVE
from games.runtime.threads import run_in_db_thread, run_in_own_thread

logger = logging.getLogger(__name__)

MOST_TRIES = 5

# What other subjects do, without blocking, after each durable change of a game in this process.
observers: list[Callable[[LiveGame], None]] = []


@dataclass(slots=True, eq=False)
class LiveGame:
    """A game in the memory of this process.

    `session` is read-only for callers. It is ahead of the database while an action is being written, so everything
    shown to anyone comes from `durable`. `users` counts the callers that keep the game in memory. `publish` tells
    other processes that something has happened.
    """

    id: str
    _publish: Callable[[LiveGame], None]
    users: int = field(default=0, init=False)
    subscribers: Audience = field(default_factory=Audience, init=False)
    session: Session = field(init=False)
    player: int = field(init=False)
    has_begun: bool = field(init=False)
    race: str | None = field(init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _is_stale: bool = field(default=True, init=False)
    _loaded_at: datetime = field(init=False)
    _durable: Session | None = field(default=None, init=False)
    _publishing_end: asyncio.Task[None] | None = field(default=None, init=False)
    _notices: LossNotices | None = field(default=None, init=False)
    _told_version: int | None = field(default=None, init=False)
    _told_end: bool = field(init=False)

    async def load(self, now: datetime, *, in_crowd: bool = False) -> None:
        """Load the game unless it is loaded, in a crowd together with others that wait. Raises `UnknownGame`."""
        async with self._lock:
            if in_crowd and self._is_stale:
                self.adopt(await loading.load_in_crowd(self.id, now), now)
            await self._refresh(now)

    async def begin(self, now: datetime) -> None:
        """Start the clock if this is the first time: the player is about to see the layout."""
        if not self.has_begun:
            self.session.started_at = await run_in_db_thread(begin, self.id, now)
            self.has_begun = True

    async def was_begun(self, now: datetime) -> bool:
        """Return True if the player has seen the layout, perhaps through another process."""
        if not self.has_begun:
            async with self._lock:
                self.adopt(await run_in_db_thread(loading.load, self.id, now), now)
        return self.has_begun

    @property
    def version(self) -> int:
        """The version that subscribers know."""
        return self._told_version or 0

    @property
    def durable(self) -> Session:
        """The game as subscribers know it, without an action that is still being written and may yet be lost."""
        if not self._is_stale:
            return self.session
        if self._durable is None:  # kept, as it is a replay: a database that stalls must not make questions dear
            self._durable = self.session.up_to(self.version)
        return self._durable

    def is_behind(self, version: int, status: str) -> bool:
        """Return True if subscribers do not know all that the database has: a version, and a status."""
        return version > self.version or (status != Game.Status.PLAYING and not self._told_end)

    def state(self, now: datetime) -> wire.State:
        """Return the whole game as its player may know it."""
        return wire.State.of(self.durable, now)

    async def act(
        self,
        action: Action,
        version: int,
        now: datetime,
        client_ms: int | None = None,
        *,
        by: Subscriber | None = None,
    ) -> Change:
        """Take an action that was chosen at a version, answer it, and tell every subscriber but `by`.

        Raises what `Session.act` and `journal.write` raise, or `NotBegun`.
        """
        # One that ended before it began, as one can be given up, never begins.
        if not (self.has_begun or await self.was_begun(now) or self.session.play.result):
            raise NotBegun("the game has not begun; read its state first")
        with MOVE.timed():
            return await self._take(lambda session: session.act(action, version, now, client_ms), now, by)

    async def resign(self, version: int, now: datetime) -> Change:
        """Give up. Raises what `Session.resign` and `journal.write` raise."""
        return await self._take(lambda session: session.resign(version, now), now)

    async def give_up(self, now: datetime) -> None:
        """Give up at the current version, unless the game has ended."""
        await self.catch_up(now)
        while self.session.play.result is None:
            await self.resign(self.session.play.version, now)

    async def catch_up(self, now: datetime) -> None:
        """Load the changes that other processes have committed, and send them to all subscribers."""
        async with self._lock:
            await self._refresh(now)
            await self._catch_up(now)

    async def end_published(self) -> None:
        """Wait until the end of the game has been published to the other apps, whichever process ended it."""
        if self._publishing_end is not None:
            await asyncio.wait({self._publishing_end})
        else:
            await self._placements()

    def when_end_published(self, then: Callable[[], None]) -> None:
        """Call a function now or, while the end of the game is being published, after that."""
        if self._publishing_end is None:
            then()
        else:
            self._publishing_end.add_done_callback(lambda _: then())

    async def tell_end(self, tell: Callable[[str], Awaitable[None]]) -> None:
        """Tell a late subscriber the end of the game and its placements, unless both are about to go to everyone."""
        if not self._told_end or self._publishing_end is not None:
            return
        placed = await self._placements()
        await tell(write(self.finished()))
        if placed.boards:
            await tell(write(placed))

    def finished(self) -> wire.Finished:
        """Return the message that the game has ended, which it has."""
        return wire.Finished.of(self.session)

    async def _take(self, command: Callable[[Session], Change], now: datetime, by: Subscriber | None = None) -> Change:
        async with self._lock:
            for _ in range(MOST_TRIES):
                await self._refresh(now)
                change = await self._decide(command, now)
                if change.repeated:
                    return change
                try:
                    await self._write(change, by)
                except Conflict:
                    continue  # perhaps by the very same action, sent twice: then the next try finds it taken
                return change
        raise Conflict("the game keeps changing elsewhere; this action was not taken, try again")

    async def _decide(self, command: Callable[[Session], Change], now: datetime) -> Change:
        try:
            return command(self.session)
        except (Refusal, RulesError):
            # Memory may be behind another process. Asking the log only now keeps legal moves free of a query.
            await self._catch_up(now)
            return command(self.session)

    async def _refresh(self, now: datetime) -> None:
        """Reload the game if memory may differ from the database, and end it if its time has run out."""
        # If no server was up since it was loaded, the clock of the session lacks that pause.
        if self._is_stale or not was_up_since(self._loaded_at):
            self.adopt(await run_in_db_thread(loading.load, self.id, now), now)
        if self.session.is_overdue(now):
            try:
                await self._write(self.session.expire(now))
            except Conflict:  # ended in the meantime, by a last move or by the worker
                await self._refresh(now)

    async def _write(self, change: Change, by: Subscriber | None = None) -> None:
        self._is_stale = True  # until the database is known to have it too
        await journal.write(change)
        self._is_stale, self._durable = False, None
        self._publish(self)
        for observe in observers:
            observe(self)
        self._notify_subscribers(by)

    def adopt(self, loaded: loading.Loaded, now: datetime) -> None:
        """Take over what was just read, or made durable, so that it need not be read again."""
        self.session, self.player, self.has_begun, self.race = loaded
        self._is_stale, self._durable, self._loaded_at = False, None, now
        if self._told_version is None:  # the first time: nobody follows the game yet, so nothing of it is news
            self._told_version = self.session.play.version
            self._told_end = self.session.play.result is not None
        else:
            self._notify_subscribers()

    async def _catch_up(self, now: datetime) -> None:
        """Apply the actions in the log that memory does not have, and send them to subscribers.

        The last action in memory is compared too: a database that was restored, or replaced by a standby, may lack it.
        """
        session, play = self.session, self.session.play
        before = max(play.version - 1, 0)
        rows, status = await run_in_db_thread(loading.changes_since, self.id, before)
        known, news = rows[: play.version - before], rows[play.version - before :]
        is_ahead = [(row.action, row.at_ms) for row in known] != [(one.text, ms) for one, ms in play.actions[before:]]
        has_ended = status != Game.Status.PLAYING and play.result is None
        if not (is_ahead or news or has_ended):
            return
        try:
            if is_ahead:
                raise ValueError("the log does not have the last action in memory")
            for row in news:
                session.follow(Action.from_text(row.action, decks=session.rules.decks), row.at_ms)
            if has_ended:
                session.follow_end(Outcome(status))
        except (RulesError, ValueError):  # memory and log have diverged
            self.adopt(await run_in_db_thread(loading.load, self.id, now), now)
        self._notify_subscribers()

    def _notify_subscribers(self, by: Subscriber | None = None) -> None:
        """Send subscribers everything that they have not been sent."""
        play, told = self.session.play, self.version
        self._told_version = play.version
        if not self.subscribers <= {by}:  # most games have no other subscriber: nothing is encoded for them
            for version in range(told + 1, play.version + 1):
                self._post(write(wire.Played.of(self.session.step(version), self.session)), by)
        if play.result is not None:
            if not self._told_end:
                self._told_end = True
                self._publishing_end = asyncio.create_task(self._publish_end())
        elif self.session.policy.loss_notices and self.subscribers:
            self._look_for_loss()

    async def _publish_end(self) -> None:
        """Publish the end to the other apps, and then to all subscribers.

        The order matters: everyone who learns of the end must find the game in the score tables, with its ranks. Even
        if another process ended the game: that one may not have entered it yet, or may be gone. If publishing fails,
        the worker catches up. A game of a race is on no table.
        """
        try:
            placed = wire.Placed.of(await journal.publish_end(self.id) if self.race is None else [])
        except Exception:
            logger.exception("the end of game %s could not be published", self.id)
            placed = wire.Placed.of([])
        self._publishing_end = None
        self._post(write(self.finished()))
        if placed.boards:
            self._post(write(placed))

    async def _placements(self) -> wire.Placed:
        """Return the placements as of now. A game that waits to be entered on its boards is entered first.

        One of a race has none.
        """
        return wire.Placed.of(await run_in_own_thread(placements_of, self.id) if self.race is None else [])

    def _look_for_loss(self) -> None:
        if self._notices is None:
            self._notices = LossNotices(self.session.play.start, self.player)
        # A copy: what is added from now on may never be committed.
        looking = self._notices.look(self.session.play.actions.copy(), self._tell_loss)
        _background.add(task := asyncio.create_task(looking))
        task.add_done_callback(_background.discard)

    def _tell_loss(self, version: int, since: int | None) -> None:
        self._post(write(wire.Unwinnable(version, since)))

    def _post(self, text: str, but: Subscriber | None = None) -> None:
        self.subscribers.post(text, self._state_text, but=but)

    def _state_text(self) -> str:
        return write(self.state(clock.now()))


_background: set[asyncio.Task[None]] = set()  # the event loop itself holds tasks only weakly
