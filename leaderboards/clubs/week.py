"""The clubs of a week: each has the sum of the points of its best members, read from the table of the week."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from threading import Lock
from time import monotonic
from typing import NamedTuple

from django.core import signing
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from games.deals.daily import DailyKey
from games.runtime.memory import SECONDS, Memory
from leaderboards.boards.catalog import POINTS_TABLE, BoardKey, Period
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import find_board
from leaderboards.boards.refusals import BadCursor
from leaderboards.boards.sort_keys import ranks
from leaderboards.clubs.models import Club
from leaderboards.clubs.tables import inside_at, last_opening

BEST = 5
MOST_TABLES = 100
PAUSES = 100  # Counting, which takes time proportional to the entries, takes at most a hundredth of a process's time.
MEMBERSHIPS = "player__club_memberships__"


class ClubSum(NamedTuple):
    """A club with the packed sum of its best members, the smallest first, and how many of them it has."""

    key: int
    club: str
    members: int


@dataclass(frozen=True)
class Counted:
    """The sums of all clubs in order, and the seconds that it took to count them."""

    sums: list[ClubSum]
    took: float

    @cached_property
    def by_club(self) -> dict[str, int]:
        """The packed sum of each club."""
        return {each.club: each.key for each in self.sums}

    @property
    def lasts(self) -> float:
        return max(SECONDS, PAUSES * self.took)


class ClubRow(NamedTuple):
    """A club on the table of a week."""

    rank: int
    club: Club
    values: dict[str, int]
    members: int


@dataclass(frozen=True)
class ClubTable:
    """The clubs on a version of a week's board, with the members of the day that opened then."""

    board: Board
    version: int
    opened: datetime

    @property
    def counted(self) -> Counted:
        """The sums of all clubs: memberships at a past time do not change, nor does a version."""
        key = f"{self.board.slug} {self.version} {self.opened}"
        return _counted.get(key, lambda: _count(self)) or Counted([], 0)

    @property
    def sums(self) -> list[ClubSum]:
        return self.counted.sums

    def rows(self, first: int, limit: int) -> list[ClubRow]:
        """Return rows from an index on."""
        sums = self.sums
        numbered = list(zip(ranks(each.key for each in sums), sums, strict=True))[first : first + limit]
        clubs = Club.objects.in_bulk([each.club for _, each in numbered])
        unpack = self.board.key.order.unpack
        return [ClubRow(rank, clubs[each.club], unpack(each.key), each.members) for rank, each in numbered]

    def cursor(self, first: int) -> str:
        """Return the cursor of the rows from an index on."""
        return _cursors().sign_object([self.board.slug, self.version, self.opened.isoformat(), first], compress=True)


_counted: Memory[Counted] = Memory("clubs.weeks", MOST_TABLES, seconds_of=lambda counted: counted.lasts)
# The version that all readers are shown until it may be counted again.
_shown: Memory[ClubTable] = Memory("clubs.shown", MOST_TABLES, seconds_of=lambda table: table.counted.lasts)

_counting = Lock()


@cache
def _cursors() -> signing.Signer:
    return signing.Signer(salt="leaderboards.clubs.week")


def find_table(week: str, rules: str, division: str, now: datetime) -> ClubTable:
    """Return the clubs of a week such as `2026-W48`. A week whose last day is final stays as it was then.

    Raises `UnknownBoard`.
    """
    return table_of(f"{Period.WEEKLY}.{week}.{rules}.{division}.{POINTS_TABLE}", now)


def table_of(slug: str, now: datetime) -> ClubTable:
    """Return the clubs on the board of a week. Raises `UnknownBoard`."""
    board = find_board(slug, now)
    final_at = final_at_of(board)
    version = board.version if now < final_at else board.version_at(final_at)
    table = ClubTable(board, version, last_opening(board.key, now))
    key = f"{board.slug} {table.opened} {now < final_at}"
    if known := _shown.recall(key):
        return known
    with _counting:  # meanwhile another thread may have counted
        return _shown.get(key, lambda: table) or table


def final_at_of(board: Board) -> datetime:
    """Return when the last day of a board is final."""
    return final_at_of_key(board.key)


def final_at_of_key(key: BoardKey) -> datetime:
    return DailyKey(key.last, key.rules, key.division).final_at


def read_cursor(text: str, board: Board) -> tuple[ClubTable, int]:
    """Return a table of clubs and the index of its next row. Raises `BadCursor`."""
    try:
        slug, version, opened, first = _cursors().unsign_object(text)
    except signing.BadSignature as error:
        raise BadCursor("this cursor was not made here") from error
    if slug != board.slug:
        raise BadCursor(f"this cursor is one of the board {slug}")
    return ClubTable(board, version, datetime.fromisoformat(opened)), first


def _count(table: ClubTable) -> Counted:
    begun = monotonic()
    return Counted(_sums_of(table), monotonic() - begun)


def _sums_of(table: ClubTable) -> list[ClubSum]:
    order = table.board.key.order
    best: dict[str, list[dict[str, int]]] = defaultdict(list)
    for club, key in _best_members(table):
        best[club].append(order.unpack(key))
    sums = {club: {name: sum(each[name] for each in rows) for name in order.fields} for club, rows in best.items()}
    return sorted(ClubSum(order.pack(values), club, len(best[club])) for club, values in sums.items())


def _best_members(table: ClubTable) -> list[tuple[str, int]]:
    """Return each club with the keys of its best members."""
    entries = View(table.board, table.version).entries().filter(inside_at(table.opened, MEMBERSHIPS))
    club = f"{MEMBERSHIPS}club"
    place = Window(RowNumber(), partition_by=[F(club)], order_by=[F("key"), F("entered_at_version")])
    return list(entries.annotate(place_in_club=place).filter(place_in_club__lte=BEST).values_list(club, "key"))
