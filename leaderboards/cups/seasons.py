"""The seasons of cups: the points of a calendar month, of people or of bots."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple

from django.core import signing
from django.db.models import Count, Q, Sum

from games.players.models import Player
from games.runtime.memory import Memory
from leaderboards.boards.catalog import Period
from leaderboards.boards.refusals import BadCursor, UnknownBoard
from leaderboards.boards.sort_keys import ranks
from leaderboards.cups.results import standing_results

MOST_KEPT = 24


class Standing(NamedTuple):
    """A player in a season, with the number of cups that count, and how many of them were won."""

    rank: int
    player: int
    points: int
    cups: int
    won: int

    @property
    def key(self) -> tuple[int, int]:
        return -self.points, self.player


class Row(NamedTuple):
    """A row of a season's table."""

    standing: Standing
    player: Player


@dataclass(frozen=True)
class CupSeason:
    """The cups that opened in a month, given its first day."""

    month: date
    for_bots: bool

    @property
    def name(self) -> str:
        return Period.MONTHLY.date_text(self.month)

    @property
    def last_day(self) -> date:
        return Period.MONTHLY.last_day(self.month)

    def standings(self) -> list[Standing]:
        """Return all players in order, as they were at most ten seconds ago; equal points share a rank."""
        return _standings.get(f"{self.name} {self.for_bots}", self._read) or []

    def _read(self) -> list[Standing]:
        first, end = (datetime.combine(day, time.min, UTC) for day in (self.month, self.last_day + timedelta(days=1)))
        results = standing_results().filter(
            entry__cup__for_bots=self.for_bots, entry__cup__opens_at__gte=first, entry__cup__opens_at__lt=end
        )
        won = Count("pk", filter=Q(entry__place=1, entry__division=1))
        sums = results.order_by().values_list("entry__player").annotate(Sum("points"), Count("pk"), won=won)
        ordered = sorted(sums, key=lambda row: (-row[1], row[0]))
        numbered = zip(ranks(row[1] for row in ordered), ordered, strict=True)
        return [Standing(rank, *row) for rank, row in numbered]

    def cursor_after(self, last: Standing) -> str:
        """Return the cursor of the rows after one of them."""
        return _cursors().sign_object([self.name, self.for_bots, *last.key], compress=True)

    def read_cursor(self, text: str) -> tuple[int, int]:
        """Return the key of the last row before. Raises `BadCursor`."""
        try:
            name, for_bots, *key = _cursors().unsign_object(text)
        except signing.BadSignature as error:
            raise BadCursor("this cursor was not made here") from error
        if (name, for_bots) != (self.name, self.for_bots):
            raise BadCursor(f"this cursor is one of the season {name}")
        return key[0], key[1]


@dataclass(frozen=True)
class CupTable:
    """Consecutive rows of a season's table, the number of all rows, and the cursor of the next ones."""

    season: CupSeason
    count: int
    rows: list[Row]
    next: str | None
    own: Standing | None


_standings: Memory[list[Standing]] = Memory("cups.seasons", MOST_KEPT)


@cache
def _cursors() -> signing.Signer:
    return signing.Signer(salt="leaderboards.cups.seasons")


def find_season(month: str, now: datetime, *, for_bots: bool) -> CupSeason:
    """Return a season of cups such as `2026-11`, which may still go on. Raises `UnknownBoard`."""
    try:
        first = Period.MONTHLY.read_date(month)
    except ValueError as error:
        raise UnknownBoard(f"{month!r} is not the name of a month") from error
    if Period.MONTHLY.date_text(first) != month or first > now.date():
        raise UnknownBoard(f"{month!r} is not the name of a month that has begun")
    return CupSeason(first, for_bots)


def table_of(season: CupSeason, limit: int, cursor: str | None, reader: Player | None = None) -> CupTable:
    """Return rows of a season: the first, or those after a cursor, with the reader's. Raises `BadCursor`."""
    last = season.read_cursor(cursor) if cursor else None
    standings = season.standings()
    first = bisect(standings, last, key=lambda standing: standing.key) if last else 0
    shown = standings[first : first + limit]
    players = Player.objects.in_bulk([standing.player for standing in shown])
    return CupTable(
        season,
        len(standings),
        [Row(standing, players[standing.player]) for standing in shown],
        season.cursor_after(shown[-1]) if first + limit < len(standings) else None,
        next((standing for standing in standings if reader is not None and standing.player == reader.pk), None),
    )
