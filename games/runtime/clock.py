"""The clock that decides is the database's: what opens, what is over, how long a game took.

So all processes tell the same time, and none is moved by a clock that is set while it works. A process whose own clock
differs serves nobody, as keys, certificates and logs follow that one.
"""

import logging
import time
from datetime import UTC, datetime

from django.conf import settings
from django.db import connection
from prometheus_client import Gauge

MOST_SECONDS_APART = 2.0

logger = logging.getLogger(__name__)
apart = Gauge(
    "pyramid_clock_difference_seconds",
    "How far the clock of the process is from the database's, in either direction.",
    multiprocess_mode="livemax",
)


class Clock:
    """The time of the database, and how far this process's clock is from it, without a query for each question.

    Between two measurements the monotonic clock, which nobody sets, carries the database's time on.
    """

    def __init__(self) -> None:
        self._epoch: float | None = None  # the database's time when the monotonic clock was zero
        self._uncertainty = 0.0
        self._was_right = True
        self._must_be_measured = False

    def distrust(self) -> None:
        """Count as wrong until the database has been asked for its time once, which may be away at the start."""
        self._must_be_measured = self._is_anothers

    def measure(self) -> None:
        """Ask the database for its time. Raises `DatabaseError`. SQLite's clock is our own."""
        if not self._is_anothers:
            return
        asked_at = time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            told = float(cursor.fetchone()[0])
        self.note(told, asked_at, time.monotonic())

    def note(self, told: float, asked_at: float, answered_at: float) -> None:
        """Note the database's time, read somewhere in the round trip, unless a faster answer known before agrees."""
        epoch, uncertainty = told - (asked_at + answered_at) / 2, (answered_at - asked_at) / 2
        if self._epoch is None or uncertainty <= max(self._uncertainty, abs(epoch - self._epoch) - self._uncertainty):
            self._epoch, self._uncertainty = epoch, uncertainty
        apart.set(abs(self.seconds_ahead))
        if self.is_right != self._was_right:
            self._was_right = self.is_right
            logger.log(*(SET_AGAIN if self._was_right else WRONG), self.seconds_ahead)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds(), UTC)

    def seconds(self) -> float:
        """Return the time since the epoch of Unix, in seconds: the database's, or the process's if not measured."""
        return time.time() if self._epoch is None else self._epoch + time.monotonic()

    @property
    def _is_anothers(self) -> bool:
        return connection.vendor == "postgresql" and bool(settings.PYRAMID_HEARTBEAT_SECONDS)

    @property
    def seconds_ahead(self) -> float:
        """The seconds by which this process's clock is ahead of the database's; 0 if not measured."""
        return 0.0 if self._epoch is None else time.time() - self.seconds()

    @property
    def is_known(self) -> bool:
        """True unless a clock that must be measured never was."""
        return self._epoch is not None or not self._must_be_measured

    @property
    def is_right(self) -> bool:
        """True if known, unless the clocks differ by more than is allowed, and than the measurement can be wrong."""
        if not self.is_known:
            return False
        return abs(self.seconds_ahead) <= MOST_SECONDS_APART + self._uncertainty


WRONG = (logging.ERROR, "the clock is %+.1f s from the database's: nothing opens here until it is set")
SET_AGAIN = (logging.WARNING, "the clock agrees with the database's again (%+.1f s)")

clock = Clock()
