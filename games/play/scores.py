"""Placements and sanctions of games, which the apps that keep score tables and judge scores register here."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from django.db.models import QuerySet
from django.dispatch import Signal

from games.calendar.models import Deal
from games.play.models import Game


class Placement(NamedTuple):
    """The place of a finished game on a score table: its rank, and the number of entries."""

    board: str
    rank: int
    of: int


# Sent after the commit that ended a game, with `game: str`, its id. It is lost if the process dies at that moment,
# so receivers must be idempotent and have another way to catch up. It may be sent from an event loop, so receivers
# must not block: they start their work elsewhere and return a `concurrent.futures.Future` of a list of `Placement`.
game_finished = Signal()

finders: list[Callable[[Game], list[Placement]]] = []
"""Functions that return the placements of a finished game."""
day_finders: list[Callable[[Collection[str]], dict[str, Placement]]] = []
"""Functions that return the placements of games by fewest moves, each on the table of its day."""
restrictions: list[Callable[[QuerySet[Game]], QuerySet[Game]]] = []
"""Functions that leave games out of bests, streaks and all other figures outside the score tables."""


def placements_of(game_id: str) -> list[Placement]:
    """Return the placements of a finished game as of now."""
    game = Game.objects.get(pk=game_id)
    return [placement for find in finders for placement in find(game)]


def daily_placements(games: Collection[str]) -> dict[str, Placement]:
    """Return the placements of games by fewest moves on the tables of their days; those without one are missing."""
    return {game: placement for find in day_finders for game, placement in find(games).items()}


def counting(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of some games that count outside the score tables; those of retests count nowhere."""
    games = games.exclude(deal__kept_for=Deal.KeptFor.RETEST)
    for restrict in restrictions:
        games = restrict(games)
    return games
