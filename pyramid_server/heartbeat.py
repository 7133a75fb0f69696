"""The heartbeat of a server process: whether it is up, its clock right, and the database writable."""

import logging
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, connection

from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.connection import end_all_from_thread
from games.play.models import Uptime
from games.play.uptime import record_heartbeat
from games.runtime import resources
from games.runtime.clock import clock
from games.runtime.outages import briefly
from games.status.hours import HourBook

RETRY_SECONDS = 1
FIRST_SECONDS = 2

logger = logging.getLogger(__name__)


class Heart:
    """Beats until the end. The next heartbeat makes up for one that could not be written."""

    def __init__(self) -> None:
        self.failure: DatabaseError | None = None  # of the last heartbeat
        self.has_beaten = Event()
        self._stretch: Uptime | None = None
        self._hours = HourBook()

    def beat_until(self, stop: Event) -> None:
        while not stop.wait(self._beat()):
            pass

    def _beat(self) -> float:
        """Beat once, and return the seconds until the next time."""
        try:
            resources.measure()
            clock.measure()
            if clock.is_right:
                self._stretch = record_heartbeat(self._stretch, clock.now())
                self._hours.write(clock.now())
            else:  # the times of a wrong clock would spoil the record, and players find another node
                end_all_from_thread(CloseCode.TRY_AGAIN_LATER)
        except DatabaseError as error:
            if self.failure is None:
                logger.warning("heartbeats cannot be written: %s", briefly(error))
            self.failure = error
        else:
            self.failure = None
        finally:
            connection.close()
            self.has_beaten.set()
        most: float = settings.PYRAMID_HEARTBEAT_SECONDS
        return min(RETRY_SECONDS, most) if self.failure else most


heart = Heart()


def start_heartbeat() -> None:
    """Beat in a separate thread as long as the process lives; `PYRAMID_HEARTBEAT_SECONDS=0` disables it."""
    if settings.PYRAMID_HEARTBEAT_SECONDS:
        clock.distrust()
        Thread(target=heart.beat_until, args=[Event()], name="heartbeat", daemon=True).start()
        heart.has_beaten.wait(FIRST_SECONDS)  # usually nobody asks before the clock has been measured
