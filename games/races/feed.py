"""The feed of a race: its room and the progress of its games, for all watchers in this process.

Games publish their progress as they are played, in whichever process; the feed only keeps the latest figures and passes
them on together. So fifty racers cost the database nothing, and each watcher gets one message when fifty have moved.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from games.doors.sockets.feeds import Feed, Feeds
from games.doors.wire import write
from games.play.live.live_games import live_games
from games.races.course import advance
from games.races.notices import TOPIC, Progress
from games.races.reading import KnownRace, know_race
from games.races.socket_wire import Standings
from games.races.wire import Racer
from games.runtime.clock import clock
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

    def post_room(self, known: KnownRace) -> None:
        """Queue the room as this watcher may know it."""


class RaceFeed(Feed[Watcher]):
    """A race with watchers in this process."""

    def __init__(self, known: KnownRace, feeds: RaceFeeds) -> None:
        super().__init__(f"race {known.race.pk}")
        self._progress: dict[str, Progress] = dict(known.progress)
        self.known = KnownRace(known.race, known.racers, self._progress)
        self._feeds = feeds
        self._sent_room: tuple[Any, ...] = self._room(datetime.now(UTC))
        self._sent_rows = self._rows()
        self._has_changed = False

    def welcome(self, watcher: Watcher, known: KnownRace) -> None:
        """Send a watcher the room. `known` is the result of `RaceFeeds.known`, or of a reading for this watcher.

        Such a reading is adopted, and the race is read again, since the reading may be older than the feed's own.
        """
        if known is not self.known:
            self._adopt(known)
            self._has_changed = True
            self.wake()
        watcher.post_room(self.known)

    def receive(self, message: Message) -> None:
        """Note the progress of a game, or have the race read again."""
        if "game" not in message:
            self._has_changed = True
        elif not self._is_further(message["game"], progress := msgspec.convert(message["progress"], Progress)):
            return
        else:
            self._progress[message["game"]] = progress
        self.wake()

    def distrust(self) -> None:
        self._has_changed = True

    async def renew(self) -> None:
        """Send changes to all watchers, and advance the race if that is due."""
        race, now = self.known.race, datetime.now(UTC)
        if self._is_due(now):
            self._has_changed = True
            await run_in_own_thread(advance, race.pk, now)
        if self._has_changed:
            self._has_changed = False
            # Messages that come during the reading may be ahead of it.
            self._adopt(await run_in_own_thread(know_race, race.pk, dict(self._progress)))
        await self._feeds.turn(len(self.followers))
        self._send(datetime.now(UTC))

    def pause_seconds(self) -> float:
        return PAUSE_SECONDS

    def look_seconds(self) -> float:
        now, race = datetime.now(UTC), self.known.race
        if self._is_due(now):
            return 0.0
        moments = [] if race.is_over else [race.counts_from, race.starts_at, race.ends_at]
        coming = [(moment - now).total_seconds() for moment in moments if moment is not None and moment > now]
        return min([LOOK_SECONDS, *coming])

    def _adopt(self, known: KnownRace) -> None:
        self._progress.update({game: far for game, far in known.progress.items() if self._is_further(game, far)})
        self.known = KnownRace(known.race, known.racers, self._progress)

    def _send(self, now: datetime) -> None:
        room, rows = self._room(now), self._rows()
        if room != self._sent_room:
            if self.known.race.is_over:
                live_games().catch_up(self._progress)
            for watcher in list(self.followers):
                watcher.post_room(self.known)
        elif changed := [row for handle, row in rows.items() if row != self._sent_rows.get(handle)]:
            text = write(Standings(changed))
            for watcher in list(self.followers):
                watcher.post(text)
        self._sent_room, self._sent_rows = room, rows

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
        if race.is_over or race.starts_at is None or race.ends_at is None or not clock.is_right:
            return False
        if race.begun_at is None:
            return now >= race.starts_at
        return now >= race.ends_at or self.known.all_finished


class RaceFeeds(Feeds[RaceFeed]):
    """The feeds of an event loop."""

    def __init__(self) -> None:
        super().__init__(TOPIC, lambda message: [message["race"]])
        self._readings: dict[str, asyncio.Task[KnownRace]] = {}
        self._free_at = 0.0

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
        if feed := self.running(race_id):
            return feed.known
        if race_id not in self._readings:
            reading = asyncio.create_task(run_in_own_thread(know_race, race_id, {}))
            reading.add_done_callback(lambda _: self._readings.pop(race_id))
            self._readings[race_id] = reading
        return await asyncio.shield(self._readings[race_id])


race_feeds = PerLoop(RaceFeeds)
