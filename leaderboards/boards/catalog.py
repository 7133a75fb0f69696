"""The boards as data: the purpose, the order and the name of each.

A name reads `daily.2026-11-20.standard.open.fewest-moves`: period, its date, rule set, division and table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from games.deals.daily import DailyKey, Division
from games.puzzles.packing import RULES as PUZZLE_RULES
from games.rules import RULE_SETS, Goal
from leaderboards.boards.sort_keys import Field, Order

CARDS_LEFT = Field("cards_left", highest=104)
MOVES = Field("moves", highest=2**24 - 1)
ELAPSED_MS = Field("elapsed_ms", highest=2**32 - 1, unit=1000)
POINTS = Field("points", highest=2**17 - 1, is_descending=True, unit=10)
WINS = Field("wins", highest=31, is_descending=True)
TOTAL_MOVES = Field("moves", highest=31 * MOVES.highest)

SOLVED = Field("solved", highest=2**15 - 1, is_descending=True)
MISTAKES = Field("mistakes", highest=2**15 - 1)

OrderField = Literal["cards_left", "elapsed_ms", "mistakes", "moves", "points", "solved", "wins"]

FEWEST_MOVES, FASTEST, POINTS_TABLE = "fewest-moves", "fastest", "points"
STORM, STREAK = "storm", "streak"
TABLES = {
    FEWEST_MOVES: Order((CARDS_LEFT, MOVES, ELAPSED_MS)),
    FASTEST: Order((CARDS_LEFT, ELAPSED_MS, MOVES)),
    POINTS_TABLE: Order((POINTS, WINS, TOTAL_MOVES)),
    STORM: Order((SOLVED, MISTAKES)),
    STREAK: Order((SOLVED,)),
}
RUN_TABLES = STORM, STREAK
"""Those of runs of puzzles, which all players have in common, in one division."""


class Period(StrEnum):
    """The days whose daily deals count on a board."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    ALL_TIME = "all-time"

    @property
    def tables(self) -> tuple[str, ...]:
        return (POINTS_TABLE,) if self in DAYS_THAT_COUNT else (FEWEST_MOVES, FASTEST)

    def first_day(self, day: date) -> date:
        """Return the first day of the period that a day lies in; weeks begin on Monday."""
        match self:
            case Period.WEEKLY:
                return day - timedelta(days=day.weekday())
            case Period.MONTHLY:
                return day.replace(day=1)
            case Period.ALL_TIME:
                return date.min
        return day

    def last_day(self, first: date) -> date:
        match self:
            case Period.WEEKLY:
                return first + timedelta(days=6)
            case Period.MONTHLY:
                return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            case Period.ALL_TIME:
                return date.max
        return first

    def date_text(self, first: date) -> str:
        match self:
            case Period.WEEKLY:
                return "{0.year:04}-W{0.week:02}".format(first.isocalendar())
            case Period.MONTHLY:
                return first.isoformat()[:7]
        return first.isoformat()

    def read_date(self, text: str) -> date:
        """Return the first day of the period that a text names, in any spelling Python reads. Raises ValueError."""
        return date.fromisoformat(text + {Period.WEEKLY: "-1", Period.MONTHLY: "-01"}.get(self, ""))


# Missing a day costs nothing as long as this many are played: one day off a week, and at least three a month.
DAYS_THAT_COUNT = {Period.WEEKLY: 6, Period.MONTHLY: 25}


class Entrants(StrEnum):
    """The groups of competitors within a division of the daily deals; the value ends the division's name."""

    PEOPLE = ""
    BOTS = "-bots"


