"""Read what players have done at puzzles."""

from typing import NamedTuple

from games.players.models import Player
from games.puzzles.models import PuzzleAttempt
from games.puzzles.ratings import strength_of
from games.races.strength import Strength


class Record(NamedTuple):
    """A player's strength, and the numbers of puzzles solved at the first attempt and of those still to be solved."""

    strength: Strength
    solved: int
    failed: int


def record_of(player: Player) -> Record:
    """Return a player's record."""
    attempts = PuzzleAttempt.objects.filter(player=player)
    failed = attempts.filter(is_solved=False, solved_later_at=None)
    return Record(strength_of(player), attempts.filter(is_solved=True).count(), failed.count())
