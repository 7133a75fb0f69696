"""The placements of finished games. What keeps score tables registers how they are found."""

from __future__ import annotations

from collections.abc import Callable

from games.play.events import Placement
from games.play.models import Game

_finders: list[Callable[[Game], list[Placement]]] = []


def register(find: Callable[[Game], list[Placement]]) -> None:
    _finders.append(find)


def placements_of(game_id: str) -> list[Placement]:
    """Return the placements of a finished game as of now."""
    game = Game.objects.get(pk=game_id)
    return [placement for find in _finders for placement in find(game)]
