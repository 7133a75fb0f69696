"""How fast a client may talk."""

from __future__ import annotations


class Credit:
    """A bucket of messages that refills with time; who empties it talks too much. Times are in seconds."""

    def __init__(self, per_second: float, most: float, now: float) -> None:
        self._per_second, self._most = per_second, most
        self._left, self._counted_at = most, now

    def spend(self, now: float) -> bool:
        """Take one message; False if there is none left."""
        refilled = self._left + (now - self._counted_at) * self._per_second
        self._left, self._counted_at = min(refilled, self._most), now
        if self._left < 1:
            return False
        self._left -= 1
        return True
