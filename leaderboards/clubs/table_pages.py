"""The table on the page of a club, how its scores spread, and the tabs that lead to its other tables."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from leaderboards.boards.catalog import POINTS_TABLE
from leaderboards.boards.histogram import histogram
from leaderboards.boards.models import Board
from leaderboards.boards.navigation import ways_from
from leaderboards.boards.pages import BINS, FIELDS, SPREADS, bins_of, main_board, neighbours_of, row_of
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import find_board, top_of, view_of
from leaderboards.boards.titles import table_title
from leaderboards.clubs.reading import KnownClub
from leaderboards.clubs.tables import narrowed_to_club, season_of_club
from leaderboards.seasons.models import Season
from leaderboards.seasons.notifications import season_title
from leaderboards.seasons.seasons import find_season, newest_season

ROWS = 100


def table_on_page(known: KnownClub, asked: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """Return the table that the address of a club's page asks for, by default that of today, with its tabs.

    Raises `UnknownBoard` or `UnknownSeason`.
    """
    if season := asked.get("season"):
        return _season(known, find_season(season), now)
    slug = asked.get("board")
    board = find_board(slug, now) if slug else main_board(now.date(), known.reader, now)
    return _board(known, board, now) if board else {}


def _season(known: KnownClub, season: Season, now: datetime) -> dict[str, Any]:
    key = season.board.key
    shown = _shown(known, season_of_club(known.club.pk, season), now)
    title = season_title(season.month, key.rules, key.division_name)
    periods = [one._replace(is_this=False) for one in shown["periods"]]
    return {**shown, "title": title, "season": season, "newest_season": season, "periods": periods}


def _board(known: KnownClub, board: Board, now: datetime) -> dict[str, Any]:
    key = board.key
    is_live = key.last >= now.date() and key.table != POINTS_TABLE
    shown = _shown(known, narrowed_to_club(known.club.pk, view_of(board), now), now)
    return {**shown, "title": table_title(key), "is_live": is_live, "newest_season": newest_season(key)}


def _shown(known: KnownClub, view: View, now: datetime) -> dict[str, Any]:
    key, table = view.board.key, top_of(view, ROWS)
    field, rows = key.order.fields[0], [row_of(row, known.reader, key) for row in table.rows]
    is_beyond = table.count > len(rows) and known.own is not None and not any(row["is_you"] for row in rows)
    return {
        "board": view.board,
        "fields": [FIELDS[name] for name in key.order.fields],
        "rows": rows,
        "most_rows": ROWS,
        "neighbours": neighbours_of(view, known.reader, rows) if is_beyond and known.reader else [],
        "count": table.count,
        "histogram": bins_of(histogram(view, field, BINS), None),
        "histogram_of": SPREADS[field],
        **ways_from(key, now.date()),
    }
