"""Questions about boards: which there are, and who stands where."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from games.models import DailyDeal
from leaderboards import ranking
from leaderboards.boards import TABLES, BoardKey, Entrants
from leaderboards.errors import NotOnBoard, UnknownBoard
from leaderboards.models import Board, Entry
from leaderboards.ranking import Ranked


@dataclass(frozen=True, slots=True)
class Table:
    """Some consecutive rows of a board, as of one version of it, and how many entries there are in all."""

    board: Board
    count: int
    rows: list[Ranked]


def find_board(slug: str, now: datetime) -> Board:
    """Return a board, from the moment on when its deal opens. Raises `UnknownBoard`."""
    try:
        key = BoardKey.parse(slug)
    except ValueError as error:
        raise UnknownBoard(f"there is no board {slug!r}") from error
    if (
        key.day > now.date()
        or not DailyDeal.objects.filter(day=key.day, rules=key.rules, division=key.division).exists()
    ):
        raise UnknownBoard(f"there is no board {slug}, or its deal has not opened yet")
    return Board.objects.filter(slug=slug).first() or Board(slug=slug)


def boards_of_day(day: date, now: datetime) -> list[Board]:
    """Return the boards of a day's deals, none before the day has come."""
    if day > now.date():
        return []
    keys = [
        BoardKey(day, daily.rules, daily.division, entrants, table)
        for daily in DailyDeal.objects.filter(day=day)
        for entrants in Entrants
        for table in TABLES
    ]
    slugs = [str(key) for key in keys]
    present = {board.slug: board for board in Board.objects.filter(slug__in=slugs)}
    return [present.get(slug) or Board(slug=slug) for slug in slugs]


def top_of(board: Board, limit: int) -> Table:
    """Return the first rows of a board."""
    return Table(board, ranking.count(board), ranking.top(board, limit))


def around_player(board: Board, handle: str, limit: int) -> Table:
    """Return up to `limit` rows with the player's own in their middle. Raises `NotOnBoard`."""
    return Table(board, ranking.count(board), ranking.around(_entry_of(board, handle), board, limit))


def standing_of(board: Board, handle: str) -> Ranked:
    """Return a player's row. Raises `NotOnBoard`."""
    entry = _entry_of(board, handle)
    return Ranked(ranking.rank_of(entry, board), entry)


def _entry_of(board: Board, handle: str) -> Entry:
    entry = ranking.entry_of(handle, board)
    if entry is None:
        raise NotOnBoard(f"{handle!r} is not on the board {board}")
    return entry
