"""The placements of finished games. What keeps score tables registers how they are found."""

from collections.abc import Callable, Collection

from games.play.events import Placement
from games.play.models import Game

_finders: list[Callable[[Game], list[Placement]]] = []
_finders_of_days: list[Callable[[Collection[str]], dict[str, Placement]]] = []


def register(
    find: Callable[[Game], list[Placement]], of_days: Callable[[Collection[str]], dict[str, Placement]]
) -> None:
    _finders.append(find)
    _finders_of_days.append(of_days)


def placements_of(game_id: str) -> list[Placement]:
    """Return the placements of a finished game as of now."""
    game = Game.objects.get(pk=game_id)
    return [placement for find in _finders for placement in find(game)]


def daily_placements(games: Collection[str]) -> dict[str, Placement]:
    """Return the placements of games by fewest moves on the tables of their days; those without one are missing."""
    return {game: placement for find in _finders_of_days for game, placement in find(games).items()}
