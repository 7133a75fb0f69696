"""Token buckets that limit the rate of a client's messages and other frames."""

from time import monotonic

from django.conf import settings

# The size of a burst, in seconds of the permanent rate.
BURST_SECONDS = 5
# For a client that is closed for its frames to read why, however busy the machine. What it sends meanwhile is dropped:
# unread, it would reset the connection.
REFUSED_SECONDS = 5.0


class TokenBucket:
    """Tokens that refill with time, up to `most`. The level may go below 0: a debt is refilled first.

    Times are in seconds of any one clock.
    """

    __slots__ = ("_counted_at", "_left", "_most", "_per_second")

    def __init__(self, per_second: float, most: float, now: float) -> None:
        self._per_second, self._most = per_second, most
        self._left, self._counted_at = most, now

    def spend(self, tokens: float, now: float) -> None:
        """Take tokens, going into debt if there are too few."""
        refilled = self._left + (now - self._counted_at) * self._per_second
        self._left, self._counted_at = min(refilled, self._most) - tokens, now

    def seconds_short(self, now: float) -> float:
        """Return the seconds until a token is available; 0 if one is."""
        missing = 1 - self._left
        return max(0.0, missing / self._per_second - (now - self._counted_at)) if missing > 0 else 0.0


def message_bucket(now: float) -> TokenBucket:
    """Return the bucket for the messages of a new connection."""
    rate = settings.PYRAMID_MESSAGES_PER_SECOND
    return TokenBucket(rate, rate * BURST_SECONDS, now)


class FrameLimit:
    """Counts the frames of one connection that bring no message of their own, which count like messages.

    These are pings, pongs and the further parts of a message, however empty. The web servers take them without
    involving the application, so the protocol classes of both count them with this one. No client needs more than a
    few a minute; one that sends more of them than it may send messages is closed.
    """

    _bucket: TokenBucket | None = None  # until there is a frame

    def is_reached(self) -> bool:
        """Count a frame, and return True if there have been too many."""
        now = monotonic()
        if self._bucket is None:
            self._bucket = message_bucket(now)
        self._bucket.spend(1, now)
        return self._bucket.seconds_short(now) > 0
