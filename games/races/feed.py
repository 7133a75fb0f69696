"""The feed of a race: its room and the progress of its games, for all watchers in this process.

Games publish their progress as they are played, in whichever process; the feed only keeps the latest figures and passes
them on together. So fifty racers cost the database nothing, and each watcher gets one message when fifty have moved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Any, Protocol

import msgspec
from django.db import DatabaseError

from games.doors.sockets.feeds import Feed, Feeds
from games.doors.wire import write
from games.play.live.live_games import live_games
from games.races.course import advance_each
from games.races.notices import TOPIC, Progress, Start
from games.races.reading import KnownRace, know_together
from games.races.refusals import UnknownRace
from games.races.socket_wire import Standings
from games.races.wire import Racer
from games.runtime.clock import clock
from games.runtime.gathering import Gathering
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import Message
from games.runtime.threads import run_in_own_thread

PAUSE_SECONDS = 0.25
# The longest delay if a notice is lost, for example with the process that was sending it.
LOOK_SECONDS = 10.0
# Over all races of a process: with more watchers each gets messages less often, so that games are not delayed.
MOST_SENT_PER_SECOND = 4000


class Watcher(Protocol):
    """A socket on a race."""

    def post(self, text: str) -> None:
        """Queue a text."""

    def post_room(self, known: KnownRace, rows: Mapping[str, Racer]) -> None:
        """Queue the room as this watcher may know it, with the rows of its racers by handle."""


class Nobody:
    """A watcher who gets nothing."""

    def post(self, text: str) -> None:
        """Forget a text."""

    def post_room(self, known: KnownRace, rows: Mapping[str, Racer]) -> None:
        """Forget the room."""


NOBODY = Nobody()

# All rooms of a process that have to be read at the same moment are read together, and so are races advanced.
_rooms = PerLoop(lambda: Gathering(know_together, run_in_own_thread))
_course = PerLoop(lambda: Gathering(advance_each, run_in_own_thread))


class RaceFeed(Feed[Watcher]):
    """A race with watchers in this process."""

    def __init__(self, race_id: str, feeds: RaceFeeds) -> None:
        super().__init__(f"race {race_id}")
        self.known: KnownRace
        self._race_id, self._feeds = race_id, feeds
        self._progress: dict[str, Progress] = {}
        self._is_known: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sent_room: tuple[Any, ...]
        self._sent_rows: dict[str, Racer]
        self._known_rows: dict[str, Racer] | None = None  # until something of them changes
        self._has_changed, self._is_reading, self._read_at = True, False, 0.0

    async def known_at_last(self) -> KnownRace:
        """Return the race, which is read once for all who come before it is known.

        Raises `UnknownRace` or `DatabaseError`.
        """
        await asyncio.shield(self._is_known)
        return self.known

    def welcome(self, watcher: Watcher, known: KnownRace) -> None:
        """Send a watcher the room. `known` is what `known_at_last` returned, or was read for this watcher.

        Such a reading is adopted, and the race is read again, since the reading may be older than the feed's own.
        """
        if known.race is not self.known.race:
            self._adopt(known)
            self._has_changed = True
            self.wake()
        watcher.post_room(self.known, self._rows())

    def receive(self, message: Message) -> None:
        """Note the start of the race or the progress of its games, or have it read again."""
        progress, start = (message.get(kind, {}).get(self._race_id) for kind in ("progress", "starts"))
        if progress is not None:
            if self._note(msgspec.convert(progress, dict[str, Progress])):
                self.wake()
            return
        if start is None or not self._begin(msgspec.convert(start, Start, str_keys=True)):
            self._has_changed = True
        self.wake()

    def distrust(self) -> None:
        """Have the race read again, unless that was just done: a renewal is also due at its start and its end."""
        self._has_changed |= monotonic() - self._read_at >= LOOK_SECONDS

    async def renew(self) -> None:
        """Send changes to all watchers, and advance the race if that is due."""
        now = clock.now()
        if self._is_known.done() and self._is_due(now):
            self._has_changed |= await _course().get((self._race_id, now))
        if self._has_changed:
            self._has_changed = False
            await self._read()
        await self._feeds.turn(len(self.followers))
        self._send(clock.now())

    async def _read(self) -> None:
        """Read the race. Messages that come meanwhile may be ahead of what is read."""
        self._is_reading, self._read_at = True, monotonic()
        try:
            self._adopt(await _rooms().get((self._race_id, dict(self._progress))))
        except (DatabaseError, UnknownRace) as error:
            self._has_changed = True
            self._fail(error)
            raise
        finally:
            self._is_reading = False

    def _fail(self, error: DatabaseError | UnknownRace) -> None:
        """Have those who wait for the room fail; who comes later waits for the next reading, if there is one."""
        if not self._is_known.done():
            self._is_known.set_exception(error)
            self._is_known.exception()  # has been looked at, even if those who waited are gone
            if isinstance(error, DatabaseError):
                self._is_known = asyncio.get_running_loop().create_future()

    def pause_seconds(self) -> float:
        return PAUSE_SECONDS

    def look_seconds(self) -> float:
        now, race = clock.now(), self.known.race
        if self._is_due(now):
            return 0.0
        moments = [] if race.is_over else [race.counts_from, race.starts_at, race.ends_at]
        coming = [(moment - now).total_seconds() for moment in moments if moment is not None and moment > now]
        return min([LOOK_SECONDS, *coming])

    def _adopt(self, known: KnownRace) -> None:
        self._note(known.progress)
        self.known, self._known_rows = replace(known, progress=self._progress), None
        if not self._is_known.done():
            self._sent_room, self._sent_rows = self._room(clock.now()), self._rows()
            self._is_known.set_result(None)

    def _note(self, progress: Mapping[str, Progress]) -> bool:
        """Note the progress of games, and return True if any is further than was known."""
        further = {game: far for game, far in progress.items() if self._is_further(game, far)}
        self._progress.update(further)
        self._known_rows = None if further else self._known_rows
        return bool(further)

    def _begin(self, start: Start) -> bool:
        """Note that the race has begun; return False if it has to be read for that."""
        if self._is_reading or not self._is_known.done():
            return False
        racers = {racer.pk: racer for racer in self.known.racers}
        if start.games.keys() != racers.keys():
            return False
        for racer, game in start.games.items():
            racers[racer].game_id = game
        self._note({game: Progress(0, start.cards_left, 0, 0) for game in start.games.values()})
        self.known.race.begun_at, self._known_rows = start.begun_at, None
        return True

    def _send(self, now: datetime) -> None:
        room, rows = self._room(now), self._rows()
        if room != self._sent_room:
            if self.known.race.is_over:
                live_games().catch_up(self._progress)
            for watcher in list(self.followers):
                watcher.post_room(self.known, rows)
        elif changed := [row for handle, row in rows.items() if row != self._sent_rows.get(handle)]:
            text = write(Standings(changed))
            for watcher in list(self.followers):
                watcher.post(text)
        self._sent_room, self._sent_rows = room, rows

    def _room(self, now: datetime) -> tuple[Any, ...]:
        """Return everything whose change makes another `room` necessary."""
        race = self.known.race
        times = (race.starts_at, race.begun_at, race.ended_at)
        racers = [(row.handle, row.display_name) for row in self._rows().values()]
        return (race.state(now), race.host_id, *times, racers, hasattr(race, "rematch"), self.known.insiders)

    def _rows(self) -> dict[str, Racer]:
        """Return the racers by handle, made once for all watchers."""
        if self._known_rows is None:
            self._known_rows = {racer.player.username: Racer.of(racer, self.known) for racer in self.known.racers}
        return self._known_rows

    def _is_further(self, game: str, progress: Progress) -> bool:
        last = self._progress.get(game)
        return last is None or progress.version > last.version or bool(progress.outcome and not last.outcome)

    def _is_due(self, now: datetime) -> bool:
        race = self.known.race
        if race.is_over or race.starts_at is None or race.ends_at is None or not clock.is_right:
            return False
        if race.begun_at is None:
            return now >= race.starts_at
        return now >= race.ends_at or self.known.all_finished


class RaceFeeds(Feeds[RaceFeed]):
    """The feeds of an event loop."""

    def __init__(self) -> None:
        super().__init__(TOPIC, lambda message: message["races"])
        self._free_at = 0.0

    async def turn(self, messages: int) -> None:
        """Wait until a number of messages may be sent: feeds take turns, so that games go on between them."""
        now = asyncio.get_running_loop().time()
        mine = max(now, self._free_at)
        self._free_at = mine + messages / MOST_SENT_PER_SECOND
        await asyncio.sleep(mine - now)


race_feeds = PerLoop(RaceFeeds)
