"""The boards there are, as data: what each is for, what it sorts by, and its name.

A name reads `daily.2026-11-20.standard.open.fewest-moves`: period, its date, rule set, division and table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from games.rules import RULE_SETS
from leaderboards.order import Direction, Field, Order

CARDS_LEFT = Field("cards_left", highest=104)
MOVES = Field("moves", highest=2**24 - 1)
ELAPSED_MS = Field("elapsed_ms", highest=2**32 - 1)

TABLES = {
    "fewest-moves": Order(
        ((CARDS_LEFT, Direction.ASCENDING), (MOVES, Direction.ASCENDING), (ELAPSED_MS, Direction.ASCENDING))
    ),
    "fastest": Order(
        ((CARDS_LEFT, Direction.ASCENDING), (ELAPSED_MS, Direction.ASCENDING), (MOVES, Direction.ASCENDING))
    ),
}


class Entrants(StrEnum):
    """Who competes with whom inside a division of the daily deals; the value ends the division's name."""

    PEOPLE = ""
    BOTS = "-bots"
    ASSISTED = "-assisted"


@dataclass(frozen=True, slots=True)
class BoardKey:
    """What a board is for. `division` is a division of the daily deals; it is named with its entrants."""

    day: date
    rules: str
    division: str
    entrants: Entrants
    table: str

    def __str__(self) -> str:
        return f"daily.{self.day.isoformat()}.{self.rules}.{self.division_name}.{self.table}"

    @classmethod
    def parse(cls, text: str) -> BoardKey:
        """Read a name, which is written in exactly one way. Raises ValueError."""
        match = re.fullmatch(r"daily\.([0-9-]{10})\.([a-z0-9-]+)\.([a-z]+)(-bots|-assisted)?\.([a-z-]+)", text)
        if match is None:
            raise ValueError(f"{text!r} is no name of a board")
        day, rules, division, entrants, table = match.groups(default="")
        if rules not in {rule_set.slug for rule_set in RULE_SETS.values()} or table not in TABLES:
            raise ValueError(f"{text!r} names no rule set or no table")
        return cls(date.fromisoformat(day), rules, division, Entrants(entrants), table)

    @property
    def division_name(self) -> str:
        return f"{self.division}{self.entrants}"

    @property
    def order(self) -> Order:
        return TABLES[self.table]
