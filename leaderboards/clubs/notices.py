"""The notices of a club: what happened there lately, read from memberships and the tables of final days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from django.core import signing
from django.db.models import F, QuerySet, Window
from django.db.models.functions import Rank

from games.deals.daily import DailyKey
from games.players.models import Player
from games.runtime.memory import Memory
from leaderboards.boards.catalog import BoardKey, Period
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.past_days import Day, days_over
from leaderboards.boards.refusals import BadCursor
from leaderboards.clubs.models import Club, Membership
from leaderboards.clubs.tables import inside_at, last_opening

DAYS = 14
MOST_OF_A_KIND = 200
MOST_CLUBS = 200


class NoticeKind(StrEnum):
    JOINED = "joined"
    LEFT = "left"
    WON = "won"
    RECORD = "record"


class First(NamedTuple):
    """The game that is first on a table of a club, and when its day was final."""

    kind: NoticeKind
    at: datetime
    board: BoardKey
    day: date
    player: int
    game: str
    key: int


class Notice(NamedTuple):
    """Something that happened in a club; the id orders what happened at the same time."""

    at: datetime
    id: str
    kind: NoticeKind
    player: Player
    first: First | None = None

    @property
    def values(self) -> dict[str, int]:
        """The cards left, moves and time of the game, if there is one."""
        return self.first.board.order.unpack(self.first.key) if self.first else {}


def notices_of(club: Club, reader: Player | None, now: datetime) -> list[Notice]:
    """Return the notices of the last days, newest first, without players whom the reader has muted."""
    firsts = _firsts.get(club.pk, lambda: list(_firsts_of(club, now))) or []
    since = now - timedelta(days=DAYS)
    muted = set(reader.muted_players.values_list("player", flat=True)) if reader else set()
    notices = [*_comings(club, since), *_told(firsts, since)]
    return sorted((each for each in notices if each.player.pk not in muted), key=_order, reverse=True)


def cursor_after(club: Club, notice: Notice) -> str:
    """Return the cursor of the notices that are older than one."""
    return _cursors().sign_object([club.pk, notice.at.isoformat(), notice.id], compress=True)


def after(text: str, club: Club, notices: Iterable[Notice]) -> list[Notice]:
    """Return the notices after a cursor, whatever has been added since. Raises `BadCursor`."""
    try:
        club_id, at, last = _cursors().unsign_object(text)
    except signing.BadSignature as error:
        raise BadCursor("this cursor was not made here") from error
    if club_id != club.pk:
        raise BadCursor("this cursor is one of another club")
    return [each for each in notices if _order(each) < (datetime.fromisoformat(at), last)]


_firsts: Memory[list[First]] = Memory("clubs.notices", MOST_CLUBS)


@cache
def _cursors() -> signing.Signer:
    return signing.Signer(salt="leaderboards.clubs.notices")


def _order(notice: Notice) -> tuple[datetime, str]:
    return notice.at, notice.id


def _comings(club: Club, since: datetime) -> Iterator[Notice]:
    """Yield who joined and who left; the time at which a member left ends the membership."""
    known = club.memberships.filter(player__is_active=True).select_related("player")
    for row in known.filter(joined_at__gte=since).order_by("-joined_at", "-pk")[:MOST_OF_A_KIND]:
        yield Notice(row.joined_at, f"joined-{row.pk}", NoticeKind.JOINED, row.player)
    for row in known.filter(left_at__gte=since).order_by("-left_at", "-pk")[:MOST_OF_A_KIND]:
        yield Notice(row.left_at or since, f"left-{row.pk}", NoticeKind.LEFT, row.player)


def _told(firsts: list[First], since: datetime) -> Iterator[Notice]:
    players = Player.objects.filter(is_active=True).in_bulk({first.player for first in firsts})
    for first in firsts:
        player = players.get(first.player)
        if player and first.at >= since:
            yield Notice(first.at, f"{first.kind}-{first.game}", first.kind, player, first)


def _firsts_of(club: Club, now: datetime) -> Iterator[First]:
    """Yield the winners of each final day among those who were members then, and the records that stand."""
    days = [day for day in days_over(now, DAYS + 1) if day.is_final and day.boards]
    if not days:
        return
    yield from _read(NoticeKind.WON, [_winners(club, day) for day in days])
    best = {replace(board.key, period=Period.ALL_TIME, first=date.min) for day in days for board in day.boards}
    inside = club.memberships.filter(inside_at(last_opening(next(iter(best)), now)))
    records = _first_among(inside, Board.objects.filter(slug__in=map(str, best)).values_list("pk", flat=True))
    yield from (first for first in _read(NoticeKind.RECORD, [records]) if first.at <= now)


def _winners(club: Club, day: Day) -> QuerySet[Entry]:
    return _first_among(club.memberships.filter(inside_at(day.key.opens_at)), [board.pk for board in day.boards])


def _first_among(members: QuerySet[Membership], boards: Iterable[int]) -> QuerySet[Entry]:
    """Return the first entry of each board, or those that share the place, among members."""
    listed = Entry.objects.filter(board__in=boards, valid_to=None, listed=True, player__in=members.values("player"))
    place = Window(Rank(), partition_by=[F("board")], order_by=[F("key")])
    return listed.annotate(place=place).filter(place=1).order_by()


def _read(kind: NoticeKind, parts: list[QuerySet[Entry]]) -> Iterator[First]:
    """Yield the games of entries, read in one query."""
    fields = "board__slug", "game__daily__day", "player", "game", "key"
    first, *others = (part.values_list(*fields) for part in parts)
    for slug, day, player, game, key in first.union(*others, all=True):
        board = BoardKey.parse(slug)
        yield First(kind, DailyKey(day, board.rules, board.division).final_at, board, day, player, game, key)
