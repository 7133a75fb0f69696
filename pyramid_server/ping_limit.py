"""WebSocket's own pings, which the web servers answer by themselves: they count like messages.

The application never sees them, so the two protocols that we serve with are told here to count. No client needs more
than a few a minute; one that sends more of them than it may send messages is closed.
"""

from __future__ import annotations

from time import monotonic

from django.conf import settings

from games.kit.sockets.token_bucket import BURST_SECONDS, TokenBucket


class PingLimit:
    """Counts the pings of one connection."""

    def __init__(self) -> None:
        rate = settings.PYRAMID_MESSAGES_PER_SECOND
        self._bucket = TokenBucket(rate, rate * BURST_SECONDS, monotonic())

    def is_reached(self) -> bool:
        """Count a ping, and return True if there were too many."""
        now = monotonic()
        self._bucket.spend(1, now)
        return self._bucket.seconds_short(now) > 0
