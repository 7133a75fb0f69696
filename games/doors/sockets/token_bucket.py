"""A token bucket that limits the rate of a client's messages."""

from __future__ import annotations

# The size of a burst, in seconds of the permanent rate.
BURST_SECONDS = 5


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
