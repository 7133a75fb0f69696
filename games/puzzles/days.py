"""The puzzle of each day, in the order of the file: a day keeps its puzzle, because the file only grows at its end."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from games.puzzles.library import puzzle_ids

FIRST_DAY = date(2026, 1, 1)
DAYS_A_PAGE = 31


class PuzzleDay(NamedTuple):
    """A day and the id of its puzzle."""

    day: date
    puzzle: str


def puzzle_of(day: date) -> PuzzleDay:
    """Return the puzzle of a day."""
    ids = puzzle_ids()
    return PuzzleDay(day, ids[(day - FIRST_DAY).days % len(ids)])


def day_of(puzzle_id: str, today: date) -> date | None:
    """Return the day, not after today, whose puzzle it was, None if there is none."""
    ids = puzzle_ids()
    day = FIRST_DAY + timedelta(days=ids.index(puzzle_id)) if puzzle_id in ids else None
    return day if day and day <= today else None


def days_until(last: date) -> list[PuzzleDay]:
    """Return a page of days with their puzzles, newest first, from a day back to the first."""
    count = min(DAYS_A_PAGE, max(0, (last - FIRST_DAY).days + 1))
    return [puzzle_of(last - timedelta(days=back)) for back in range(count)]
