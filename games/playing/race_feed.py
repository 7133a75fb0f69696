"""The feed of a race: its room and how far everyone is, for all who look at it in this process.

Games tell how far they are as they are played, in whichever process; the feed only keeps the last figures and passes
them on together. So fifty racers cost the database nothing, and everyone gets one message where fifty have moved.
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
# The longest delay of what happened if its notice was lost, together with the process that was sending it.
LOOK_SECONDS = 10.0
# Of all races of a process: with more watchers each of them hears less often, and games go on undisturbed.
MOST_SENT_PER_SECOND = 4000


class Watcher(Protocol):
    """A socket that looks at a race."""

    def post(self, text: str) -> None:
        """Queue a text."""

    def post_room(self, known: KnownRace) -> None:
        """Queue the room as this watcher may know it."""


class RaceFeed:
    """A race that someone in this process looks at."""

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
        """Take note of a game that is further, or read the race again."""
        if "game" not in notice:
            self._has_changed = True
        elif not self._is_further(notice["game"], progress := msgspec.convert(notice["progress"], Progress)):
            return
        else:
            self._progress[notice["game"]] = progress
        self._stale.set()

    async def run(self) -> None:
        """Tell all watchers what has changed, and take the race on when its time has come."""
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
        """Return all that makes a room another one."""
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
        """The seconds between two messages to the same watcher."""
        watchers = sum(len(feed.watchers) for feed, _ in self._feeds.values())
        return max(PAUSE_SECONDS, watchers / MOST_SENT_PER_SECOND)

    @asynccontextmanager
    async def watching(self, known: KnownRace, watcher: Watcher) -> AsyncIterator[RaceFeed]:
        """Pass on to a watcher what happens in a race while the block runs; the room comes first."""
        race_id = known.race.pk
        if race_id not in self._feeds:
            feed = RaceFeed(known, self)
            self._feeds[race_id] = feed, asyncio.create_task(feed.run())
        feed, task = self._feeds[race_id]
        feed.watchers.add(watcher)
        watcher.post_room(feed.known)
        feed.hear({})  # what is known may be older than what the watcher did to come here
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
