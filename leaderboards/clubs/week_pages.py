"""The page of the clubs of a week, each with the sum of its best members."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.doors.pages import reading_page
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import page, reader_of
from games.runtime.clock import clock
from leaderboards.boards.catalog import POINTS_TABLE, BoardKey, Period
from leaderboards.boards.navigation import ways_from
from leaderboards.boards.pages import FIELDS, MEDALS, main_board
from leaderboards.boards.reading import find_board
from leaderboards.boards.refusals import UnknownBoard
from leaderboards.boards.titles import when
from leaderboards.clubs.emblems import read_emblem
from leaderboards.clubs.models import Membership
from leaderboards.clubs.pages import refused
from leaderboards.clubs.week import BEST, ClubRow, find_table, read_cursor

ROWS = 100


@reading_page
def clubs_of_week(request: HttpRequest) -> HttpResponse:
    """Show the clubs of this week, or with `?board=` of the week of that board; `?cursor=` leads to further rows."""
    now, reader = clock.now(), reader_of(request)
    try:
        key = _key(request.GET.get("board", ""), reader, now)
        context = _table(key, request.GET.get("cursor", ""), reader, now) if key else {}
    except Refusal as refusal:
        return refused(request, refusal)
    return page(request, "leaderboards/clubs_of_week.html", context, section="boards")


def _key(slug: str, reader: Player | None, now: datetime) -> BoardKey | None:
    """Return the board of a week, by default of this one for the reader's division. Raises `UnknownBoard`."""
    if not slug:
        board = main_board(now.date(), reader, now)
        return _week_of(board.key, timedelta()) if board else None
    key = find_board(slug, now).key
    if (key.period, key.table) != (Period.WEEKLY, POINTS_TABLE):
        raise UnknownBoard(f"{slug} is not a table of points of a week")
    return key


def _week_of(key: BoardKey, ahead: timedelta) -> BoardKey:
    first = Period.WEEKLY.first_day(key.first) + ahead
    return replace(key, period=Period.WEEKLY, first=first, table=POINTS_TABLE)


def _table(key: BoardKey, cursor: str, reader: Player | None, now: datetime) -> dict[str, Any]:
    """Return the rows of a week with the ways to others. Raises `UnknownBoard` or `BadCursor`."""
    table, first = find_table(Period.WEEKLY.date_text(key.first), key.rules, key.division_name, now), 0
    if cursor:
        table, first = read_cursor(cursor, table.board)
    ways, end = ways_from(key, now.date()), first + ROWS
    return {
        "when": when(key),
        "board": str(key),
        "deals": ways["deals"],
        "fields": [FIELDS[field] for field in key.order.fields],
        "rows": _rows(table.rows(first, ROWS), reader),
        "best": BEST,
        "next": table.cursor(end) if end < len(table.sums) else "",
        "before": _beside(key, -timedelta(weeks=1), now),
        "after": _beside(key, timedelta(weeks=1), now),
    }


def _rows(rows: list[ClubRow], reader: Player | None) -> list[dict[str, Any]]:
    """Return rows as the template shows them: a club in which nobody is any more has no page."""
    inside = Membership.objects.filter(club__in=[row.club for row in rows], left_at=None, player__is_active=True)
    players: dict[str, set[int]] = {}
    for club, player in inside.values_list("club", "player"):
        players.setdefault(club, set()).add(player)
    return [
        {
            "rank": row.rank,
            "medal": MEDALS.get(row.rank, ""),
            "club": row.club,
            "emblem": read_emblem(row.club.emblem),
            "has_page": row.club.pk in players,
            "is_yours": reader is not None and reader.pk in players.get(row.club.pk, ()),
            "values": row.values.values(),
            "members": row.members,
        }
        for row in rows
    ]


def _beside(key: BoardKey, ahead: timedelta, now: datetime) -> str:
    """Return the name of the board of a week before or after, or "" if there is none."""
    try:
        return find_board(str(_week_of(key, ahead)), now).slug
    except (UnknownBoard, OverflowError):
        return ""


urlpatterns = [path("clubs/week/", clubs_of_week, name="clubs-of-week-page")]
