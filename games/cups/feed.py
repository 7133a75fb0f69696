"""The feed of a division of a cup: read once in two seconds at most, for all watchers in this process."""

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from games.cups.reading import SHOWN_FOR, TOPIC, KnownCup, know_cup, read_cup
from games.cups.wire import Cup
from games.doors.sockets.feeds import Feed, Feeds
from games.players.models import Player
from games.races.circles import members_of
from games.runtime.clock import clock
from games.runtime.per_loop import PerLoop
from games.runtime.threads import run_in_own_thread

PAUSE_SECONDS = 0.5
# The longest delay of a step of a cup whose notice is lost, unless the cup has to be open or is on its way.
LOOK_SECONDS = 15.0


class CupFeed(Feed[object]):
    """A division of a cup with watchers in this process."""

    def __init__(self, cup: Cup) -> None:
        super().__init__(f"cup {cup.id}")
        self.cup = cup
        self._insiders: Collection[int] | None = None  # until they have been read
        self._changed = asyncio.Condition()

    def may_follow(self, reader: Player | None) -> bool:
        """Return True unless the cup is for a circle that its reader is not in any more."""
        is_inside = self._insiders is None or (reader is not None and reader.pk in self._insiders)
        return is_inside or self.cup.circle is None

    async def other_than(self, sent: Cup) -> Cup:
        """Wait until a cup differs from what was sent."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.cup != sent)
            return self.cup

    async def renew(self) -> None:
        """Read the cup, and wake the watchers."""
        cup = await _read(know_cup, self.cup.id, self.cup.division)
        self._insiders = await run_in_own_thread(members_of, cup.circle) if cup.circle else None
        async with self._changed:
            self.cup = cup
            self._changed.notify_all()

    def pause_seconds(self) -> float:
        return PAUSE_SECONDS

    def look_seconds(self) -> float:
        if self.cup.state == "announced":  # a worker opens it then, of which no notice may come
            until = (self.cup.opens_at - clock.now()).total_seconds()
            return min(max(SHOWN_FOR, until), LOOK_SECONDS)
        return LOOK_SECONDS if self.cup.state == "ended" else SHOWN_FOR


@PerLoop
def cup_feeds() -> Feeds[CupFeed]:
    """Return the feeds of the running event loop."""
    return Feeds(TOPIC, lambda message: [message["about"]])


async def look(cup_id: str, division: int, reader: Player | None) -> Cup:
    """Return a cup with one of its divisions as all who may see it know it, if its reader does. Raises `UnknownCup`."""
    return await _read(read_cup, cup_id, division, reader)


async def _read(read: Callable[..., KnownCup], *arguments: Any) -> Cup:
    return await run_in_own_thread(lambda: Cup.known(read(*arguments), None))
