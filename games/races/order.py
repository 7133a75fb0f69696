"""The order of a race."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.races.models import Race

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a racer: how the game ended, or `absent` if it was deleted with its player's account."""

    outcome: str
    cards_left: int
    moves: int
    elapsed_ms: int


def places(results: Sequence[Result], tie_break: str) -> list[int]:
    """Return the place of each result, from 1; equal results share one, and the following places are skipped.

    Fewer cards left are better; then time and moves decide, in the order of the tie-break.
    """
    keys = [_key(result, tie_break) for result in results]
    first: dict[tuple[int, ...], int] = {}
    for place, key in enumerate(sorted(keys), start=1):
        first.setdefault(key, place)
    return [first[key] for key in keys]


def _key(result: Result, tie_break: str) -> tuple[int, ...]:
    effort = (result.elapsed_ms, result.moves)
    if tie_break == Race.TieBreak.MOVES:
        effort = effort[::-1]
    return (result.outcome == ABSENT, result.cards_left, *effort)
