"""Which games count: the one rule that bests, streaks and all other figures ask, beside the score tables."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet

from games.models import Game

Restriction = Callable[[QuerySet[Game]], QuerySet[Game]]

_restrictions: list[Restriction] = []


def register(restriction: Restriction) -> None:
    """Leave out more games; apps above this one, which decide about scores, call it when they are ready."""
    _restrictions.append(restriction)


def counting(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of some games that count."""
    for restriction in _restrictions:
        games = restriction(games)
    return games
