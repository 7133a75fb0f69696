"""The names of boards for people, in their language."""

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import RULE_SETS
from leaderboards.boards.catalog import FASTEST, FEWEST_MOVES, POINTS_TABLE, STORM, STREAK, BoardKey, Period

TABLES = {
    FEWEST_MOVES: gettext_lazy("fewest moves"),
    FASTEST: gettext_lazy("fastest"),
    POINTS_TABLE: gettext_lazy("points"),
    STORM: gettext_lazy("puzzle storm"),
    STREAK: gettext_lazy("puzzle streak"),
}


def table_name(key: BoardKey) -> str:
    """Return the criterion of a board as part of a sentence: `fewest moves`."""
    return str(TABLES[key.table])


def table_title(key: BoardKey) -> str:
    """Return the criterion of a board as a title: `Fewest moves`."""
    return capfirst(table_name(key))


def title_of(key: BoardKey) -> str:
    """Return a board's name in words: `20 Nov 2026, Standard, open: fewest moves`."""
    return f"{when(key)}, {_(RULE_SETS[key.rules].title)}, {_(key.division_name)}: {table_name(key)}"


def when(key: BoardKey) -> str:
    """Return the period of a board in words: `20 Nov 2026`, `week 47 of 2026`, `November 2026`, `all time`."""
    match key.period:
        case Period.DAILY:
            return date_format(key.first, "DATE_FORMAT")
        case Period.WEEKLY:
            year, week, _day = key.first.isocalendar()
            return _("week %(week)d of %(year)d") % {"week": week, "year": year}
        case Period.MONTHLY:
            return date_format(key.first, "LONG_MONTH")
    return _("all time")


def short_title(slug: str) -> str:
    """Return the name of a board by its slug, without rules and division: `20 Nov 2026, fewest moves`."""
    key = BoardKey.parse(slug)
    return f"{capfirst(when(key))}, {table_name(key)}"
