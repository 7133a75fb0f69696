"""The feed of a race: its room and the progress of its games, for all watchers in this process.

Games publish their progress as they are played, in whichever process; the feed only keeps the latest figures and passes
them on together. So fifty racers cost the database nothing, and each watcher gets one message when fifty have moved.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import msgspec
from django.db import DatabaseError

from games.kit.pubsub import Message, pubsub
from games.kit.threads import run_in_own_thread
from games.kit.waiting import is_set_within
from games.kit.wire import write
from games.playing.live_games import live_games
from games.race_wire import Racer, Standings
from games.services.races.course import advance
from games.services.races.notices import TOPIC, Progress
from games.services.races.reading import KnownRace, know_race

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 0.25
# The longest delay if a notice is lost, for example with the process that was sending it.
LOOK_SECONDS = 10.0
# Over all races of a process: with more watchers each gets messages less often, so that games are not delayed.
MOST_SENT_PER_SECOND = 4000


class Watcher(Protocol):
    """A socket on a race."""

    def post(self, text: str) -> None:
        """Queue a text."""

    def post_room(self, known: KnownRace) -> None:
        """Queue the room as this watcher may know it."""


class RaceFeed:
    """A race with watchers in this process."""

    def __init__(self, known: KnownRace, feeds: RaceFeeds) -> None:
        self._progress: dict[str, Progress] = dict(known.progress)
        self.known = KnownRace(known.race, known.racers, self._progress)
        self.watchers: set[Watcher] = set()
        self._feeds = feeds
        self._told_room: tuple[Any, ...] = self._room(datetime.now(UTC))
        self._told_rows = self._rows()
        self._has_changed = False
        self._stale = asyncio.Event()

    def learn(self, known: KnownRace) -> None:
        """Adopt a race that was read elsewhere, and have it read again, since that may be older than the feed's own."""
        self._progress.update(self._later(known.progress))
        self.known = KnownRace(known.race, known.racers, self._progress)
        self._has_changed = True
        self._stale.set()

    def hear(self, notice: Message) -> None:
        """Note the progress of a game, or have the race read again."""
        if "game" not in notice:
            self._has_changed = True
        elif not self._is_further(notice["game"], progress := msgspec.convert(notice["progress"], Progress)):
            return
        else:
            self._progress[notice["game"]] = progress
        self._stale.set()

    async def run(self) -> None:
        """Send changes to all watchers, and advance the race when that is due."""
        while True:
            self._stale.clear()
            try:
                await self._renew(datetime.now(UTC))
            except DatabaseError as error:
                logger.warning("watchers of race %s wait for the database: %s", self.known.race.pk, error)
                self._has_changed = True
                await asyncio.sleep(1)
            await asyncio.sleep(PAUSE_SECONDS)
            if not await is_set_within(self._stale, self._seconds_to_wait(datetime.now(UTC))):
                self._has_changed = True

    async def _renew(self, now: datetime) -> None:
        race = self.known.race
        if self._is_due(now):
            self._has_changed = True
            await run_in_own_thread(advance, race.pk, now)
        if self._has_changed:
            self._has_changed = False
            read = await run_in_own_thread(know_race, race.pk, dict(self._progress))
            # Notices that came during the reading may be ahead of it.
            self._progress.update(self._later(read.progress))
            self.known = KnownRace(read.race, read.racers, self._progress)
        await self._feeds.turn(len(self.watchers))
        self._tell(datetime.now(UTC))

    def _tell(self, now: datetime) -> None:
        room, rows = self._room(now), self._rows()
        if room != self._told_room:
            if self.known.race.is_over:
                live_games().catch_up(self._progress)
            for watcher in list(self.watchers):
                watcher.post_room(self.known)
        elif changed := [row for handle, row in rows.items() if row != self._told_rows.get(handle)]:
            text = write(Standings(changed))
            for watcher in list(self.watchers):
                watcher.post(text)
        self._told_room, self._told_rows = room, rows

    def _room(self, now: datetime) -> tuple[Any, ...]:
        """Return everything whose change makes another `room` necessary."""
        race = self.known.race
        times = (race.starts_at, race.begun_at, race.ended_at)
        racers = [racer.pk for racer in self.known.racers]
        return (race.state(now), race.host_id, *times, racers, hasattr(race, "rematch"))

    def _rows(self) -> dict[str, Racer]:
        return {racer.player.username: Racer.of(racer, self.known) for racer in self.known.racers}

    def _later(self, progress: Mapping[str, Progress]) -> dict[str, Progress]:
        return {game: far for game, far in progress.items() if self._is_further(game, far)}

    def _is_further(self, game: str, progress: Progress) -> bool:
        last = self._progress.get(game)
        return last is None or progress.version > last.version or bool(progress.outcome and not last.outcome)

    def _is_due(self, now: datetime) -> bool:
        race = self.known.race
        if race.is_over or race.starts_at is None or race.ends_at is None:
            return False
        if race.begun_at is None:
            return now >= race.starts_at
        return now >= race.ends_at or self.known.all_finished

    def _seconds_to_wait(self, now: datetime) -> float:
        if self._is_due(now):
            return 0.0
        race = self.known.race
        moments = [] if race.is_over else [race.counts_from, race.starts_at, race.ends_at]
        coming = [(moment - now).total_seconds() for moment in moments if moment is not None and moment > now]
        return min([LOOK_SECONDS, *coming])


