"""How fast a client may ask."""

from __future__ import annotations

# What may come at once, in seconds of the rate at which it may come in the long run.
BURST_SECONDS = 5


class TokenBucket:
    """Tokens that come back with time, up to `most`. It lends too: what is owed has to come back first.

    Times are in seconds by any one clock.
    """

    __slots__ = ("_counted_at", "_left", "_most", "_per_second")

    def __init__(self, per_second: float, most: float, now: float) -> None:
        self._per_second, self._most = per_second, most
        self._left, self._counted_at = most, now

    def spend(self, tokens: float, now: float) -> None:
        """Take tokens, whether they are there or not."""
        refilled = self._left + (now - self._counted_at) * self._per_second
        self._left, self._counted_at = min(refilled, self._most) - tokens, now

    def seconds_short(self, now: float) -> float:
        """Return how long it takes until a token is there; 0 if one is."""
        missing = 1 - self._left
        return max(0.0, missing / self._per_second - (now - self._counted_at)) if missing > 0 else 0.0
