"""Points for places in cups. Pure."""

from math import log2

PER_HALVING = 10


def points(rank: int, persons: int) -> int:
    """Return the points of a rank among persons: one for taking part, and ten for each halving of the field."""
    return 1 + round(PER_HALVING * log2(persons / rank))
