"""Choose the next puzzle: one in the player's range that the player has not attempted."""

import secrets
from collections.abc import Iterator, Sequence

from games.players.models import Player
from games.puzzles.library import puzzle_ids, shelf
from games.puzzles.models import PuzzleAttempt, PuzzleRating
from games.puzzles.ratings import strength_of
from games.races.strength import NEWCOMER

RANGE = 150
"""A puzzle in a player's range has a rating of so many points more or less than the player."""
AT_ONCE = 200


def next_for(player: Player | None) -> str:
    """Return the id of a puzzle in a player's range; a visitor has the range of a newcomer."""
    if player is None:
        return puzzle_near(NEWCOMER.mean, None)
    return puzzle_near(strength_of(player).mean, player)


def puzzle_near(rating: float, player: Player | None) -> str:
    """Return the id of a puzzle with about this rating that is new to a player, any if there is no new one."""
    for ids in _around(rating):
        fresh = _new_to(player, ids)
        if fresh:
            return secrets.choice(_in_range(fresh, rating) if player else fresh)
    return secrets.choice(puzzle_ids())


def puzzle_between(one: float, other: float, chance: int) -> str:
    """Return a puzzle of a part of all, ordered by the rating with which they begin: 0 is the easiest, 1 the end."""
    all_puzzles = shelf()
    first, last = int(one * len(all_puzzles)), int(other * len(all_puzzles))
    place = first + chance % (last - first)
    return all_puzzles.between(place, place + 1)[0]


def _around(rating: float) -> Iterator[Sequence[str]]:
    """Yield puzzles, those that begin with about this rating first."""
    all_puzzles = shelf()
    middle, count = all_puzzles.place_of(rating), AT_ONCE
    while True:
        start = max(0, min(middle - count // 2, len(all_puzzles) - count))
        yield all_puzzles.between(start, start + count)
        if count >= len(all_puzzles):
            return
        count *= 8


def _new_to(player: Player | None, ids: Sequence[str]) -> Sequence[str]:
    if player is None:
        return ids
    attempted = PuzzleAttempt.objects.filter(player=player, puzzle__in=ids).order_by()
    known = set(attempted.values_list("puzzle", flat=True))
    return [puzzle for puzzle in ids if puzzle not in known]


def _in_range(ids: Sequence[str], rating: float) -> Sequence[str]:
    """Return the puzzles whose rating is in range by now, the nearest one if none is."""
    now = {puzzle: float(shelf().seed(puzzle)) for puzzle in ids}
    now |= PuzzleRating.objects.filter(puzzle__in=ids).values_list("puzzle", "mean")
    near = [puzzle for puzzle in ids if abs(now[puzzle] - rating) <= RANGE]
    return near or [min(ids, key=lambda puzzle: abs(now[puzzle] - rating))]
