"""The feed of a race: its room and the progress of its games, for all watchers in this process.

Games publish their progress as they are played, in whichever process; the feed only keeps the latest figures and passes
them on together. So fifty racers cost the database nothing, and each watcher gets one message when fifty have moved.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import msgspec
from django.db import DatabaseError

from games.kit.pubsub import Message, pubsub
from games.kit.threads import run_in_own_thread
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
            await asyncio.sleep(self._feeds.pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stale.wait(), self._seconds_to_wait(datetime.now(UTC)))
                continue
            self._has_changed = True

    async def _renew(self, now: datetime) -> None:
        race = self.known.race
        if self._is_due(now):
            self._has_changed = True
            await run_in_own_thread(advance, race.pk, now)
        if self._has_changed:
            self._has_changed = False
            read = await run_in_own_thread(know_race, race.pk, dict(self._progress))
            later = {game: far for game, far in read.progress.items() if self._is_further(game, far)}
            self._progress |= later
            self.known = KnownRace(read.race, read.racers, self._progress)
        self._tell(now)

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
        pubsub().subscribe(TOPIC, self._hear)

    @property
    def pause(self) -> float:
        """The least number of seconds between two messages to a watcher."""
        watchers = sum(len(feed.watchers) for feed, _ in self._feeds.values())
        return max(PAUSE_SECONDS, watchers / MOST_SENT_PER_SECOND)

    @asynccontextmanager
    async def watching(self, known: KnownRace, watcher: Watcher) -> AsyncIterator[RaceFeed]:
        """Send a watcher the room and then all changes of a race while the block runs."""
        race_id = known.race.pk
        if race_id not in self._feeds:
            feed = RaceFeed(known, self)
            self._feeds[race_id] = feed, asyncio.create_task(feed.run())
        feed, task = self._feeds[race_id]
        feed.watchers.add(watcher)
        watcher.post_room(feed.known)
        feed.hear({})  # the room in memory may be older than the watcher's own join: have it read again
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
