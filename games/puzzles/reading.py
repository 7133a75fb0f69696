"""Read what players have done at puzzles."""

from typing import NamedTuple

from django.db.models import QuerySet

from games.players.models import Player
from games.puzzles.models import PuzzleAttempt
from games.puzzles.ratings import strength_of
from games.races.strength import Strength


class Record(NamedTuple):
    """A player's strength, and the numbers of puzzles solved at the first attempt and of those still to be solved."""

    strength: Strength
    solved: int
    failed: int


MOST_FAILED = 100


def failed_attempts(player: Player) -> QuerySet[PuzzleAttempt]:
    """Return a query for the attempts at puzzles that a player failed and has not solved since."""
    return PuzzleAttempt.objects.filter(player=player, is_solved=False, solved_later_at=None)


def failed_puzzles(player: Player) -> list[str]:
    """Return the ids of the puzzles that a player failed and has not solved since, the last first."""
    return list(failed_attempts(player).order_by("-at", "-pk").values_list("puzzle", flat=True)[:MOST_FAILED])


def record_of(player: Player) -> Record:
    """Return a player's record."""
    solved = PuzzleAttempt.objects.filter(player=player, is_solved=True)
    return Record(strength_of(player), solved.count(), failed_attempts(player).count())
