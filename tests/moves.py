"""Moves as clients read them."""

from __future__ import annotations


def takes_from_pyramid(move: str) -> bool:
    """Return True for a pair, under rules with one waste: only one of its cards can be in the waste.

    A king alone may be in the waste, and a game from whose pyramid nothing was removed has no rank.
    """
    return len(move) == len("KsQh")
