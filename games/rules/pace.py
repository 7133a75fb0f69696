"""Count actions too hasty for a person, who cannot see the effect of one and react within `HASTY_MS`."""

from collections.abc import Iterable
from itertools import pairwise

HASTY_MS = 60
"""Shorter than the fastest reaction, and than two taps of a finger; moves that a network delayed may come as fast."""


def hasty_actions(times: Iterable[int]) -> int:
    """Return the number of actions within `HASTY_MS` of the previous one, by the server's milliseconds."""
    return sum(later - earlier < HASTY_MS for earlier, later in pairwise(times))
