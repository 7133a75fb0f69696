"""Circles of players, such as clubs: others neither see nor enter a race or a tournament that is for members of one.

What circles there are is registered here by those who know them.
"""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from games.players.models import Player
from games.races.refusals import NotInCircle


class Circle(NamedTuple):
    """A circle that a player is in, and whether the player may speak for it."""

    id: str
    name: str
    is_led: bool


finders: list[Callable[[Player], Iterable[Circle]]] = []
"""Functions that return the circles of a player."""

rosters: list[Callable[[str], Collection[int]]] = []
"""Functions that return the members of a circle, none if they do not know it."""


def circles_of(player: Player | None) -> list[Circle]:
    """Return the circles that a player is in."""
    return [circle for find in finders for circle in find(player)] if player is not None else []


def is_inside(circle_id: str, player: Player | None) -> bool:
    """Return True for a member of a circle."""
    return any(circle.id == circle_id for circle in circles_of(player))


def require_inside(circle_id: str, player: Player, *, leads: bool = False) -> Circle:
    """Return a circle that a player is in, or may speak for. Raises `NotInCircle`."""
    for circle in circles_of(player):
        if circle.id == circle_id and (circle.is_led or not leads):
            return circle
    raise NotInCircle("this takes a member, or one who may speak for the members")


def members_of(circle_id: str) -> set[int]:
    """Return the members of a circle."""
    return {member for roster in rosters for member in roster(circle_id)}
