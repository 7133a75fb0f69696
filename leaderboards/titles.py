"""The names of boards for people."""

from __future__ import annotations

from games.rules import RULE_SETS
from leaderboards.boards import BoardKey, Period


def title_of(key: BoardKey) -> str:
    """Return a board's name in words: `20 Nov 2026, Standard, open: fewest moves`."""
    return f"{when(key)}, {RULE_SETS[key.rules].title}, {key.division_name}: {key.table.replace('-', ' ')}"


def when(key: BoardKey) -> str:
    """Return the period of a board in words: `20 Nov 2026`, `week 47 of 2026`, `November 2026`, `all time`."""
    match key.period:
        case Period.DAILY:
            return f"{key.first:%-d %b %Y}"
        case Period.WEEKLY:
            return "week {0.week} of {0.year}".format(key.first.isocalendar())
        case Period.MONTHLY:
            return f"{key.first:%B %Y}"
    return "all time"


def short_title(slug: str) -> str:
    """Return the name of a board by its slug, without rules and division: `20 Nov 2026, fewest moves`."""
    key = BoardKey.parse(slug)
    said = when(key)
    return f"{said[:1].upper()}{said[1:]}, {key.table.replace('-', ' ')}"
