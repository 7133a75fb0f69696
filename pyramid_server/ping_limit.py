"""A limit on WebSocket ping frames, which count like messages.

The web servers answer pings without involving the application, so both protocol classes count them with this one. No
client needs more than a few a minute; one that sends more pings than it may send messages is closed.
"""

from __future__ import annotations

from time import monotonic

from django.conf import settings

from games.doors.sockets.token_bucket import BURST_SECONDS, TokenBucket


class PingLimit:
    """Counts the pings of one connection."""

    def __init__(self) -> None:
        rate = settings.PYRAMID_MESSAGES_PER_SECOND
        self._bucket = TokenBucket(rate, rate * BURST_SECONDS, monotonic())

    def is_reached(self) -> bool:
        """Count a ping, and return True if there have been too many."""
        now = monotonic()
        self._bucket.spend(1, now)
        return self._bucket.seconds_short(now) > 0
