"""How fast actions follow each other: no person sees what an action did and acts on it within `HASTY_MS`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

HASTY_MS = 60
"""Shorter than the fastest reaction and than two taps of a finger; a burst that a network held back is as short."""


def hasty_actions(times: Iterable[int]) -> int:
    """Return how many actions came within `HASTY_MS` after the one before, by the server's milliseconds."""
    return sum(later - earlier < HASTY_MS for earlier, later in pairwise(times))