@dataclass(frozen=True, slots=True)
class BoardKey:
    """The natural key of a board. `first` is its first day; the entrants are part of the division's name."""

    period: Period
    first: date
    rules: str
    division: str
    entrants: Entrants
    table: str

    def __str__(self) -> str:
        dates = [] if self.period is Period.ALL_TIME else [self.period.date_text(self.first)]
        return ".".join([self.period, *dates, self.rules, self.division_name, self.table])

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> BoardKey:
        """Read a name. Each board has exactly one spelling. Raises ValueError."""
        try:
            key = cls._read(*text.split("."))
        except (TypeError, OverflowError) as error:
            raise ValueError(f"{text!r} is not the name of a board") from error
        if str(key) != text or not key._is_declared:
            raise ValueError(f"{text!r} is not the name of a board")
        return key

    @classmethod
    def _read(cls, period_text: str, *rest: str) -> BoardKey:
        period = Period(period_text)
        first = date.min
        if period is not Period.ALL_TIME:
            first, rest = period.read_date(rest[0] if rest else ""), rest[1:]
        rules, division_name, table = rest
        division, hyphen, entrants = division_name.partition("-")
        return cls(period, first, rules, division, Entrants(hyphen + entrants), table)

    @property
    def _is_declared(self) -> bool:
        return (
            self.rules in {rule_set.slug for rule_set in RULE_SETS.values()}
            and self.table in self.tables
            and self.division in set(Division)
            and self.first.year < date.max.year  # raises unless the period's last day exists
        )

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of its period; those of runs are of the rules and the division of puzzles alone."""
        is_of_puzzles = (self.rules, self.division) == (PUZZLE_RULES.slug, Division.OPEN)
        return (*self.period.tables, *RUN_TABLES) if is_of_puzzles else self.period.tables

    @property
    def is_of_runs(self) -> bool:
        """True if its rows are streaks or storms of puzzles."""
        return self.table in RUN_TABLES

    @property
    def division_name(self) -> str:
        return f"{self.division}{self.entrants}"

    @property
    def last(self) -> date:
        return self.period.last_day(self.first)

    @property
    def order(self) -> Order:
        return TABLES[self.table]

    def is_untouched(self, key: int) -> bool:
        """Return True for the key of a game in which no card of the goal was removed."""
        if self.table == POINTS_TABLE or self.is_of_runs:
            return False
        rules = RULE_SETS[self.rules]
        cards = rules.deck_size if rules.goal is Goal.ALL else rules.tableau_size
        return self.order.unpack(key)["cards_left"] >= cards

    @property
    def days_that_count(self) -> int | None:
        """The number of a player's best days that are summed; None if an entry is a single game."""
        return None if self.is_of_runs else DAYS_THAT_COUNT.get(self.period)

    def dailies(self) -> Iterator[BoardKey]:
        """Yield the daily boards that a board of points sums up."""
        for ahead in range((self.last - self.first).days + 1):
            day = self.first + timedelta(days=ahead)
            yield replace(self, period=Period.DAILY, first=day, table=FEWEST_MOVES)


def boards_of(daily: DailyKey, entrants: Entrants) -> list[BoardKey]:
    """Return the boards on which a daily deal counts, boards of points after those that they sum up."""
    return [
        BoardKey(period, period.first_day(daily.day), daily.rules, daily.division, entrants, table)
        for period in (Period.DAILY, Period.ALL_TIME, Period.WEEKLY, Period.MONTHLY)
        for table in period.tables
    ]


def boards_of_runs(day: date, table: str, entrants: Entrants) -> list[BoardKey]:
    """Return the boards on which a streak or a storm counts that ended on a day."""
    return [
        BoardKey(period, period.first_day(day), PUZZLE_RULES.slug, Division.OPEN, entrants, table) for period in Period
    ]


NamedBoards = tuple[tuple[str, BoardKey], ...]


@lru_cache(maxsize=1024)
def named_boards(daily: DailyKey, entrants: Entrants) -> NamedBoards:
    """Return the boards on which a daily deal counts with their names: the day's first, sums of days last."""
    return tuple((str(key), key) for key in boards_of(daily, entrants))


def entrants_of(*, is_bot: bool) -> Entrants:
    """Return the entrants with whom a player's game competes."""
    return Entrants.BOTS if is_bot else Entrants.PEOPLE
