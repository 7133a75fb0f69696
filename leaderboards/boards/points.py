"""Points: the contribution of a daily game to its week and month."""

from collections.abc import Iterable
from heapq import nlargest
from typing import NamedTuple

from games.rules import Goal, RuleSet

WIN = 1000
MOST_FOR_MOVES = 300
MOST_FOR_SPEED = 200
MOST_FOR_A_LOSS = 400
MS_PER_POINT_OF_SPEED = 3000


class Day(NamedTuple):
    """The contribution of a game to a sum."""

    points: int
    wins: int
    moves: int


def day_of(rules: RuleSet, cards_left: int, moves: int, elapsed_ms: int) -> Day:
    """Return the points of a game: 1000 to 1500 for a win, 0 to 399 for a loss.

    A win loses a point for each move and for every three seconds; a loss counts the share of cards removed.
    """
    if cards_left == 0:
        for_moves = max(0, MOST_FOR_MOVES - moves)
        for_speed = max(0, MOST_FOR_SPEED - elapsed_ms // MS_PER_POINT_OF_SPEED)
        return Day(WIN + for_moves + for_speed, 1, moves)
    cards = rules.deck_size if rules.goal is Goal.ALL else rules.tableau_size
    return Day(MOST_FOR_A_LOSS * max(0, cards - cards_left) // cards, 0, moves)


def total(days: Iterable[Day], days_that_count: int) -> dict[str, int]:
    """Return the sum of the best days: the most points first, then the fewest moves."""
    best = nlargest(days_that_count, days, key=lambda day: (day.points, -day.moves))
    return {name: sum(getattr(day, name) for day in best) for name in Day._fields}
