"""Decide which games count in bests, streaks and all other figures outside the score tables."""

from collections.abc import Callable

from django.db.models import QuerySet

from games.play.models import Game

Restriction = Callable[[QuerySet[Game]], QuerySet[Game]]

_restrictions: list[Restriction] = []


def register(restriction: Restriction) -> None:
    """Register a rule that leaves games out. Apps above this one, which judge scores, call it from `ready`."""
    _restrictions.append(restriction)


def counting(games: QuerySet[Game]) -> QuerySet[Game]:
    for restriction in _restrictions:
        games = restriction(games)
    return games