class RaceFeeds:
    """The feeds of an event loop. A feed runs as long as it has watchers."""

    def __init__(self) -> None:
        self._feeds: dict[str, tuple[RaceFeed, asyncio.Task[None]]] = {}
        self._readings: dict[str, asyncio.Task[KnownRace]] = {}
        self._free_at = 0.0
        pubsub().subscribe(TOPIC, self._hear)

    async def turn(self, messages: int) -> None:
        """Wait until a number of messages may be sent: feeds take turns, so that games go on between them."""
        now = asyncio.get_running_loop().time()
        mine = max(now, self._free_at)
        self._free_at = mine + messages / MOST_SENT_PER_SECOND
        await asyncio.sleep(mine - now)

    async def known(self, race_id: str) -> KnownRace:
        """Return a race as its feed knows it, or else as it stands. Raises `UnknownRace`.

        After a restart all racers connect at once, and reading a room takes time for each of its racers. So one reading
        serves all who connect before the room has a feed, and the feed serves the others.
        """
        if watched := self._feeds.get(race_id):
            return watched[0].known
        if race_id not in self._readings:
            reading = asyncio.create_task(run_in_own_thread(know_race, race_id, {}))
            reading.add_done_callback(lambda _: self._readings.pop(race_id))
            self._readings[race_id] = reading
        return await asyncio.shield(self._readings[race_id])

    @asynccontextmanager
    async def watching(self, known: KnownRace, watcher: Watcher) -> AsyncIterator[RaceFeed]:
        """Send a watcher the room and then all changes of a race while the block runs.

        `known` is the result of `known`, or of a reading for this watcher.
        """
        race_id = known.race.pk
        if race_id not in self._feeds:
            feed = RaceFeed(known, self)
            self._feeds[race_id] = feed, asyncio.create_task(feed.run())
        feed, task = self._feeds[race_id]
        if known is not feed.known:
            feed.learn(known)
        feed.watchers.add(watcher)
        watcher.post_room(feed.known)
        try:
            yield feed
        finally:
            feed.watchers.discard(watcher)
            if not feed.watchers:
                del self._feeds[race_id]
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    def _hear(self, notice: Message) -> None:
        if watched := self._feeds.get(notice["race"]):
            watched[0].hear(notice)


_feeds: WeakKeyDictionary[asyncio.AbstractEventLoop, RaceFeeds] = WeakKeyDictionary()


def race_feeds() -> RaceFeeds:
    """Return the feeds of the running event loop."""
    loop = asyncio.get_running_loop()
    return _feeds.get(loop) or _feeds.setdefault(loop, RaceFeeds())
